#include "core/clicks/campaigns.h"

#include <catch2/catch.hpp>

using namespace slashpost::redirect;

namespace {

std::string source(std::string_view query) {
    return std::string(CampaignQuery(query).value(CampaignPart::source).view());
}

} // namespace

TEST_CASE("a query says of a campaign what its parameters do", "[campaigns]") {
    constexpr std::string_view query = "x=1&utm_source=news&utm_medium=e-mail&utm_campaign=spring+sale";
    CHECK(source(query) == "news");
    CHECK(CampaignQuery(query).value(CampaignPart::medium).view() == "e-mail");
    CHECK(CampaignQuery(query).value(CampaignPart::campaign).view() == "spring sale");
    CHECK(source("").empty());
    CHECK(source("utm_source").empty());
    CHECK(source("utm_source=&x=1").empty());
    CHECK(source("my_utm_source=a&utm_sources=b").empty());
    CHECK(source("utm_source=a&utm_source=b") == "a");
}

TEST_CASE("a value is undone of escapes, and has no control characters or white space around it",
          "[campaigns][threat-29]") {
    CHECK(source("utm_source=caf%C3%A9") == "caf\xC3\xA9");
    CHECK(source("utm_source=+%20a%0D%0Ab%00+") == "ab");
    CHECK(source("utm_source=%zz") == "%zz");
    CHECK(source("utm_source=%FF%FE").empty());
    CHECK(source("utm_source=%20%20").empty());
}

TEST_CASE("a value that is too long is cut off between characters", "[campaigns]") {
    CHECK(source("utm_source=" + std::string(52, 'a')) == std::string(52, 'a'));
    CHECK(source("utm_source=" + std::string(60, 'a')) == std::string(52, 'a'));
    CHECK(source("utm_source=" + std::string(51, 'a') + "%C3%A9") == std::string(51, 'a'));
    CHECK(source("utm_source=" + std::string(50, 'a') + "%C3%A9") == std::string(50, 'a') + "\xC3\xA9");
    CHECK(source("utm_source=" + std::string(50, 'a') + "%C3%A9bc") == std::string(50, 'a') + "\xC3\xA9");
    CHECK(source("utm_source=" + std::string(49, 'a') + "%F0%9F%98%80") == std::string(49, 'a'));
}

TEST_CASE("an address that was read off a code says so", "[campaigns]") {
    CHECK(CampaignQuery("sp_scan").scanned());
    CHECK(CampaignQuery("x=1&sp_scan=&y").scanned());
    CHECK_FALSE(CampaignQuery("x=sp_scan").scanned());
    CHECK_FALSE(CampaignQuery("").scanned());
}
