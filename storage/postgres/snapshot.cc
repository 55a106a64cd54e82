#include "storage/postgres/snapshot.h"

#include "core/base/errand.h"
#include "core/base/errors.h"
#include "core/data/merging.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace slashpost::storage::postgres {

using data::Bytes;
using data::BytesView;

namespace {

constexpr std::int64_t first_page_rows = 16, page_rows_max = 256;

// Nobody sees it.
std::unexpected<Error> in_vain() {
    return refused("Abandoned", "service", "Nobody waits for the answer any more.");
}

// The value of a row with operands beside it.
Result<std::optional<Bytes>> value_of(const data::Space& space, const std::optional<BytesView>& row,
                                      std::span<const BytesView> pieces) {
    std::vector<BytesView> parts;
    if (row)
        parts.push_back(*row);
    parts.insert(parts.end(), pieces.begin(), pieces.end());
    if (parts.empty())
        return std::nullopt;
    if (pieces.empty())
        return Bytes(*row);
    auto merged = data::merge_values(space.merges, parts);
    if (!merged)
        return fault(fmt::format("a value of '{}' cannot be merged", space.name));
    return merged;
}

Result<Stored> read(Connection& connection, const Table& table, BytesView key) {
    if (Errand::is_in_vain())
        return in_vain();
    const auto rows = connection.ask(table.look, std::array<Parameter, 1>{key});
    if (!rows)
        return error_of(rows.error(), "reading a value");
    Stored out;
    std::optional<BytesView> value;
    std::vector<BytesView> pieces;
    for (int row = 0; row < rows->count(); ++row) {
        if (rows->number(row, 3) != 0) {
            out.version.pieces.emplace_back(rows->number(row, 0), rows->number(row, 1));
            pieces.push_back(rows->bytes(row, 2));
            continue;
        }
        out.version.row = rows->number(row, 1);
        if (!rows->is_null(row, 2))
            value = rows->bytes(row, 2);
    }
    out.value = TRY(value_of(table.space, value, pieces));
    return out;
}

// Reads a range a page at a time, so that whoever visits may use the connection meanwhile.
class PagedWalk final : public StoredWalk {
  public:
    PagedWalk(Connection& connection, const Table& table, data::Range range, data::Order order)
        : connection_(connection),
          table_(table),
          left_(std::move(range)),
          order_(order) {
        if (!left_.until.empty() && left_.until <= left_.from)
            more_ = false;
        outcome_ = next_page();
    }

    [[nodiscard]] bool there() const override { return outcome_.has_value() && at_ < page_.size(); }
    [[nodiscard]] BytesView key() const override { return page_[at_].first; }
    [[nodiscard]] BytesView value() const override { return page_[at_].second; }
    void move() override {
        if (++at_ == page_.size())
            outcome_ = next_page();
    }
    [[nodiscard]] Result<void> check() const override {
        if (Errand::is_in_vain())
            return in_vain();
        return outcome_;
    }

  private:
    struct Entry {
        std::optional<Bytes> row;
        std::vector<Bytes> pieces;
    };
    using Entries = std::map<Bytes, Entry>;

    [[nodiscard]] bool forward() const { return order_ == data::Order::forward; }
    Answer<Rows> ask(const std::string& bounded, const std::string& open) {
        const bool has_end = !left_.until.empty();
        return connection_.ask(has_end ? bounded : open,
                               std::array<Parameter, 3>{
                                   BytesView(left_.from),
                                   has_end ? Parameter(BytesView(left_.until)) : Parameter(nullptr), rows_});
    }
    Result<void> next_page();
    // The key as far as which the rows are all that there is; nothing: to the end. Nobody knows, when the
    // pieces of one key are more than a page.
    struct Complete {
        std::optional<Bytes> upto;
        bool unknown = false;
    };
    Result<Complete> take_rows(Entries& entries);
    Result<Complete> take_pieces(Entries& entries);
    void go_behind(const Bytes& key) {
        if (forward())
            left_.from = key + '\0';
        else
            left_.until = key;
        more_ = forward() || !key.empty();
    }

