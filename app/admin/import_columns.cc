#include "app/admin/import_columns.h"

#include "app/admin/import/cells.h"
#include "core/base/host.h"
#include "core/base/text.h"
#include "core/base/zones.h"
#include "core/ops/external_ids.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>

namespace slashpost::admin {

namespace {

// Ours, as they are documented, and the names that others have for them, in the plain form.
struct OurColumn {
    std::string_view name;
    Field field;
    std::vector<std::string_view> names;
};

const std::vector<OurColumn>& our_columns() {
    static const std::vector<OurColumn> columns{
        {"destination",
         Field::destination,
         {"destination", "destinationurl", "longurl", "originalurl", "targeturl", "target", "url", "to"}},
        {"slashtag",
         Field::slashtag,
         {"slashtag", "slug", "keyword", "shortcode", "backhalf", "alias", "key"}},
        {"shortUrl", Field::short_url, {"shorturl", "shortlink", "shortaddress", "link"}},
        {"title", Field::title, {"title", "name", "pagetitle"}},
        {"domain", Field::domain, {"domain", "domainname", "host", "hostname"}},
        {"tags", Field::tags, {"tags", "tag", "labels"}},
        {"description", Field::description, {"description", "notes", "note", "comment", "comments"}},
        {"createdAt",
         Field::created_at,
         {"createdat", "created", "datecreated", "createddate", "creationdate", "timestamp", "date"}},
        {"clicks",
         Field::clicks,
         {"clicks", "totalclicks", "clickcount", "visits", "visitcount", "hits", "engagements"}},
        {"expiresAt",
         Field::expires_at,
         {"expiresat", "expires", "expirydate", "expirationdate", "expirytime", "validuntil"}},
        {"expiredUrl", Field::expired_url, {"expiredurl"}},
        {"externalId", Field::external_id, {"externalid"}},

        {"passPath", Field::pass_path, {"passpath"}}};
    return columns;
}

const OurColumn* find_ours(std::string_view name) {
    const auto found = std::ranges::find(our_columns(), name, &OurColumn::name);
    return found == our_columns().end() ? nullptr : &*found;
}

std::optional<Field> field_named(std::string_view column, const Source& source) {
    const auto name = plain_name(column);
    if (const auto own = std::ranges::find(source.columns, name, &SourceColumn::name);
        own != source.columns.end())
        return own->field;
    for (const auto& ours : our_columns())
        if (std::ranges::find(ours.names, name) != ours.names.end())
            return ours.field;
    return std::nullopt;
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

constexpr std::string_view time_words = "must be a time, such as 2026-01-31T09:00:00Z or 2026-01-31 09:00:00";

// MySQL's way to say that there is none.
bool is_no_time(std::string_view text) { return text.empty() || text.starts_with("0000-00-00"); }

void read_texts(Cells& cells, ImportedLink& out) {
    auto& title = cells[Field::title];
    if (!title.empty() && has_length("title", title, 0, link_title_length_max, out.problems))
        out.link.title = std::move(title);
    auto& description = cells[Field::description];
    if (!description.empty() && has_length("description", description, link_description_length_min,
                                           link_description_length_max, out.problems))
        out.link.description = std::move(description);
    auto& external_id = cells[Field::external_id];
    if (!external_id.empty() &&
        has_length("externalId", external_id, 1, external_id_length_max, out.problems))
        out.link.external_id = std::move(external_id);
    out.tags = tag_names(cells[Field::tags]);
}

void read_times(const Cells& cells, std::string_view zone, ImportedLink& out) {
    if (const auto text = trim(cells[Field::created_at]); !is_no_time(text)) {
        if (const auto time = read_time(text, zone))
            out.created_at = *time;
        else
            out.problems.add(invalid_format("createdAt", time_words));
    }
    if (const auto text = trim(cells[Field::expires_at]); !is_no_time(text)) {
        out.link.expires_at = read_time(text, zone);
        if (!out.link.expires_at)
            out.problems.add(invalid_format("expiresAt", time_words));
    }
}

void read_clicks(std::string_view text, ImportedLink& out) {
    if (trim(text).empty())
        return;
    if (const auto clicks = read_whole(text))
        out.clicks = *clicks;
    else
        out.problems.add(invalid_format("clicks", "must be a whole number"));
}

void read_pass_path(std::string_view text, ImportedLink& out) {
    const auto word = lower_ascii(trim(text));
    out.link.pass_path = word == "true" || word == "yes" || word == "1";
    if (!out.link.pass_path && !word.empty() && word != "false" && word != "no" && word != "0")
        out.problems.add(invalid_format("passPath", "must be true or false"));
}

// "country=de,at;language=en https://example.com/" a line.
void read_rules(std::string_view text, ImportedLink& out) {
    for (const auto line : std::views::split(text, '\n')) {
        const std::string_view rule(line);
        const auto space = rule.find(' ');
        if (space == rule.npos)
            continue;
        RuleInput in{.destination = std::string(rule.substr(space + 1)), .rank = {}, .conditions = {}};
        for (const auto part : std::views::split(rule.substr(0, space), ';')) {
            const std::string_view condition(part);
            const auto equals = std::min(condition.find('='), condition.size());
            ConditionInput one{.property = fmt::format("req.{}", condition.substr(0, equals)),
                               .op = "in",
                               .values = tag_names(condition.substr(std::min(equals + 1, condition.size())))};
            in.conditions.condition.push_back(std::move(one));
        }
        out.rules.push_back(std::move(in));
    }
}

std::string names_of_ours() {
    return fmt::format("{}", fmt::join(our_columns() | std::views::transform(&OurColumn::name), ", "));
}

} // namespace

Result<ReadingOptions> read_reading_options(std::span<const std::string> columns,
                                            std::span<const std::string> domains, std::string_view zone) {
    ReadingOptions out;
    for (const auto& text : columns) {
        const auto equals = text.find('=');
        if (equals == text.npos || equals + 1 == text.size())
            return malformed(fmt::format("--map {}: write ours=theirs, such as destination=Target", text));
        const auto* ours = find_ours(text.substr(0, equals));
        if (ours == nullptr)
            return malformed(fmt::format("--map {}: '{}' is no column that can be imported; there are {}",
                                         text, text.substr(0, equals), names_of_ours()));
        out.columns[std::string(ours->name)] = text.substr(equals + 1);
    }
    for (const auto& text : domains) {
        const auto equals = text.find('=');
        const auto old = equals == text.npos ? std::string() : text.substr(0, equals);
        const auto now = equals == text.npos ? text : text.substr(equals + 1);
        if (now.empty())
            return malformed(fmt::format("--domain {}: write old=new, such as bit.ly=go.example.com", text));
        out.domains[normal_host(old).value_or(lower_ascii(old))] = now;
    }
    if (!zone.empty() && !is_time_zone(zone))
        return malformed(fmt::format("--timezone {}: there is no such zone; one is Europe/Berlin", zone));
    out.zone = zone;
    return out;
}

bool has_destination(const CsvRow& header, const Source& source) {
    for (std::size_t i = 0; i < header.size(); ++i)
        if (field_named(header[i], source) == Field::destination)
            return true;
    return false;
}

std::string ImportColumns::names() const {
    return fmt::format("{}", fmt::join(columns_ | std::views::transform(
                                                      [](const auto& column) { return shown(column.name); }),
                                       ", "));
}

Result<void> ImportColumns::assign(const CsvRow& header) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        auto& column = columns_[i];
        if (column.name.empty())
            continue;
        if (std::ranges::find(columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(i),
                              column.name,
                              &Column::name) != columns_.begin() + static_cast<std::ptrdiff_t>(i))
            return malformed(
                fmt::format("line {}: the column {} is there twice", header.line(), shown(column.name)));
        column.field = field_named(column.name, *source_);
    }
    for (const auto& [ours, theirs] : options_->columns) {
        const auto field = find_ours(ours)->field;
        const auto found = std::ranges::find_if(columns_, [&](const Column& column) {
            return column.name == theirs || plain_name(column.name) == plain_name(theirs);
        });
        if (found == columns_.end())
            return malformed(fmt::format("--map {}={}: line {} has no column '{}'; it has {}", ours, theirs,
                                         header.line(), theirs, names()));
        for (auto& column : columns_)
            if (column.field == field)
                column.field.reset();
        found->field = field;
    }
    return {};
}

