#include "app/admin/dump_parts.h"

#include "app/admin/dump_json.h"
#include "app/admin/dump_rollups.h"
#include "app/admin/row_check.h"
#include "app/admin/walks.h"
#include "core/base/errors.h"
#include "core/data/codec_code.h"
#include "core/ops/row_rules.h"
#include "core/schema/click_totals.h"
#include "core/schema/rollups.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

#include <algorithm>
#include <array>
#include <bit>
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
    std::string problem;
    if (!row_from_json(object, row, problem))
        return malformed(fmt::format("a row of {} cannot be read: {}", part, problem));
    return row;
}

// Whether a dump has the rows: not what only the store that they are in can use.
template <class Row>
constexpr bool is_dumped() {
    if constexpr (requires { Row::kept_in_dumps; })
        return Row::kept_in_dumps;
    return true;
}

template <class Row>
constexpr bool is_key() {
    if constexpr (requires { Row::is_key; })
        return Row::is_key;
    return false;
}

template <class Table>
class TablePart final : public DumpPart {
  public:
    explicit TablePart(const Table& table) : table_(table) {}
    [[nodiscard]] std::string_view name() const override { return table_.rows().name; }
    [[nodiscard]] bool is_of_keys() const override { return is_key<typename Table::Row>(); }

    Result<void> scan(data::View& view, data::BytesView after, const data::Visit& visit) const override {
        return view.scan(table_.rows(), data::Range::of_prefix(Table::row_key({})).behind(after),
                         data::Order::forward, visit);
    }
    [[nodiscard]] Meter::Walk walk() const override { return rows_of(table_); }
    Result<void> show(data::BytesView, data::BytesView value, const Take& take) const override {
        return hand_over(TRY(data::decode<typename Table::Row>(value)), take);
    }
    Result<void> restore(data::Txn& txn, const json::object& object) const override {
        const auto row = TRY(read_row<typename Table::Row>(object, name()));
        if (const auto problems = problems_of(row); !problems.none())
            return malformed(fmt::format("a row of {} breaks a rule: {}", name(), words_for(problems)));
        return table_.insert(txn, row);
    }

  private:
    const Table& table_;
};

// What a key of figures consists of, one component after the other, as members of an object.
struct Component {
    enum class Kind : std::uint8_t { id, day }; // 16 bytes as hex; 4 bytes as days since 1970
    std::string_view name;
    Kind kind = Kind::id;
    bool may_be_absent = false; // at the end of keys that older builds wrote
    [[nodiscard]] std::size_t bytes() const {
        return kind == Kind::id ? sizeof(RawId) : sizeof(std::uint32_t);
    }
};
using Components = std::vector<Component>;

bool key_to_json(data::BytesView key, const Components& components, json::object& out) {
    for (const auto& component : components) {
        if (key.empty() && component.may_be_absent)
            return true;
        if (key.size() < component.bytes())
            return false;
        const auto part = key.substr(0, component.bytes());
        key.remove_prefix(component.bytes());
        if (component.kind == Component::Kind::id) {
            out.emplace(component.name, RawId::from_bytes(part)->hex());
            continue;
        }
        std::int64_t day = 0;
        for (const char byte : part)
            day = day * 256 + static_cast<unsigned char>(byte);
        out.emplace(component.name, day);
    }
    return key.empty();
}

bool key_from_json(const json::object& in, const Components& components, data::Bytes& key) {
    for (const auto& component : components) {
        const auto* value = in.if_contains(component.name);
        if (!value && component.may_be_absent)
            return true;
        RawId id;
        std::uint32_t day = 0;
        if (component.kind == Component::Kind::id && value && value_from_json(*value, id))
            key += id.view();
        else if (component.kind == Component::Kind::day && value && value_from_json(*value, day))
            key += data::key(day);
        else
            return false;
    }
    return true;
}

// Click totals: key(counter, components...) -> sum.
class TallyPart final : public DumpPart {
  public:
    TallyPart(std::string_view name, std::uint16_t counter, Components components)
        : name_(name),
          prefix_(data::key(counter)),
          components_(std::move(components)) {}
    [[nodiscard]] std::string_view name() const override { return name_; }

