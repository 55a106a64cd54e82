// The composite types: objects with fields, and arrays.
#include "core/base/text.h"
#include "http/wire/value_type.h"

#include <boost/json.hpp>

#include <algorithm>

namespace slashpost::wire {

namespace json = boost::json;

namespace {

// Null and the empty string mean "not given"; so does the field's own word for it in a text input.
bool is_given(const json::value& in, const Rules& rules, const Reading& reading) {
    const auto* text = in.if_string();
    if (text == nullptr)
        return !in.is_null();
    if (rules.trimmed && trim(*text).empty())
        return false;
    return !text->empty() && !(reading.is_text() && !rules.absent_word.empty() && *text == rules.absent_word);
}

// The member of that name; without one, a member whose name differs in case only.
const json::value* member_of(const json::object& object, std::string_view name) {
    if (const auto* exact = object.if_contains(name))
        return exact;
    const auto is_called_so = [&, lower = lower_ascii(name)](const auto& member) {
        return member.key().size() == lower.size() && lower_ascii(member.key()) == lower;
    };
    const auto* other = std::ranges::find_if(object, is_called_so);
    return other == object.end() ? nullptr : &other->value();
}

// A schema by reference has no type of its own.
void allow_null(json::value& schema) {
    if (auto* const type = schema.as_object().if_contains("type"))
        *type = json::array{*type, "null"};
    else
        schema = json::object{{"anyOf", json::array{std::move(schema), json::object{{"type", "null"}}}}};
}

class ObjectType final : public ValueType {
  public:
    ObjectType(std::string_view name, Fields fields) : name_(name), fields_(std::move(fields)) {}

    bool read(Reading& reading, const json::value& in, const Rules&, void* out) const override {
        const auto* object = in.if_object();
        if (object == nullptr && nameless_ == nullptr)
            return reading.refuse(invalid_format(reading.property(), "must be an object"));
        if (object == nullptr)
            return read_field(reading, &in, *nameless_, nameless_->locate(out));
        bool good = true;
        for (const auto& field : fields_)
            good = read_field(reading, member_of(*object, field.name), field, field.locate(out)) && good;
        return good;
    }

    void write(const void* in, std::string& out) const override {
        out += '{';
        const auto begin = out.size();
        for (const auto& field : fields_) {
            // locate() finds members of constant shapes too; nothing is changed through the pointer here
            const auto* member = field.locate(const_cast<void*>(in));
            const auto* value = field.slot->look(member);
            if (!value && !field.slot->nullable)
                continue;
            if (out.size() > begin)
                out += ',';
            write_text(field.name, out);
            out += ':';
            if (value)
                field.type->write(value, out);
            else
                out += "null";
        }
        out += '}';
    }

    json::value schema(const Rules&, Use use, json::object& components) const override {
        if (!components.contains(name_))
            components[name_] = describe(use, components);
        json::object named{{"$ref", "#/components/schemas/" + std::string(name_)}};
        if (nameless_ == nullptr)
            return named;
        return json::object{{"anyOf", json::array{std::move(named), nameless_->type->schema(
                                                                        nameless_->rules, use, components)}}};
    }

    [[nodiscard]] std::span<const Field> fields() const override { return fields_; }
    [[nodiscard]] bool takes_several() const override { return nameless_ != nullptr; }

  private:
    static const Field* nameless_of(const Fields& fields) {
        const auto found = std::ranges::find(fields, std::string_view(), &Field::name);
        return found == fields.end() ? nullptr : &*found;
    }

    static bool read_field(Reading& reading, const json::value* in, const Field& field, void* member) {
        const Reading::Step step(reading, field.name);
        if (in != nullptr && in->is_array() && reading.is_text() && !field.type->takes_several())
            in = &in->get_array().back(); // never empty in a text input
        if (in == nullptr || !is_given(*in, field.rules, reading)) {
            if (field.rules.required)
                return reading.refuse(required_field(reading.property()));
            if (in != nullptr && (in->is_null() || field.rules.empty_clears))
                field.slot->clear(member);
            return true;
        }
        if (field.type->read(reading, *in, field.rules, field.slot->make(member)))
            return true;
        if (!field.type->has_parts())
            field.slot->drop(member);
        return false;
    }

