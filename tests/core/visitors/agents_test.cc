#include "core/visitors/agents.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <string>
#include <vector>

using namespace slashpost;
using slashpost::redirect::agent_of;
using slashpost::redirect::know_agent;

namespace {

bool is_bot(std::string_view header) { return agent_of(header).device == Device::bot; }

constexpr std::string_view windows =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like "
    "Gecko) Chrome/120.0.0.0 Safari/537.36";

constexpr std::string_view messages_of_iphones =
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 "
    "Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0";

using D = Device;
using S = System;
using B = Browser;

struct Known {
    std::string_view header;
    Device device;
    System system;
    Browser browser;
};

const std::vector<Known> programs{
    {windows, D::desktop, S::windows, B::chrome},
    {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
     "Chrome/120.0.0.0 "
     "Safari/537.36 Edg/120.0.0.0",
     D::desktop, S::windows, B::edge},
    {"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:121.0) Gecko/20100101 Firefox/121.0", D::desktop,
     S::windows, B::firefox},
    {"Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko", D::desktop, S::windows, B::ie},
    {"Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Tablet PC 2.0)", D::desktop, S::windows, B::ie},
    {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
     "Chrome/119.0.0.0 "
     "Safari/537.36 OPR/105.0.0.0",
     D::desktop, S::windows, B::opera},
    {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
     "Chrome/118.0.0.0 "
     "YaBrowser/23.11.0 Safari/537.36",
     D::desktop, S::windows, B::yandex},
    {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
     "Version/17.1 Safari/605.1.15",
     D::desktop, S::macos, B::safari},
    {"Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0", D::desktop, S::linux_,
     B::firefox},
    {"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) "
     "Chrome/120.0.0.0 "
     "Safari/537.36",
     D::desktop, S::chromeos, B::chrome},
    {"Mozilla/5.0 (X11; FreeBSD amd64; rv:121.0) Gecko/20100101 Firefox/121.0", D::desktop, S::unknown,
     B::firefox},
    {"Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
     "Gecko) "
     "Version/17.1 Mobile/15E148 Safari/604.1",
     D::mobile, S::ios, B::safari},
    {"Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
     "Gecko) "
     "CriOS/120.0.6099.50 Mobile/15E148 Safari/604.1",
     D::mobile, S::ios, B::chrome},
    {"Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
     "Gecko) "
     "FxiOS/121.0 Mobile/15E148 Safari/605.1.15",
     D::mobile, S::ios, B::firefox},
    {"Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
     "Version/12.1 "
     "Mobile/15E148 Safari/604.1",
     D::tablet, S::ios, B::safari},
    {"Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) "
     "Chrome/120.0.0.0 "
     "Mobile Safari/537.36",
     D::mobile, S::android, B::chrome},
    {"Mozilla/5.0 (Linux; Android 13; SM-X906C) AppleWebKit/537.36 (KHTML, like Gecko) "
     "Chrome/120.0.0.0 "
     "Safari/537.36",
     D::tablet, S::android, B::chrome},
    {"Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) "
     "SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36",
     D::mobile, S::android, B::samsung},
    {"Mozilla/5.0 (Linux; U; Android 10; en-US; M2006C3LG) AppleWebKit/537.36 (KHTML, like Gecko) "
     "Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.4.0.1306 Mobile Safari/537.36",
     D::mobile, S::android, B::uc},
    {"Mozilla/5.0 (Linux; Android 10; HD1913) AppleWebKit/537.36 (KHTML, like Gecko) "
     "Chrome/120.0.0.0 "
     "Mobile Safari/537.36 EdgA/120.0.0.0",
     D::mobile, S::android, B::edge},
    {"Mozilla/5.0 (Android 14; Tablet; rv:121.0) Gecko/121.0 Firefox/121.0", D::tablet, S::android,
     B::firefox},
    {"Opera/9.80 (Android; Opera Mini/36.2/119.132; U; id) Presto/2.12.423 Version/12.16", D::mobile,
     S::android, B::opera},
    {"Mozilla/5.0 (Linux; Android 9; CUBOT NOTE 7) AppleWebKit/537.36 (KHTML, like Gecko) "
     "Chrome/99.0.4844.88 Mobile Safari/537.36",
     D::mobile, S::android, B::chrome},
    {"Mozilla/5.0 (Linux; Android 16; Pixel 10 Pro XL; wv) AppleWebKit/537.36 (KHTML, like Gecko) "
     "Version/4.0 Chrome/146.0.7680.174 Mobile Safari/537.36 MetaIAB Facebook",
     D::mobile, S::android, B::chrome},
    {"Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
     "Gecko) "
     "Mobile/15E148 [FBAN/FBIOS;FBAV/441.0.0.31.105;FBDV/iPhone14,5;FBSN/iOS]",
     D::mobile, S::ios, B::unknown},
    {"Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 "
     "(KHTML, "
     "like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15063",
     D::mobile, S::windows, B::edge},
    {"Mozilla/5.0 (SMART-TV; Linux; Tizen 5.0) AppleWebKit/537.36 (KHTML, like Gecko) "
     "SamsungBrowser/2.2 Chrome/63.0.3239.84 TV Safari/537.36",
     D::other, S::linux_, B::samsung},
    {"curl/7.88.1", D::other, S::unknown, B::unknown},
    {"Wget/1.21.3", D::other, S::unknown, B::unknown},
    {"", D::bot, S::unknown, B::unknown}};

} // namespace