    Result<void> scan(data::View& view, data::BytesView after, const data::Visit& visit) const override {
        return view.scan_tallies(data::Range::of_prefix(prefix_).behind(after), data::Order::forward,
                                 [&](data::BytesView key, std::int64_t sum) {
                                     const auto bytes = std::bit_cast<std::array<char, sizeof sum>>(sum);
                                     return sum == 0 || visit(key, {bytes.data(), bytes.size()});
                                 });
    }
    [[nodiscard]] Meter::Walk walk() const override {
        return {.space = data::tallies, .range = data::Range::of_prefix(prefix_)};
    }
    Result<void> show(data::BytesView key, data::BytesView value, const Take& take) const override {
        std::int64_t sum = 0;
        value.copy(reinterpret_cast<char*>(&sum), sizeof sum); // as `scan` has it
        json::object out;
        if (!key_to_json(key.substr(prefix_.size()), components_, out))
            return fault(fmt::format("a tally of {} has a strange key", name_));
        out.emplace("clicks", sum);
        return take(out);
    }
    Result<void> restore(data::Txn& txn, const json::object& object) const override {
        auto key = prefix_;
        const auto* clicks = object.if_contains("clicks");
        const auto known = std::ranges::count_if(
            components_, [&](const Component& component) { return object.contains(component.name); });
        if (!key_from_json(object, components_, key) || !clicks || !clicks->is_int64() ||
            clicks->get_int64() < 0 || object.size() != static_cast<std::size_t>(known) + 1)
            return malformed(fmt::format("a row of {} cannot be read", name_));
        return txn.add(key, clicks->get_int64());
    }

  private:
    std::string_view name_;
    data::Bytes prefix_;
    Components components_;
};

// space::last_clicks: key(workspace, link or 0) -> time, in key form; but for those of dump_rollups.h.
class LastClickPart final : public DumpPart {
  public:
    [[nodiscard]] std::string_view name() const override { return space::last_clicks.name; }

    Result<void> scan(data::View& view, data::BytesView after, const data::Visit& visit) const override {
        return view.scan(space::last_clicks, data::Range().behind(after), data::Order::forward,
                         [&](data::BytesView key, data::BytesView value) {
                             return is_last_click_of_subject(key) || visit(key, value);
                         });
    }
    [[nodiscard]] Meter::Walk walk() const override { return all_of(space::last_clicks); }
    Result<void> show(data::BytesView key, data::BytesView value, const Take& take) const override {
        json::object out;
        const auto at = read_last_click(value);
        if (!at || !key_to_json(key, components_, out))
            return fault("a row of last_clicks cannot be read");
        out.emplace("at", time_to_json(*at, {}));
        return take(out);
    }
    Result<void> restore(data::Txn& txn, const json::object& object) const override {
        data::Bytes key;
        Timestamp at;
        const auto* time = object.if_contains("at");
        if (!key_from_json(object, components_, key) || !time || !time_from_json(*time, at) ||
            object.size() != 3)
            return malformed("a row of last_clicks cannot be read");
        return put_new(txn, space::last_clicks, key, last_click_value(at));
    }

  private:
    Components components_{{.name = "workspace"}, {.name = "link"}}; // link: zeros for the workspace itself
};

// Has no rows: makes sure that no figures are left out of a dump because nobody told this file of them.
class NothingElse final : public DumpPart {
  public:
    explicit NothingElse(std::uint16_t last_counter)
        : from_(data::key(static_cast<std::uint16_t>(last_counter + 1))) {}
    [[nodiscard]] std::string_view name() const override { return "nothing_else"; }
    Result<void> scan(data::View& view, data::BytesView, const data::Visit&) const override {
        Result<void> outcome;
        TRY(view.scan_tallies(
            {.from = from_, .until = {}}, data::Order::forward, [&](data::BytesView key, std::int64_t) {
                outcome =
                    fault(fmt::format("the figures under {} are part of no dump", to_hex(key.substr(0, 2))));
                return false;
            }));
        return outcome;
    }
    [[nodiscard]] Meter::Walk walk() const override {
        return {.space = data::tallies, .range = {.from = from_, .until = {}}};
    }
    Result<void> show(data::BytesView, data::BytesView, const Take&) const override {
        return fault("there are no such rows");
    }
    Result<void> restore(data::Txn&, const json::object&) const override {
        return malformed("there are no such rows");
    }

