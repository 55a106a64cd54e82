// `slashpost-admin schema`: what is stored how, and what it costs.
#include "app/admin/commands.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

namespace slashpost::admin {

namespace {

struct Cost {
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0; // keys and values, before compression
};

Result<Cost> measure(data::View& view, const data::Space& space, data::BytesView prefix) {
    Cost cost;
    TRY(view.scan(space, data::Range::of_prefix(prefix), data::Order::forward,
                  [&](data::BytesView key, data::BytesView value) {
                      ++cost.entries;
                      cost.bytes += key.size() + value.size();
                      return true;
                  }));
    return cost;
}

Result<Cost> measure_tallies(data::View& view, data::BytesView prefix) {
    Cost cost;
    TRY(view.scan_tallies(data::Range::of_prefix(prefix), data::Order::forward,
                          [&](data::BytesView key, std::int64_t) {
                              ++cost.entries;
                              cost.bytes += key.size() + sizeof(std::int64_t);
                              return true;
                          }));
    return cost;
}

class Sheet {
  public:
    explicit Sheet(Console& console) : console_(console) {}

    Result<void> head() {
        return console_.write(fmt::format("{:<20} {:<8} {:>3}  {:<16} {:>10} {:>12} {:>9}\n", "table", "kind",
                                          "no", "name", "entries", "bytes", "per row"));
    }
    Result<void> line(std::string_view table, std::string_view kind, unsigned number, std::string_view name,
                      const Cost& cost, std::uint64_t rows) {
        const auto per_row =
            rows == 0 ? std::string("-")
                      : fmt::format("{:.1f}", static_cast<double>(cost.bytes) / static_cast<double>(rows));
        return console_.write(fmt::format("{:<20} {:<8} {:>3}  {:<16} {:>10} {:>12} {:>9}\n", table, kind,
                                          number, name, cost.entries, cost.bytes, per_row));
    }

  private:
    Console& console_;
};

template <class Table>
Result<void> show_table(data::View& view, const Table& table, Sheet& sheet) {
    const auto rows = TRY(measure(view, table.rows(), data::BytesView("\0", 1)));
    const auto name = table.rows().name;
    TRY(sheet.line(name, "rows", table.rows().number, "", rows, rows.entries));
    for (const auto* set : table.sets())
        TRY(sheet.line(name, set->unique_property().empty() ? "index" : "unique", set->number(), set->name(),
                       TRY(measure(view, set->space(), set->prefix())), rows.entries));
    for (const auto* tally : table.tallies())
        TRY(sheet.line(name, "tally", static_cast<unsigned char>(tally->prefix().back()), tally->name(),
                       TRY(measure_tallies(view, tally->prefix())), rows.entries));
    for (const auto* mark : table.marks())
        TRY(sheet.line(name, "marks", mark->space().number, mark->space().name,
                       TRY(measure(view, mark->space(), "")), rows.entries));
    return {};
}

} // namespace

Result<int> show_schema(AdminContext& context, Console& console) {
    return context.engine.read([&](data::View& view) -> Result<int> {
        Sheet sheet(console);
        TRY(sheet.head());
        Result<void> outcome;
        schema().each_table([&](const auto& table) {
            if (outcome.has_value())
                outcome = show_table(view, table, sheet);
        });
        TRY(outcome);
        for (const auto& [name, counter] : {std::pair{"link_clicks", counter::link_clicks},
                                            std::pair{"workspace_clicks", counter::workspace_clicks},
                                            std::pair{"domain_clicks", counter::domain_clicks},
                                            std::pair{"workspace_days", counter::workspace_days}})
            TRY(sheet.line(name, "figures", counter, "", TRY(measure_tallies(view, data::key(counter))), 0));
        TRY(sheet.line("last_clicks", "figures", space::last_clicks.number, "",
                       TRY(measure(view, space::last_clicks, "")), 0));
        TRY(sheet.line("click_orders", "figures", space::click_orders.number, "",
                       TRY(measure(view, space::click_orders, "")), 0));
        for (const auto& rollups : {space::rollups, space::recent_rollups})
            TRY(sheet.line(rollups.name, "figures", rollups.number, "", TRY(measure(view, rollups, "")), 0));
        for (const auto& part : {space::documents, space::postings})
            TRY(sheet.line(part.name, "search", part.number, "", TRY(measure(view, part, "")), 0));
        return exit_good;
    });
}

} // namespace slashpost::admin
