#include "app/admin/row_check.h"

#include "core/ops/row_rules.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

namespace slashpost::admin {

std::string words_for(const Problems& problems) {
    std::string words;
    for (const auto& field : problems.fields())
        words += fmt::format("{}'{}' {}", words.empty() ? "" : ", ", field.property, field.message);
    return words;
}

Result<data::Findings> check_rows(data::View& view) {
    data::Findings findings;
    Result<void> outcome;
    schema().each_table([&](const auto& table) {
        using Row = typename std::remove_cvref_t<decltype(table)>::Row;
        const auto check = [&](data::BytesView, data::BytesView bytes) {
            const auto row = data::decode<Row>(bytes);
            if (!row.has_value())
                return true;
            ++findings.rows;
            if (const auto problems = problems_of(*row); !problems.none())
                findings.add(fmt::format("{}: the row {} breaks a rule: {}", table.rows().name,
                                         data::printable(Row::primary_of(*row)), words_for(problems)));
            return true;
        };
        if (outcome.has_value())
            outcome = view.scan(table.rows(), data::Range::of_prefix(table.row_key({})), data::Order::forward,
                                check);
    });
    TRY(outcome);
    return findings;
}

} // namespace slashpost::admin