  private:
    data::Bytes from_;
};

// The facts of space::meta that belong to the data rather than to the folder.
struct StoreFacts {
    std::optional<DomainId> default_domain;
    std::optional<std::string>
        click_id_key; // a secret: without it, no click id that is out there would count
    std::optional<Timestamp> hours_kept_since, days_kept_since; // of statistics
    static constexpr auto fields() {
        return std::tuple{data::stored(1, "default_domain", &StoreFacts::default_domain),
                          data::stored(2, "click_id_key", &StoreFacts::click_id_key),
                          data::stored(3, "hours_kept_since", &StoreFacts::hours_kept_since),
                          data::stored(4, "days_kept_since", &StoreFacts::days_kept_since)};
    }
};

class StorePart final : public DumpPart {
  public:
    [[nodiscard]] std::string_view name() const override { return "store"; }
    Result<void> scan(data::View& view, data::BytesView after, const data::Visit& visit) const override {
        if (!after.empty())
            return {};
        StoreFacts facts;
        facts.default_domain = TRY(default_domain(view));
        facts.click_id_key = TRY(click_id_key(view));
        if (const auto kept = TRY(kept_since(view)); kept != KeptSince()) {
            facts.hours_kept_since = kept.hours;
            facts.days_kept_since = kept.days;
        }
        visit(name(), data::encode(facts));
        return {};
    }
    [[nodiscard]] Meter::Walk walk() const override { return all_of(space::meta); }
    Result<void> show(data::BytesView, data::BytesView value, const Take& take) const override {
        return hand_over(TRY(data::decode<StoreFacts>(value)), take);
    }
    Result<void> restore(data::Txn& txn, const json::object& object) const override {
        const auto facts = TRY(read_row<StoreFacts>(object, name()));
        if (facts.click_id_key && facts.click_id_key->size() != click_id_key_bytes)
            return malformed("the key of click ids has not the length of one");
        if (facts.default_domain)
            TRY(set_default_domain(txn, *facts.default_domain));
        if (facts.click_id_key)
            TRY(set_click_id_key(txn, *facts.click_id_key));
        if (facts.hours_kept_since && facts.days_kept_since)
            TRY(set_kept_since(txn, {.hours = *facts.hours_kept_since, .days = *facts.days_kept_since}));
        return {};
    }
};

std::vector<std::unique_ptr<DumpPart>> make_parts() {
    std::vector<std::unique_ptr<DumpPart>> parts;
    parts.push_back(std::make_unique<StorePart>());
    schema().each_table([&](const auto& table) {
        using Table = std::remove_cvref_t<decltype(table)>;
        if constexpr (is_dumped<typename Table::Row>())
            parts.push_back(std::make_unique<TablePart<Table>>(table));
    });
    const auto tally = [&](std::string_view name, std::uint16_t counter, Components components) {
        parts.push_back(std::make_unique<TallyPart>(name, counter, std::move(components)));
    };
    const Component workspace{.name = "workspace"};
    tally("link_clicks", counter::link_clicks, {workspace, {.name = "link"}});
    tally("workspace_clicks", counter::workspace_clicks, {workspace});
    tally("domain_clicks", counter::domain_clicks,
          {{.name = "domain"}, {.name = "workspace", .may_be_absent = true}});
    tally("workspace_days", counter::workspace_days,
          {workspace, {.name = "day", .kind = Component::Kind::day}});
    parts.push_back(std::make_unique<LastClickPart>());
    parts.push_back(make_subject_last_click_part());
    parts.push_back(make_rollup_part());
    parts.push_back(std::make_unique<NothingElse>(counter::workspace_days));
    return parts;
}

} // namespace

Result<void> put_new(data::Txn& txn, const data::Space& space, data::BytesView key, data::BytesView value) {
    if (TRY(txn.get(space, key)))
        return conflict("There is already such a row.");
    return txn.put_blind(space, key, value);
}

std::span<const std::unique_ptr<DumpPart>> dump_parts() {
    static const auto parts = make_parts();
    return parts;
}

} // namespace slashpost::admin
