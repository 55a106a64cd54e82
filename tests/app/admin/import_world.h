#pragma once
// A world with CSV files to import, and what has to become of one.
#include "tests/app/admin/run_command.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <random>

namespace slashpost::test {

class ImportWorld : public StockedWorld {
  public:
    using StockedWorld::StockedWorld;

    std::filesystem::path write_file(std::string_view text) {
        const auto path = folder_.path() / fmt::format("{}.csv", ++files_);
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    Run import_text(std::string_view text, std::vector<std::string> options = {}) {
        return import_file(write_file(text), std::move(options));
    }
    Run import_file(const std::filesystem::path& file, std::vector<std::string> options = {}) {
        std::vector<std::string> arguments{"import", "csv", file.string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return run(*this, arguments);
    }
    std::vector<LinkDetails> all() {
        return must(list(
            {}, {.limit = 1000, .order_by = "createdAt", .direction = Direction::ascending, .last = {}}));
    }
    std::optional<Link> link(std::string_view slashtag) {
        for (const auto& details : all())
            if (details.link.slashtag == slashtag)
                return details.link;
        return std::nullopt;
    }
    void check_verified() { CHECK(run(*this, {"verify"}).output.ends_with("all good\n")); }

  private:
    TempFolder folder_;
    int files_ = 0;
};

// A file of valid lines and what has to become of them.
struct Wanted {
    std::string text = "destination,slashtag,title,domain,tags,createdAt,clicks\n";
    struct Row {
        std::string slashtag, title, domain;
        std::vector<std::string> tags;
        std::int64_t clicks = 0;
        Timestamp created_at;
        bool operator==(const Row&) const = default;
    };
    std::vector<Row> rows;

    explicit Wanted(std::uint32_t seed) {
        std::mt19937 random(seed);
        const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
        const auto count = 50 + below(200);
        rows.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            Row row{.slashtag = fmt::format("s{}", i), .title = fmt::format("T {}", below(9)), .domain = {}};
            row.domain = below(3) == 0 ? "short.example.org" : "go.example.com";
            for (std::size_t tag = 0; tag < 6; ++tag)
                if (below(4) == 0)
                    row.tags.push_back(fmt::format("tag {}", tag));
            row.clicks = below(2) == 0 ? 0 : static_cast<std::int64_t>(below(1000));
            row.created_at = {static_cast<std::int64_t>(below(1'500'000'000)) * 1000};
            text += fmt::format("https://example.com/{},{},{},{},{},{},{}\n", i, row.slashtag, row.title,
                                row.domain, fmt::join(row.tags, "|"), to_iso(row.created_at), row.clicks);
            rows.push_back(std::move(row));
        }
        std::ranges::sort(rows, {}, &Row::slashtag);
    }
};

inline std::vector<Wanted::Row> imported(ImportWorld& world) {
    std::vector<Wanted::Row> out;
    for (const auto& details : world.all()) {
        if (!details.link.destination.starts_with("https://example.com/") || details.link.slashtag == "one")
            continue;
        Wanted::Row row{.slashtag = details.link.slashtag,
                        .title = details.link.title,
                        .domain = details.domain.full_name,
                        .tags = {},
                        .clicks = details.clicks,
                        .created_at = details.link.created_at};
        for (const auto& tag : details.tags)
            row.tags.push_back(tag.name);
        out.push_back(std::move(row));
    }
    std::ranges::sort(out, {}, &Wanted::Row::slashtag);
    return out;
}

} // namespace slashpost::test
