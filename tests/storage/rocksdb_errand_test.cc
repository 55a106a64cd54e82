// Reading for somebody who goes away meanwhile.
#include "core/base/errand.h"
#include "storage/open.h"
#include "tests/support/must.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <array>

namespace slashpost::storage {

namespace {

constexpr data::Space rows{1, "rows", data::Pattern::rows};
constexpr std::array spaces{rows};

struct Store {
    test::TempFolder folder;
    std::unique_ptr<data::Engine> engine =
        test::must(open("rocksdb:" + (folder.path() / "store").string(), spaces));
    Store() {
        test::must(engine->transact([&](data::Txn& txn) -> Result<void> {
            for (int i = 0; i < 100; ++i)
                TRY(txn.put(rows, fmt::format("{:03}", i), "value"));
            return {};
        }));
    }
    // The code of the failure of a scan in a view or a transaction, during which they go after ten rows.
    std::string scan(std::atomic<bool>& gone, int& seen) {
        const auto outcome = engine->read([&](data::View& view) {
            return view.scan(rows, {.from = {}, .until = {}}, data::Order::forward,
                             [&](data::BytesView, data::BytesView) {
                                 gone = gone || ++seen == 10;
                                 return true;
                             });
        });
        return outcome.has_value() ? "none" : outcome.error().code;
    }
};

} // namespace

TEST_CASE("a read for somebody who has gone ends where it gives way", "[errand]") {
    Store store;
    std::atomic<bool> gone = false;
    {
        const Errand errand(&gone);
        int seen = 0;
        CHECK(store.scan(gone, seen) == "Abandoned");
        CHECK(seen == 10);
        const auto read = store.engine->read([&](data::View& view) { return view.get(rows, "001"); });
        REQUIRE_FALSE(read.has_value());
        CHECK(read.error().code == "Abandoned");
        const auto written = store.engine->transact([&](data::Txn& txn) -> Result<void> {
            TRY(txn.put(rows, "new", "value"));
            TRY(txn.get(rows, "001"));
            return {};
        });
        REQUIRE_FALSE(written.has_value());
        CHECK(written.error().code == "Abandoned");
    }
    // What others do goes on, and nothing of it was written.
    int seen = 0;
    std::atomic<bool> nobody = false;
    CHECK(store.scan(nobody, seen) == "none");
    CHECK(seen == 10); // counted up to there
    CHECK_FALSE(test::must(store.engine->read([&](data::View& view) { return view.get(rows, "new"); })));
}

} // namespace slashpost::storage