TEST_CASE("search engines, monitors and preview fetchers are bots", "[redirect]") {
    for (const auto* header :
         {"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
          "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
          "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
          "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
          "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
          "Facebot",
          "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
          "Twitterbot/1.0",
          "WhatsApp/2.23.20.0",
          "TelegramBot (like TwitterBot)",
          "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
          "LinkedInBot/1.0 (compatible; Mozilla/5.0)",
          "SkypeUriPreview Preview/0.5",
          "CCBot/2.0",
          "Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
          "ia_archiver",
          "http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/) ",
          "x BOT y",
          "bot",
          "GPTBot/1.0"})
        CHECK(is_bot(header));
}

TEST_CASE("people are no bots, whatever telephone, browser or app they have", "[redirect]") {
    for (const auto* header :
         {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 "
          "Safari/537.36",
          "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0",
          "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/17.1 Mobile/15E148 Safari/604.1",
          "Mozilla/5.0 (Linux; Android 9; CUBOT NOTE 7) AppleWebKit/537.36 Mobile",
          "Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/AP3A.240617.008; wv) AppleWebKit/537.36 (KHTML, "
          "like "
          "Gecko) Version/4.0 Chrome/142.0.7444.142 Mobile Safari/537.36",
          "Mozilla/5.0 (Linux; Android 10; M bot 60) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 "
          "Mobile Safari/537.36",
          "Mozilla/5.0 (Linux; U; Android 2.3;en-us; ViewSonic-ViewPad7e Build/ERE27) AppleWebKit/533.1 "
          "(KHTML, "
          "Like Gecko) Version/4.0 Mobile Safari/533.1",
          "Mozilla/5.0 (Linux; Android 4.4.1; HTC Butterfly S Build/KRT16M) AppleWebKit/537.36 (KHTML, like "
          "Gecko) Chrome/32.0.1700.99 Mobile Safari/537.36",
          "BBC iPlayer (AndroidApp; 2.0.2.8; 2020008) HTC Butterfly (Android 4.2.2, SDK 17)",
          "Mozilla/5.0 (Linux; Android 5.1; Fever Build/LMY47D) AppleWebKit/537.36 (KHTML, like Gecko) "
          "Version/4.0 Chrome/39.0.0.0 Mobile Safari/537.36",
          "Mozilla/5.0 (Linux; U; Android 4.0.4; de-de; SonyST25i Build/6.1.1.B.1.1008/x) AppleWebKit/534.30 "
          "(KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",
          "Dalvik/1.6.0 (Linux; U; Android 4.1.2; M bot 60 Build/JZO54K)",
          "UCWEB/2.0 (Linux; U; Adr 4.4; en-US; M bot 60) U2/1.0.0 UCBrowser/10.7 U2/1.0.0 Mobile",
          "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)",
          "Mozilla/5.0 (compatible; MSIE 10.0; Windows Phone 8.0; Trident/6.0; IEMobile/10.0; NOKIA; Lumia "
          "920)",
          "Mozilla/5.0 (compatible; Konqueror/3.5; Linux) KHTML/3.5.5 (like Gecko)",
          "Mozilla/5.0 (Linux; Android 11; SM-A125F) AppleWebKit/537.36 (KHTML, like Gecko) "
          "coc_coc_browser/113.0 Chrome/107.0.0.0 Mobile Safari/537.36",
          "Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/58.0 "
          "Safari/537.36 SE 2.X MetaSr 1.0 SogouMSE",
          "Lynx/2.8.9rel.1 libwww-FM/2.14 SSL-MM/1.4.1"}) {
        INFO(header);
        CHECK_FALSE(is_bot(header));
    }
    CHECK(is_bot("Mozilla/5.0 (Linux; Android 9; CUBOT) compatible; Googlebot/2.1"));
    CHECK(is_bot("Mozilla/5.0 (Linux; Android 9; Googlebot/2.1) AppleWebKit/537.36 Mobile"));
}

