#include "app/admin/dump_rollups.h"

#include "app/admin/dump_json.h"
#include "app/admin/rollup_keys.h"
#include "app/admin/walks.h"
#include "core/base/errors.h"
#include "core/schema/click_totals.h"

#include <array>

namespace slashpost::admin {

namespace {

constexpr std::array<std::string_view, 3> grain_names{"all", "day", "hour"}; // in the order of their numbers

void subject_to_json(const KnownSubject& subject, json::object& out) {
    out.emplace(name_of(subject.kind), subject.id.hex());
    if (subject.kind == SubjectKind::domain)
        out.emplace("workspace", subject.workspace.hex());
}

// Counts the members it understood in `used`.
std::optional<KnownSubject> subject_from_json(const json::object& in, std::size_t& used) {
    const auto read = [&](std::string_view name, RawId& id) {
        const auto* value = in.if_contains(name);
        used += value ? 1 : 0;
        return value && value_from_json(*value, id);
    };
    KnownSubject out;
    for (const auto kind : {SubjectKind::domain, SubjectKind::link, SubjectKind::tag, SubjectKind::workspace})
        if (in.contains(name_of(kind))) {
            out.kind = kind;
            if (!read(name_of(kind), out.id) ||
                (kind == SubjectKind::domain && !read("workspace", out.workspace)))
                return std::nullopt;
            return out;
        }
    return std::nullopt;
}

json::array counts_to_json(const data::Counts& counts) {
    json::array out;
    out.reserve(counts.all().size());
    for (const auto& [name, number] : counts.all())
        out.emplace_back(json::array{text_to_json(name, {}), number});
    return out;
}

std::optional<data::Counts> counts_from_json(const json::value* in) {
    const auto* items = in ? in->if_array() : nullptr;
    if (!items)
        return std::nullopt;
    data::Counts out;
    for (const auto& item : *items) {
        const auto* pair = item.if_array();
        std::string name;
        if (!pair || pair->size() != 2 || !text_from_json((*pair)[0], name) || name.empty() ||
            name.size() > data::count_name_bytes_max || !(*pair)[1].is_int64())
            return std::nullopt;
        out.add(name, (*pair)[1].get_int64());
    }
    return out;
}

class RollupPart final : public DumpPart {
  public:
    [[nodiscard]] std::string_view name() const override { return space::rollups.name; }

    Result<void> scan(data::View& view, data::BytesView after, const data::Visit& visit) const override {
        return view.scan(space::rollups, data::Range().behind(after), data::Order::forward, visit);
    }
    [[nodiscard]] Meter::Walk walk() const override { return all_of(space::rollups); }
    Result<void> show(data::BytesView at, data::BytesView stored, const Take& take) const override {
        const auto key = read_rollup_key(at);
        if (!key)
            return fault("a row of rollups has a strange key");
        const auto counts = TRY(data::Counts::decode(stored));
        json::object out;
        subject_to_json(key->subject, out);
        out.emplace("grain", grain_names.at(static_cast<std::size_t>(key->grain)));
        out.emplace("bucket", key->bucket);
        out.emplace("counts", counts_to_json(counts));
        return take(out);
    }
    Result<void> restore(data::Txn& txn, const json::object& object) const override {
        std::size_t used = 3;
        const auto subject = subject_from_json(object, used);
        const auto* grain = object.if_contains("grain");
        const auto* bucket = object.if_contains("bucket");
        const auto counts = counts_from_json(object.if_contains("counts"));
        std::string grain_name;
        std::uint32_t number = 0;
        if (!subject || !grain || !text_from_json(*grain, grain_name) || !bucket ||
            !value_from_json(*bucket, number) || !counts || object.size() != used)
            return malformed("a row of rollups cannot be read");
        for (std::size_t i = 0; i < grain_names.size(); ++i)
            if (grain_names.at(i) == grain_name)
                return txn.add_counts(space::rollups,
                                      rollup_key(subject->subject(), static_cast<Grain>(i), number), *counts);
        return malformed("a row of rollups has an unknown grain");
    }
};

class SubjectLastClickPart final : public DumpPart {
  public:
    [[nodiscard]] std::string_view name() const override { return "last_clicks_of_subjects"; }

    Result<void> scan(data::View& view, data::BytesView after, const data::Visit& visit) const override {
        return view.scan(space::last_clicks, data::Range::of_prefix(data::key(RawId())).behind(after),
                         data::Order::forward, visit);
    }
    [[nodiscard]] Meter::Walk walk() const override {
        return {.space = space::last_clicks, .range = data::Range::of_prefix(data::key(RawId()))};
    }
    Result<void> show(data::BytesView key, data::BytesView value, const Take& take) const override {
        key.remove_prefix(sizeof(RawId));
        const auto subject = take_subject(key);
        const auto at = read_last_click(value);
        if (!subject || !key.empty() || !at)
            return fault("a row of last_clicks cannot be read");
        json::object out;
        subject_to_json(*subject, out);
        out.emplace("at", time_to_json(*at, {}));
        return take(out);
    }
    Result<void> restore(data::Txn& txn, const json::object& object) const override {
        std::size_t used = 1;
        const auto subject = subject_from_json(object, used);
        const auto* time = object.if_contains("at");
        Timestamp at;
        if (!subject || !time || !time_from_json(*time, at) || object.size() != used)
            return malformed("a row of last_clicks_of_subjects cannot be read");
        return put_new(txn, space::last_clicks, last_click_key(subject->subject()), last_click_value(at));
    }
};

} // namespace

std::unique_ptr<DumpPart> make_rollup_part() { return std::make_unique<RollupPart>(); }

std::unique_ptr<DumpPart> make_subject_last_click_part() { return std::make_unique<SubjectLastClickPart>(); }

bool is_last_click_of_subject(data::BytesView key) { return key.starts_with(RawId().view()); }

} // namespace slashpost::admin
