#pragma once
// The links of one workspace in the order of their clicks, or of their last ones, as of one fold of the click
// journal. It is a value in memory: no index on disk follows clicks, since it would cost more writes per
// click than all the rest of a redirect.
//
// A ranking has an *epoch*, the number of journal records that the totals had taken in. A view of the same
// epoch has the same clicks, so for it the ranking is exact; the next fold makes another ranking of it, which
// shares all that is large: what changed since lies over it and is merged in now and then.
//
// Links below the *horizon* are all in it, clicked or not, active or not. Those from there on, which may
// still come in, are in it only when they were clicked; readers take the rest from the index by creation.
#include "core/data/engine.h"
#include "core/schema/click_totals.h"

#include <compare>
#include <memory>
#include <span>
#include <vector>

namespace slashpost {

enum class RankedBy : std::uint8_t { clicks, last_click };

// What a fold adds to one link.
struct FoldedLink {
    WorkspaceId workspace;
    LinkId link;
    std::int64_t clicks = 0;
    Timestamp last;
};

// One fold: from which epoch to which, and what it adds, in the order of workspaces and links.
struct FoldedClicks {
    std::uint64_t before = 0, after = 0;
    std::span<const FoldedLink> links;
    bool keeps_later = false; // a last click known before stays when it is later than that of the fold
};

// A link and what it is ranked by: its clicks, or the milliseconds of the last one; 0 when there was none.
struct RankedLink {
    std::int64_t value = 0;
    LinkId link;
    std::strong_ordering operator<=>(const RankedLink&) const = default;
};

// Links that can be found and that can be walked through in order. Immutable; 28 bytes for each.
class RankedLinks {
  public:
    RankedLinks() = default;
    explicit RankedLinks(std::vector<RankedLink> by_link); // in the order of their ids, each once
    // Those of both; `changes` count where both have a link.
    static RankedLinks merge(const RankedLinks& base, const RankedLinks& changes);

    [[nodiscard]] std::size_t size() const { return by_link_.size(); }
    [[nodiscard]] const RankedLink& ranked(std::size_t place) const { return by_link_[by_rank_[place]]; }
    [[nodiscard]] const RankedLink* find(LinkId link) const;
    // The same; `from` is where an earlier search for a smaller id ended, 0 at first. Quick for ids that are
    // asked for in order.
    const RankedLink* find_from(std::size_t& from, LinkId link) const;
    [[nodiscard]] std::size_t bytes() const;

  private:
    std::vector<RankedLink> by_link_;
    std::vector<std::uint32_t> by_rank_; // places in by_link_
};

class ClickRanking {
  public:
    // Reads every link of the workspace and its clicks.
    static Result<ClickRanking> read(data::View& view, WorkspaceId workspace, RankedBy by, LinkId horizon);
    // After that fold, of whose links `links` are those of this workspace.
    [[nodiscard]] ClickRanking folded(const FoldedClicks& fold, std::span<const FoldedLink> links) const;
    // With all links of the workspace between the horizon and a later one, in order.
    [[nodiscard]] ClickRanking grown(std::span<const LinkId> links, LinkId horizon) const;

    [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
    [[nodiscard]] LinkId horizon() const { return horizon_; }
    // How many links the workspace has below the horizon.
    [[nodiscard]] std::int64_t links() const { return links_; }
    // What a link is ranked by; nothing when it is not in the ranking.
    [[nodiscard]] std::optional<std::int64_t> value_of(LinkId link) const;
    // The same, quick for links that are asked for in order, each time with the same cursor.
    struct Cursor {
        std::size_t in_base = 0, in_changes = 0;
    };
    std::optional<std::int64_t> value_from(Cursor& cursor, LinkId link) const;

    using Visit = std::function<Result<bool>(const RankedLink&)>; // false ends
    // Walks through the ranked links and `others`, which were never clicked and are not in it, in their
    // order; behind `after` when it is given.
    Result<void> walk(data::Order direction, const std::optional<RankedLink>& after,
                      std::span<const LinkId> others, const Visit& visit) const;

    // Of memory, without what it shares with `other`.
    [[nodiscard]] std::size_t bytes_besides(const ClickRanking* other) const;

  private:
    ClickRanking() = default;
    [[nodiscard]] ClickRanking with(const RankedLinks& changes) const;

    RankedBy by_ = RankedBy::clicks;
    std::uint64_t epoch_ = 0;
    LinkId horizon_;
    std::int64_t links_ = 0;
    std::shared_ptr<const RankedLinks> base_;
    std::shared_ptr<const RankedLinks> changes_; // since; they count where both have a link
};

} // namespace slashpost
