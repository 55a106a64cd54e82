#include "core/model/apps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slashpost {

namespace {

// clang-format off
constexpr std::array apps{
    App{"airbnb",      "Airbnb",       "com.airbnb.android",                "airbnb",       "401626263",  "airbnb"},
    App{"amazon",      "Amazon",       "com.amazon.mShop.android.shopping", "com.amazon.mobile.shopping.web", "297606951", "com.amazon.mobile.shopping.web"},
    App{"apple-music", "Apple Music",  "com.apple.android.music",           "music",        "1108187390", "music"},
    App{"booking",     "Booking.com",  "com.booking",                       "booking",      "367003839",  "booking"},
    App{"deezer",      "Deezer",       "deezer.android.app",                "deezer",       "292738169",  "deezer"},
    App{"discord",     "Discord",      "com.discord",                       "discord",      "985746746",  "discord"},
    App{"ebay",        "eBay",         "com.ebay.mobile",                   "ebay",         "282614216",  "ebay"},
    App{"etsy",        "Etsy",         "com.etsy.android",                  "etsy",         "477128284",  "etsy"},
    App{"facebook",    "Facebook",     "com.facebook.katana",               "fb",           "284882215",  "fb"},
    App{"instagram",   "Instagram",    "com.instagram.android",             "instagram",    "389801252",  "instagram"},
    App{"linkedin",    "LinkedIn",     "com.linkedin.android",              "linkedin",     "288429040",  "linkedin"},
    App{"medium",      "Medium",       "com.medium.reader",                 "medium",       "828256236",  "medium"},
    App{"messenger",   "Messenger",    "com.facebook.orca",                 "fb-messenger", "454638411",  "fb-messenger"},
    App{"netflix",     "Netflix",      "com.netflix.mediaclient",           "nflx",         "363590051",  "nflx"},
    App{"pinterest",   "Pinterest",    "com.pinterest",                     "pinterest",    "429047995",  "pinterest"},
    App{"reddit",      "Reddit",       "com.reddit.frontpage",              "reddit",       "1064216828", "reddit"},
    App{"shazam",      "Shazam",       "com.shazam.android",                "shazam",       "284993459",  "shazam"},
    App{"signal",      "Signal",       "org.thoughtcrime.securesms",        "sgnl",         "874139669",  "sgnl"},
    App{"slack",       "Slack",        "com.Slack",                         "slack",        "618783545",  "slack"},
    App{"snapchat",    "Snapchat",     "com.snapchat.android",              "snapchat",     "447188370",  "snapchat"},
    App{"soundcloud",  "SoundCloud",   "com.soundcloud.android",            "soundcloud",   "336353151",  "soundcloud"},
    App{"spotify",     "Spotify",      "com.spotify.music",                 "spotify",      "324684580",  "spotify"},
    App{"strava",      "Strava",       "com.strava",                        "strava",       "426826309",  "strava"},
    App{"telegram",    "Telegram",     "org.telegram.messenger",            "tg",           "686449807",  "tg"},
    App{"tiktok",      "TikTok",       "com.zhiliaoapp.musically",          "snssdk1233",   "835599320",  "snssdk1233"},
    App{"tripadvisor", "Tripadvisor",  "com.tripadvisor.tripadvisor",       "tripadvisor",  "284876795",  "tripadvisor"},
    App{"tumblr",      "Tumblr",       "com.tumblr",                        "tumblr",       "305343404",  "tumblr"},
    App{"twitch",      "Twitch",       "tv.twitch.android.app",             "twitch",       "460177396",  "twitch"},
    App{"uber",        "Uber",         "com.ubercab",                       "uber",         "368677368",  "uber"},
    App{"vimeo",       "Vimeo",        "com.vimeo.android.videoapp",        "vimeo",        "425194759",  "vimeo"},
    App{"waze",        "Waze",         "com.waze",                          "waze",         "323229106",  "waze"},
    App{"whatsapp",    "WhatsApp",     "com.whatsapp",                      "whatsapp",     "310633997",  "whatsapp"},
    App{"x",           "X",            "com.twitter.android",               "twitter",      "333903271",  "twitter"},
    App{"yelp",        "Yelp",         "com.yelp.android",                  "yelp",         "284910350",  "yelp"},
    App{"youtube",     "YouTube",      "com.google.android.youtube",        "vnd.youtube",  "544007664",  "youtube"},
    App{"zoom",        "Zoom",         "us.zoom.videomeetings",             "zoomus",       "546505307",  "zoomus"},
};
// clang-format on
static_assert(std::ranges::is_sorted(apps, {}, &App::id));

} // namespace

std::string App::android_url() const {
    return fmt::format("intent://{{path}}#Intent;scheme={};package={};end", android_scheme, android_package);
}

std::string App::ios_url() const { return fmt::format("{}://{{path}}", ios_scheme); }

std::span<const App> known_apps() { return apps; }

const App* find_known_app(std::string_view id) {
    const auto* const found = std::ranges::lower_bound(apps, id, {}, &App::id);
    return found != apps.end() && found->id == id ? &*found : nullptr;
}

} // namespace slashpost
