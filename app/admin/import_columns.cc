#include "app/admin/import_columns.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>

namespace slashpost::admin {

namespace {

// Names are separated by bars, or by commas where there is no bar, so that a name may have a comma.
std::vector<std::string> tag_names(std::string_view field) {
    const char separator = field.contains('|') ? '|' : ',';
    std::vector<std::string> out;
    while (!field.empty()) {
        const auto end = std::min(field.find(separator), field.size());
        if (const auto name = trim(field.substr(0, end)); !name.empty())
            out.emplace_back(name);
        field.remove_prefix(std::min(end + 1, field.size()));
    }
    return out;
}

// The text, if it is as long as it may be.
bool has_length(std::string_view property, std::string_view text, std::size_t min, std::size_t max,
                Problems& problems) {
    const auto length = count_code_points(text);
    if (length >= min && length <= max)
        return true;
    problems.add(invalid_length(property, min, max));
    return false;
}

void read_destination(std::string_view field, ImportedLink& out) {
    if (trim(field).empty())
        out.problems.add(required_field("destination"));
    else
        out.link.destination = field;
}

void read_domain(std::string_view field, ImportedLink& out) { out.link.domain.full_name = trim(field); }

void read_slashtag(std::string_view field, ImportedLink& out) { out.link.slashtag = trim(field); }

void read_title(std::string_view field, ImportedLink& out) {
    if (!field.empty() && has_length("title", field, 0, link_title_length_max, out.problems))
        out.link.title = field;
}

void read_description(std::string_view field, ImportedLink& out) {
    if (!field.empty() && has_length("description", field, link_description_length_min,
                                     link_description_length_max, out.problems))
        out.link.description = field;
}

void read_tags(std::string_view field, ImportedLink& out) { out.tags = tag_names(field); }

void read_created_at(std::string_view field, ImportedLink& out) {
    const auto text = trim(field);
    if (text.empty())
        return;
    if (const auto time = parse_iso(text))
        out.created_at = *time;
    else
        out.problems.add(
            invalid_format("createdAt", "must be an ISO 8601 time, such as 2026-01-31T09:00:00Z"));
}

void read_clicks(std::string_view field, ImportedLink& out) {
    const auto text = trim(field);
    if (text.empty())
        return;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out.clicks);
    if (error == std::errc::result_out_of_range)
        out.clicks = -1; // as wrong as any other that is out of range
    else if (error != std::errc{} || end != text.data() + text.size()) {
        out.clicks = 0;
        out.problems.add(invalid_format("clicks", "must be a whole number"));
    }
}

} // namespace

const std::vector<ImportColumns::Column>& ImportColumns::known() {
    static const std::vector<Column> columns{
        {"destination", read_destination}, {"slashtag", read_slashtag}, {"title", read_title},
        {"domain", read_domain},           {"tags", read_tags},         {"description", read_description},
        {"createdAt", read_created_at},    {"clicks", read_clicks}};
    return columns;
}

Result<ImportColumns> ImportColumns::read(const CsvRow& header) {
    if (!header.fault().empty())
        return malformed(fmt::format("line {}, the header, {}", header.line(), header.fault()));
    ImportColumns out;
    for (std::size_t i = 0; i < header.size(); ++i) {
        const auto name = trim(header[i]);
        const auto found = std::ranges::find(known(), name, &Column::name);
        if (found == known().end())
            return malformed(fmt::format("line {}: '{}' is no column that can be imported; there are {}",
                                         header.line(), is_utf8(name) ? name.substr(0, 100) : "?",
                                         fmt::join(known() | std::views::transform(&Column::name), ", ")));
        if (std::ranges::find(out.columns_, &*found) != out.columns_.end())
            return malformed(fmt::format("line {}: the column {} is there twice", header.line(), name));
        out.columns_.push_back(&*found);
    }
    if (std::ranges::find(out.columns_, &known().front()) == out.columns_.end())
        return malformed(fmt::format("line {}: the column destination is missing", header.line()));
    return out;
}

ImportedLink ImportColumns::link_of(const CsvRow& row, Timestamp now) const {
    ImportedLink out;
    out.place = static_cast<std::uint16_t>(row.line() & 0xffff);
    out.created_at = {now.ms + static_cast<std::int64_t>(row.line() >> 16)};
    if (!row.fault().empty()) {
        out.problems.add(invalid_format("row", row.fault()));
        return out;
    }
    if (row.size() != columns_.size()) {
        out.problems.add(
            invalid_format("row", fmt::format("has {} fields, the header {}", row.size(), columns_.size())));
        return out;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const auto field = row[i];
        if (field.contains('\0') || !is_utf8(field))
            out.problems.add(invalid_format(columns_[i]->name, "must be UTF-8 without the character U+0000"));
        else
            columns_[i]->read(field, out);
    }
    return out;
}

} // namespace slashpost::admin
