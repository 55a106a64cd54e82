// A file _redirects of Netlify or Cloudflare Pages: "from to [code[!]] [Country=au,nz Language=en]", # begins
// a comment. The first line that holds decides there, so conditions of lines before the plain one become
// rules of its link.
#include "app/admin/import/cells.h"
#include "app/admin/import/config_file.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace slashpost::admin {

namespace {

bool is_target(std::string_view word) { return word.starts_with('/') || word.starts_with("http"); }

bool is_code(std::string_view word) {
    return !word.empty() && word.front() >= '1' && word.front() <= '5' &&
           word.find_first_not_of("0123456789!") == word.npos;
}

struct Line {
    std::uint64_t number = 1;
    std::string from, to, code, conditions, problem;
};

// "Country=au,nz" as a condition; adds a problem for what has no counterpart.
void read_condition(std::string_view word, Line& line) {
    const auto equals = std::min(word.find('='), word.size());
    const auto name = lower_ascii(word.substr(0, equals));
    if (name != "country" && name != "language") {
        line.problem =
            fmt::format("has the condition {}, which rules here do not have", shown(word.substr(0, equals)));
        return;
    }
    line.conditions += fmt::format("{}{}={}", line.conditions.empty() ? "" : ";", name,
                                   lower_ascii(word.substr(std::min(equals + 1, word.size()))));
}

Line read_line(const std::vector<std::string>& words, std::uint64_t number) {
    Line line{.number = number, .from = words.front(), .to = {}, .code = {}, .conditions = {}, .problem = {}};
    std::size_t at = 1;
    for (; at < words.size() && !is_target(words[at]); ++at)
        line.problem = "asks for parameters of the address, which a link's slashtag does not have";
    if (at == words.size()) {
        line.problem = "says nowhere to go";
        return line;
    }
    line.to = words[at++];
    if (at < words.size() && is_code(words[at]))
        line.code = words[at++];
    for (; at < words.size(); ++at)
        read_condition(words[at], line);
    const auto path = line.from.substr(std::min(line.from.find("://") + 3, line.from.size()));
    if ((line.from.contains("://") ? path : line.from).find_first_of("*:") != line.from.npos)
        line.problem = "matches more than one address; only whole ones can be taken";
    else if (line.code.starts_with("200") || line.code.starts_with('4'))
        line.problem = fmt::format("is no redirect but an answer with the code {}", line.code);
    else if (line.problem.empty())
        line.problem = why_no_destination(line.to);
    return line;
}

// Lines of one address become one row.
class Rows {
  public:
    void add(Line line) {
        if (!line.problem.empty()) {
            rows_.push_back({.line = line.number,
                             .address = line.from,
                             .destination = {},
                             .rules = {},
                             .problem = line.problem});
            return;
        }
        const auto [found, is_new] = place_.try_emplace(line.from, rows_.size());
        if (is_new)
            rows_.push_back(
                {.line = line.number, .address = line.from, .destination = {}, .rules = {}, .problem = {}});
        auto& row = rows_[found->second];
        if (!row.destination.empty())
            rows_.push_back({.line = line.number,
                             .address = line.from,
                             .destination = {},
                             .rules = {},
                             .problem = fmt::format("is never reached, line {} comes first", row.line)});
        else if (line.conditions.empty())
            row.destination = line.to;
        else
            row.rules += fmt::format("{} {}\n", line.conditions, line.to);
    }
    std::vector<ConfigRow> finish() {
        for (auto& row : rows_)
            if (row.problem.empty() && row.destination.empty())
                row.problem = "has conditions only; a link needs a destination for everybody else";
        return std::move(rows_);
    }

  private:
    std::vector<ConfigRow> rows_;
    std::map<std::string, std::size_t> place_;
};

bool recognises(std::string_view beginning) {
    bool found = false;
    each_line(beginning, [&](std::string_view line, std::uint64_t) {
        const auto words = words_of(line);
        found = found || (words.size() >= 2 && words[0].starts_with('/') && is_target(words[1]));
    });
    return found;
}

std::string rewrite(std::string_view text) {
    Rows rows;
    each_line(text, [&](std::string_view line, std::uint64_t number) {
        if (const auto words = words_of(line); !words.empty())
            rows.add(read_line(words, number));
    });
    return as_columns(rows.finish());
}

} // namespace

Source netlify() {
    return {.name = "netlify",
            .known_by = {},
            .columns = config_columns(),
            .without_header = {},
            .understand = understand_config,
            .recognises = recognises,
            .rewrite = rewrite};
}

} // namespace slashpost::admin
