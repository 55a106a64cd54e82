#include "app/admin/link_import.h"

#include "app/admin/commands.h"
#include "app/admin/import/cells.h"
#include "app/admin/import/input.h"
#include "app/admin/import_check.h"
#include "app/admin/import_columns.h"
#include "app/admin/import_file.h"
#include "app/admin/import_findings.h"
#include "app/admin/in_order.h"
#include "app/admin/index_beside.h"
#include "app/admin/progress.h"
#include "app/admin/run.h"
#include "core/access/event_fields.h"
#include "core/access/event_log.h"
#include "core/base/secret.h"
#include "core/base/text.h"
#include "core/data/sync_later.h"
#include "core/ops/accounts.h"
#include "core/ops/workspaces.h"
#include "core/schema/imports.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <set>

namespace slashpost::admin {

namespace {

// Links of a transaction: the more, the cheaper is each, and the longer a server's other writers wait.
constexpr std::size_t batch_links_alone = 2000, batch_links_in_server = 500;
constexpr std::size_t batch_bytes_max = 4 << 20;
constexpr std::uint64_t complaints_shown_max = 100;
constexpr std::size_t different_tags_max = 1 << 16;

// As POST /links (interface 4.1).
constexpr Guard guard{.access = Access::write, .role = Role::guest};

struct Batch {
    std::vector<CsvRow> rows;
    CsvPosition end; // of what is behind it
};

// What became of a batch that is written.
struct Written {
    std::vector<ImportOutcome> outcomes;
    ImportState state; // behind it
};

// Spreadsheets write rows of separators only.
bool is_blank(const CsvRow& row) {
    if (!row.fault().empty() || row.bytes() > 256)
        return false;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (!trim(row[i]).empty())
            return false;
    return true;
}

std::uint64_t& counter_of(const ImportOutcome& outcome, ImportState& state) {
    if (outcome.error)
        return state.refused;
    switch (outcome.fate) {
    case ImportOutcome::Fate::same:
        return state.same;
    case ImportOutcome::Fate::skipped:
        return state.skipped;
    case ImportOutcome::Fate::overwritten:
        return state.overwritten;
    case ImportOutcome::Fate::made:
        break;
    }
    return state.made;
}

class Import {
  public:
    Import(AdminContext& context, Console& console, const ImportOptions& options,
           const ReadingOptions& reading, const ImportFile& file)
        : context_(context),
          console_(console),
          options_(options),
          reading_(reading),
          file_(file),
          batch_links_(options.batch_links > 0 ? options.batch_links
                       : context.keeps_index   ? batch_links_in_server
                                               : batch_links_alone) {}

    Result<int> run();

  private:
    Result<void> open();
    [[nodiscard]] std::string name_of_options() const;
    Result<void> read_header();
    Result<int> check();
    Result<void> check_batch(const Batch& batch, const auto& wait, ImportCheck& checked);
    Result<int> tell_check(const LineTable& table, const Complaints& complaints);
    Result<int> tell_end();
    Result<int> write();
    Result<void> begin();
    Result<void> end();
    Result<Written> write_batch(const Batch& batch, const auto& wait);
    [[nodiscard]] Result<void> nothing_refused(const Batch& batch,
                                               const std::vector<ImportOutcome>& outcomes) const;

    // Calls `work` for each batch that is not done, as work_in_order does.
    Result<void> each_batch(const auto& work);
    [[nodiscard]] std::vector<ImportedLink> links_of(const Batch& batch) const;
    // How much of the file behind `begun` was read when the reader stands at `offset`.
    [[nodiscard]] std::optional<double> fraction_at(std::uint64_t offset, std::uint64_t begun) const {
        return static_cast<double>(offset - begun) /
               static_cast<double>(std::max<std::uint64_t>(input_->bytes() - begun, 1));
    }
    auto as_owner(auto&& work) {
        return context_.service.run(owner_, workspace_.hex(), guard, std::forward<decltype(work)>(work));
    }

