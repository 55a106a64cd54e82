#include "app/admin/import_check.h"

#include "app/admin/import/cells.h"
#include "core/base/text.h"

#include <fmt/format.h>

namespace slashpost::admin {

namespace {

using Kind = LineTable::Kind;

Kind kind_of(const Error& error, const ImportOutcome& outcome) {
    if (error.kind == ErrorKind::not_found && error.source == "domain")
        return Kind::foreign; // none that the workspace has
    return outcome.taken ? Kind::conflict : Kind::invalid;
}

std::string becomes(const ImportOutcome& outcome) {
    switch (outcome.fate) {
    case ImportOutcome::Fate::overwritten:
        return "that link is overwritten";
    case ImportOutcome::Fate::made:
        return fmt::format("this one becomes {}", in_quotes(outcome.link.slashtag));
    default:
        return "this one is skipped";
    }
}

} // namespace

Result<void> ImportCheck::add(const CsvRow& row, const ImportedLink& link, const ImportOutcome& outcome) {
    if (outcome.error)
        return refuse(row, kind_of(*outcome.error, outcome), *outcome.error);
    if (outcome.fate == ImportOutcome::Fate::same)
        return note(row, Kind::same, "");
    if (outcome.fate != ImportOutcome::Fate::made || outcome.link.slashtag != link.link.slashtag) {
        if (outcome.fate != ImportOutcome::Fate::skipped &&
            !external_ids_.add(link.link.external_id, outcome.link))
            return refuse_external_id(row);
        return note(row, Kind::conflict,
                    fmt::format("slashtag {} is already in use; {}", in_quotes(link.link.slashtag),
                                becomes(outcome)));
    }
    return add_new(row, link, outcome.link);
}

// One that the store knows nothing of; an earlier line of the file may.
Result<void> ImportCheck::add_new(const CsvRow& row, const ImportedLink& link, const Link& made) {
    const auto found = made.slashtag_key.empty() ? Slashtags::Found::is_new : slashtags_.add(made);
    if (found == Slashtags::Found::same)
        return note(row, Kind::same, "");
    if (found != Slashtags::Found::is_new) {
        const auto message =
            found == Slashtags::Found::other_case
                ? "differs only in case from that of an earlier line, and its domain ignores "
                  "case; give it another one, or make the domain mind the case"
                : "is that of an earlier line, too";
        if (options_.on_taken == OnTaken::refuse)
            return refuse(row, Kind::conflict,
                          invalid("link", {already_exists("slashtag", message)}).error());
        // With a suffix it gets an address that nobody knows yet.
        if (options_.on_taken != OnTaken::skip &&
            !external_ids_.add(link.link.external_id,
                               options_.on_taken == OnTaken::overwrite ? made : Link{}))
            return refuse_external_id(row);
        return note(row, Kind::conflict,
                    fmt::format("slashtag {} {}", in_quotes(link.link.slashtag), message));
    }
    if (!external_ids_.add(link.link.external_id, made))
        return refuse_external_id(row);
    for (const auto& tag : link.tags)
        tags_.insert(fold_case(tag));
    return note(row, Kind::made, "");
}

Result<void> ImportCheck::note(const CsvRow& row, LineTable::Kind kind, std::string_view words) {
    table_.add(kind, columns_.line_of(row), [&] { return std::string(words); });
    return {};
}

Result<void> ImportCheck::refuse_external_id(const CsvRow& row) {
    return refuse(row, Kind::invalid,
                  invalid("link", {already_exists("externalId", "is that of an earlier line, too")}).error());
}

Result<void> ImportCheck::refuse(const CsvRow& row, LineTable::Kind kind, const Error& error) {
    const auto line = columns_.line_of(row);
    table_.add(kind, line, [&] { return columns_.words_for(row, error); });
    if (kind == Kind::foreign)
        table_.add_domain(shown(error.id));
    return options_.dry_run ? Result<void>() : complaints_.add(line, columns_.words_for(row, error));
}

} // namespace slashpost::admin
