#pragma once
// The meaning of the click journal: what a record says. How records become figures: click_fold.h and
// click_fold.h.
//
//   record    0  16  link
//            16  16  workspace
//            32  16  domain
//            48   6  time: milliseconds since 1970, big-endian
//            54   2  flags, big-endian: 1 = no click but a bot's visit, HEAD or a prefetch, 2 = the link has
//                    tags, 4 = a rule chose where to, 8 = an arm of a rotator did, 16 = the address was read
//                    off a QR code; 32, 64 or both: see below
//            56  16  the rule or the arm; else the link's tags (core/schema/tag_marks.h)
//            72   8  the visitor, big-endian: a keyed hash that means nothing without its key; 0: not known
//            80   2  country     82  3  language     85  1  device     86  1  system     87  1  browser
//            88  36  host of the referrer, zeros behind it
//
// What an address says of the campaign that it was handed out for has records of its own, behind that of the
// click, which count as no click: few addresses say anything, and all other records stay as short as they
// are.
//
//   record    0  56  as above, with one of the flags 32 = utm_source, 64 = utm_medium, 96 = utm_campaign
//            56  16  the link's tags
//            72  52  the value, zeros behind it
//
// With the journal's checksum that is 128 bytes. Records of before visitors were told apart end at byte 60, a
// longer record of a later build begins with the same bytes: what is missing reads as zero, what is more is
// left alone. No address of a visitor is in a record.
#include "core/base/id.h"
#include "core/base/time.h"
#include "core/data/engine.h"
#include "core/model/visitor.h"
#include "core/schema/tag_marks.h"

#include <array>
#include <cstring>

namespace slashpost::redirect {

inline constexpr std::size_t click_record_bytes = 124;

// What decided where a visitor was sent.
enum class Chooser : std::uint8_t { link, rule, arm };

struct Click {
    LinkId link;
    WorkspaceId workspace;
    DomainId domain;
    Timestamp time;       // not before 1970
    bool counts = true;   // false: a bot's visit, HEAD or a prefetch, kept apart from clicks
    bool tagged = false;  // the link had tags
    bool scanned = false; // off a QR code
    Chooser chooser = Chooser::link;
    RawId choice;              // the rule or the arm
    TagMarks tags;             // kept when the link itself decided
    std::uint64_t visitor = 0; // tells visitors apart for some hours; 0: not known
    CountryCode country;
    LanguageCode language;
    Agent agent; // all but fetches_previews is kept
    ReferrerHost referrer;
    bool operator==(const Click&) const = default;
};

// In records: never renumber.
enum class CampaignPart : std::uint8_t { source = 1, medium = 2, campaign = 3 };
using CampaignValue = ShortText<52>; // UTF-8; the beginning of a longer one

// What the address of a click said, in one of the parameters that mark campaigns.
struct CampaignMark {
    LinkId link;
    WorkspaceId workspace;
    DomainId domain;
    Timestamp time; // of the click
    bool tagged = false;
    TagMarks tags;
    CampaignPart part = CampaignPart::source;
    CampaignValue value;
    bool operator==(const CampaignMark&) const = default;
};

// The second half of a link's id, which is random: for tables in memory.
[[nodiscard]] inline std::uint64_t random_half(const LinkId& link) {
    std::uint64_t random = 0;
    std::memcpy(&random, link.bytes.data() + sizeof random, sizeof random);
    return random;
}

// What is known of who it was; that somebody came, and what the link did, stays.
void forget_visitor(Click& click);
[[nodiscard]] std::array<char, click_record_bytes> encode_click(const Click& click);
[[nodiscard]] std::array<char, click_record_bytes> encode_mark(const CampaignMark& mark);
// Nothing when the record is too short to be one, or names no link, as one that the journal has given up, or
// is the mark of a campaign.
[[nodiscard]] std::optional<Click> decode_click(data::BytesView record);
// Nothing when it is another record.
[[nodiscard]] std::optional<CampaignMark> decode_mark(data::BytesView record);

} // namespace slashpost::redirect
