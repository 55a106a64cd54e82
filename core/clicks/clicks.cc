#include "core/clicks/clicks.h"

#include "core/data/packed.h"

#include <algorithm>

namespace slashpost::redirect {

namespace {

constexpr std::size_t read_bytes_min = 54;   // of a record: up to its time
constexpr std::size_t old_record_bytes = 54; // what a record that ends at byte 60 says
constexpr std::uint16_t flag_kept_apart = 1, flag_tagged = 2, flag_rule = 4, flag_arm = 8, flag_scanned = 16;
constexpr int part_shift = 5; // of the two bits that say which part of a campaign
constexpr std::uint16_t part_bits = 3;
constexpr std::size_t flags_at = 54, value_at = 72;
static_assert(value_at + CampaignValue().bytes.size() == click_record_bytes);

char* put_number(char* at, std::uint64_t number, int width) {
    for (int shift = 8 * (width - 1); shift >= 0; shift -= 8)
        *at++ = static_cast<char>(number >> shift & 0xff);
    return at;
}

std::uint16_t flags_of(const Click& click) {
    unsigned flags = click.counts ? 0 : flag_kept_apart;
    if (click.tagged)
        flags |= flag_tagged;
    if (click.scanned)
        flags |= flag_scanned;
    if (click.chooser != Chooser::link)
        flags |= click.chooser == Chooser::rule ? flag_rule : flag_arm;
    return static_cast<std::uint16_t>(flags);
}

} // namespace

std::array<char, click_record_bytes> encode_click(const Click& click) {
    std::array<char, click_record_bytes> record; // NOLINT(*-member-init): every byte is written below
    auto* at = std::ranges::copy(click.link.view(), record.data()).out;
    at = std::ranges::copy(click.workspace.view(), at).out;
    at = std::ranges::copy(click.domain.view(), at).out;
    at = put_number(at, static_cast<std::uint64_t>(click.time.ms), 6);
    at = put_number(at, flags_of(click), 2);
    at = click.chooser == Chooser::link ? std::ranges::copy(click.tags.bytes, at).out
                                        : std::ranges::copy(click.choice.view(), at).out;
    at = put_number(at, click.visitor, 8);
    at = std::ranges::copy(click.country.bytes, at).out;
    at = std::ranges::copy(click.language.bytes, at).out;
    *at++ = static_cast<char>(click.agent.device);
    *at++ = static_cast<char>(click.agent.system);
    *at++ = static_cast<char>(click.agent.browser);
    std::ranges::copy(click.referrer.bytes, at);
    return record;
}

std::array<char, click_record_bytes> encode_mark(const CampaignMark& mark) {
    auto record = encode_click({.link = mark.link,
                                .workspace = mark.workspace,
                                .domain = mark.domain,
                                .time = mark.time,
                                .tagged = mark.tagged,
                                .tags = mark.tags});
    std::ranges::copy(mark.value.bytes, record.data() + value_at);
    const auto part = static_cast<unsigned>(mark.part) << part_shift;
    record[flags_at + 1] = static_cast<char>(static_cast<unsigned char>(record[flags_at + 1]) | part);
    return record;
}

namespace {

std::uint16_t part_of(data::BytesView record) {
    return static_cast<std::uint16_t>(data::big_endian(record.substr(flags_at, 2)) >> part_shift & part_bits);
}

bool names_link(data::BytesView record) { return LinkId::from_bytes(record.substr(0, 16)) != LinkId(); }

// `left` has all bytes of a record.
Click decode_whole(data::BytesView left) {
    using data::take;
    Click click{.link = *LinkId::from_bytes(take(left, 16)),
                .workspace = *WorkspaceId::from_bytes(take(left, 16)),
                .domain = *DomainId::from_bytes(take(left, 16)),
                .time = {static_cast<std::int64_t>(data::big_endian(take(left, 6)))}};
    const auto flags = data::big_endian(take(left, 2));
    click.counts = (flags & flag_kept_apart) == 0;
    click.tagged = (flags & flag_tagged) != 0;
    click.scanned = (flags & flag_scanned) != 0;
    click.chooser = (flags & flag_rule) != 0  ? Chooser::rule
                    : (flags & flag_arm) != 0 ? Chooser::arm
                                              : Chooser::link;
    if (const auto bytes = take(left, 16); click.chooser == Chooser::link)
        click.tags = TagMarks::from_bytes(bytes);
    else
        click.choice = *RawId::from_bytes(bytes);
    click.visitor = data::big_endian(take(left, 8));
    click.country = CountryCode::of(take(left, 2));
    click.language = LanguageCode::of(take(left, 3));
    click.agent.device = static_cast<Device>(take(left, 1).front());
    click.agent.system = static_cast<System>(take(left, 1).front());
    click.agent.browser = static_cast<Browser>(take(left, 1).front());
    click.referrer = ReferrerHost::of(take(left, ReferrerHost().bytes.size()));
    return click;
}

} // namespace

std::optional<Click> decode_click(data::BytesView record) {
    if (record.size() < read_bytes_min || !names_link(record))
        return std::nullopt;
    if (record.size() >= click_record_bytes) [[likely]]
        return part_of(record) == 0 ? std::optional(decode_whole(record)) : std::nullopt;
    std::array<char, click_record_bytes> whole{};
    std::ranges::copy(record.substr(0, old_record_bytes), whole.begin());
    return decode_whole({whole.data(), whole.size()});
}

std::optional<CampaignMark> decode_mark(data::BytesView record) {
    if (record.size() < click_record_bytes || !names_link(record) || part_of(record) == 0)
        return std::nullopt;
    const auto value = CampaignValue::of(record.substr(value_at, CampaignValue().bytes.size()));
    if (value.view().empty())
        return std::nullopt;
    const auto click = decode_whole(record);
    return CampaignMark{.link = click.link,
                        .workspace = click.workspace,
                        .domain = click.domain,
                        .time = click.time,
                        .tagged = click.tagged,
                        .tags = click.tags,
                        .part = static_cast<CampaignPart>(part_of(record)),
                        .value = value};
}

void forget_visitor(Click& click) {
    click.visitor = 0;
    click.country = {};
    click.language = {};
    click.agent = {};
    click.referrer = {};
}

} // namespace slashpost::redirect
