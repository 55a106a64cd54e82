// What is counted of clicks, and that it does not matter how they are taken together.
#include "core/clicks/click_profiles.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::redirect;
using data::Count;
using data::Counts;

namespace {

Click click_from(std::string_view host) {
    Click click;
    click.country = CountryCode::of("de");
    click.referrer = ReferrerHost::of(host);
    return click;
}

Counts decoded(data::BytesView bytes) { return Counts::decode(bytes).value(); }

} // namespace

TEST_CASE("clicks that look alike share a look, others do not", "[redirect]") {
    ClickProfiles profiles;
    const auto first = profiles.number_of(click_from("a.example"));
    const auto other = profiles.number_of(click_from("b.example"));
    CHECK(first != other);
    CHECK(profiles.number_of(click_from("a.example")) == first);
    auto later = click_from("b.example");
    later.time = {.ms = 1000};
    later.visitor = 7;
    CHECK(profiles.number_of(later) == other);
    auto bot = click_from("b.example");
    bot.counts = false;
    CHECK(profiles.number_of(bot) != other);
}

TEST_CASE("what a click counts for: the click, its session, what is known of the visitor", "[redirect]") {
    ClickProfiles profiles;
    const auto profile = profiles.number_of(click_from("news.example"));
    const std::vector<redirect::Tally> first{{.code = ClickProfiles::code_of(profile, true), .number = 1}};
    const std::vector<redirect::Tally> later{{.code = ClickProfiles::code_of(profile, false), .number = 3}};
    const auto of_one =
        Counts::of({Count{"Cde", 1}, Count{"Rnews.example", 1}, Count{"c", 1}, Count{"s", 1}});
    CHECK(profiles.counts(first) == of_one);
    CHECK(profiles.clicks_in(first) == 1);
    CHECK(decoded(profiles.encode(first, 1, true)) ==
          Counts::of(
              {Count{"Cde", 1}, Count{"Rnews.example", 1}, Count{"c", 1}, Count{"n", 1}, Count{"s", 1}}));
    CHECK(profiles.counts(later) == Counts::of({Count{"Cde", 3}, Count{"Rnews.example", 3}, Count{"c", 3}}));
    CHECK(profiles.clicks_in(later) == 3);
    CHECK(decoded(profiles.encode({}, 4, true)) == Counts::of({Count{"n", 4}}));

    auto bot = click_from("news.example");
    bot.counts = false;
    const std::vector<redirect::Tally> kept_apart{
        {.code = ClickProfiles::code_of(profiles.number_of(bot), false), .number = 2}};
    CHECK(profiles.counts(kept_apart) == Counts::of({Count{"b", 2}}));
    CHECK(profiles.clicks_in(kept_apart) == 0);
}

TEST_CASE("more looks than are remembered, taken one by one, come to the same as taken together",
          "[redirect]") {
    ClickProfiles profiles;
    for (int batch = 0; batch < 2; ++batch) { // the second in the memory of the first
        profiles.clear();
        std::vector<redirect::Tally> all;
        Counts one_by_one;
        for (int i = 0; i < 5000; ++i) {
            const auto number = profiles.number_of(click_from(fmt::format("{}.batch{}.example", i, batch)));
            all.push_back({.code = ClickProfiles::code_of(number, i % 2 == 0), .number = 1});
            for (int times = 0; times < 2; ++times) {
                const auto counts = decoded(profiles.encode(std::span(all).last(1), 1, false));
                REQUIRE(counts.of("c") == 1);
                REQUIRE(counts.of(fmt::format("R{}.batch{}.example", i, batch)) == 1);
                REQUIRE(counts.of("s") == (i % 2 == 0 ? 1 : 0));
            }
        }
        const auto together = profiles.counts(all);
        CHECK(together.of("c") == 5000);
        CHECK(together.of("s") == 2500);
        CHECK(together.of("Cde") == 5000);
        CHECK(together.of(fmt::format("R{}.batch{}.example", 4999, batch)) == 1);
        CHECK(together.group('R').size() == 5000);
    }
}