    Connection& connection_;
    const Table& table_;
    data::Range left_;
    const data::Order order_;
    std::int64_t rows_ = first_page_rows;
    bool more_ = true;
    std::vector<std::pair<Bytes, Bytes>> page_;
    std::size_t at_ = 0;
    Result<void> outcome_;
};

Result<PagedWalk::Complete> PagedWalk::take_rows(Entries& entries) {
    const auto rows =
        forward() ? ask(table_.page, table_.page_to_end) : ask(table_.page_back, table_.page_back_from_end);
    if (!rows)
        return error_of(rows.error(), "scanning");
    for (int row = 0; row < rows->count(); ++row)
        entries[Bytes(rows->bytes(row, 0))].row = rows->bytes(row, 1);
    if (rows->count() < rows_)
        return Complete{};
    return Complete{.upto = Bytes(rows->bytes(rows->count() - 1, 0))};
}

Result<PagedWalk::Complete> PagedWalk::take_pieces(Entries& entries) {
    const auto rows = forward() ? ask(table_.pieces, table_.pieces_to_end)
                                : ask(table_.pieces_back, table_.pieces_back_from_end);
    if (!rows)
        return error_of(rows.error(), "scanning");
    const int count = rows->count();
    Complete complete;
    for (int row = 0; row < count; ++row) {
        const auto key = rows->bytes(row, 0);
        entries[Bytes(key)].pieces.emplace_back(rows->bytes(row, 3));
        // The last key of a full page may have more pieces.
        if (count == rows_ && row > 0 && key != rows->bytes(row - 1, 0))
            complete.upto = Bytes(rows->bytes(row - 1, 0));
    }
    complete.unknown = count == rows_ && !complete.upto;
    return complete;
}

Result<void> PagedWalk::next_page() {
    page_.clear();
    at_ = 0;
    while (page_.empty() && more_) {
        if (Errand::is_in_vain())
            return in_vain();
        Entries entries;
        auto upto = TRY(take_rows(entries)).upto;
        if (table_.merges()) {
            auto pieces = TRY(take_pieces(entries));
            while (pieces.unknown) {
                rows_ *= 2;
                entries.clear();
                upto = TRY(take_rows(entries)).upto;
                pieces = TRY(take_pieces(entries));
            }
            if (!upto || (pieces.upto && (forward() ? *pieces.upto < *upto : *pieces.upto > *upto)))
                upto = pieces.upto ? pieces.upto : upto;
        }
        const auto take = [&](const auto& entry) -> Result<void> {
            const auto& [key, stored] = entry;
            if (upto && (forward() ? key > *upto : key < *upto))
                return {}; // more of it may come
            const std::vector<BytesView> pieces(stored.pieces.begin(), stored.pieces.end());
            if (auto value = TRY(value_of(table_.space, stored.row, pieces)))
                page_.emplace_back(key, *std::move(value));
            return {};
        };
        for (const auto& entry : entries)
            TRY(take(entry));
        if (!forward())
            std::ranges::reverse(page_);
        if (upto)
            go_behind(*upto);
        else
            more_ = false;
        rows_ = std::min(2 * rows_, page_rows_max);
    }
    return {};
}

} // namespace

Result<Snapshot> Snapshot::take(Pool& pool) {
    auto connection = TRY(pool.take());
    // The moment is that of the first statement.
    if (const auto begun = connection->run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1");
        !begun)
        return error_of(begun.error(), "beginning to read");
    return Snapshot(std::move(connection));
}

Result<Stored> Snapshot::read(const Table& table, BytesView key) {
    return postgres::read(*connection_, table, key);
}

Result<std::vector<Version>> Snapshot::versions(const Table& table, const std::vector<Bytes>& keys) {
    const std::vector<std::optional<BytesView>> views(keys.begin(), keys.end());
    const std::array<Parameter, 1> parameters{std::span(views)};
    std::map<BytesView, Version> found;
    const auto rows = connection_->ask(table.versions, parameters);
    if (!rows)
        return error_of(rows.error(), "reading versions");
    for (int row = 0; row < rows->count(); ++row)
        found[rows->bytes(row, 0)].row = rows->number(row, 1);
    std::optional<Rows> pieces;
    if (table.merges()) {
        auto answer = connection_->ask(table.piece_versions, parameters);
        if (!answer)
            return error_of(answer.error(), "reading versions");
        pieces.emplace(*std::move(answer));
        for (int row = 0; row < pieces->count(); ++row)
            found[pieces->bytes(row, 0)].pieces.emplace_back(pieces->number(row, 1), pieces->number(row, 2));
    }
    std::vector<Version> out;
    out.reserve(keys.size());
    for (const auto& key : keys)
        out.push_back(found[key]);
    return out;
}

std::unique_ptr<StoredWalk> Snapshot::walk(const Table& table, const data::Range& range, data::Order order) {
    return std::make_unique<PagedWalk>(*connection_, table, range, order);
}

Result<Stored> read_now(Connection& connection, const Table& table, BytesView key) {
    return read(connection, table, key);
}

} // namespace slashpost::storage::postgres
