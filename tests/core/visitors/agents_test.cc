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
     D::unknown, S::linux_, B::samsung},
    {"curl/7.88.1", D::unknown, S::unknown, B::unknown},
    {"", D::unknown, S::unknown, B::unknown}};

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

TEST_CASE("people are no bots, whatever telephone they have", "[redirect]") {
    for (const auto* header :
         {"", "curl/7.88.1",
          "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 "
          "Safari/537.36",
          "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0",
          "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/17.1 Mobile/15E148 Safari/604.1",
          "Mozilla/5.0 (Linux; Android 9; CUBOT NOTE 7) AppleWebKit/537.36 Mobile", "bo", "b",
          "facebookexternalhi"})
        CHECK_FALSE(is_bot(header));
    CHECK(is_bot("Mozilla/5.0 (Linux; Android 9; CUBOT) compatible; Googlebot/2.1"));
}

TEST_CASE("only the beginning of an endless header is looked at", "[redirect]") {
    CHECK(is_bot(std::string(509, 'x') + "bot"));
    CHECK_FALSE(is_bot(std::string(510, 'x') + "bot"));
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
             "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "Twitterbot/1.0",
             "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "WhatsApp/2.23.20.0 A",
             "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
             "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
             "TelegramBot (like TwitterBot)",
             "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)",
             "Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)",
             "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
             "http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/) ",
             "Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)",
             "Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)", messages_of_iphones}) {
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
    CHECK(agent_of("\xff\xfe\xc3(").device == Device::unknown);
    CHECK(is_bot("\xc3\x28 Googlebot/2.1 \xff"));
    CHECK(is_bot(std::string("\0\0 bot", 6)));
    CHECK(agent_of(std::string(16'000, '\xe2')).device == Device::unknown);
    CHECK(agent_of(std::string(16'000, '(')).device == Device::unknown);
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
