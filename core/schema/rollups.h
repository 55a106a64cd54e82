#pragma once
// What happened to a link, a tag, a workspace or a domain of a workspace, by the hour, by the day and since
// ever: counts by what is known of the visitors (core/data/counts.h). Folded from the click journal
// (core/clicks/click_fold.h), so statistics are read from here only.
//
//   space::rollups       subject | grain (1 byte) | bucket (4 bytes) -> counts
//   space::last_clicks   16 zero bytes | subject                      -> Timestamp in key form (8 bytes); of
//                        tags and domains, links and workspaces have theirs in core/schema/click_totals.h
//   space::meta          "rollups.kept" -> Timestamp since when hours are kept, the same of days (16 bytes)
//
//   subject  01 | link    02 | tag    03 | workspace    04 | domain | workspace
//   bucket   days or hours since 1970, UTC; 0 of grain `all`
//
// Names of counts, by their group:
//   c clicks   s sessions   b visits of bots, HEAD and prefetches   v conversions by event
//   m values of conversions by currency, in thousandths
//   C country  D device  O system  B browser  L language  R host of the referrer  r rule  a arm (16 bytes)
//   S utm_source  M utm_medium  N utm_campaign of the visited address  q "qr": it was read off a QR code
// What is not known is not stored: it is the clicks less the sum of what is known. Grain `all` has only c, s,
// b, r, a, v and m. Hours are kept for 90 days at most, days for ever unless the operator
// says less (core/work/retention.h). Of hours that go on, what is folded lies
// elsewhere (core/schema/recent_rollups.h) until they are over; a RollupReader adds it.
#include "core/data/counts.h"
#include "core/data/key.h"
#include "core/schema/click_totals.h"

#include <vector>

namespace slashpost {

// What is known of the visitors, what chose where they went, and what their address said of how they came by
// it.
enum class Dimension : std::uint8_t {
    country,
    device,
    os,
    browser,
    language,
    referrer,
    rule,
    arm,
    utm_source,
    utm_medium,
    utm_campaign,
    scan
};
enum class Grain : std::uint8_t { all, day, hour }; // on disk: never renumber

// What is counted.
struct Subject {
    data::Bytes prefix;
    LinkId link;           // of which also the hours that go on are read: only those of a link need
    WorkspaceId workspace; // to know where it is (core/schema/recent_links.h)
    static Subject of(LinkId link);
    static Subject of(LinkId link, WorkspaceId workspace);
    static Subject of(TagId tag);
    static Subject of(WorkspaceId workspace);
    static Subject of(DomainId domain, WorkspaceId workspace);
};

namespace group {
inline constexpr char clicks = 'c', sessions = 's', bots = 'b', conversions = 'v', money = 'm';
} // namespace group
char group_of(Dimension dimension);
// Whether grain `all` has the group.
bool is_for_life(char group);

data::Bytes rollup_key(const Subject& subject, Grain grain, std::uint32_t bucket);
std::uint32_t bucket_of(Grain grain, Timestamp time);
Timestamp begin_of(Grain grain, std::uint32_t bucket);

// Since when the hours, and the days, are all there: midnights, UTC. What is older may be erased already.
struct KeptSince {
    Timestamp hours, days;
    bool operator==(const KeptSince&) const = default;
};
// 1970 when nothing was erased for its age yet.
Result<KeptSince> kept_since(data::View& view);
Result<void> set_kept_since(data::Txn& txn, const KeptSince& since);

struct LinkFigures {
    ClickTotals totals;
    std::int64_t sessions = 0;
};

// Reads what was counted, of any number of subjects, through one view. Only to be shown: it is not tracked.
class RollupReader {
  public:
    explicit RollupReader(data::View& view) : view_(view) {}

    // Since ever; empty when nothing was counted.
    Result<data::Counts> lifetime(const Subject& subject);
    // What a list shows of a link; the same as its totals and its lifetime, in fewer look-ups.
    Result<LinkFigures> link(LinkId link, WorkspaceId workspace);
    // The buckets from the first to the last, both included, that have counts, in their order; of days or
    // hours. `visit` answers false to end.
    Result<void> each(const Subject& subject, Grain grain, std::uint32_t first, std::uint32_t last,
                      const std::function<bool(std::uint32_t bucket, const data::Counts& counts)>& visit);

  private:
    Result<std::span<const std::uint32_t>> hours();
    Result<data::Counts> of_hour(std::uint32_t hour, const Subject& subject);

    data::View& view_;
    std::optional<std::vector<std::uint32_t>> hours_; // that are not settled; looked up once
};

// Into all grains, in the order of their keys.
Result<void> add_to_rollups(data::Txn& txn, const Subject& subject, Timestamp time,
                            const data::Counts& delta);

// Erases rows of what is gone: those of subjects whose prefix begins so, with their last clicks. At most
// `max`; answers how many there were, so fewer than `max` means that none is left.
Result<std::size_t> erase_figures(data::Txn& txn, data::BytesView subjects, std::size_t max);
// The beginning of what is counted of a domain, in all workspaces.
data::Bytes subjects_of(DomainId domain);

// Of a tag, or of a domain in a workspace.
data::Bytes last_click_key(const Subject& subject);
Result<std::optional<Timestamp>> last_click_of(data::View& view, const Subject& subject);

} // namespace slashpost
