#include "core/base/amount.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace slashpost;

namespace {

constexpr auto largest = std::numeric_limits<std::int64_t>::max();
constexpr auto smallest = std::numeric_limits<std::int64_t>::min();

// Thousandths; -1 when it is no amount.
std::int64_t of(std::string_view text) { return read_amount(text).value_or(Amount{-1}).thousandths; }
std::int64_t of(double number) { return read_amount(number).value_or(Amount{-1}).thousandths; }

} // namespace

TEST_CASE("an amount as text is exact to three decimals", "[amount]") {
    CHECK(of("0") == 0);
    CHECK(of("19.99") == 19'990);
    CHECK(of("0.001") == 1);
    CHECK(of("007.5") == 7'500);
    CHECK(of("-5.25") == -5'250);
    CHECK(of("9999999999.999") == amount_max.thousandths);
    CHECK(of("999999999999999.999") == 999'999'999'999'999'999);
    CHECK(of("1000000000000000") == largest);
    CHECK(of("-1000000000000000") == smallest);
    for (const auto* text : {"", "-", ".", "1.", ".5", "1.0000", "0.0001", "+1", "1e3", " 1", "1 ", "1,5",
                             "0x1", "--1", "1.5.5", "NaN", "inf", "1.-5"})
        CHECK_FALSE(read_amount(std::string_view(text)));
}

TEST_CASE("an amount as a double is the decimal number that it stands for", "[amount]") {
    CHECK(of(0.0) == 0);
    CHECK(of(-0.0) == 0);
    CHECK(of(19.99) == 19'990);
    CHECK(of(0.1 + 0.2) == 300);
    CHECK(of(1.001) == 1'001);
    CHECK(of(9'999'999'999.999) == 9'999'999'999'999);
    CHECK(of(-2.5) == -2'500);
    CHECK(of(1e300) == largest);
    CHECK(of(-1e300) == smallest);
    CHECK(of(std::numeric_limits<double>::infinity()) == largest);
    for (const double number : {0.0001, 19.9901, 1e-300, 9'999'999'999.9994, 0.3333333333333333,
                                std::numeric_limits<double>::quiet_NaN()})
        CHECK_FALSE(read_amount(number));
}

TEST_CASE("every amount of cents comes back from the double that is nearest to it", "[amount]") {
    int wrong = 0;
    for (std::int64_t thousandths = 1; thousandths < 10'000'000'000'000; thousandths += 7'654'321'987)
        wrong += of(static_cast<double>(thousandths) / 1000) == thousandths ? 0 : 1;
    CHECK(wrong == 0);
}

TEST_CASE("a whole number of any size is an amount", "[amount]") {
    CHECK(whole_amount(20).thousandths == 20'000);
    CHECK(whole_amount(-20).thousandths == -20'000);
    CHECK(whole_amount(largest).thousandths == largest);
    CHECK(whole_amount(smallest).thousandths == smallest);
}
