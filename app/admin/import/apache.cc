// Redirects of Apache's configuration and of .htaccess, in their literal forms: Redirect [status] /x URL,
// RedirectPermanent, RedirectTemp, RedirectMatch [status] ^/x$ URL, RewriteRule ^/?x$ URL [R=301,L].
// ServerName says the domain of what stands below it.
#include "app/admin/import/config_file.h"

#include "core/base/text.h"

#include <algorithm>

namespace slashpost::admin {

namespace {

bool is_status(std::string_view word) {
    return word == "permanent" || word == "temp" || word == "seeother" || word == "gone" ||
           (word.size() == 3 && word.find_first_not_of("0123456789") == word.npos);
}

bool leads_on(std::string_view status) { return status != "gone" && !status.starts_with('4'); }

class Reader {
  public:
    void read(const std::vector<std::string>& words, std::uint64_t line) {
        line_ = line;
        const auto name = lower_ascii(words.front());
        if (name == "servername" && words.size() > 1)
            domain_ = words[1];
        else if (name == "rewritecond")
            conditional_ = true;
        else if (name == "redirect" || name == "redirectmatch")
            read_redirect(words, name == "redirectmatch");
        else if ((name == "redirectpermanent" || name == "redirecttemp") && words.size() == 3)
            add(words[1], words[2]);
        else if (name == "rewriterule")
            read_rewrite(words);
    }
    std::vector<ConfigRow> rows;

  private:
    void read_redirect(const std::vector<std::string>& words, bool is_pattern) {
        const std::size_t at = words.size() > 1 && is_status(lower_ascii(words[1])) ? 2 : 1;
        if (at == 2 && !leads_on(lower_ascii(words[1])))
            return complain("leads nowhere");
        if (words.size() != at + 2)
            return complain("cannot be understood");
        const auto path = is_pattern ? literal_path(words[at]) : words[at];
        if (path.empty())
            return complain("matches more than one address; only whole ones can be taken");
        add(path, words[at + 1]);
    }
    void read_rewrite(const std::vector<std::string>& words) {
        const bool conditional = std::exchange(conditional_, false);
        if (words.size() < 4 || !lower_ascii(words[3]).contains("r"))
            return; // it rewrites within the server
        if (conditional)
            return complain("holds under a RewriteCond only");
        const auto path = literal_path(words[1]);
        if (path.empty())
            return complain("matches more than one address; only whole ones can be taken");
        add(path, words[2]);
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
    std::string domain_;
    bool conditional_ = false;
};

bool recognises(std::string_view beginning) {
    bool found = false;
    each_line(beginning, [&](std::string_view line, std::uint64_t) {
        const auto words = words_of(line);
        const auto name = words.empty() ? std::string() : lower_ascii(words.front());
        found = found || name == "redirect" || name == "redirectmatch" || name == "redirectpermanent" ||
                name == "redirecttemp" || name == "rewriterule";
    });
    return found;
}

std::string rewrite(std::string_view text) {
    Reader reader;
    each_line(text, [&](std::string_view line, std::uint64_t number) {
        if (const auto words = words_of(line); !words.empty())
            reader.read(words, number);
    });
    return as_columns(reader.rows);
}

} // namespace

Source apache() {
    return {.name = "apache",
            .known_by = {},
            .columns = config_columns(),
            .without_header = {},
            .understand = understand_config,
            .recognises = recognises,
            .rewrite = rewrite};
}

} // namespace slashpost::admin
