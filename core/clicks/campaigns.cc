#include "core/clicks/campaigns.h"

#include "core/base/percent.h"
#include "core/base/text.h"

#include <algorithm>

namespace slashpost::redirect {

namespace {

// The value of the first parameter of that name; nothing when there is none.
std::optional<std::string_view> value_of(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        const auto parameter = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), parameter.size() + 1));
        const auto equals = parameter.find('=');
        if (parameter.substr(0, equals) == name)
            return equals == parameter.npos ? std::string_view() : parameter.substr(equals + 1);
    }
    return std::nullopt;
}

std::string_view name_of(CampaignPart part) {
    switch (part) {
    case CampaignPart::source:
        return "utm_source";
    case CampaignPart::medium:
        return "utm_medium";
    case CampaignPart::campaign:
        break;
    }
    return "utm_campaign";
}

bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; } // a character of UTF-8

} // namespace

bool was_scanned(std::string_view query) noexcept { return value_of(query, scan_parameter).has_value(); }

CampaignValue campaign_value(std::string_view query, CampaignPart part) noexcept {
    auto left = value_of(query, name_of(part)).value_or("");
    // One byte more than fits, to see whether the last character is whole.
    std::array<char, CampaignValue().bytes.size() + 1> plain{};
    std::size_t length = 0;
    while (!left.empty() && length < plain.size()) {
        const bool is_space = left.front() == '+';
        const char c = is_space ? (left.remove_prefix(1), ' ') : take_percent_decoded(left);
        if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && (length > 0 || c != ' '))
            plain[length++] = c;
    }
    if (length == plain.size())
        do
            --length;
        while (length > 0 && goes_on(plain[length]));
    const auto text = trim({plain.data(), length});
    return is_utf8(text) ? CampaignValue::of(text) : CampaignValue();
}

} // namespace slashpost::redirect
