#include "core/redirect/location.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/clicks/campaigns.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace slashpost::redirect {

namespace {

// Calls `visit(parameter, name)` for each parameter of a query that is not empty.
template <class Visit>
void each_parameter(std::string_view query, Visit&& visit) {
    for (std::size_t at = 0; at < query.size(); ++at) { // byte by byte: most parameters are short
        const auto begin = at;
        while (at < query.size() && query[at] != '&' && query[at] != '=')
            ++at;
        const auto name_end = at;
        if (at < query.size() && query[at] == '=')
            at = std::min(query.find('&', at), query.size());
        if (at > begin)
            visit(query.substr(begin, at - begin), query.substr(begin, name_end - begin));
    }
}

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
    if (name.size() < expected.size())
        return false;
    for (; !name.empty() && !expected.empty(); expected.remove_prefix(1))
        if ((take_name_byte(name) | 0x20) != expected.front())
            return false;
    return name.empty() && expected.empty();
}

// What visitors bring along for this service, and for nobody else.
bool is_for_us(std::string_view name) { return names_api_key(name) || name == scan_parameter; }

// Sorted hashes of the names in the destination's query; hashing keeps this linear however long two hostile
// queries are. Valid until the thread's next call.
const std::vector<std::uint64_t>& names_in(std::string_view query) {
    thread_local std::vector<std::uint64_t> hashes;
    hashes.clear();
    each_parameter(query,
                   [](std::string_view, std::string_view name) { hashes.push_back(hash_of_name(name)); });
    std::ranges::sort(hashes);
    return hashes;
}

} // namespace

void append_location(std::string& out, std::string_view address) {
    // What core/base/url.h stored is safe, and so are all printable characters of ASCII.
    if (is_visible_ascii(address))
        out += address;
    else
        append_uri_text(out, address);
}

void append_forwarded(std::string& out, std::string_view destination, std::string_view query,
                      const OwnParameter* own) {
    query = query.substr(0, query.find('#')); // a browser never sends one, and here it would begin a fragment
    const auto fragment = destination.substr(std::min(destination.find('#'), destination.size()));
    destination.remove_suffix(fragment.size());

    const auto mark = destination.find('?');
    const auto fixed = mark == destination.npos ? std::string_view() : destination.substr(mark + 1);
    const auto& fixed_names = names_in(fixed);
    const auto own_hash = own ? hash_of_name(own->name) : 0;
    const auto is_own = [&](std::string_view name) { return own && hash_of_name(name) == own_hash; };
    const auto gives_way = [&](std::string_view name) { // to a parameter of the destination, or to ours
        if (fixed_names.empty())
            return is_own(name);
        const auto hash = hash_of_name(name);
        return (own && hash == own_hash) || std::ranges::binary_search(fixed_names, hash);
    };
    const bool adds = own && !own->value.empty();
    char before = '?';
    const auto next = [&] {
        if (before != '\0')
            out += before;
        before = '&';
    };
    if (adds && std::ranges::binary_search(fixed_names, own_hash)) {
        append_location(out, destination.substr(0, mark));
        each_parameter(fixed, [&](std::string_view parameter, std::string_view name) {
            if (is_own(name))
                return;
            next();
            append_location(out, parameter);
        });
    } else {
        append_location(out, destination);
        if (mark != destination.npos)
            before = fixed.empty() || fixed.ends_with('&') ? '\0' : '&';
    }
    each_parameter(query, [&](std::string_view parameter, std::string_view name) {
        if (is_for_us(name) || gives_way(name))
            return;
        next();
        append_uri_text(out, parameter);
    });
    if (adds) {
        next();
        out.append(own->name).append("=").append(own->value);
    }
    append_location(out, fragment);
}

} // namespace slashpost::redirect
