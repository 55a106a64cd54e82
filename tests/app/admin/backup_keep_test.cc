#include "app/admin/backup_keep.h"

#include <catch2/catch.hpp>

namespace slashpost::admin {

namespace {

std::vector<Timestamp> at(std::initializer_list<const char*> texts) {
    std::vector<Timestamp> out;
    for (const auto* text : texts)
        out.push_back(parse_iso(text).value());
    return out;
}

std::vector<std::string> gone(std::initializer_list<const char*> texts, const BackupKeep& keep) {
    std::vector<std::string> out;
    for (const auto time : backups_to_remove(at(texts), keep))
        out.push_back(to_iso(time).substr(0, 16));
    return out;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("of each hour the newest backup stays, for as many hours as are kept", "[backup]") {
    const std::initializer_list<const char*> backups{"2026-11-29T10:10Z", "2026-11-29T10:50Z",
                                                     "2026-11-29T11:05Z", "2026-11-29T12:00Z",
                                                     "2026-11-29T12:59Z"};
    CHECK(gone(backups, {.hours = 3}) == Texts{"2026-11-29T10:10", "2026-11-29T12:00"});
    CHECK(gone(backups, {.hours = 2}) == Texts{"2026-11-29T10:10", "2026-11-29T10:50", "2026-11-29T12:00"});
    CHECK(gone(backups, {.hours = 24}) == Texts{"2026-11-29T10:10", "2026-11-29T12:00"});
}

TEST_CASE("an hour or a day without a backup takes none away", "[backup]") {
    CHECK(gone({"2025-01-01T10:00Z", "2026-06-01T10:00Z", "2026-11-29T10:00Z"}, {.hours = 3}).empty());
    CHECK(gone({"2025-01-01T10:00Z", "2026-06-01T10:00Z", "2026-11-29T10:00Z"}, {.days = 2}) ==
          Texts{"2025-01-01T10:00"});
}

TEST_CASE("weeks begin on Monday, and months on their first day", "[backup]") {
    // 2026-11-29 is a Sunday.
    CHECK(gone({"2026-11-28T10:00Z", "2026-11-29T10:00Z", "2026-11-30T10:00Z"}, {.weeks = 4}) ==
          Texts{"2026-11-28T10:00"});
    CHECK(gone({"2026-10-31T10:00Z", "2026-11-01T10:00Z", "2026-11-30T10:00Z", "2026-12-01T00:00Z"},
               {.months = 12}) == Texts{"2026-11-01T10:00"});
}

TEST_CASE("a backup that one of the rules keeps stays", "[backup]") {
    CHECK(gone({"2026-09-30T23:00Z", "2026-10-31T23:00Z", "2026-11-27T23:00Z", "2026-11-28T22:00Z",
                "2026-11-28T23:00Z", "2026-11-29T09:00Z", "2026-11-29T10:00Z"},
               {.hours = 2, .days = 2, .months = 2}) ==
          Texts{"2026-09-30T23:00", "2026-11-27T23:00", "2026-11-28T22:00"});
}

TEST_CASE("the newest backup always stays", "[backup]") {
    CHECK(gone({"2026-11-29T10:00Z"}, {}).empty());
    CHECK(gone({}, {.hours = 1}).empty());
}

TEST_CASE("what is kept is written as hours, days, weeks and months", "[backup]") {
    CHECK(parse_backup_keep("24h,7d,4w,12m") == BackupKeep{.hours = 24, .days = 7, .weeks = 4, .months = 12});
    CHECK(parse_backup_keep("1d") == BackupKeep{.days = 1});
    CHECK(parse_backup_keep("3m,2h")->text() == "2h,3m");
    for (const auto* wrong : {"", "h", "0h", "10001d", "1h,", "1h,2h", "1y", "1 h", "-1h", "1hh", "h1"}) {
        CAPTURE(wrong);
        CHECK_FALSE(parse_backup_keep(wrong));
    }
}

} // namespace slashpost::admin