Result<ImportColumns> ImportColumns::read(const CsvRow& header, const Source& source,
                                          const ReadingOptions& options) {
    if (!header.fault().empty())
        return malformed(fmt::format("line {}, the header, {}", header.line(), header.fault()));
    ImportColumns out(source, options);
    if (source.without_header.empty())
        for (std::size_t i = 0; i < header.size(); ++i)
            out.columns_.push_back({.name = std::string(trim(header[i])), .field = {}});
    for (const auto name : source.without_header)
        out.columns_.push_back({.name = std::string(name), .field = {}});
    TRY(out.assign(header));
    // Of two names for one thing that which is ours counts, else the first.
    std::array<bool, field_count> taken{};
    const auto take = [&](Column& column, bool only_ours) {
        if (!column.field)
            return;
        auto& is_taken = taken.at(static_cast<std::size_t>(*column.field));
        const bool is_ours = find_ours(column.name) != nullptr;
        if (only_ours)
            is_taken = is_taken || is_ours;
        else if (std::exchange(is_taken, true) && !is_ours)
            column.field.reset();
    };
    for (auto& column : out.columns_)
        take(column, true);
    for (auto& column : out.columns_)
        take(column, false);
    for (const auto& column : out.columns_)
        if (!column.field && !column.name.empty())
            out.unused_.push_back(shown(column.name));
    if (!out.column_of(Field::destination))
        return malformed(fmt::format("line {}: the column destination is missing; there are {}. --map "
                                     "destination=NAME says which it is",
                                     header.line(), out.names()));
    return out;
}

