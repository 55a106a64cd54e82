#include "app/admin/dump_json.h"

#include "core/base/ascii.h"
#include "core/base/text.h"

namespace slashpost::admin {

std::string to_hex(std::string_view bytes) {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += digits[byte >> 4U];
        text += digits[byte & 0xfU];
    }
    return text;
}

std::optional<std::string> from_hex(std::string_view text) {
    if (text.size() % 2 != 0)
        return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = ascii::hex_value(text[i]);
        const int low = ascii::hex_value(text[i + 1]);
        if (high < 0 || low < 0)
            return std::nullopt;
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

json::value text_to_json(std::string_view text, const json::storage_ptr& memory) {
    if (is_utf8(text))
        return json::value(json::string_view(text.data(), text.size()), memory);
    json::object out(memory);
    out.emplace("hex", to_hex(text));
    return out;
}

bool text_from_json(const json::value& in, std::string& text) {
    if (in.is_string()) {
        text = std::string_view(in.get_string());
        return true;
    }
    const auto* object = in.if_object();
    const auto* hex = object ? object->if_contains("hex") : nullptr;
    if (!hex || !hex->is_string() || object->size() != 1)
        return false;
    const auto bytes = from_hex(std::string_view(hex->get_string()));
    text = bytes.value_or("");
    return bytes.has_value();
}

json::value time_to_json(Timestamp time, const json::storage_ptr& memory) {
    const auto text = to_iso(time);
    if (parse_iso(text) == time)
        return json::value(json::string_view(text), memory);
    return time.ms;
}

bool time_from_json(const json::value& in, Timestamp& time) {
    if (in.is_int64()) {
        time.ms = in.get_int64();
        return parse_iso(to_iso(time)) != time;
    }
    const auto parsed = parse_iso(in.is_string() ? std::string_view(in.get_string()) : std::string_view());
    time = parsed.value_or(Timestamp{});
    return parsed.has_value();
}

} // namespace slashpost::admin
