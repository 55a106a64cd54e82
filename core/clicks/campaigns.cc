#include "core/clicks/campaigns.h"

#include "core/base/percent.h"
#include "core/base/query.h"
#include "core/base/text.h"

#include <algorithm>

namespace slashpost::redirect {

namespace {

constexpr std::size_t place_of(CampaignPart part) { return static_cast<std::size_t>(part) - 1; }

// By place; all begin alike, which most parameters do not.
constexpr std::array<std::string_view, 3> names{"utm_source", "utm_medium", "utm_campaign"};
constexpr char first_letter = 'u';

bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; } // a character of UTF-8

} // namespace

CampaignQuery::CampaignQuery(std::string_view query) {
    each_parameter(query, [&](std::string_view parameter, std::string_view name) {
        scanned_ = scanned_ || name == scan_parameter;
        if (!parameter.starts_with(first_letter))
            return;
        const auto part = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
        if (part < names.size() && !sent_[part])
            sent_[part] = parameter.substr(std::min(name.size() + 1, parameter.size()));
    });
}

CampaignValue CampaignQuery::value(CampaignPart part) const noexcept {
    auto left = sent_[place_of(part)].value_or("");
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
