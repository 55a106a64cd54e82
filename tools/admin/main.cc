// The program `slashpost-admin`.
#include "app/admin/as_owner.h"
#include "app/admin/data_folder.h"
#include "app/admin/dump_file.h"
#include "app/admin/move.h"
#include "app/admin/new_folder.h"
#include "app/admin/run.h"
#include "app/admin/standard_streams.h"
#include "app/admin/terminal.h"
#include "core/base/errors.h"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iostream>

namespace slashpost::admin {

namespace {

constexpr std::string_view standard_stream = "-";

std::unexpected<Error> in_use(const std::filesystem::path& folder) {
    return refused("InUse", "store",
                   fmt::format("{} is in use by {}; stop it first", folder.string(), lock_holder(folder)));
}

// What whoever waits for a command should know meanwhile.
StoreNotice notes_of(Terminal& terminal) {
    return [&terminal](std::string_view sentence) { terminal.note(sentence); };
}

Result<int> restore_from(std::istream& in, std::uint64_t bytes, const Job& job, Terminal& terminal) {
    DumpReader reader(in, bytes);
    TRY(reader.read_header()); // before a folder is made

    NewFolder folder(job.data);
    const auto owner = TRY(AsOwner::of(job.data));
    TRY(make_folder(job.data));
    auto lock = TRY(FolderLock::take(job.data));
    if (!lock)
        return in_use(job.data);
    folder.begin();
    const int code = TRY(restore_folder(job.data, reader, terminal, job.accepts_loss));
    folder.keep();
    return code;
}

Result<int> restore_file(const Job& job, Terminal& terminal) {
    if (job.file == standard_stream) {
        std::ios::sync_with_stdio(false); // which reads by single characters
        return restore_from(std::cin, 0, job, terminal);
    }
    std::error_code error;
    const auto bytes = std::filesystem::is_regular_file(job.file, error)
                           ? std::filesystem::file_size(job.file, error)
                           : std::uintmax_t{0};
    std::ifstream in(job.file, std::ios::binary);
    if (error || !in || std::filesystem::is_directory(job.file, error))
        return refused("NoDump", "dump",
                       fmt::format("cannot read {}; check the path and its rights", job.file.string()));
    return restore_from(in, bytes, job, terminal);
}

// On the folder itself; nothing when somebody else has it.
Result<std::optional<int>> run_here(const Job& job, Terminal& terminal) {
    auto lock = TRY([&]() -> Result<std::optional<FolderLock>> {
        const auto owner = TRY(AsOwner::of(job.data));
        return FolderLock::take(job.data);
    }());
    if (!lock)
        return std::nullopt;
    if (job.open_files)
        TRY(job.open_files()); // the caller's files; the folder's owner may not be able to read them
    const auto owner = TRY(AsOwner::of(job.data));
    auto own = TRY(OfflineContext::open(job.data, std::move(*lock), notes_of(terminal), job.accepts_loss));
    const int code = run_job(job, own->context(), terminal);
    if (job.kind == Job::Kind::move && code == exit_good) {
        const auto still_ours = own->take_lock();
        own.reset();
        TRY(put_moved_store_aside(job.data));
    }
    return code;
}

Result<int> run_here_or_there(const Job& job, const std::vector<std::string>& arguments, Terminal& terminal) {
    if (!TRY(has_store(job.data)))
        return refused("NoStore", "store",
                       fmt::format("there is no store in {}; give the server's data folder with --data DIR",
                                   job.data.string()));
    if (const auto code = TRY(run_here(job, terminal)))
        return *code;
    if (job.beside == Job::Beside::nobody)
        return in_use(job.data);
    auto sent = arguments;
    if (job.open_files)
        sent.insert(sent.begin(),
                    {std::string(relative_to_option), std::filesystem::current_path().string()});
    if (const auto code = TRY(ask_server(job.data, sent, terminal)))
        return *code;
    return refused(
        "InUse", "store",
        fmt::format("{} is in use by {}, which does not listen to this tool (it may be starting or "
                    "stopping); try again in a moment",
                    job.data.string(), lock_holder(job.data)));
}

Result<int> run(const Job& job, const std::vector<std::string>& arguments) {
    Terminal::heed_interrupts();
    auto terminal = std::make_unique<Terminal>(job.quiet);
    if (job.kind == Job::Kind::restore)
        return restore_file(job, *terminal);
    if (job.kind == Job::Kind::errand)
        return job.errand(job.data, *terminal);
    if (!job.file.empty() && job.file != standard_stream)
        terminal = TRY(Terminal::into_file(job.file, job.quiet));
    const int code = TRY(run_here_or_there(job, arguments, *terminal));
    if (code == exit_good)
        TRY(terminal->finish());
    return code;
}

} // namespace

} // namespace slashpost::admin

int main(int argc, char** argv) {
    namespace admin = slashpost::admin;
    if (!slashpost::guard_standard_streams())
        return admin::exit_findings;
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    // No other thread runs yet that could change the environment.
    const char* const data = std::getenv("SLASHPOST_DATA");
    const auto job = admin::read_arguments(arguments, data);
    if (job.kind == admin::Job::Kind::print) {
        const bool shown = std::fputs(job.text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
        return shown ? admin::exit_good : admin::exit_findings;
    }
    if (job.kind == admin::Job::Kind::complain) {
        std::fputs(fmt::format("{}\n", job.text).c_str(), stderr);
        return admin::exit_usage;
    }
    const auto done = admin::run(job, arguments);
    if (done.has_value())
        return *done;
    std::fputs(fmt::format("slashpost-admin: {}\n", admin::explain(done.error())).c_str(), stderr);
    return admin::exit_findings;
}
