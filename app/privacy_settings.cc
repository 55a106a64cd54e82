#include "app/privacy_settings.h"

#include "app/setting_kinds.h"

namespace slashpost::app {

std::vector<Setting> privacy_settings() {
    return {
        number("hours-kept", "90", &Config::hours_kept_days, 2, 90, "2 to 90",
               "Days for which statistics by the hour are kept; after that they are by the day. What is "
               "older is erased within a day."),
        number("days-kept", "0", &Config::days_kept_days, 0, 36'500, "0 to 36500",
               "Days for which statistics by the day are kept; totals stay. 0: for ever."),
        number("deleted-links-kept", "0", &Config::deleted_links_kept_days, 0, 36'500, "0 to 36500",
               "Days after which a deleted link is erased with all that was counted of it; nobody can "
               "restore it then. 0: never."),
        number(
            "visitor-key-hours", "24", &Config::visitor_key_hours, 1, 24, "1 to 24",
            "Hours for which the key lives, in memory only, by which visitors are told apart for sessions; "
            "with the next key nobody is known again."),
        list("ignore-clicks-from", "CIDR,...", &Config::ignored_networks, parse_network,
             "networks or addresses separated by commas, for example 192.0.2.0/24,2001:db8::/48; never all "
             "(/0)",
             "Where your own people visit from: they are redirected, and counted as bots are, beside the "
             "clicks. Default: nowhere."),
        choice<bool>("privacy-signals", "ignore or honour", &Config::honours_objections,
                     {{"ignore", false}, {"honour", true}}, 0,
                     "honour: of visitors whose browser sends Sec-GPC: 1 or DNT: 1 the click is counted, and "
                     "nothing of who they are is kept, nor do they carry an id to the destination."),
        address("robots-tag", "TEXT", &Config::robots_tag, parse_robots_tag,
                "rules as search engines read them, for example noindex or noindex, nofollow",
                "X-Robots-Tag in answers to visitors of short addresses. Default: none is sent."),
    };
}

} // namespace slashpost::app
