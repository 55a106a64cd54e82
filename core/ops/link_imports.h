#pragma once
// Many links that were made elsewhere, a batch in one transaction. Each is made by what makes any link
// (core/ops/links.h), so that the same is refused with the same words.
#include "core/base/errors.h"
#include "core/ops/link_rules.h"
#include "core/ops/links.h"

#include <set>
#include <span>

namespace slashpost {

inline constexpr std::int64_t imported_clicks_max = 1'000'000'000'000;

struct ImportedLink {
    NewLink link;                  // without tags and id
    Timestamp created_at;          // 1970 to now
    std::uint16_t place = 0;       // among links of the same created_at, which are listed in this order
    std::vector<std::string> tags; // names, ignoring case; those that the workspace lacks are made
    std::int64_t clicks = 0;       // 0 to imported_clicks_max
    std::vector<RuleInput> rules;  // in the order in which they are tried
    Problems problems;             // that reading it found
};

// What becomes of a link whose address another one has that leads elsewhere. One that leads to the same
// destination, in the same workspace, is the same link and stays as it is.
enum class OnTaken : std::uint8_t {
    refuse,
    skip,
    suffix,    // it gets the next slashtag that is free: "spring-2"
    overwrite, // that link, if it is one of the workspace, leads where this one does and has what this one
               // says
};
// An external id that another link has, at another address, refuses a link in any case.

// What became of one of them.
struct ImportOutcome {
    enum class Fate : std::uint8_t { made, same, skipped, overwritten };
    std::optional<Error> error; // why it was refused
    bool taken = false;         // ... which is that another link has its address
    Fate fate = Fate::made;
    Link link; // that was made or changed; its slashtag is empty while it is to be generated
};

// Whether the error is one of what was asked for, not of the store or the program.
bool is_about_one_link(const Error& error);

// What import_links would do and refuse, except that links of `links` are not compared with each other and
// that limits of the plan are not looked at. Writes nothing.
Result<std::vector<ImportOutcome>> check_links(Context& ctx, std::span<const ImportedLink> links,
                                               OnTaken on_taken = OnTaken::refuse);

// Makes those that are not refused, with their tags, rules and clicks. Fails when the plan includes less
// links or tags, and with what is not about one link.
Result<std::vector<ImportOutcome>> import_links(Context& ctx, std::span<const ImportedLink> links,
                                                OnTaken on_taken = OnTaken::refuse);

// Refused with LimitReached when the plan includes less than so many more links and those of the tags, named
// as fold_case() has them, that are not there yet.
Result<void> check_import_limits(Context& ctx, std::int64_t links, std::span<const std::string> tags);

} // namespace slashpost
