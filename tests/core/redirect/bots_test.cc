#include "core/redirect/bots.h"

#include <catch2/catch.hpp>

#include <string>

using slashpost::redirect::is_bot;

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
    CHECK(is_bot(std::string(1'000, 'x') + "bot"));
    CHECK_FALSE(is_bot(std::string(2'000, 'x') + "bot"));
}