TEST_CASE("browsers inside apps are people's, also those of chats and networks that fetch previews",
          "[redirect]") {
    const std::string iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 "
                               "(KHTML, like Gecko) Mobile/15E148 ";
    for (const auto* app :
         {"Viber/23.1.0.1", "[Pinterest/iOS]", "Line/14.10.0", "Safari Line/14.0.0/IAB", "Notion/1.7.200",
          "Instagram 406.0.0.58.159 (iPhone14,5; iOS 17_5)", "[FBAN/FBIOS;FBAV/441.0.0.31.105]",
          "Tumblr/iPhone/32.5/325000003/17.5/tumblr", "Bluesky/1.95", "PayPal/8.60", "Snapchat/12.80.0.42",
          "MicroMessenger/8.0.49 NetType/WIFI Language/de", "Trello/2024.9", "Slack/24.09.30",
          "Flipboard/4.3"}) {
        INFO(app);
        CHECK_FALSE(is_bot(iphone + app));
        CHECK_FALSE(agent_of(iphone + app).fetches_previews);
    }
    const std::string desktop =
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ";
    for (const auto* app : {"Rocket.Chat/4.1.0 Chrome/126.0.6478.234 Electron/31.6.0 Safari/537.36",
                            "Code/1.115.0 Chrome/142.0.7444.265 Electron/39.8.5 Safari/537.36",
                            "Notion/3.15.0 Chrome/126.0.6478.234 Electron/31.6.0 Safari/537.36"}) {
        INFO(app);
        CHECK_FALSE(is_bot(desktop + app));
    }
}

TEST_CASE("who tries out links by curl or wget counts, and is no telephone", "[redirect]") {
    for (const auto* header :
         {"curl/7.88.1", "Wget/1.21.3", "curl/7.19.7 (x86_64-redhat-linux-gnu) libcurl/7.19.7"}) {
        INFO(header);
        CHECK(word_of(agent_of(header).device) == "other");
    }
    CHECK(is_bot("libcurl/7.88"));
    CHECK(is_bot("mget/1.0"));
}