std::optional<std::size_t> ImportColumns::column_of(Field field) const {
    const auto found = std::ranges::find(columns_, std::optional(field), &Column::field);
    return found == columns_.end() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(found - columns_.begin()));
}

Cells ImportColumns::cells_of(const CsvRow& row, Problems& problems) const {
    Cells cells;
    for (std::size_t i = 0; i < columns_.size() && i < row.size(); ++i) {
        const auto& column = columns_[i];
        if (!column.field)
            continue;
        const auto text = row[i];
        if (text.contains('\0') || !is_utf8(text))
            problems.add(invalid_format(column.name, "must be UTF-8 without the character U+0000"));
        else if (*column.field == Field::slashtag || !is_null(text)) // somebody may have the slashtag NULL
            cells[*column.field] = text;
    }
    return cells;
}

void ImportColumns::place(Cells& cells, Problems& problems) const {
    auto& domain = cells[Field::domain];
    auto& slashtag = cells[Field::slashtag];
    domain = trim(domain);
    slashtag = trim(slashtag);
    if (const auto& address = cells[Field::short_url]; !trim(address).empty()) {
        const auto parts = split_short_address(address);
        if (domain.empty())
            domain = parts.domain;
        if (slashtag.empty())
            slashtag = parts.slashtag;
        if (slashtag.empty())
            problems.add(invalid_format("shortUrl",
                                        "is the address of a domain itself, where no link can be; "
                                        "a home page is a setting of the domain"));
    }
    if (domain.contains("://"))
        domain = split_short_address(domain).domain;
    if (options_->domains.empty())
        return;
    const auto found = options_->domains.find(normal_host(domain).value_or(lower_ascii(domain)));
    if (found != options_->domains.end())
        domain = found->second;
}

ImportedLink ImportColumns::link_of(const CsvRow& row, Timestamp now) const {
    ImportedLink out;
    out.place = static_cast<std::uint16_t>(row.line() & 0xffff);
    out.created_at = {now.ms + static_cast<std::int64_t>(row.line() >> 16)};
    if (!row.fault().empty()) {
        out.problems.add(invalid_format("row", row.fault()));
        return out;
    }
    bool has_more = false;
    for (auto i = columns_.size(); i < row.size(); ++i)
        has_more = has_more || !trim(row[i]).empty();
    const bool has_less = row.size() < columns_.size() && source_->without_header.empty();
    if (has_more || has_less) {
        out.problems.add(
            invalid_format("row", fmt::format("has {} fields, the header {}", row.size(), columns_.size())));
        return out;
    }
    auto cells = cells_of(row, out.problems);
    const auto found_before = out.problems.fields().size();
    if (source_->understand != nullptr)
        source_->understand(cells, out.problems);
    if (out.problems.fields().size() != found_before)
        return out; // the rest of it says nothing any more
    place(cells, out.problems);
    out.link.domain.full_name = std::move(cells[Field::domain]);
    out.link.slashtag = std::move(cells[Field::slashtag]);
    if (trim(cells[Field::destination]).empty())
        out.problems.add(required_field("destination"));
    else
        out.link.destination = std::move(cells[Field::destination]);
    out.link.expired_url = trim(cells[Field::expired_url]);
    read_texts(cells, out);
    read_times(cells, options_->zone, out);
    read_clicks(cells[Field::clicks], out);
    read_pass_path(cells[Field::pass_path], out);
    read_rules(cells[Field::rules], out);
    return out;
}

std::uint64_t ImportColumns::line_of(const CsvRow& row) const {
    const auto column = column_of(Field::line);
    if (!column || *column >= row.size())
        return row.line();
    return static_cast<std::uint64_t>(read_whole(row[*column]).value_or(0));
}

std::string ImportColumns::words_for(const CsvRow& row, const Error& error) const {
    if (error.fields.empty())
        return error.id.empty() ? error.message : fmt::format("{} ({})", error.message, shown(error.id));
    std::string out;
    for (const auto& problem : error.fields) {
        if (!out.empty())
            out += "; ";
        out += shown(problem.property);
        const auto* ours = find_ours(problem.property);
        auto column = ours == nullptr ? std::nullopt : column_of(ours->field);
        const bool is_place =
            ours != nullptr && (ours->field == Field::slashtag || ours->field == Field::domain);
        if (!column && is_place)
            column = column_of(Field::short_url);
        if (column && *column < row.size() && !trim(row[*column]).empty()) {
            out += ' ' + in_quotes(row[*column]);
            if (columns_[*column].name != problem.property && column_of(Field::line) == std::nullopt)
                out += fmt::format(" (column {})", shown(columns_[*column].name));
        }
        out += ' ' + problem.message;
    }
    return out;
}

} // namespace slashpost::admin
