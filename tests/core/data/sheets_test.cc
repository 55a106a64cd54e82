// Sheets: the counts of many ids in one value (core/data/sheets.h).
#include "core/data/sheets.h"

#include <catch2/catch.hpp>

#include <array>
#include <map>
#include <random>

namespace slashpost::data {
namespace {

RawId id_of(int number) {
    RawId id;
    id.bytes[3] = static_cast<std::uint8_t>(number / 256);
    id.bytes[15] = static_cast<std::uint8_t>(number % 256);
    return id;
}

Bytes clicks(std::int64_t number) { return Counts::of({{.name = "n", .number = number}}).encode(); }

struct Figures {
    std::int64_t clicks = 0;
    std::optional<Timestamp> latest;
    bool operator==(const Figures&) const = default;
};
using Model = std::map<RawId, Figures>; // of ids that are in a sheet

Bytes sheet_of(const Model& model) {
    Bytes sheet;
    begin_sheet(sheet);
    for (const auto& [id, figures] : model)
        add_to_sheet(sheet, {.id = id, .latest = figures.latest, .counts = clicks(figures.clicks)});
    return sheet;
}

Model read(BytesView sheet) {
    Model model;
    SheetReader reader(sheet);
    std::optional<RawId> before;
    while (const auto entry = reader.next()) {
        CHECK((!before || *before < entry->id));
        before = entry->id;
        model[entry->id] = {.clicks = Counts::decode(entry->counts)->of("n"), .latest = entry->latest};
    }
    CHECK(reader.good());
    return model;
}

TEST_CASE("the sum of sheets has every id once, its counts added up and its latest time",
          "[core][data][sheets]") {
    const Timestamp noon{1'700'000'000'000}, later{1'700'000'000'001};
    const auto one =
        sheet_of({{id_of(1), {.clicks = 2, .latest = noon}}, {id_of(7), {.clicks = 1, .latest = later}}});
    const auto two =
        sheet_of({{id_of(7), {.clicks = 4, .latest = noon}}, {id_of(300), {.clicks = 5, .latest = {}}}});
    const auto three = sheet_of({{id_of(7), {.clicks = 8, .latest = {}}}});
    const auto sum = merge_sheets(std::array<BytesView, 3>{one, two, three});
    REQUIRE(sum);
    CHECK(read(*sum) == Model{{id_of(1), {.clicks = 2, .latest = noon}},
                              {id_of(7), {.clicks = 13, .latest = later}},
                              {id_of(300), {.clicks = 5, .latest = {}}}});
}

TEST_CASE("however many sheets are merged at once, and in whatever steps, their sum is the same",
          "[core][data][sheets]") {
    std::mt19937 random(11); // NOLINT(*-msc51-cpp): the same in each run
    const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
    for (int round = 0; round < 200; ++round) {
        std::vector<Bytes> sheets;
        Model expected;
        for (int number = 1 + below(20); number > 0; --number) {
            Model model;
            for (int entries = below(number == 1 ? 200 : 20); entries > 0; --entries)
                model[id_of(below(400))] = {.clicks = 1 + below(5), .latest = Timestamp{1 + below(1000)}};
            for (const auto& [id, figures] : model) {
                expected[id].clicks += figures.clicks;
                expected[id].latest = std::max(expected[id].latest, figures.latest);
            }
            sheets.push_back(sheet_of(model));
        }
        const std::vector<BytesView> parts(sheets.begin(), sheets.end());
        const auto at_once = merge_sheets(parts);
        REQUIRE(at_once);
        CHECK(read(*at_once) == expected);
        Bytes in_steps(sheets.front());
        for (const auto part : std::span(parts).subspan(1))
            in_steps = merge_sheets(std::array<BytesView, 2>{in_steps, part}).value();
        CHECK(in_steps == *at_once);
    }
}

TEST_CASE("a sheet that cannot be read has no sum with others", "[core][data][sheets]") {
    const auto good =
        sheet_of({{id_of(1), {.clicks = 2, .latest = {}}}, {id_of(2), {.clicks = 3, .latest = {}}}});
    Bytes without_counts;
    begin_sheet(without_counts);
    add_to_sheet(without_counts, {.id = id_of(2), .latest = {}, .counts = "\x09"});
    for (const auto& bad : {Bytes(), Bytes("\x01"), good.substr(0, good.size() - 1), without_counts}) {
        CHECK_FALSE(merge_sheets(std::array<BytesView, 2>{good, bad}));
        CHECK_FALSE(merge_sheets(std::array<BytesView, 3>{bad, good, good}));
    }
    CHECK_FALSE(merge_sheets(std::array<BytesView, 1>{good.substr(0, good.size() - 1)}));
}

} // namespace
} // namespace slashpost::data
