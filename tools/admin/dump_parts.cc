#include "tools/admin/dump_parts.h"

#include "core/base/errors.h"
#include "core/schema/click_totals.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"
#include "tools/admin/dump_json.h"

#include <array>
#include <fmt/format.h>
#include <vector>

namespace slashpost::admin {

namespace {

// One row's JSON lives in this much memory, without a call to the allocator in the usual case.
constexpr std::size_t row_bytes_usual = 16'384;

template <class T>
Result<void> hand_over(const T& row, const DumpPart::Take& take) {
    std::array<unsigned char, row_bytes_usual> buffer; // NOLINT: written before it is read
    json::monotonic_resource memory(buffer.data(), buffer.size());
    return take(row_to_json(row, &memory));
}

template <class T>
Result<T> read_row(const json::object& object, std::string_view part) {
    T row;
    std::string bad_field;
    if (!row_from_json(object, row, bad_field))
        return malformed(fmt::format("a row of {} cannot be read: {}", part, bad_field));
    return row;
}

template <class Table>
class TablePart final : public DumpPart {
  public:
    explicit TablePart(const Table& table) : table_(table) {}
    [[nodiscard]] std::string_view name() const override { return table_.rows().name; }

    Result<void> each(data::View& view, const Take& take) const override {
        return table_.each(view, [&](const auto& row) -> Result<bool> {
            TRY(hand_over(row, take));
            return true;
        });
    }
    [[nodiscard]] Result<Apply> read(const json::object& object) const override {
        auto row = TRY(read_row<typename Table::Row>(object, name()));
        return [this, row = std::move(row)](data::Txn& txn) { return table_.insert(txn, row); };
    }

  private:
    const Table& table_;
};

// Ids in a key, one after the other, as members of an object.
using IdNames = std::vector<std::string_view>;

bool ids_to_json(data::BytesView key, const IdNames& names, json::object& out) {
    if (key.size() != names.size() * sizeof(RawId))
        return false;
    for (const auto& name : names) {
        out.emplace(name, RawId::from_bytes(key.substr(0, sizeof(RawId)))->hex());
        key.remove_prefix(sizeof(RawId));
    }
    return true;
}

bool ids_from_json(const json::object& in, const IdNames& names, data::Bytes& key) {
    for (const auto& name : names) {
        const auto* value = in.if_contains(name);
        if (!value || !value->is_string())
            return false;
        const auto parsed = RawId::parse(std::string_view(value->get_string()));
        if (!parsed)
            return false;
        key += parsed->view();
    }
    return true;
}

// A day in a key: 4 bytes, big-endian.
std::uint32_t day_from_bytes(data::BytesView bytes) {
    std::uint32_t day = 0;
    for (const char byte : bytes)
        day = day << 8 | static_cast<unsigned char>(byte);
    return day;
}

// Click totals: key(counter, ids...) -> sum, or key(counter, ids..., day) -> sum.
class TallyPart final : public DumpPart {
  public:
    enum class By { ids, ids_and_day };
    TallyPart(std::string_view name, std::uint16_t counter, IdNames ids, By by)
        : name_(name),
          prefix_(data::key(counter)),
          ids_(std::move(ids)),
          day_bytes_(by == By::ids ? 0 : sizeof(std::uint32_t)) {}
    [[nodiscard]] std::string_view name() const override { return name_; }

    Result<void> each(data::View& view, const Take& take) const override {
        Result<void> outcome;
        TRY(view.scan_tallies(data::Range::of_prefix(prefix_), data::Order::forward,
                              [&](data::BytesView key, std::int64_t sum) {
                                  if (sum == 0)
                                      return true;
                                  json::object out;
                                  key.remove_prefix(prefix_.size());
                                  const auto ids =
                                      key.substr(0, key.size() - std::min(day_bytes_, key.size()));
                                  if (!ids_to_json(ids, ids_, out))
                                      outcome = fault(fmt::format("a tally of {} has a strange key", name_));
                                  if (day_bytes_ > 0)
                                      out.emplace("day", day_from_bytes(key.substr(ids.size())));
                                  out.emplace("clicks", sum);
                                  if (outcome.has_value())
                                      outcome = take(out);
                                  return outcome.has_value();
                              }));
        return outcome;
    }
    [[nodiscard]] Result<Apply> read(const json::object& object) const override {
        auto key = prefix_;
        const auto* clicks = object.if_contains("clicks");
        const auto* day = object.if_contains("day");
        const bool has_day = day && day->is_int64() && std::in_range<std::uint32_t>(day->get_int64());
        if (!ids_from_json(object, ids_, key) || !clicks || !clicks->is_int64() ||
            has_day != (day_bytes_ > 0) || object.size() != ids_.size() + (has_day ? 2 : 1))
            return malformed(fmt::format("a row of {} cannot be read", name_));
        if (has_day)
            key += data::key(static_cast<std::uint32_t>(day->get_int64()));
        return [key, sum = clicks->get_int64()](data::Txn& txn) { return txn.add(key, sum); };
    }