    AdminContext& context_;
    Console& console_;
    const ImportOptions& options_;
    const ReadingOptions& reading_;
    const ImportFile& file_;
    const std::size_t batch_links_;
    SystemRandom random_;
    Caller owner_; // of the workspace
    WorkspaceId workspace_;
    std::string name_; // of the import
    std::string run_;  // of this run of it
    std::optional<ImportInput> input_;
    std::optional<ImportColumns> columns_;
    std::optional<std::uint64_t> stored_offset_; // what the store said of the import at first
    ImportState state_;                          // where it stands now
};

Result<void> Import::open() {
    const auto workspace = TRY(context_.engine.read([&](data::View& view) -> Result<Workspace> {
        if (!options_.workspace.empty())
            return find_any_workspace(view, options_.workspace);
        const auto accounts = TRY(list_accounts(view));
        if (accounts.empty())
            return refused("NoAccount", "account", "there is no account yet; 'account create' makes one");
        return find_any_workspace(view, accounts.front().default_workspace.hex());
    }));
    owner_.account = workspace.owner;
    workspace_ = workspace.id;
    const auto go_on = [&]() -> Result<void> {
        return console_.stopped() ? Result<void>(unavailable("the import was stopped")) : Result<void>();
    };
    name_ = TRY(file_.hash(go_on)).append(workspace.id.view()).append(name_of_options());
    const auto state = TRY(context_.engine.read([&](data::View& view) { return import_state(view, name_); }));
    if (state)
        stored_offset_ = state->offset;
    state_ = state.value_or(ImportState{.begun = context_.clock.now(), .unknown = {}});
    return {};
}

// What else decides what becomes of the file; empty when nothing is said.
std::string Import::name_of_options() const {
    const auto words = fmt::format("{}\n{}\n{}\n{}\n{}", options_.from == "csv" ? "" : options_.from,
                                   fmt::join(options_.columns, "\n"), fmt::join(options_.domains, "\n"),
                                   options_.zone, static_cast<int>(options_.on_taken));
    return words == "\n\n\n\n0" ? std::string() : sha256(words);
}

Result<void> Import::read_header() {
    input_ = TRY(ImportInput::open(file_, options_.from));
    auto reader = input_->reader();
    CsvRow header;
    if (!TRY(reader.next(header)))
        return malformed("the file is empty; its first line names the columns");
    columns_ = TRY(ImportColumns::read(header, input_->source(), reading_));
    if (input_->source().name != "csv" || !columns_->unused().empty())
        console_.note(
            fmt::format("import: read as {}{}", input_->source().name,
                        columns_->unused().empty()
                            ? std::string()
                            : fmt::format(", without the columns {}", fmt::join(columns_->unused(), ", "))));
    if (state_.offset == 0 && input_->source().without_header.empty()) {
        state_.offset = reader.place().offset;
        state_.line = reader.place().line;
    }
    return {};
}

Result<int> Import::run() {
    TRY(open());
    if (state_.finished) {
        TRY(console_.write(
            fmt::format("This file was imported before, with {} links; nothing is done.\n", state_.made)));
        return exit_good;
    }
    TRY(read_header());
    if (state_.made + state_.refused > 0)
        console_.note(
            fmt::format("import: goes on at line {}, {} links were made before", state_.line, state_.made));
    if (options_.dry_run || !options_.skip_invalid)
        if (const int code = TRY(check()); code != exit_good || options_.dry_run)
            return code;
    return write();
}

Result<void> Import::each_batch(const auto& work) {
    auto reader = input_->reader({.offset = state_.offset, .line = state_.line});
    const auto take = [&]() -> Result<std::optional<Batch>> {
        Batch batch;
        batch.rows.reserve(batch_links_);
        std::size_t bytes = 0;
        for (CsvRow row; batch.rows.size() < batch_links_ && bytes < batch_bytes_max && TRY(reader.next(row));
             row = {}) {
            if (is_blank(row))
                continue;
            bytes += row.bytes();
            batch.rows.push_back(std::move(row));
        }
        batch.end = reader.place();
        return batch.rows.empty() ? std::optional<Batch>() : std::optional(std::move(batch));
    };
    return work_in_order(take, work);
}

std::vector<ImportedLink> Import::links_of(const Batch& batch) const {
    std::vector<ImportedLink> out;
    out.reserve(batch.rows.size());
    for (const auto& row : batch.rows)
        out.push_back(columns_->link_of(row, state_.begun));
    return out;
}

Result<void> Import::check_batch(const Batch& batch, const auto& wait, ImportCheck& checked) {
    const auto links = links_of(batch);
    const auto outcomes =
        TRY(as_owner([&](Context& ctx) { return check_links(ctx, links, options_.on_taken); }));
    TRY(wait());
    for (std::size_t i = 0; i < links.size(); ++i)
        TRY(checked.add(batch.rows[i], links[i], outcomes[i]));
    if (checked.tags().size() > different_tags_max)
        return refused("LimitReached", "tag",
                       fmt::format("a file may name {} different tags", different_tags_max));
    return {};
}

// Everything that can be told before the first link is written.
Result<int> Import::check() {
    auto read = state_.offset;
    Progress progress(console_, "import, checking", [&] { return fraction_at(read, state_.offset); });
    ImportCheck checked(console_, *columns_, options_, random_,
                        options_.skip_invalid ? ~std::uint64_t{} : complaints_shown_max);
    TRY(each_batch([&](const Batch& batch, const auto& wait) -> Result<void> {
        TRY(check_batch(batch, wait, checked));
        read = batch.end.offset;
        return progress.step(batch.rows.size());
    }));
    TRY(checked.complaints().end());
    const auto good = checked.table().count(LineTable::Kind::made);
    const std::vector<std::string> names(checked.tags().begin(), checked.tags().end());
    TRY(as_owner(
        [&](Context& ctx) { return check_import_limits(ctx, static_cast<std::int64_t>(good), names); }));
    console_.note(progress.summary());
    return tell_check(checked.table(), checked.complaints());
}

Result<int> Import::tell_check(const LineTable& table, const Complaints& complaints) {
    using Kind = LineTable::Kind;
    if (options_.dry_run) {
        TRY(console_.write(table.text() + "nothing was written\n"));
        const bool conflicts = options_.on_taken == OnTaken::refuse && table.count(Kind::conflict) > 0;
        return conflicts || table.count(Kind::invalid) > 0 || table.count(Kind::foreign) > 0 ? exit_findings
                                                                                             : exit_good;
    }
    if (complaints.count() == 0)
        return exit_good;
    TRY(console_.write(fmt::format(
        "{} lines are not valid; nothing was {}. --skip-invalid imports the others{}\n", complaints.count(),
        state_.made > 0 ? "added" : "written",
        table.count(Kind::conflict) > 0 ? ", --on-conflict says what becomes of addresses that are in use"
                                        : "")));
    return exit_findings;
}

Result<void> Import::begin() {
    run_ = make_token(random_);
    return context_.service.run_as_operator([&](SystemContext& system) -> Result<void> {
        const auto state = TRY(import_state(system.txn, name_));
        if ((state ? std::optional(state->offset) : std::nullopt) != stored_offset_)
            return refused("Conflict", "import", "The same import goes on elsewhere; wait for its end.");
        TRY(begin_import_run(system.txn, name_, run_));
        return put_import_state(system.txn, name_, state_);
    });
}

Result<void> Import::end() {
    state_.finished = true;
    return context_.service.run_as_operator([&](SystemContext& system) -> Result<void> {
        TRY(check_import_run(system.txn, name_, run_));
        note_event(system.txn, {.type = EventType::import_finished,
                                .workspace = workspace_,
                                .subject = workspace_,
                                .name = {},
                                .changes = changes_of_new(state_)});
        return put_import_state(system.txn, name_, state_);
    });
}

// Somebody took a slashtag or changed a domain since the check.
Result<void> Import::nothing_refused(const Batch& batch, const std::vector<ImportOutcome>& outcomes) const {
    for (std::size_t i = 0; i < outcomes.size(); ++i)
        if (const auto& error = outcomes[i].error)
            return refused(
                "Conflict", "import",
                fmt::format("line {}: {}. It was valid a moment ago. The {} links of the lines before {} "
                            "are imported; --skip-invalid goes on without it",
                            columns_->line_of(batch.rows[i]), columns_->words_for(batch.rows[i], *error),
                            state_.made, state_.line));
    return {};
}

Result<Written> Import::write_batch(const Batch& batch, const auto& wait) {
    const auto links = links_of(batch);
    return as_owner([&](Context& ctx) -> Result<Written> {
        TRY(check_import_run(ctx.txn(), name_, run_));
        auto outcomes = TRY(import_links(ctx, links, options_.on_taken));
        TRY(wait());
        if (!options_.skip_invalid)
            TRY(nothing_refused(batch, outcomes));
        auto state = state_;
        state.offset = batch.end.offset;
        state.line = batch.end.line;
        for (const auto& outcome : outcomes)
            ++counter_of(outcome, state);
        TRY(put_import_state(ctx.txn(), name_, state));
        return Written{.outcomes = std::move(outcomes), .state = std::move(state)};
    });
}

Result<int> Import::write() {
    TRY(begin());
    IndexBeside index(context_);
    Progress progress(console_, "import",
                      [&, begun = state_.offset] { return fraction_at(state_.offset, begun); });
    Complaints complaints(console_, ~std::uint64_t{});
    TRY(each_batch([&](const Batch& batch, const auto& wait) -> Result<void> {
        // What a power cut takes is the end of what was imported; the next run goes on behind the rest.
        const data::SyncLater not_now;
        auto written = TRY(write_batch(batch, wait));
        state_ = std::move(written.state);
        for (std::size_t i = 0; i < written.outcomes.size(); ++i) {
            if (const auto& error = written.outcomes[i].error)
                TRY(complaints.add(columns_->line_of(batch.rows[i]),
                                   columns_->words_for(batch.rows[i], *error)));
        }
        return progress.step(written.outcomes.size());
    }));
    TRY(end());
    console_.note(progress.summary());
    TRY(index.finish(console_));
    return tell_end();
}

Result<int> Import::tell_end() {
    TRY(console_.write(fmt::format("{} links were imported", state_.made)));
    for (const auto& [count, what] : {std::pair{state_.same, "were there already"},
                                      {state_.skipped, "were skipped"},
                                      {state_.overwritten, "were overwritten"}})
        if (count > 0)
            TRY(console_.write(fmt::format(", {} {}", count, what)));
    TRY(console_.write(state_.refused > 0 ? fmt::format(", {} lines were left out\n", state_.refused)
                                          : "\n"));
    return state_.refused == 0 ? exit_good : exit_findings;
}

} // namespace

Result<int> import_files(AdminContext& context, Console& console, const ImportOptions& options) {
    const auto reading = TRY(read_reading_options(options.columns, options.domains, options.zone));
    int code = exit_good;
    for (std::size_t i = 0; i < options.files.size(); ++i) {
        const auto file = i < options.opened.size()
                              ? options.opened[i]
                              : std::shared_ptr<const ImportFile>(TRY(ImportFile::open(options.files[i])));
        if (options.files.size() > 1)
            console.note(fmt::format("import: {}", options.files[i].string()));
        code = std::max(code, TRY(Import(context, console, options, reading, *file).run()));
    }
    return code;
}

} // namespace slashpost::admin
