#include "http/api/samples.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>

namespace slashpost::api {

namespace json = boost::json;

namespace {

constexpr std::string_view sample_id = "019a9e3c7b5f4d2e8a1b6c0d9e8f7a6b";
constexpr std::string_view sample_time = "2026-01-31T09:00:00.000Z";

// What fields of these names mean wherever they are.
constexpr std::array<std::pair<std::string_view, std::string_view>, 50> texts{{
    {"alias_name", "www.go.example.com"},
    {"allowed", "https"},
    {"app_id", "instagram"},
    {"appleAppSiteAssociation", R"({"applinks":{"details":[]}})"},
    {"assetLinks", "[]"},
    {"avatarUrl", "https://example.com/avatar.png"},
    {"category", "default"},
    {"client", "Firefox on Linux"},
    {"code", "InvalidFormat"},
    {"color", "ff8800"},
    {"country", "de"},
    {"customHomepage", "https://example.com/"},
    {"default", "https"},
    {"description", "For the newsletter of spring."},
    {"destination", "https://example.com/offers?season=spring"},
    {"domainName", "go.example.com"},
    {"email", "ann@example.com"},
    {"emails", "ann@example.com"},
    {"expiredUrl", "https://example.com/over"},
    {"externalId", "product-4711"},
    {"external_id", "product-4711"},
    {"fullName", "go.example.com"},
    {"hint", "c65b7b"},
    {"homeText", "Short links of Spring."},
    {"image", "https://example.com/preview.png"},
    {"key", "c65b7b1f55576305d9e7ea673be44d9c55b3a0994b5b1d6bfc34696835fe183e"},
    {"links", sample_id},
    {"locale", "en_GB"},
    {"logoUrl", "https://example.com/logo.svg"},
    {"message", "Join us."},
    {"name", "Spring"},
    {"notFoundUrl", "https://example.com/not-found"},
    {"notes", "Everything for spring."},
    {"operator", "in"},
    {"parameter", "sp_click"},
    {"path", "user/example"},
    {"property", "req.device"},
    {"ref", "/domains/019a9e3c7b5f4d2e8a1b6c0d9e8f7a6b"},
    {"redirects", "https://app.example/back"},
    {"shortUrl", "go.example.com/spring"},
    {"slashtag", "spring"},
    {"template_name", "Spring newsletter"},
    {"term", "spring"},
    {"title", "Spring offers"},
    {"token", "the token of the invitation"},
    {"topLevelDomain", "com"},
    {"uri", "https://example.com/pixel.js"},
    {"username", "ann"},
    {"value", "mobile"},
    {"values", "mobile"},
}};

std::string_view text_named(std::string_view name, std::string_view otherwise) {
    const auto* found = std::ranges::find(texts, name, &std::pair<std::string_view, std::string_view>::first);
    return found == texts.end() ? otherwise : found->second;
}

std::string_view text_at(const json::object& schema, std::string_view key) {
    const auto* found = schema.if_contains(key);
    return found != nullptr && found->is_string() ? std::string_view(found->get_string())
                                                  : std::string_view{};
}

std::string_view type_of(const json::object& schema) {
    const auto* type = schema.if_contains("type");
    if (type != nullptr && type->is_array())
        return type->get_array().front().as_string();
    return text_at(schema, "type");
}

// Longer or shorter until it is what the schema allows.
std::string fitted(std::string text, const json::object& schema) {
    if (const auto* least = schema.if_contains("minLength"))
        text.append(std::max<std::size_t>(least->to_number<std::size_t>(), text.size()) - text.size(), 'x');
    if (const auto* most = schema.if_contains("maxLength"))
        text.resize(std::min(text.size(), most->to_number<std::size_t>()));
    return text;
}

json::value text_sample(std::string_view name, const json::object& schema) {
    const auto format = text_at(schema, "format");
    if (format == "date-time")
        return json::string(sample_time);
    if (format == "date")
        return json::string(sample_time.substr(0, 10));
    if (text_at(schema, "pattern") == "^[0-9a-f]{32}$")
        return json::string(sample_id);
    if (format == "uri")
        return json::string(text_named(name, "https://example.com/"));
    if (format == "email")
        return json::string(text_named(name, "ann@example.com"));
    return json::string(fitted(std::string(text_named(name, "text")), schema));
}

std::int64_t integer_sample(std::string_view name, const json::object& schema) {
    std::int64_t number = name == "ttl" ? 86'400 : name == "redirectType" ? 302 : 1;
    if (const auto* least = schema.if_contains("minimum"))
        number = std::max(number, least->to_number<std::int64_t>());
    if (const auto* most = schema.if_contains("maximum"))
        number = std::min(number, most->to_number<std::int64_t>());
    return number;
}

class Sampler {
  public:
    Sampler(const json::object& schemas, SampleOf use) : schemas_(schemas), use_(use) {}

    json::value of(std::string_view name, const json::value& node) {
        const auto& schema = node.as_object();
        if (const auto target = text_at(schema, "$ref"); !target.empty())
            return of(name, schemas_.at(target.substr(target.rfind('/') + 1)));
        const auto type = type_of(schema);
        if (const auto* either = schema.if_contains("anyOf"); either != nullptr && type != "object")
            return of(name, either->as_array().front());
        if (const auto* examples = schema.if_contains("examples"))
            return examples->as_array().front();
        if (const auto* words = schema.if_contains("enum"))
            return words->as_array().front();
        if (type == "object")
            return object_of(name, schema);
        if (type == "array")
            return json::array{of(name, schema.at("items"))};
        if (type == "integer")
            return integer_sample(name, schema);
        if (type == "number")
            return 1.5;
        if (type == "boolean")
            return true;
        return text_sample(name, schema);
    }

  private:
    json::value object_of(std::string_view of_name, const json::object& schema) {
        json::object out;
        const auto* properties = schema.if_contains("properties");
        if (properties == nullptr || depth_ == depth_max)
            return out;
        ++depth_;
        // A domain has a full name as well.
        const bool is_person =
            of_name == "creator" || of_name == "createdBy" || properties->as_object().contains("email");
        for (const auto& [name, property] : properties->as_object()) {
            if (use_ == SampleOf::reply || is_required(schema, name) || has_example(property))
                out[name] = is_person && name == "fullName" ? json::value("Ann Example") : of(name, property);
        }
        if (out.empty() && !properties->as_object().empty()) {
            const auto& first = *properties->as_object().begin();
            out[first.key()] = of(first.key(), first.value());
        }
        --depth_;
        return out;
    }

    // Of fields of which one has to be there, the last is the simplest.
    static bool is_required(const json::object& schema, std::string_view name) {
        const auto lists = [&](const json::object& in) {
            const auto* required = in.if_contains("required");
            return required != nullptr &&
                   std::ranges::any_of(required->as_array(),
                                       [&](const json::value& one) { return one.as_string() == name; });
        };
        const auto* either = schema.if_contains("anyOf");
        return lists(schema) || (either != nullptr && lists(either->as_array().back().as_object()));
    }

    static bool has_example(const json::value& schema) { return schema.as_object().contains("examples"); }

    static constexpr unsigned depth_max = 8;
    const json::object& schemas_;
    const SampleOf use_;
    unsigned depth_ = 0;
};

} // namespace

json::value sample_of(const json::value& schema, const json::object& schemas, SampleOf use) {
    return Sampler(schemas, use).of("", schema);
}

std::string_view sample_text(std::string_view name) { return text_named(name, sample_id); }

} // namespace slashpost::api