TEST_CASE("bots are not people: nothing, addresses, libraries, checkers of links and of health",
          "[redirect]") {
    for (const auto* header :
         {"",
          "-",
          "x",
          "Mozilla/5.0",
          "Mozilla/5.0 (compatible;)",
          "Mozilla/5.0 (compatible; Cloudinary/1.0)",
          "Mozilla/4.0 (compatible; ms-office; MSOffice 16)",
          "Mozilla/5.0 (Windows NT 6.1; rv:25.0; https://app.example.com) Gecko/20100101 Firefox/25.0",
          "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.21 (KHTML, like Gecko) www.example.de "
          "Safari/537.21",
          "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; Some Console) Chrome/27.0 "
          "Safari/537",
          "Acoon v4.1.0 (www.example.de)",
          "Baypup (jason@example.com)",
          "PHP/8.2.7",
          "GuzzleHttp/7",
          "Java/17.0.9",
          "Java-http-client/17.0.9",
          "okhttp/4.12.0",
          "Go-http-client/2.0",
          "python-requests/2.31.0",
          "Python/3.11 aiohttp/3.9.1",
          "axios/1.6.2",
          "node",
          "undici",
          "Ruby",
          "libwww-perl/6.67",
          "Apache-HttpClient/4.5.14 (Java/17.0.9)",
          "reqwest/0.11",
          "Boost.Beast/248",
          "Dart/3.2 (dart:io)",
          "PostmanRuntime/7.36.0",
          "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.3803",
          "MobileSafari/7534.48.3 CFNetwork/548.0.4 Darwin/11.0.0",
          "ELB-HealthChecker/2.0",
          "kube-probe/1.28",
          "GoogleHC/1.0",
          "Amazon-Route53-Health-Check-Service (ref x)",
          "Consul Health Check",
          "HAProxy/2.8",
          "Blackbox Exporter/0.24.0",
          "W3C-checklink/4.81",
          "LinkChecker/10.2",
          "Mozilla/5.0 (compatible; LinkChecker/9.3)",
          "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 "
          "Safari/537.36",
          "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7; TSMbot) AppleWebKit/537.36 (KHTML, like Gecko) "
          "Chrome/136.0 "
          "Safari/537.36",
          "facebookexternalhi"}) {
        INFO(header);
        CHECK(is_bot(header));
        CHECK_FALSE(agent_of(header).fetches_previews);
    }
}

