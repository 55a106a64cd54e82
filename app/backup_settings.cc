#include "app/backup_settings.h"

#include "app/setting_kinds.h"

namespace slashpost::app {

namespace {

Setting backup_every() {
    return {.name = "backup-every",
            .hint = "TIME",
            .fallback = "1h",
            .bounds = "10min to 30d, for example 30min, 1h or 1d",
            .help = "How soon another backup follows, over restarts too.",
            .set =
                [](Config& config, std::string_view text) {
                    const auto seconds = parse_duration(text, 600, 30 * 86'400);
                    config.backup_every_seconds = static_cast<std::uint32_t>(seconds.value_or(0));
                    return seconds.has_value();
                },
            .get = [](const Config& config) { return duration_text(config.backup_every_seconds); }};
}

Setting backup_keep() {
    return {.name = "backup-keep",
            .hint = "LIST",
            .fallback = "24h,7d,4w,12m",
            .bounds = "numbers of hours, days, weeks and months, for example 24h,7d,4w,12m",
            .help = "Which backups stay: the newest of each of so many hours, days, weeks and months.",
            .set =
                [](Config& config, std::string_view text) {
                    const auto keep = admin::parse_backup_keep(text);
                    config.backup_keep = keep.value_or(admin::BackupKeep());
                    return keep.has_value();
                },
            .get = [](const Config& config) { return config.backup_keep.text(); }};
}

} // namespace

std::vector<Setting> backup_settings() {
    return {
        path(
            "backup-to", "DIR", "", &Config::backup_to,
            "A folder, best on another disk, in which the server makes backups of its data folder; made when "
            "missing. Default: none are made."),
        backup_every(),
        backup_keep(),
    };
}

} // namespace slashpost::app
