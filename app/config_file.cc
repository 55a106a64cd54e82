#include "app/config_file.h"

#include "core/base/errors.h"
#include "core/base/suggest.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <fstream>
#include <system_error>

namespace slashpost::app {

namespace {

constexpr std::size_t file_bytes_max = 1U << 20U;

struct Escape {
    char written;
    char meant;
};
constexpr std::array<Escape, 5> escapes{{{'"', '"'}, {'\\', '\\'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}}};

Result<std::string> read_text(const std::filesystem::path& path) {
    const auto refuse = [&](std::string_view reason) {
        return malformed(
            fmt::format("cannot read the configuration file {}: {}; check the path and its rights",
                        path.string(), reason));
    };
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return refuse("it is a folder");
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return refuse(std::generic_category().message(errno));
    std::string text(file_bytes_max + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (text.size() > file_bytes_max)
        return refuse("it has more than a MiB");
    return text;
}

// What is wrong with a line, without its place.
using Trouble = std::unexpected<std::string>;
using Value = std::expected<std::string, std::string>;

Value only_if_last(std::string value, std::string_view behind) {
    if (behind.empty())
        return value;
    return Trouble(fmt::format(
        "'{}' stands behind the closing quotation mark; a comment has a line of its own", behind));
}

Value unquoted(std::string_view given) {
    const char mark = given.empty() ? ' ' : given.front();
    if (mark != '"' && mark != '\'')
        return std::string(given);
    std::string value;
    for (std::size_t i = 1; i < given.size(); ++i) {
        if (given[i] == mark)
            return only_if_last(std::move(value), trim(given.substr(i + 1)));
        if (mark == '\'' || given[i] != '\\' || i + 1 == given.size()) {
            value += given[i];
            continue;
        }
        const auto* const escape = std::ranges::find(escapes, given[++i], &Escape::written);
        if (escape == escapes.end())
            return Trouble(
                fmt::format("'\\{}' means nothing between quotation marks; write a backslash as \\\\, "
                            "or the value between ' and '",
                            given[i]));
        value += escape->meant;
    }
    return Trouble("the closing quotation mark is missing");
}

std::string unknown_name(std::string_view name) {
    std::vector<std::string_view> known;
    for (const auto& setting : settings())
        known.push_back(setting.name);
    auto meant = lower_ascii(name);
    std::ranges::replace(meant, '_', '-');
    for (const std::string_view prefix : {"--", "slashpost-"})
        if (meant.starts_with(prefix))
            meant.erase(0, prefix.size());
    const auto guess = nearest(meant, known);
    return fmt::format("'{}' is not a setting; {}'slashpost serve --help' lists them all", name,
                       guess ? fmt::format("do you mean '{}'? ", *guess) : "");
}

class Reader {
  public:
    explicit Reader(const std::filesystem::path& path) : path_(path.string()) {}

    Result<void> read_line(std::string_view line) {
        ++number_;
        const auto text = trim(line);
        if (text.empty() || text.starts_with('#'))
            return {};
        if (text.starts_with('['))
            return refuse("sections are not known here; write plain 'name = value' lines");
        const auto equals = text.find('=');
        if (equals == text.npos)
            return refuse(fmt::format("'{}' is not of the form 'name = value'", text));
        const auto name = trim(text.substr(0, equals));
        const auto known = settings();
        if (std::ranges::find(known, name, &Setting::name) == known.end())
            return refuse(unknown_name(name));
        if (const auto first = file.places.find(name); first != file.places.end())
            return refuse(
                fmt::format("'{}' is given twice (first in {}); keep one of the lines", name, first->second));
        auto value = unquoted(trim(text.substr(equals + 1)));
        if (!value)
            return refuse(fmt::format("{}: {}", name, value.error()));
        file.values.emplace(name, std::move(*value));
        file.places.emplace(name, place());
        return {};
    }

    ConfigFile file;

  private:
    [[nodiscard]] std::string place() const { return fmt::format("{}, line {}", path_, number_); }
    [[nodiscard]] std::unexpected<Error> refuse(std::string_view what) const {
        return malformed(fmt::format("{}: {}", place(), what));
    }

    const std::string path_;
    std::size_t number_ = 0;
};

} // namespace

Result<ConfigFile> read_config_file(const std::filesystem::path& path) {
    const auto text = TRY(read_text(path));
    std::string_view rest = text;
    rest = without_byte_order_mark(rest);
    Reader reader(path);
    while (!rest.empty()) {
        const auto end = std::min(rest.find('\n'), rest.size());
        TRY(reader.read_line(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return std::move(reader.file);
}

std::string in_quotes(std::string_view value) {
    std::string text = "\"";
    for (const char character : value) {
        const auto* const escape = std::ranges::find(escapes, character, &Escape::meant);
        if (escape != escapes.end())
            (text += '\\') += escape->written;
        else
            text += character;
    }
    return text += '"';
}

} // namespace slashpost::app
