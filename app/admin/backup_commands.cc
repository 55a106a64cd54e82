#include "app/admin/backup_commands.h"

#include "app/admin/backup.h"
#include "app/admin/commands.h"
#include "app/admin/data_folder.h"
#include "core/base/errors.h"

#include <CLI/CLI.hpp>

#include <string>

namespace slashpost::admin {

namespace {

constexpr auto backup_footer =
    R"(A running server goes on meanwhile, and makes DIR itself. A backup is a folder of DIR, named by its time in UTC; what
several have in common takes room once. DIR is best on another disk than the data.
  slashpost-admin backup DIR                         make one
  slashpost-admin backup list DIR                    show what there is
  slashpost-admin backup verify DIR                  open a copy of the newest and look at everything in it
  slashpost-admin restore-backup DIR --data ./fresh  make a data folder of the newest
The server makes them by itself with --backup-to DIR; see 'slashpost serve --help'.)";

constexpr auto restore_footer =
    "Into a data folder that has no store; the backup stays as it is.\n"
    "Example: slashpost-admin --data ./fresh restore-backup /mnt/backups --at 2026-11-29T15:00:00Z";

void add_restore(CLI::App& program, const OnErrand& on) {
    struct Words {
        std::string folder, at;
    };
    auto& restore = *program.add_subcommand("restore-backup", "Make a data folder of a backup.");
    const auto words = std::make_shared<Words>();
    restore.add_option("DIR", words->folder, "Where 'backup' has put it.")->required();
    restore
        .add_option("--at", words->at,
                    "The newest that is not later, such as 2026-11-29T15:00:00Z. Default: the newest.")
        ->type_name("TIME");
    restore.footer(restore_footer);
    on(restore, [words](const std::filesystem::path& data, Console& console) -> Result<int> {
        const auto at = parse_iso(words->at);
        if (!words->at.empty() && !at)
            return malformed("--at: give a time such as 2026-11-29T15:00:00Z");
        return restore_backup(words->folder, at, data, console);
    });
}

constexpr auto upgrade_footer =
    R"(Of a stopped server's folder, or of a backup, which is laid out like one:
  slashpost-admin --data ./data check-upgrade
  slashpost-admin --data /mnt/backups/2026-11-29T15-00-00Z check-upgrade
To see it done to a copy: 'slashpost-admin backup verify DIR' with the newer program.)";

void add_check_upgrade(CLI::App& program, const OnErrand& on) {
    auto& check = *program.add_subcommand("check-upgrade",
                                          "Tell what this program will do to a store of an older one.");
    check.footer(upgrade_footer);
    on(check, [](const std::filesystem::path& data, Console& console) -> Result<int> {
        for (const auto& sentence : TRY(planned_upgrade_of(data)))
            TRY(console.write(sentence + '\n'));
        return exit_good;
    });
}

} // namespace

void add_backup_commands(CLI::App& program, const std::shared_ptr<std::filesystem::path>& folder,
                         const OnReading& on, const OnErrand& on_errand) {
    auto& backup = *program.add_subcommand("backup", "Make a backup, or look at those there are.");
    const auto where = std::make_shared<std::string>();
    backup.add_option("DIR", *where, "Where the backups are.");
    backup.footer(backup_footer);
    on(
        backup, []() -> Result<void> { return {}; },
        [where, folder](AdminContext& context, Console& console) -> Result<int> {
            if (where->empty())
                return malformed("give the folder of the backups: slashpost-admin backup DIR");
            return back_up(context, *folder / *where, console);
        });

    auto& list = *backup.add_subcommand("list", "Show when backups were made, and what room they take.");
    list.add_option("DIR", *where, "Where the backups are.")->required();
    on_errand(list, [where](const std::filesystem::path&, Console& console) {
        return list_backups(*where, console);
    });
    auto& verify = *backup.add_subcommand(
        "verify", "Open a copy of the newest backup beside it, and look at everything in it.");
    verify.add_option("DIR", *where, "Where the backups are.")->required();
    on_errand(verify, [where](const std::filesystem::path&, Console& console) {
        return verify_backup(*where, console);
    });
    add_restore(program, on_errand);
    add_check_upgrade(program, on_errand);
}

} // namespace slashpost::admin
