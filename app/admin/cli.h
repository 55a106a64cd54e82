#pragma once
// The command line of `slashpost-admin`: reads arguments into a Job, which runs on an AdminContext. The tool
// reads them first; when a server runs, the server reads the same arguments once more and runs the job.
#include "app/admin/commands.h"
#include "app/admin/work.h"

#include <filesystem>
#include <span>
#include <string>

namespace slashpost::admin {

inline constexpr int exit_usage = 2;
// Goes before the arguments that are sent to a server, when the job reads a file: the folder that its path is
// relative to.
inline constexpr std::string_view relative_to_option = "--relative-to";

struct Job {
    enum class Kind {
        run,     // `work` on an admin context
        restore, // the dump in `file` into an empty store
        move,    // `work` moves the folder's store elsewhere
        errand,  // `errand`, which opens no store that is in use
        print,   // `text` on standard output; no store needed
        complain // `text` on standard error, then leave with exit_usage
    };
    enum class Beside {
        server, // may run while a server does, through its socket
        nobody  // needs the folder for itself
    };
    Kind kind = Kind::complain;
    Beside beside = Beside::server;
    std::string name;           // "domain add", for logs
    std::filesystem::path data; // the store's folder
    std::filesystem::path file; // of dump and restore; "-" means a standard stream
    bool quiet = false;         // say nothing of how it goes, only what went wrong
    bool accepts_loss = false;  // see OfflineContext::open
    std::string text;
    // Opens what the arguments name to be read, with the rights that the tool has at first; null when that is
    // nothing. `work` does so too, unless it was done.
    OpenFiles open_files;
    Work work;
    Errand errand;
};

// `arguments` without the program's name. SLASHPOST_DATA, when `environment_data` is not null, is the folder
// of commands that name none.
Job read_arguments(std::span<const std::string> arguments, const char* environment_data);

} // namespace slashpost::admin
