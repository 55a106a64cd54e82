#include "app/admin/import_commands.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace slashpost::admin {

namespace {

constexpr auto csv_footer =
    R"(The first line names the columns, in any order; only destination is needed:
  destination  where the link leads
  slashtag     generated when empty
  title        'Link <slashtag>' when empty
  description
  domain       its name; the installation's default one when empty
  tags         names, separated by | or, where there is none, by commas; tags that are missing are made
  createdAt    ISO 8601; now when empty
  clicks       that it had; they are in its total and in those of its tags, domain and workspace

The file is UTF-8, with commas, quotation marks and line ends as RFC 4180 has them. The same is valid as in
POST /v1/links. Everything is checked first: when a line is not valid, nothing is written, and at most 100 lines
are shown. With --skip-invalid each line that is not valid is shown and left out.

An import that was cut off, by a power cut too, goes on when the same command is given again with the same
file. On the folder of a stopped server a long file goes in 256 MiB at a time, and what was cut off of those
begins again. A file that is in is not imported again into the same workspace. Links belong to the
workspace's owner.

Example: slashpost-admin --data ./data import csv links.csv --workspace ann)";

} // namespace

void add_import_commands(CLI::App& program, const std::shared_ptr<std::filesystem::path>& folder,
                         const OnReading& on) {
    const auto options = std::make_shared<ImportOptions>();
    auto& imports =
        *program.add_subcommand("import", "Bring in links from elsewhere.")->require_subcommand(1);
    auto& csv = *imports.add_subcommand("csv", "Make links out of a CSV file.");
    csv.add_option("FILE", options->file, "A running server reads it itself.")->required();
    csv.add_option(
        "--workspace", options->workspace,
        "An id, or a username for that account's default workspace. Default: that of the first account.");
    csv.add_flag("--dry-run", options->dry_run, "Check everything and write nothing.");
    csv.add_flag("--skip-invalid", options->skip_invalid, "Leave out lines that are not valid.");
    csv.footer(csv_footer);
    const auto open = [options, folder]() -> Result<void> {
        if (!options->opened)
            options->opened = TRY(ImportFile::open(*folder / options->file));
        return {};
    };
    on(csv, open, [options, open](AdminContext& context, Console& console) -> Result<int> {
        TRY(open());
        return import_csv(context, console, *options);
    });
}

} // namespace slashpost::admin
