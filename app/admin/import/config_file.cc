#include "app/admin/import/config_file.h"

#include "core/base/ascii.h"

#include <fmt/format.h>

namespace slashpost::admin {

namespace {

std::string cell(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    return out + '"';
}

bool stands_for_itself(char c) {
    return ascii::is_letter_or_digit(c) || c == '/' || c == '-' || c == '_' || c == '~';
}

} // namespace

std::string as_columns(std::span<const ConfigRow> rows) {
    std::string out = "line,address,destination,rules,problem\n";
    for (const auto& row : rows)
        out += fmt::format("{},{},{},{},{}\n", row.line, cell(row.address), cell(row.destination),
                           cell(row.rules), cell(row.problem));
    return out;
}

std::vector<SourceColumn> config_columns() {
    return {{"line", Field::line},
            {"address", Field::short_url},
            {"rules", Field::rules},
            {"problem", Field::more}};
}

void understand_config(Cells& cells, Problems& problems) {
    if (!cells[Field::more].empty())
        problems.add(invalid_format("row", cells[Field::more]));
}

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> out;
    std::string word;
    char quote = '\0';
    bool begun = false;
    const auto end_word = [&] {
        if (begun)
            out.push_back(std::move(word));
        word.clear();
        begun = false;
    };
    for (const char c : line) {
        if (quote != '\0') {
            if (c == quote)
                quote = '\0';
            else
                word += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
            begun = true;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            end_word();
        } else if (c == '#' && !begun) {
            break;
        } else {
            word += c;
            begun = true;
        }
    }
    end_word();
    return out;
}

std::string literal_path(std::string_view pattern) {
    if (!pattern.starts_with('^') || !pattern.ends_with('$'))
        return {};
    pattern = pattern.substr(1, pattern.size() - 2);
    if (pattern.starts_with("/?"))
        pattern.remove_prefix(2);
    else if (pattern.starts_with('/'))
        pattern.remove_prefix(1);
    if (pattern.ends_with("/?"))
        pattern.remove_suffix(2);
    std::string out = "/";
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool escaped = pattern[i] == '\\' && i + 1 < pattern.size() &&
                             (pattern[i + 1] == '.' || pattern[i + 1] == '-' || pattern[i + 1] == '/');
        if (escaped)
            ++i;
        else if (!stands_for_itself(pattern[i]))
            return {};
        out += pattern[i];
    }
    return out.size() > 1 ? out : std::string();
}

std::string_view why_no_destination(std::string_view address) {
    if (address.contains('$') || address.contains("%{"))
        return "leads to an address with a variable in it; only whole addresses can be taken";
    if (address.starts_with('/'))
        return "leads to a path of the same site; a link needs a whole address";
    return {};
}

} // namespace slashpost::admin
