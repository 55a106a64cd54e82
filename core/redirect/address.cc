#include "core/redirect/address.h"

#include "core/base/any_script.h"
#include "core/base/ascii.h"
#include "core/base/percent.h"
#include "core/model/domain.h"

#include <algorithm>
#include <utility>

namespace slashpost::redirect {

namespace {

// Interface 2.1: ^[a-zA-Z0-9_-]+$
constexpr bool in_slashtags(char c) { return ascii::is_letter_or_digit(c) || c == '_' || c == '-'; }

unsigned take_byte(std::string_view& text) {
    return text.empty() ? 0 : static_cast<unsigned char>(take_percent_decoded(text));
}

// One character in UTF-8, 0 when it is none; of what is no UTF-8 it may be any.
char32_t take_character(std::string_view& text) {
    const auto first = take_byte(text);
    if (first < 0x80)
        return first;
    if (first < 0xc2) // the middle of one, or longer than it need be
        return 0;
    const auto goes_on = [](unsigned byte) { return (byte & 0xc0U) == 0x80; };
    const auto second = take_byte(text);
    if (!goes_on(second))
        return 0;
    if (first < 0xe0)
        return (first & 0x1fU) << 6U | (second & 0x3fU);
    const auto third = take_byte(text);
    if (!goes_on(third))
        return 0;
    if (first < 0xf0)
        return (first & 0x0fU) << 12U | (second & 0x3fU) << 6U | (third & 0x3fU);
    const auto fourth = take_byte(text);
    return goes_on(fourth)
               ? (first & 0x07U) << 18U | (second & 0x3fU) << 12U | (third & 0x3fU) << 6U | (fourth & 0x3fU)
               : 0;
}

bool is_between(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

// Joiners, marks of direction, selectors of variants and the like, which come along when text is copied.
bool is_invisible(char32_t c) {
    return c == 0xad || is_between(c, 0x200b, 0x200f) || is_between(c, 0x202a, 0x202e) ||
           is_between(c, 0x2060, 0x206f) || is_between(c, 0xfe00, 0xfe0f) || c == 0xfeff;
}

// What follows an address in a sentence, a list or a quotation, also in Chinese and Japanese.
bool is_punctuation(char32_t c) {
    if (c < 0x80)
        return c != 0 && std::string_view("/.,;:!?)]>}\"'`*|\\ \t\r\n").contains(static_cast<char>(c));
    return c == 0xa0 || c == 0xab || c == 0xbb || is_between(c, 0x2000, 0x206f) ||
           is_between(c, 0x3000, 0x301f) || c == 0xff01 || c == 0xff09 || c == 0xff0c || c == 0xff0e ||
           c == 0xff1a || c == 0xff1b || c == 0xff1f;
}

// Takes a character of that kind off the front of `text`. False when there is none.
template <class Kind>
bool take(std::string_view& text, Kind&& is_kind) {
    auto rest = text;
    if (!is_kind(take_character(rest)))
        return false;
    text = rest;
    return true;
}

bool take_word(std::string_view& text, std::string_view word) {
    auto rest = text;
    for (const char expected : word)
        if (ascii::lower(static_cast<char>(take_byte(rest))) != expected)
            return false;
    text = rest;
    return true;
}

// What a path asks for by what is behind its slashtag.
VisitedPath behind_slashtag(std::string_view rest) {
    auto kind = PathKind::slashtag;
    if (take_word(rest, "+"))
        kind = PathKind::preview;
    else if (take_word(rest, ".qr"))
        kind = PathKind::qr_code;
    while (take(rest, [](char32_t c) { return is_punctuation(c) || is_invisible(c); }))
        ;
    if (rest.empty())
        return {.kind = kind};
    if (!take_word(rest, "&"))
        return {.kind = PathKind::other};
    if (kind == PathKind::slashtag)
        return {.kind = PathKind::slashtag_and_parameters, .rest = rest};
    return {.kind = kind};
}

bool in_words(char32_t c) { return c < 0x80 ? in_slashtags(static_cast<char>(c)) : is_word_character(c); }

// visited_path of a domain whose slashtags have letters of all scripts, and slashes within. `path` is without
// its first slash and its last.
VisitedPath visited_words(std::string_view path, Case letters, AddressBuffer& buffer) {
    // NOLINTNEXTLINE(*-member-init): the bytes are written before they are read
    std::array<char, words_bytes_max> text;
    std::size_t size = 0;
    std::string_view slash; // from one on that is within, if a letter follows; else empty
    VisitedPath found{.kind = PathKind::slashtag};
    while (!path.empty()) {
        auto rest = path;
        const auto c = take_character(rest);
        if (is_invisible(c) || (c == '/' && size == 0)) {
            path = rest;
            continue;
        }
        if (c == '/' && slash.empty()) {
            slash = std::exchange(path, rest);
            continue;
        }
        if (!in_words(c)) {
            found = behind_slashtag(slash.empty() ? path : slash);
            break;
        }
        if (size + 5 > text.size()) // a slash and four bytes
            return {.kind = PathKind::other};
        if (!std::exchange(slash, {}).empty())
            text.at(size++) = '/';
        while (path.size() > rest.size())
            text.at(size++) = take_percent_decoded(path);
    }
    const auto length =
        write_word_form({text.data(), size}, letters == Case::ignored ? WordCase::folded : WordCase::kept,
                        std::span(buffer).first(slashtag_bytes_max));
    if (!length)
        return {.kind = PathKind::other};
    found.slashtag = {buffer.data(), *length};
    if (size == 0)
        found.kind = found.kind == PathKind::slashtag ? PathKind::home : PathKind::other;
    return found;
}

} // namespace

SlashtagForm SlashtagForm::of(const SlashtagRules& rules) {
    return {.letters = rules.case_sensitive ? Case::minded : Case::ignored,
            .any_script = rules.charset == SlashtagCharset::unicode};
}

std::string_view visited_host(std::string_view host, AddressBuffer& buffer) {
    // The colon before the port, not one within an IPv6 address in brackets.
    const auto colon = host.find(':', host.starts_with('[') ? host.find(']') : 0);
    auto name = host.substr(0, colon);
    auto port = colon == host.npos ? std::string_view() : host.substr(colon);
    if (name.ends_with('.'))
        name.remove_suffix(1);
    if (port == ":" || port == ":80" || port == ":443")
        port = {};
    if (name.size() + port.size() > buffer.size())
        return {};
    auto* end = std::ranges::transform(name, buffer.data(), ascii::lower).out;
    end = std::ranges::copy(port, end).out;
    return {buffer.data(), end};
}

VisitedPath visited_path(std::string_view path, SlashtagForm form, AddressBuffer& buffer) {
    if (path == "/" || path.empty())
        return {.kind = PathKind::home};
    if (path == "/robots.txt")
        return {.kind = PathKind::robots};
    if (path == "/favicon.ico")
        return {.kind = PathKind::favicon};
    if (path == "/.well-known" || path.starts_with("/.well-known/"))
        return {.kind = PathKind::well_known};

    if (!path.starts_with('/'))
        return {.kind = PathKind::other};
    path.remove_prefix(1);
    if (path.ends_with('/'))
        path.remove_suffix(1);
    const auto all = path;
    VisitedPath found{.kind = PathKind::slashtag};
    std::size_t length = 0;
    while (!path.empty()) {
        const char c = take_percent_decoded(path);
        if (!in_slashtags(c)) {
            if (c == '/' && length == 0) // a repeated one
                continue;
            if (form.any_script) [[unlikely]]
                return visited_words(all, form.letters, buffer);
            // Once more from it on: it was an escape if it does not stand there itself.
            const std::size_t bytes = path.data()[-1] == c ? 1 : 3;
            path = {path.data() - bytes, path.size() + bytes};
            if (take(path, is_invisible))
                continue;
            found = behind_slashtag(path);
            break;
        }
        if (length == slashtag_bytes_max)
            return {.kind = PathKind::other};
        buffer[length++] = form.letters == Case::ignored ? ascii::lower(c) : c;
    }
    found.slashtag = {buffer.data(), length};
    if (length == 0)
        found.kind = found.kind == PathKind::slashtag ? PathKind::home : PathKind::other;
    return found;
}

} // namespace slashpost::redirect
