#pragma once
// Operations on single links (interface 4.1, wire "Link"). Lists and counts are in core/ops/link_lists.h.
//
// Inputs arrive with the right shape; what they mean is checked here. Each operation that takes `problems`
// adds its own to those that reading the input found, and fails as invalid with all of them at once; a field
// that already has a problem must hold its default value.
#include "core/access/context.h"
#include "core/base/change.h"
#include "core/base/errors.h"
#include "core/model/domain.h"
#include "core/model/link.h"
#include "core/model/script.h"
#include "core/model/tag.h"
#include "core/ops/link_guards.h"

namespace slashpost {

// Which domain an input names; neither: the installation's default.
struct DomainChoice {
    std::optional<DomainId> id;
    std::string full_name;
    bool unreadable = false;         // one is named, but not as an id can be; noted among the problems
    std::string property = "domain"; // where the input names it
    // Where else it does. What is as it was does not count in a change, all others must name the same domain.
    std::vector<DomainChoice> others = {};
    [[nodiscard]] bool given() const { return id || !full_name.empty(); }
};

// As every input counts them, in characters.
inline constexpr std::size_t link_title_length_max = 255;
inline constexpr std::size_t link_description_length_min = 3;
inline constexpr std::size_t link_description_length_max = 2000;
inline constexpr std::size_t link_aliases_max = 10;
// Of a link's time to live (wire "Link"). A century at most, which keeps times printable.
inline constexpr std::int64_t link_ttl_seconds_min = 60;
inline constexpr std::int64_t link_ttl_seconds_max = 100LL * 366 * 24 * 3600;

struct NewLink {
    std::string destination;
    DomainChoice domain;
    std::string slashtag;             // empty: generated
    std::vector<std::string> aliases; // other slashtags on the domain
    std::optional<std::string> title; // nothing: "Link <slashtag>"
    std::string description;          // empty: none
    bool favourite = false;
    OwnForwarding forwarding;
    std::string expired_url;                    // empty: as the domain says
    std::optional<std::uint32_t> redirect_type; // 301, 302, 307 or 308; nothing: as the domain says
    LinkType type = LinkType::standard;
    std::optional<std::int64_t> ttl_seconds; // 60 up
    std::optional<Timestamp> expires_at;     // in the future
    std::optional<Timestamp> active_from;    // before it ends
    std::vector<TagId> tags;
    std::vector<ScriptId> scripts;
    // What is below its address is answered, too; its destinations name a host, which is none of this
    // server's.
    bool pass_path = false;
    std::string password;                    // that visitors have to know; empty: none
    std::optional<std::uint32_t> max_clicks; // so many of them get to the destination; nothing: all
    std::string external_id;                 // empty: none; unique in the workspace (core/ops/external_ids.h)
    std::optional<LinkId> id; // of a link that was made elsewhere before, with that time; nothing: made now
};

struct LinkChange {
    Change<std::string> destination;
    DomainChoice domain; // given and other than the link's: the link moves, its old address stops working
    Change<std::string> slashtag;
    Change<std::vector<std::string>> aliases; // set: exactly these; cleared: none
    Change<std::string> title;
    Change<std::string> description;
    Change<bool> favourite;
    Change<bool> forward_parameters; // cleared, as is the next: as the domain says
    Change<OnConflict> on_conflict;
    Change<std::string> expired_url;
    Change<std::uint32_t> redirect_type;
    Change<bool> active;          // false: the link is paused; true: it goes on, as far as its end lets it
    std::optional<LinkType> type; // may only be what it is (interface 4.1)
    Change<std::int64_t> ttl_seconds;
    Change<Timestamp> expires_at;
    Change<Timestamp> active_from;
    Change<bool> pass_path;
    Change<std::vector<TagId>> tags; // set: exactly these
    Change<std::vector<ScriptId>> scripts;
    Change<std::string> password;
    Change<LinkPassword> earlier_password; // that the link had, in place of the one before
    Change<std::uint32_t> max_clicks;
    Change<std::string> external_id;
};

// What is shown of a tag or a script on a link.
struct TagName {
    TagId id;
    std::string name;
    std::string color;
    bool active = true;
    std::int64_t clicks = 0;
};
struct ScriptName {
    ScriptId id;
    std::string name;
};

// A link with what a reply shows of the things around it.
struct LinkDetails {
    Link link;
    Domain domain;
    Account creator;
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
    std::optional<Timestamp> last_click_at;
    std::vector<TagName> tags; // these and the scripts: that are there, in the order of attaching
    std::vector<ScriptName> scripts;
};

// Fails as not found (source domain) for a domain that is absent or not shared, as refused for a revoked one,
// as invalid for everything else.
Result<LinkDetails> create_link(Context& ctx, NewLink in, Problems problems = {});
// Its steps, for calls that make several links (core/ops/link_batches.h, core/ops/link_imports.h). The first
// only reads and tells everything that is wrong with one link; the second writes it, with a slashtag if it
// has none yet; the last, when all are written, says whether the plan includes as many.
struct PreparedLink {
    Link link; // but for its title
    Domain domain;
    std::optional<std::string> title; // as NewLink has it
};
Result<PreparedLink> prepare_link(Context& ctx, NewLink in, Problems problems);
Result<Link> write_link(Context& ctx, PreparedLink prepared);
Result<Link> make_link(Context& ctx, NewLink in, Problems problems); // the first two
Result<void> admit_made_links(Context& ctx, std::int64_t count);
// `link` comes from its door. A guest may change only links it made (wire "Workspaces, people"). A deleted
// link, which doors give to whoever restores it only, comes back under an address that is free, as far as the
// plan includes one more.
Result<LinkDetails> update_link(Context& ctx, const Link& link, const LinkChange& change,
                                Problems problems = {});
Result<LinkDetails> delete_link(Context& ctx, const Link& link);
Result<LinkDetails> set_favourite(Context& ctx, const Link& link, bool favourite);
Result<LinkDetails> describe_link(Context& ctx, const Link& link);

} // namespace slashpost