  private:
    std::string_view name_;
    data::Bytes prefix_;
    IdNames ids_;
    std::size_t day_bytes_;
};

// space::last_clicks: key(workspace, link or 0) -> time, in key form.
class LastClickPart final : public DumpPart {
  public:
    [[nodiscard]] std::string_view name() const override { return space::last_clicks.name; }

    Result<void> each(data::View& view, const Take& take) const override {
        Result<void> outcome;
        TRY(view.scan(space::last_clicks, {}, data::Order::forward,
                      [&](data::BytesView key, data::BytesView value) {
                          json::object out;
                          const auto at = read_last_click(value);
                          if (!at || !ids_to_json(key, ids_, out))
                              outcome = fault("a row of last_clicks cannot be read");
                          out.emplace("at", time_to_json(at.value_or(Timestamp{}), {}));
                          if (outcome.has_value())
                              outcome = take(out);
                          return outcome.has_value();
                      }));
        return outcome;
    }
    [[nodiscard]] Result<Apply> read(const json::object& object) const override {
        data::Bytes key;
        Timestamp at;
        const auto* time = object.if_contains("at");
        if (!ids_from_json(object, ids_, key) || !time || !time_from_json(*time, at) || object.size() != 3)
            return malformed("a row of last_clicks cannot be read");
        return [key, at](data::Txn& txn) {
            return txn.put_blind(space::last_clicks, key, last_click_value(at));
        };
    }

  private:
    IdNames ids_{"workspace", "link"};
};

// The facts of space::meta that belong to the data rather than to the folder.
struct StoreFacts {
    std::optional<DomainId> default_domain;
    static constexpr auto fields() {
        return std::tuple{data::stored(1, "default_domain", &StoreFacts::default_domain)};
    }
};

class StorePart final : public DumpPart {
  public:
    [[nodiscard]] std::string_view name() const override { return "store"; }
    Result<void> each(data::View& view, const Take& take) const override {
        return hand_over(StoreFacts{.default_domain = TRY(default_domain(view))}, take);
    }
    [[nodiscard]] Result<Apply> read(const json::object& object) const override {
        const auto facts = TRY(read_row<StoreFacts>(object, name()));
        return [facts](data::Txn& txn) -> Result<void> {
            if (facts.default_domain)
                TRY(set_default_domain(txn, *facts.default_domain));
            return {};
        };
    }
};

std::vector<std::unique_ptr<DumpPart>> make_parts() {
    std::vector<std::unique_ptr<DumpPart>> parts;
    parts.push_back(std::make_unique<StorePart>());
    schema().each_table([&](const auto& table) {
        parts.push_back(std::make_unique<TablePart<std::remove_cvref_t<decltype(table)>>>(table));
    });
    using By = TallyPart::By;
    const auto tally = [&](std::string_view name, std::uint16_t counter, IdNames ids, By by = By::ids) {
        parts.push_back(std::make_unique<TallyPart>(name, counter, std::move(ids), by));
    };
    tally("link_clicks", counter::link_clicks, {"workspace", "link"});
    tally("workspace_clicks", counter::workspace_clicks, {"workspace"});
    tally("domain_clicks", counter::domain_clicks, {"domain"});
    tally("workspace_days", counter::workspace_days, {"workspace"}, By::ids_and_day);
    parts.push_back(std::make_unique<LastClickPart>());
    return parts;
}

} // namespace

std::span<const std::unique_ptr<DumpPart>> dump_parts() {
    static const auto parts = make_parts();
    return parts;
}

} // namespace slashpost::admin
