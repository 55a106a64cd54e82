#include "app/mail/mail_message.h"

#include "core/base/base64.h"
#include "core/base/text.h"

#include <algorithm>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace slashpost::app {

namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::size_t line_bytes_max = 76;    // of a header with encoded words, RFC 2047
constexpr std::size_t plain_bytes_max = 60;   // a longer plain text is encoded too, as that can be folded
constexpr std::size_t text_bytes_a_line = 57; // 76 characters of base64
constexpr std::string_view word_begin = "=?UTF-8?B?";
constexpr std::string_view word_end = "?=";

bool is_plain(std::string_view text) {
    return text.size() <= plain_bytes_max && text.find("=?") == text.npos &&
           std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; }) && trim(text) == text;
}

// How much of `text` one encoded word can take: whole characters only.
std::size_t piece_of(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max)
        return text.size();
    auto end = bytes_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U)
        --end;
    return end > 0 ? end : bytes_max;
}

std::string base64_lines(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const auto line = text.substr(0, text_bytes_a_line);
        text.remove_prefix(line.size());
        out += base64(line);
        out += line_end;
    }
    return out;
}

std::string with_line_ends(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == '\n')
            out += '\r';
        if (c != '\r')
            out += c;
    }
    return out;
}

} // namespace

std::string header_value(std::string_view name, std::string_view text) {
    if (is_plain(text))
        return std::string(text);
    std::string out;
    auto used = name.size() + 2; // ": "
    do {
        const auto room = line_bytes_max - used - word_begin.size() - word_end.size();
        const auto piece = text.substr(0, piece_of(text, room / 4 * 3));
        text.remove_prefix(piece.size());
        out += fmt::format("{}{}{}{}", out.empty() ? "" : "\r\n ", word_begin, base64(piece), word_end);
        used = 1;
    } while (!text.empty());
    return out;
}

std::string mail_date(Timestamp time) {
    const auto seconds = static_cast<std::time_t>(time.ms / 1000);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    return fmt::format("{:%a, %d %b %Y %H:%M:%S} +0000", parts);
}

std::string render_mail(const Letter& letter, std::string_view from) {
    const auto host = from.substr(from.find('@') + 1);
    std::string out;
    const auto add = [&](std::string_view name, std::string_view value) {
        out += fmt::format("{}: {}\r\n", name, value);
    };
    add("Date", mail_date(letter.date));
    add("From", fmt::format("Slashpost <{}>", from));
    add("To", fmt::format("<{}>", letter.to));
    add("Subject", header_value("Subject", letter.subject));
    add("Message-ID", fmt::format("<{}@{}>", letter.mail.hex(), host)); // the same for every attempt
    add("Auto-Submitted", "auto-generated");
    add("MIME-Version", "1.0");
    add("Content-Type", "text/plain; charset=UTF-8");
    add("Content-Transfer-Encoding", "base64");
    return out + std::string(line_end) + base64_lines(with_line_ends(letter.text));
}

} // namespace slashpost::app
