// Values whose type is the value's own (AnyValue).
#include "http/wire/value_type.h"

#include <boost/json.hpp>

namespace slashpost::wire {

namespace json = boost::json;

namespace {

class AnyType final : public ValueType {
  public:
    bool read(Reading& reading, const json::value&, const Rules&, void*) const override {
        return reading.refuse(invalid_format(reading.property(), "cannot be given"));
    }

    void write(const void* in, std::string& out) const override {
        const auto& value = *static_cast<const AnyValue*>(in);
        if (value.kind == AnyValue::Kind::list) {
            write_list(value.texts, out);
            return;
        }
        if (value.texts.empty())
            out += "null";
        else if (value.kind == AnyValue::Kind::text)
            write_text(value.texts.front(), out);
        else
            out += value.texts.front();
    }

    json::value schema(const Rules&, Use, json::object&) const override {
        return json::object{{"type", json::array{"string", "integer", "boolean", "array"}}};
    }

  private:
    static void write_list(const std::vector<std::string>& texts, std::string& out) {
        out += '[';
        for (std::size_t i = 0; i < texts.size(); ++i) {
            out += i > 0 ? "," : "";
            write_text(texts[i], out);
        }
        out += ']';
    }
};

} // namespace

const ValueType& any_type() {
    static const AnyType type;
    return type;
}

} // namespace slashpost::wire
