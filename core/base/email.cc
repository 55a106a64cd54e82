#include "core/base/email.h"

#include "core/base/text.h"

#include <algorithm>

namespace slashpost {

namespace {

constexpr std::size_t local_bytes_max = 64;

} // namespace

bool is_email(std::string_view text) {
    const auto at = text.find('@');
    if (text.size() > email_bytes_max || at == 0 || at == text.npos || at > local_bytes_max ||
        text.rfind('@') != at || !is_utf8(text) || has_control(text))
        return false;
    const auto host = text.substr(at + 1);
    const auto dot = host.find('.');
    const auto plain = [](char c) { return static_cast<unsigned char>(c) > ' '; };
    return dot != host.npos && dot != 0 && !host.ends_with('.') && host.find("..") == host.npos &&
           std::ranges::all_of(text, plain) && text.find_first_of("<>()[],;:\\\"") == text.npos;
}

} // namespace slashpost
