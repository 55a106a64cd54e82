#include "core/redirect/location.h"

#include "core/base/percent.h"
#include "core/base/query.h"
#include "core/base/text.h"
#include "core/clicks/campaigns.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace slashpost::redirect {

namespace {

char take_name_byte(std::string_view& name) {
    const bool space = name.front() == '+';
    const char c = take_percent_decoded(name);
    return space ? ' ' : c;
}

// FNV-1a over the name undone of escapes. Two names of one hash are taken for the same; that it happens to
// a visitor by chance is less likely than a fault of the machine, and on purpose it hurts only oneself.
std::uint64_t hash_of_name(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325;
    while (!name.empty())
        hash = (hash ^ static_cast<unsigned char>(take_name_byte(name))) * 0x100000001b3;
    return hash;
}

bool names_api_key(std::string_view name) {
    std::string_view expected = "apikey";
    for (; !name.empty() && !expected.empty(); expected.remove_prefix(1))
        if ((take_name_byte(name) | 0x20) != expected.front())
            return false;
    return name.empty() && expected.empty();
}

// What visitors bring along for this service, and for nobody else.
bool is_for_us(std::string_view name) {
    constexpr std::size_t size_min = 6; // what most names do not have
    return name.size() >= size_min && (names_api_key(name) || name == scan_parameter);
}

// Sorted hashes of the names in a query; hashing keeps this linear however long two hostile queries are.
void read_names(std::string_view query, std::vector<std::uint64_t>& out) {
    out.clear();
    each_parameter(query, [&](std::string_view, std::string_view name) {
        if (!is_for_us(name))
            out.push_back(hash_of_name(name));
    });
    std::ranges::sort(out);
}

bool contains(const std::vector<std::uint64_t>& sorted, std::uint64_t hash) {
    return std::ranges::binary_search(sorted, hash);
}

// "tel:+49301234" names no host (core/base/hostless.h), and what opens it would take parameters for a part of
// what it names.
bool takes_parameters(std::string_view destination) {
    return destination.substr(std::min(destination.find(':'), destination.size())).starts_with("://");
}

// The bytes of an address that come behind the visitor's parameters.
std::size_t bytes_behind(const OwnParameter* own, std::string_view fragment) {
    const auto of_own = own && !own->value.empty() ? own->name.size() + own->value.size() + 2 : 0;
    return of_own + fragment.size();
}

// What stands before the next parameter: `before`, if anything, and '&' from then on.
void put_separator(std::string& out, char& before) {
    if (before != '\0')
        out += before;
    before = '&';
}

// Appends the parameters of a visitor's query whose names `goes_along` lets, whole, until one would end
// behind `room`.
template <class GoesAlong>
void append_sent(std::string& out, std::string_view query, std::size_t room, char& before,
                 GoesAlong&& goes_along) {
    const bool as_it_is = is_uri_text(query); // asked once: parameters may be many and short
    bool full = false;
    char separator = before;
    each_parameter(query, [&](std::string_view parameter, std::string_view name) {
        if (full || !goes_along(name))
            return;
        const auto size = out.size();
        if (separator != '\0')
            out += separator;
        if (as_it_is)
            out += parameter;
        else
            append_uri_text(out, parameter);
        full = out.size() > room;
        if (full)
            out.resize(size);
        else
            separator = '&';
    });
    before = separator;
}

} // namespace

bool is_web(std::string_view destination) {
    const auto begins_with = [&](std::string_view scheme) {
        return std::ranges::equal(destination.substr(0, scheme.size()), scheme,
                                  [](char c, char lower) { return (c | 0x20) == (lower | 0x20); });
    };
    return begins_with("https://") || begins_with("http://");
}

void append_location(std::string& out, std::string_view address) {
    // What core/base/url.h stored is safe, and so are all printable characters of ASCII.
    if (is_visible_ascii(address))
        out += address;
    else
        append_uri_text(out, address);
}

void append_missing_place(std::string& out, std::string_view address, std::string_view domain,
                          std::string_view path) {
    constexpr std::string_view path_place = "%7Bpath%7D", domain_place = "%7Bdomain%7D", begin = "%7B";
    const auto room = out.size() + own_location_bytes_max - std::min(address.size(), own_location_bytes_max);
    path.remove_prefix(path.starts_with('/') ? 1 : 0);
    bool in_query = false;
    const auto put = [&](std::string_view text) {
        const auto size = out.size();
        if (in_query)
            append_uri_value(out, percent_decoded(text));
        else
            append_uri_text(out, text);
        if (out.size() > room)
            out.resize(size);
    };
    while (!address.empty()) {
        const auto plain = address.substr(0, address.find(begin));
        append_location(out, plain);
        address.remove_prefix(plain.size());
        in_query = in_query || plain.contains('?') || plain.contains('#');
        if (address.starts_with(path_place)) {
            put(path);
            address.remove_prefix(path_place.size());
        } else if (address.starts_with(domain_place)) {
            put(domain);
            address.remove_prefix(domain_place.size());
        } else if (!address.empty()) {
            out += begin;
            address.remove_prefix(begin.size());
        }
    }
}

void append_forwarded(std::string& out, std::string_view destination, std::string_view query, OnConflict wins,
                      const OwnParameter* own) {
    if (!takes_parameters(destination))
        return append_location(out, destination);
    thread_local std::vector<std::uint64_t> fixed_names, sent_names; // keep their room from visit to visit
    query = query.substr(0, query.find('#')); // a browser never sends one, and here it would begin a fragment
    const auto fragment = destination.substr(std::min(destination.find('#'), destination.size()));
    destination.remove_suffix(fragment.size());
    const auto end = out.size() + location_bytes_max;
    const auto room = end - std::min(end, bytes_behind(own, fragment));

    const auto mark = destination.find('?');
    const auto fixed = mark == destination.npos ? std::string_view() : destination.substr(mark + 1);
    const bool adds = own && !own->value.empty();
    const auto own_hash = own ? hash_of_name(own->name) : 0;
    read_names(fixed, fixed_names);
    read_names(wins == OnConflict::visitor ? query : std::string_view(), sent_names);
    // Of the destination's parameters, and of the visitor's.
    const auto fixed_gives_way = [&](std::uint64_t name) {
        return own && name == own_hash ? adds : contains(sent_names, name);
    };
    const bool fixed_wins = wins == OnConflict::destination && !fixed_names.empty();
    const bool some_give_way = own || fixed_wins;
    const auto sent_gives_way = [&](std::string_view name) {
        const auto hash = hash_of_name(name);
        return (own && hash == own_hash) || (fixed_wins && contains(fixed_names, hash));
    };
    char before = '?';
    if (std::ranges::any_of(fixed_names, fixed_gives_way)) {
        append_location(out, destination.substr(0, mark));
        each_parameter(fixed, [&](std::string_view parameter, std::string_view name) {
            if (fixed_gives_way(hash_of_name(name)))
                return;
            put_separator(out, before);
            append_location(out, parameter);
        });
    } else {
        append_location(out, destination);
        if (mark != destination.npos)
            before = fixed.empty() || fixed.ends_with('&') ? '\0' : '&';
    }
    append_sent(out, query, room, before, [&](std::string_view name) {
        return !is_for_us(name) && !(some_give_way && sent_gives_way(name));
    });
    if (adds) {
        put_separator(out, before);
        out.append(own->name).append("=").append(own->value);
    }
    append_location(out, fragment);
}

} // namespace slashpost::redirect
