#include "app/admin/import_commands.h"

#include "app/admin/import/source.h"
#include "app/admin/import_verdicts.h"
#include "core/base/errors.h"

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>
#include <memory>
#include <ranges>

namespace slashpost::admin {

namespace {

constexpr auto import_footer =
    R"(A FILE comes from another service or program, or is one of yours whose first line names the columns, in any
order; only destination is needed:
  destination  where the link leads
  slashtag     generated when empty
  shortUrl     domain and slashtag in one
  title        'Link <slashtag>' when empty
  description
  domain       its name; the installation's default one when empty
  tags         names: a|b, "a, b" or ["a","b"]; tags that are missing are made
  createdAt    2026-01-31T09:00:00Z, 2026-01-31 09:00:00, seconds since 1970 and more; now when empty
  expiresAt    likewise; never when empty
  passPath     true: what is below the short address goes on below the destination
  clicks       that it had; they are in its total and in those of its tags, domain and workspace

Other names of these are understood, such as 'Long URL', 'slug' or 'keyword'; what is not understood is
told and ignored. Commas, semicolons or tabs separate columns; UTF-8 and UTF-16 are read. The same is valid as
in POST /v1/links. Everything is checked first: when a line is not valid, nothing is written, and at most 100
lines are shown. With --skip-invalid each line that is not valid is shown and left out. A link whose address
has one that leads to the same destination is there already, and nothing is done.

An import that was cut off, by a power cut too, goes on when the same command is given again with the same
file. On the folder of a stopped server a long file goes in 256 MiB at a time, and what was cut off of those
begins again. A file that is in is not imported again into the same workspace. Links belong to the
workspace's owner.

Examples:
  slashpost-admin --data ./data import links.csv --workspace ann --dry-run
  slashpost-admin --data ./data import bitly export.csv --domain bit.ly=go.example.com
  slashpost-admin --data ./data import csv links.csv --map destination=Ziel)";

OnTaken on_taken_of(const std::string& word) {
    if (word == "skip")
        return OnTaken::skip;
    if (word == "suffix")
        return OnTaken::suffix;
    return word == "overwrite" ? OnTaken::overwrite : OnTaken::refuse;
}

struct Words {
    std::vector<std::string> files;
    std::string on_conflict;
};

// The name of a source may stand before the files instead of behind --from.
void understand(const Words& words, ImportOptions& options) {
    std::span<const std::string> files(words.files);
    if (options.from.empty() && files.size() > 1 && find_source(files.front()) != nullptr) {
        options.from = files.front();
        files = files.subspan(1);
    }
    options.files.assign(files.begin(), files.end());
    options.on_taken = on_taken_of(words.on_conflict);
}

void add_options(CLI::App& import, Words& words, ImportOptions& options) {
    import.add_option("FILE", words.files, "A running server reads it itself.");
    import
        .add_option(
            "--from", options.from,
            fmt::format("Whose files they are: {}. Default: found out. It may stand before FILE without "
                        "--from.",
                        fmt::join(sources() | std::views::transform(&Source::name), ", ")))
        ->type_name("SOURCE");
    import.add_option("--map", options.columns, "A column of the file for one of ours; may be given again.")
        ->type_name("OURS=THEIRS")
        ->allow_extra_args(false); // the next word is a FILE
    import
        .add_option(
            "--domain", options.domains,
            "Links of the old domain come to the new one; NEW alone: those that name none. May be given "
            "again.")
        ->type_name("OLD=NEW")
        ->allow_extra_args(false); // the next word is a FILE
    import
        .add_option("--timezone", options.zone,
                    "Whose clock shows times that name no offset, such as Europe/Berlin. Default: UTC.")
        ->type_name("ZONE");
    import
        .add_option(
            "--on-conflict", words.on_conflict,
            "What becomes of a link whose address leads elsewhere here: skip it, give it a suffix, or "
            "overwrite that one. Default: it is not valid.")
        ->type_name("WORD")
        ->check(CLI::IsMember({"skip", "suffix", "overwrite"}));
    import.add_option(
        "--workspace", options.workspace,
        "An id, or a username for that account's default workspace. Default: that of the first account.");
    import.add_flag(
        "--dry-run", options.dry_run,
        "Check everything, show what is new, the same, in conflict, not valid or of domains that are "
        "not yours, and write nothing.");
    import.add_flag("--skip-invalid", options.skip_invalid, "Leave out lines that are not valid.");
    import.footer(import_footer);
}

constexpr auto check_footer =
    R"(Asks both servers for the same links, with HEAD, and compares where they lead: before a domain is moved, and after an
import. NEW is asked for the links' own domains, wherever those lead now.
  same        both lead to the same place, whatever kind of redirect; or both know no such link
  different   they lead to different places
  missing     OLD leads somewhere, and NEW knows no such link
Examples:
  slashpost-admin import check https://old.example
  slashpost-admin import check --sample 100 https://go.example.com http://192.0.2.7)";

// `import check`.
void add_check(CLI::App& import, const OnReading& on) {
    const auto options = std::make_shared<SameAddresses>();
    auto& check = *import.add_subcommand("check", "Compare what two servers answer to the same addresses.");
    check.add_option("OLD", options->old_url, "The server that has the links now.")->required();
    check.add_option("NEW", options->new_url, "This one. Default: http://localhost:8080.");
    check.add_option("--sample", options->sample, "Links at most, chosen at random. Default: 1000.")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000));
    check
        .add_option("--domain", options->domain,
                    "Only links of this domain. Default: that of OLD, if it is one here; else all.")
        ->type_name("NAME");
    check.footer(check_footer);
    on(
        check, []() -> Result<void> { return {}; },
        [options](AdminContext& context, Console& console) {
            return check_same_addresses(context, console, *options);
        });
}

} // namespace

void add_import_commands(CLI::App& program, const std::shared_ptr<std::filesystem::path>& folder,
                         const OnReading& on) {
    const auto options = std::make_shared<ImportOptions>();
    const auto words = std::make_shared<Words>();
    auto& import = *program.add_subcommand("import", "Bring in links from elsewhere.");
    add_options(import, *words, *options);
    const auto open = [options, words, folder]() -> Result<void> {
        if (!options->opened.empty())
            return {};
        if (words->files.empty())
            return malformed(
                "give at least one FILE; 'slashpost-admin import --help' explains what there is");
        understand(*words, *options);
        for (auto& file : options->files) {
            file = *folder / file;
            options->opened.push_back(TRY(ImportFile::open(file)));
        }
        return {};
    };
    add_check(import, on);
    on(import, open, [options, open](AdminContext& context, Console& console) -> Result<int> {
        TRY(open());
        return import_files(context, console, *options);
    });
}

} // namespace slashpost::admin
