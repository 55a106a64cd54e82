#include "http/wire/encode.h"

#include <boost/json.hpp>

#include <algorithm>

namespace slashpost::wire {

void write_text(std::string_view text, std::string& out) {
    const auto is_plain = [](char c) {
        return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20;
    };
    if (!std::ranges::all_of(text, is_plain)) {
        out += boost::json::serialize(boost::json::string(text));
        return;
    }
    out += '"';
    out += text;
    out += '"';
}

std::string write_json(const ValueType& type, const void* value) {
    std::string out;
    type.write(value, out);
    return out;
}

} // namespace slashpost::wire