    json::object describe(Use use, json::object& components) const {
        json::object properties;
        json::array required, alternatives;
        for (const auto& field : fields_) {
            if (field.name.empty())
                continue;
            auto schema = field.type->schema(field.rules, use, components);
            if ((use == Use::input && field.slot->clearable) || field.slot->nullable)
                allow_null(schema);
            if (!field.rules.note.empty())
                schema.as_object()["description"] = field.rules.note;
            properties[field.name] = std::move(schema);
            if (use == Use::reply ? field.slot->always : field.rules.required)
                required.emplace_back(field.name);
            if (field.rules.alternative)
                alternatives.push_back(json::object{{"required", json::array{field.name}}});
        }
        json::object out{{"type", "object"}, {"properties", std::move(properties)}};
        if (!required.empty())
            out["required"] = std::move(required);
        if (!alternatives.empty())
            out["anyOf"] = std::move(alternatives);
        return out;
    }

    const std::string_view name_;
    const Fields fields_;
    const Field* const nameless_ = nameless_of(fields_);
};

// Of an array without a rule: more than any call takes, little enough to be told what is wrong with each.
constexpr std::size_t items_max_of_any = 1'000;

class ArrayType final : public ValueType {
  public:
    explicit ArrayType(ArrayAccess access) : access_(access) {}

    bool read(Reading& reading, const json::value& in, const Rules& rules, void* out) const override {
        const auto* items = reading.is_text() ? nullptr : in.if_array();
        const bool in_text = items == nullptr && (reading.is_text() || (rules.comma_list && in.is_string()));
        json::array listed;
        if (in_text) {
            listed = list_of_text(in);
            items = &listed;
        }
        if (items == nullptr)
            return reading.refuse(invalid_format(reading.property(), "must be an array"));
        if (const auto max = std::min(rules.items_max, items_max_of_any); items->size() > max)
            return reading.refuse(
                out_of_range(reading.property(), "must have at most " + std::to_string(max) + " items"));
        bool good = true;
        for (std::size_t i = 0; i < items->size(); ++i) {
            const auto& item = (*items)[i];
            void* const place = access_.append(out);
            // One bad id in a list given as text is a fault of the whole: it has no place of its own.
            good = (in_text ? access_.item->read(reading, item, {}, place)
                            : read_item(reading, item, i, place)) &&
                   good;
        }
        return good;
    }

    void write(const void* in, std::string& out) const override {
        out += '[';
        const auto size = access_.size(in);
        for (std::size_t i = 0; i < size; ++i) {
            if (i > 0)
                out += ',';
            access_.item->write(access_.at(in, i), out);
        }
        out += ']';
    }

    json::value schema(const Rules& rules, Use use, json::object& components) const override {
        json::object out{{"type", "array"}, {"items", access_.item->schema({}, use, components)}};
        if (use == Use::input && rules.comma_list)
            out["type"] = {"array", "string"};
        if (rules.not_empty)
            out["minItems"] = 1;
        if (rules.items_max != Rules{}.items_max)
            out["maxItems"] = rules.items_max;
        return out;
    }

    [[nodiscard]] bool takes_several() const override { return true; }
    [[nodiscard]] bool has_parts() const override { return access_.item->has_parts(); }

  private:
    // In a text input "a,b" is a list, and so are the values of list[0]=a and list[1]=b, and those of a
    // parameter that comes several times; empty ones are skipped.
    static json::array list_of_text(const json::value& in) {
        json::array out;
        if (const auto* object = in.if_object())
            for (const auto& [key, value] : *object)
                out.push_back(value.is_array() ? value.get_array().back() : value);
        if (const auto* values = in.if_array())
            for (const auto& value : *values)
                add_items(value, out);
        add_items(in, out);
        return out;
    }

    static void add_items(const json::value& in, json::array& out) {
        const auto* string = in.if_string();
        auto rest = string == nullptr ? std::string_view() : std::string_view(*string);
        while (!rest.empty()) {
            const auto item = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(rest.size(), item.size() + 1));
            if (!item.empty())
                out.emplace_back(item);
        }
    }

    bool read_item(Reading& reading, const json::value& in, std::size_t index, void* out) const {
        const Reading::Step step(reading, index);
        if (const auto* text = in.if_string(); in.is_null() || (text != nullptr && text->empty()))
            return reading.refuse(required_field(reading.property()));
        return access_.item->read(reading, in, {}, out);
    }

    const ArrayAccess access_;
};

} // namespace

std::unique_ptr<const ValueType> make_array_type(ArrayAccess access) {
    return std::make_unique<ArrayType>(access);
}

std::unique_ptr<const ValueType> make_object_type(std::string_view name, Fields fields) {
    return std::make_unique<ObjectType>(name, std::move(fields));
}

} // namespace slashpost::wire
