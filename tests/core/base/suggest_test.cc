#include "core/base/suggest.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace slashpost;

namespace {

std::string meant(std::string_view typed) {
    static const std::vector<std::string_view> known{"serve",          "config",       "help", "version",
                                                     "https-redirect", "certificates", "key"};
    return std::string(nearest(typed, known).value_or("nothing"));
}

} // namespace

TEST_CASE("a word with a letter wrong, missing, too many or swapped is recognised", "[suggest]") {
    CHECK(meant("sevre") == "serve");
    CHECK(meant("srve") == "serve");
    CHECK(meant("serrve") == "serve");
    CHECK(meant("serbe") == "serve");
    CHECK(meant("Serve") == "serve");
    CHECK(meant("http_redirect") == "https-redirect");
    CHECK(meant("kye") == "key");
}

TEST_CASE("the beginning of a word stands for it, from three letters on", "[suggest]") {
    CHECK(meant("cert") == "certificates");
    CHECK(meant("conf") == "config");
    CHECK(meant("c") == "nothing");
}

TEST_CASE("a word that is like none is not taken for one", "[suggest]") {
    CHECK(meant("start") == "nothing");
    CHECK(meant("") == "nothing");
    CHECK(meant("x") == "nothing");
    CHECK(meant(std::string(65, 's')) == "nothing");
    CHECK_FALSE(nearest("serve", {}).has_value());
}