TEST_CASE(
    "of people's headers by which nothing was tuned none is a bot's, and of bots' nine in ten are found",
    "[redirect]") {
    const auto each = [](const char* file, auto&& visit) {
        std::ifstream data(std::string(SLASHPOST_TEST_DATA) + file);
        std::size_t count = 0;
        for (std::string line; std::getline(data, line);)
            if (!line.starts_with('#')) {
                visit(line.substr(line.find('\t') + 1));
                ++count;
            }
        return count;
    };
    const auto people = each("/agents-people.tsv", [](const std::string& header) {
        INFO(header);
        CHECK_FALSE(is_bot(header));
    });
    CHECK(people > 1'000);
    std::size_t found = 0;
    const auto bots =
        each("/agents-bots.tsv", [&](const std::string& header) { found += is_bot(header) ? 1 : 0; });
    CHECK(bots > 600);
    CHECK(found * 10 >= bots * 9);
}

TEST_CASE("only the beginning of an endless header is looked at", "[redirect]") {
    const std::string browser = std::string(windows) + std::string(509 - windows.size(), ' ');
    CHECK(is_bot(browser + "bot"));
    CHECK_FALSE(is_bot(browser + " bot"));
}

TEST_CASE("each bot that the data names is found, and each preview fetcher told from the others",
          "[redirect]") {
    std::ifstream data(SLASHPOST_TEST_DATA "/crawler-user-agents.tsv");
    std::size_t bots = 0;
    std::size_t fetchers = 0;
    for (std::string line; std::getline(data, line);) {
        if (line.starts_with('#'))
            continue;
        INFO(line);
        const auto tab = line.find('\t');
        REQUIRE(tab != line.npos);
        const auto agent = agent_of(line.substr(tab + 1));
        CHECK(agent.device == Device::bot);
        if (line.starts_with("preview")) {
            ++fetchers;
            CHECK(agent.fetches_previews);
        }
        ++bots;
    }
    CHECK(bots > 1'000);
    CHECK(fetchers > 50);
}

TEST_CASE("programs that show others what an address leads to are known", "[redirect]") {
    for (const auto header : std::initializer_list<std::string_view>{
             "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
             "Twitterbot/1.0",
             "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
             "WhatsApp/2.23.20.0 A",
             "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
             "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
             "TelegramBot (like TwitterBot)",
             "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)",
             "Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)",
             "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
             "http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/) ",
             "Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)",
             "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)",
             "Slack-ImgProxy (+https://api.slack.com/robots)",
             "Pinterest/0.2 (+https://www.pinterest.com/bot.html)",
             "facebookexternalhit/1.1;line-poker/1.0",
             "Mozilla/5.0 (compatible; LineSpider/1.0)",
             "Mozilla/5.0 (compatible; ZulipURLPreview/8.0; +https://zulip.example.com)",
             "WhatsApp/2",
             "WhatsApp",
             "Signal-Android/6.40.4 Android/34",
             "Viber",
             "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/41.0.2227.0 "
             "Safari/537.36 Rocket.Chat/6.5.0",
             "Rocket.Chat-bot",
             "Notion/1.0 (https://notion.so; team@makenotion.com)",
             "NotionEmbedder",
             "Mozilla/5.0 (compatible; TrelloBot/1.0)",
             "Trello",
             messages_of_iphones}) {
        INFO(header);
        CHECK(agent_of(header).device == Device::bot);
        CHECK(agent_of(header).fetches_previews);
    }
    for (const auto* header : {"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
                               "python-requests/2.31.0", "github-camo (876de43e)", "GPTBot/1.0"}) {
        INFO(header);
        CHECK(agent_of(header).device == Device::bot);
        CHECK_FALSE(agent_of(header).fetches_previews);
    }
    CHECK_FALSE(agent_of(windows).fetches_previews);
}

TEST_CASE("device, system and browser are told from each other", "[redirect]") {
    for (const auto& [header, device, system, browser] : programs) {
        INFO(header);
        for (int i = 0; i < 2; ++i) { // read, and remembered
            const auto agent = agent_of(header);
            CHECK(word_of(agent.device) == word_of(device));
            CHECK(word_of(agent.system) == word_of(system));
            CHECK(word_of(agent.browser) == word_of(browser));
            CHECK_FALSE(agent.fetches_previews);
        }
    }
}

TEST_CASE("headers of odd bytes are read like any other", "[redirect]") {
    CHECK(is_bot("\xff\xfe\xc3("));
    CHECK(is_bot("\xc3\x28 Googlebot/2.1 \xff"));
    CHECK(is_bot(std::string("\0\0 bot", 6)));
    CHECK(is_bot(std::string(16'000, '\xe2')));
    CHECK(is_bot(std::string(16'000, '(')));
}

TEST_CASE("each header has a mark of its own, remembered or not", "[redirect]") {
    CHECK(know_agent("").mark == 0);
    const auto mark = know_agent(windows).mark;
    CHECK(mark != 0);
    // Many others take its place in the memory.
    for (int i = 0; i < 5'000; ++i)
        CHECK(know_agent("Mozilla/5.0 visitor " + std::to_string(i)).mark != mark);
    CHECK(know_agent(windows).mark == mark);
    CHECK(agent_of(windows).system == System::windows);
    // Beyond what is looked at they are one.
    const std::string long_one(511, 'a');
    CHECK(know_agent(long_one).mark == know_agent(long_one).mark);
    CHECK(know_agent(long_one).mark != know_agent(long_one + "b").mark);
    CHECK(know_agent(std::string(512, 'a')).mark == know_agent(std::string(5'000, 'a')).mark);
}
