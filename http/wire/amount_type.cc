// Amounts of money: JSON numbers with at most three decimals, or the same as text, which is always exact.
#include "core/base/amount.h"
#include "http/wire/value_type.h"

#include <boost/json.hpp>

#include <limits>

namespace slashpost::wire {

namespace json = boost::json;

namespace {

class AmountType final : public ValueType {
  public:
    bool read(Reading& reading, const json::value& in, const Rules&, void* out) const override {
        const auto amount = reading.is_text() ? of_text(in) : of_json(in);
        if (!amount)
            return reading.refuse(
                invalid_format(reading.property(), "must be a number with at most three decimals"));
        if (*amount < Amount{} || *amount > amount_max)
            return reading.refuse(out_of_range(reading.property(), "must be between 0 and 9999999999.999"));
        *static_cast<Amount*>(out) = *amount;
        return true;
    }

    void write(const void* in, std::string& out) const override {
        out += json::serialize(number_of(*static_cast<const Amount*>(in)));
    }

    json::value schema(const Rules& rules, Use use, json::object&) const override {
        json::object out{{"type", "number"}};
        if (!rules.example.empty())
            out["examples"] = json::array(1, number_of(read_amount(rules.example).value_or(Amount{})));
        if (use != Use::reply) {
            out["minimum"] = 0;
            out["maximum"] = number_of(amount_max);
        }
        return out;
    }

  private:
    static std::optional<Amount> of_text(const json::value& in) {
        const auto* text = in.if_string();
        return text == nullptr ? std::nullopt : read_amount(std::string_view(*text));
    }
    static std::optional<Amount> of_json(const json::value& in) {
        if (const auto* whole = in.if_int64())
            return whole_amount(*whole);
        if (in.is_uint64())
            return whole_amount(
                std::numeric_limits<std::int64_t>::max()); // the parser uses it above that only
        if (const auto* real = in.if_double())
            return read_amount(*real);
        return of_text(in);
    }
    static json::value number_of(Amount amount) {
        if (amount.thousandths % 1000 == 0)
            return amount.thousandths / 1000;
        return static_cast<double>(amount.thousandths) / 1000;
    }
};

} // namespace

const ValueType& amount_type() {
    static const AmountType type;
    return type;
}

} // namespace slashpost::wire
