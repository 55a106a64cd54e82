#pragma once
// The words of our own by which bots and people are told apart, beside the list of names
// (core/visitors/bot_patterns.h says in which order they are asked). Patterns of RE2; headers are bytes.
#include <array>
#include <string_view>

namespace slashpost::redirect {

// Step 2. What people carry or use, whose names have one of a bot within them. Taken out before anything is
// looked for.
inline constexpr std::string_view misleading_names =
    // Telephones.
    "(?i:cubot|htc[ _]butterfly"
    // Browsers.
    "|sogoumse|sogoumobilebrowser|coc_coc_browser)"
    // Apps in which people open pages, behind the engine that they use.
    "|[) "
    "](?:Viber|Pinterest|Notion|Bluesky|Instapaper|Overcast|PayPal|Tumblr|Feedly|Flipboard|Code|Trae|"
    "Grammarly)/[\\w.]+"
    "|\\[(?:Pinterest|Flipboard)/[^\\]]*\\]";

// Step 3. In most names is one of these; the list has those that call themselves otherwise.
inline constexpr std::string_view words_of_bots =
    "(?i:bot|crawl|spider|slurp|preview|facebookexternalhit|embedly|iframely|mastodon|feedfetcher|"
    "mediapartners|archiver|monitor|lighthouse|headless|scraper|validator|pleroma|akkoma|misskey|"
    "kakaotalk-scrap|google-pagerenderer|"
    // Link checkers and health checks.
    "link[ _-]?check|checker|health[ _-]?check|kube-probe|uptime|availability|"
    // Libraries that send a browser's words along.
    "powershell|cfnetwork|jsoup|phantomjs|wkhtmlto|webkit2png|fasthttp|"
    // Office programs ask for what they link to; whoever follows such a link does it in a browser.
    "microsoft office|msoffice|ms-office)";

// Wherever they stand, also in a comment about the system.
inline constexpr std::string_view signs_of_bots =
    // An address, of a page or a person, at which complaints are taken.
    "(?i:https?:/|www\\.|[\\w.-]@[a-z0-9-]+\\.[a-z]"
    // A name with a version.
    "|[a-z]bot/[0-9]|crawler/[0-9]|spider/[0-9]"
    // Something behind the words that every browser has here.
    "|\\(KHTML, like Gecko; )";

inline constexpr std::string_view words_of_fetchers =
    "(?i:pleroma|akkoma|misskey|kakaotalk-scrap|line-poker|linespider|google-pagerenderer|nextcloud server "
    "crawler|"
    "pinterestbot|zulipurlpreview|trellobot|notionbot|notionembedder|slack-imgproxy|rocket\\.chat-bot"
    "|bluesky cardyb"
    // The names of apps that fetch by themselves; in a browser's header they are the browser inside the app.
    "|^(?:whatsapp|signal|signal-android|viber|line|pinterest|notion|trello|rocket\\.chat)(?:/|$| )"
    // What it sends along with a browser's words; that of its own program goes on with "Chrome/".
    "|rocket\\.chat/[0-9.]+$)";

// Step 4. Engines of browsers, and systems that only people have.
inline constexpr std::string_view words_of_people =
    "AppleWebKit|Firefox/|Chrome/|Gecko/|like Gecko|KHTML|Trident/|MSIE "
    "|Presto/|Opera|Goanna/|NetFront|UP\\.Browser|UCWEB|Obigo|"
    "MIDP|QQBrowser|OneBrowser|iBrowser|^(?:Lynx|Links|ELinks|w3m|Dillo|NetSurf)|"
    "Android|iPhone|iPad|iPod|\\[FBAN/|Windows Phone|Windows CE|Symbian|SymbOS|Series "
    "?[468]0|BlackBerry|KAIOS|"
    "Tizen|webOS|Bada|PlayStation|PLAYSTATION|Nintendo|Xbox|HbbTV|AppleTV|CrKey|"
    // Telephones of the time before engines.
    "^(?i:nokia|samsung|sie-|sony|docomo|kddi|softbank|vodafone|j-phone|lg|mot|htc|alcatel|lenovo|huawei|zte|"
    "sagem|"
    "philips|panasonic|sharp|pantech|amoi|bird|kyocera|sanyo|palm)|"
    "^curl/|^Wget/";

} // namespace slashpost::redirect
