#include "core/base/csv.h"

#include <algorithm>

namespace slashpost {

namespace {

constexpr std::size_t buffer_bytes = 1 << 18;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

constexpr std::string_view stray_mark = "has a quotation mark within a field that does not begin with one";
constexpr std::string_view text_behind = "has text behind the closing quotation mark of a field";
constexpr std::string_view not_closed = "has a quotation mark that is not closed";
constexpr std::string_view stray_return = "has a carriage return outside of quotation marks";
constexpr std::string_view too_long = "is longer than a mebibyte; perhaps a quotation mark is not closed";

char meant_by(char escaped) {
    switch (escaped) {
    case 't':
        return '\t';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case '0':
        return '\0';
    default:
        return escaped;
    }
}

// What the text from `begin` on means without its backslashes. \N, which is no value, stays.
void undo_backslashes(std::string& text, std::size_t begin) {
    auto to = text.find('\\', begin);
    if (to == text.npos)
        return;
    for (auto from = to; from < text.size(); ++from) {
        const bool escapes = text[from] == '\\' && from + 1 < text.size() && text[from + 1] != 'N';
        if (escapes)
            ++from;
        text[to++] = escapes ? meant_by(text[from]) : text[from];
    }
    text.resize(to);
}

} // namespace

CsvReader::CsvReader(Source source, CsvPosition place, CsvDialect dialect)
    : source_(std::move(source)),
      dialect_(dialect),
      place_(place),
      buffer_(buffer_bytes) {
    if (place_.offset != 0)
        return;
    for (const char byte : byte_order_mark) // a file that begins with a part of it is no UTF-8
        if (peek() == static_cast<unsigned char>(byte))
            skip(1);
}

// More bytes behind what is left, which is nothing.
bool CsvReader::fill() {
    if (ended_)
        return false;
    const auto got = source_(buffer_);
    if (!got.has_value())
        outcome_ = std::unexpected(got.error());
    ended_ = !got.has_value() || *got == 0;
    rest_ = ended_ ? std::string_view() : std::string_view(buffer_.data(), *got);
    return !ended_;
}

int CsvReader::peek() {
    if (rest_.empty() && !fill())
        return none;
    return static_cast<unsigned char>(rest_.front());
}

void CsvReader::skip(std::size_t count) {
    rest_.remove_prefix(count);
    place_.offset += count;
}

void CsvReader::take(CsvRow& row, std::size_t count) {
    row.text_.append(rest_.substr(0, count));
    skip(count);
    if (row.text_.size() <= row_bytes_max)
        return;
    row.fault_ = too_long;
    ended_ = true;
    rest_ = {};
}

// From the opening quotation mark to behind the closing one.
void CsvReader::take_quoted(CsvRow& row) {
    skip(1);
    for (;;) {
        if (peek() == none) {
            if (row.fault_.empty())
                row.fault_ = not_closed;
            return;
        }
        const auto count = std::min(rest_.find('"'), rest_.size());
        place_.line += static_cast<std::uint64_t>(std::ranges::count(rest_.substr(0, count), '\n'));
        take(row, count);
        if (rest_.empty())
            continue;
        skip(1);
        if (peek() != '"')
            return;
        take(row, 1);
    }
}

// Up to behind the separator or the line end.
CsvReader::End CsvReader::take_plain(CsvRow& row) {
    const auto ends_plain = [separator = dialect_.separator, quotes = quotes()](char c) {
        return c == separator || c == '\n' || c == '\r' || (c == '"' && quotes);
    };
    for (;;) {
        const auto byte = peek();
        if (byte == none)
            return End::row;
        const auto found = std::ranges::find_if(rest_, ends_plain);
        take(row, static_cast<std::size_t>(found - rest_.begin()));
        if (rest_.empty())
            continue;
        const char stop = rest_.front();
        skip(1);
        if (stop == dialect_.separator)
            return End::field;
        if (stop == '\r' && peek() == '\n')
            skip(1);
        else if (stop != '\n') {
            row.fault_ = stop == '"' ? stray_mark : stray_return;
            continue;
        }
        ++place_.line;
        return End::row;
    }
}

void CsvReader::skip_line_ends() {
    for (auto byte = peek(); byte == '\n' || byte == '\r'; byte = peek()) {
        place_.line += byte == '\n' ? 1 : 0;
        skip(1);
    }
}

Result<bool> CsvReader::next(CsvRow& row) {
    row.text_.clear();
    row.ends_.clear();
    row.fault_ = {};
    skip_line_ends();
    row.line_ = place_.line;
    const bool there = peek() != none;
    for (auto end = End::field; there && end == End::field;) {
        if (quotes() && peek() == '"') {
            take_quoted(row);
            if (const auto next = peek(); row.fault_.empty() &&
                                          next != static_cast<unsigned char>(dialect_.separator) &&
                                          next != '\r' && next != '\n' && next != none)
                row.fault_ = text_behind;
        }
        end = take_plain(row);
        if (!quotes())
            undo_backslashes(row.text_, row.ends_.empty() ? 0 : row.ends_.back());
        row.ends_.push_back(row.text_.size());
    }
    if (!outcome_.has_value())
        return std::unexpected(outcome_.error());
    return there;
}

} // namespace slashpost
