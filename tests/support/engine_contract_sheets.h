#pragma once
// The part of the engine contract about sheets: the counts of many ids in one value.
#include "core/data/sheets.h"
#include "tests/support/engine_contract_helpers.h"

namespace slashpost::data::contract {

inline RawId id_ending_in(std::uint8_t last) {
    RawId id;
    id.bytes.back() = last;
    return id;
}

struct Sheeted {
    std::uint8_t id = 0;
    std::int64_t latest_ms = 0; // 0: none
    List counts;
};

inline Bytes sheet_of(const std::vector<Sheeted>& entries) {
    Bytes sheet;
    begin_sheet(sheet);
    for (const auto& entry : entries) {
        const auto counts = counts_of(entry.counts).encode();
        add_to_sheet(
            sheet, {.id = id_ending_in(entry.id),
                    .latest = entry.latest_ms != 0 ? std::optional(Timestamp{entry.latest_ms}) : std::nullopt,
                    .counts = counts});
    }
    return sheet;
}

inline void add_sheet(Engine& engine, BytesView key, const std::vector<Sheeted>& entries) {
    must(engine.transact([&](Txn& txn) { return txn.merge(sheeted, key, sheet_of(entries)); }));
}

TEMPLATE_TEST_CASE("sheets add up id by id, and keep the later time", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    add_sheet(engine, "a", {{1, 50, {{"c", 1}}}, {3, 70, {{"c", 3}}}});
    add_sheet(engine, "a", {{1, 60, {{"c", 4}, {"s", 1}}}, {2, 0, {{"b", 1}}}, {3, 10, {{"c", 1}}}});
    const auto sum = sheet_of({{1, 60, {{"c", 5}, {"s", 1}}}, {2, 0, {{"b", 1}}}, {3, 70, {{"c", 4}}}});
    CHECK(now(engine, sheeted, "a") == sum);
    CHECK(now(engine, sheeted, "b") == std::nullopt);
    must(engine.transact([&](Txn& txn) -> Result<void> {
        TRY(txn.merge(sheeted, "a", sheet_of({{9, 0, {{"c", 9}}}})));
        TRY(txn.merge(sheeted, "b", sheet_of({{1, 0, {{"c", 1}}}})));
        CHECK(get(txn, sheeted, "a") == sum + sheet_of({{9, 0, {{"c", 9}}}}).substr(1));
        CHECK(get(txn, sheeted, "b") == sheet_of({{1, 0, {{"c", 1}}}}));
        TRY(txn.erase(sheeted, "b"));
        return {};
    }));
    CHECK(now(engine, sheeted, "b") == std::nullopt);
    CHECK(now(engine, sheeted, "a") == sum + sheet_of({{9, 0, {{"c", 9}}}}).substr(1));
}

} // namespace slashpost::data::contract
