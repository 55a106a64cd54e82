// Redirects of nginx' configuration, in their literal forms: `rewrite ^/x$ URL permanent|redirect;`,
// `location = /x { return 301 URL; }` and `map $uri $new { /x URL; }`. server_name says the domain of what
// stands behind it.
#include "app/admin/import/config_file.h"

#include <algorithm>

namespace slashpost::admin {

namespace {

// One directive: up to its semicolon or the brace that opens its block.
struct Directive {
    std::vector<std::string> words;
    std::uint64_t line = 1;
    char end = ';'; // or '{', or '}'
};

std::vector<Directive> directives_of(std::string_view text) {
    std::vector<Directive> out;
    Directive now;
    each_line(text, [&](std::string_view line, std::uint64_t number) {
        std::string spaced; // so that its marks are words
        char quote = '\0';
        for (const char c : line) {
            if (quote != '\0' ? c == quote : (c == '"' || c == '\''))
                quote = quote != '\0' ? '\0' : c;
            const bool is_mark = quote == '\0' && (c == ';' || c == '{' || c == '}');
            spaced += is_mark ? std::string{' ', c, ' '} : std::string{c};
        }
        for (auto& word : words_of(spaced)) {
            if (now.words.empty())
                now.line = number;
            if (word == ";" || word == "{" || word == "}") {
                now.end = word.front();
                out.push_back(std::move(now));
                now = {};
            } else {
                now.words.push_back(std::move(word));
            }
        }
    });
    return out;
}

class Reader {
  public:
    void read(const Directive& directive) {
        const auto& words = directive.words;
        line_ = directive.line;
        if (directive.end == '{')
            return open(words);
        if (directive.end == '}')
            return close();
        if (words.empty())
            return;
        if (in_map_)
            read_entry(words);
        else if (words.front() == "server_name" && words.size() > 1)
            domain_ = words[1] == "_" ? std::string() : words[1];
        else if (words.front() == "rewrite")
            read_rewrite(words);
        else if (words.front() == "return")
            read_return(words);
    }
    std::vector<ConfigRow> rows;

  private:
    void open(const std::vector<std::string>& words) {
        ++depth_;
        const auto is = [&](std::size_t at, std::string_view word) {
            return words.size() > at && words[at] == word;
        };
        if (is(0, "location") && is(1, "=") && words.size() == 3) {
            location_ = words[2];
            location_depth_ = depth_;
        } else if (is(0, "map") && (is(1, "$uri") || is(1, "$request_uri"))) {
            in_map_ = true;
        } else if (is(0, "server")) {
            domain_.clear();
        }
    }
    void close() {
        if (depth_ == location_depth_)
            location_.clear();
        in_map_ = false;
        --depth_;
    }
    void read_entry(const std::vector<std::string>& words) {
        if (words.front() == "default" || words.size() != 2)
            return;
        if (words.front().starts_with('~'))
            return complain("matches more than one address; only whole ones can be taken");
        add(words[0], words[1]);
    }
    void read_rewrite(const std::vector<std::string>& words) {
        if (words.size() != 4 || (words[3] != "permanent" && words[3] != "redirect"))
            return; // it rewrites within the server
        const auto path = literal_path(words[1]);
        if (path.empty())
            return complain("matches more than one address; only whole ones can be taken");
        add(path, words[2]);
    }
    void read_return(const std::vector<std::string>& words) {
        if (words.size() != 3 || !words[1].starts_with('3'))
            return;
        if (location_.empty() || depth_ != location_depth_)
            return complain("answers for more than one address; only 'location = /x' can be taken");
        add(location_, words[2]);
    }
    void add(std::string_view path, std::string_view destination) {
        rows.push_back({.line = line_,
                        .address = domain_ + std::string(path),
                        .destination = std::string(destination),
                        .rules = {},
                        .problem = std::string(why_no_destination(destination))});
    }
    void complain(std::string_view why) {
        rows.push_back(
            {.line = line_, .address = {}, .destination = {}, .rules = {}, .problem = std::string(why)});
    }

    std::uint64_t line_ = 1;
    std::string domain_, location_;
    int depth_ = 0, location_depth_ = -1;
    bool in_map_ = false;
};

bool recognises(std::string_view beginning) {
    const auto directives = directives_of(beginning);
    return std::ranges::any_of(directives, [](const Directive& directive) {
        const auto& words = directive.words;
        const auto name = words.empty() ? std::string_view() : std::string_view(words.front());
        return (directive.end == '{' && (name == "location" || name == "server" || name == "map")) ||
               (directive.end == ';' && (name == "rewrite" || name == "return"));
    });
}

std::string rewrite(std::string_view text) {
    Reader reader;
    for (const auto& directive : directives_of(text))
        reader.read(directive);
    return as_columns(reader.rows);
}

} // namespace

Source nginx() {
    return {.name = "nginx",
            .known_by = {},
            .columns = config_columns(),
            .without_header = {},
            .understand = understand_config,
            .recognises = recognises,
            .rewrite = rewrite};
}

} // namespace slashpost::admin
