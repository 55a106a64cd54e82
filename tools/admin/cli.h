#pragma once
// The command line of `slashpost-admin`: reads arguments into a Job, which runs on a House. The tool reads
// them first; when a server runs, the server reads the same arguments once more and runs the job.
#include "tools/admin/commands.h"

#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace slashpost::admin {

inline constexpr int exit_usage = 2;
// Goes before the arguments that are sent to a server, when the job reads a file: the folder that its path is
// relative to.
inline constexpr std::string_view relative_to_option = "--relative-to";

struct Job {
    enum class Kind {
        run,     // `work` on a house
        restore, // the dump in `file` into an empty house
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
    std::filesystem::path file; // of dump and restore; "-" means standard output
    bool reads_file = false;    // a file that the arguments name
    bool accepts_loss = false;  // see OwnHouse::open
    std::string text;
    std::function<Result<int>(House&, Console&)> work;
};

// `arguments` without the program's name. SLASHPOST_DATA, when `environment_data` is not null, is the folder
// of commands that name none.
Job read_arguments(std::span<const std::string> arguments, const char* environment_data);

} // namespace slashpost::admin
