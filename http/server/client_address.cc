#include "http/server/client_address.h"

#include <algorithm>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <boost/beast/core/string.hpp>

namespace slashpost::http {

namespace {

namespace ip = boost::asio::ip;
using redirect::Address;

constexpr unsigned hops_max = 32;
constexpr unsigned v4_offset = 96; // bits before an IPv4 address within an IPv6 one

using boost::beast::iequals;

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == text.npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Takes what stands behind the last `mark` that is not within quotes, or all, off the end of `rest`.
std::string_view take_last(std::string_view& rest, char mark) {
    bool quoted = false;
    std::size_t begin = rest.size();
    for (; begin > 0 && (quoted || rest[begin - 1] != mark); --begin)
        quoted ^= rest[begin - 1] == '"';
    const auto part = rest.substr(begin);
    rest = rest.substr(0, begin == 0 ? 0 : begin - 1);
    return trim(part);
}

// "192.0.2.1", "192.0.2.1:4711", "2001:db8::1", "[2001:db8::1]:4711", also in quotes.
Address read_node(std::string_view text) {
    if (text.size() > 1 && text.starts_with('"') && text.ends_with('"'))
        text = text.substr(1, text.size() - 2);
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        return end == text.npos ? Address{} : Address::of(text.substr(1, end - 1));
    }
    if (std::ranges::count(text, ':') == 1)
        text = text.substr(0, text.find(':'));
    return Address::of(text);
}

// What one proxy said.
struct Hop {
    Address address;
    std::string_view proto;
};

Hop read_forwarded(std::string_view element) {
    Hop hop;
    while (!element.empty()) {
        const auto pair = take_last(element, ';');
        const auto name = pair.substr(0, pair.find('='));
        auto value = pair.substr(std::min(pair.size(), name.size() + 1));
        if (iequals(name, "for"))
            hop.address = read_node(value);
        else if (iequals(name, "proto"))
            hop.proto =
                value.size() > 1 && value.starts_with('"') ? value.substr(1, value.size() - 2) : value;
    }
    return hop;
}

Hop read_forwarded_for(std::string_view element) { return {.address = read_node(element), .proto = {}}; }

// What a chain of proxies says, as far as it can be believed.
struct Told {
    bool any = false; // the header was there
    Address address;
    std::string_view proto;
};

// All lines of a header are one list; its end is the end of the last line.
Told follow_chain(const RequestHead& head, std::string_view header, Hop (*read)(std::string_view),
                  const Sender& peer, const TrustedProxies& proxies) {
    Told told{.any = false, .address = peer.address, .proto = {}};
    unsigned hops = 0;
    for (std::size_t i = head.field_count; i > 0; --i) {
        if (!iequals(head.fields[i - 1].name, header))
            continue;
        told.any = true;
        for (auto rest = head.fields[i - 1].value; !rest.empty();) {
            const Hop hop = read(take_last(rest, ','));
            // Who is not named is as good as the last one who is.
            if (!hop.address.known || ++hops > hops_max)
                return told;
            told.address = hop.address;
            told.proto = hop.proto;
            if (!proxies.cover(hop.address))
                return told;
        }
    }
    return told;
}

std::string_view last_item(const RequestHead& head, std::string_view header) {
    for (std::size_t i = head.field_count; i > 0; --i)
        if (iequals(head.fields[i - 1].name, header)) {
            auto value = head.fields[i - 1].value;
            return take_last(value, ',');
        }
    return {};
}

} // namespace

std::optional<std::string> TrustedProxies::normal_network(std::string_view text) {
    boost::system::error_code error;
    const std::string given(text);
    if (const auto address = Address::of(text); address.known)
        return address.text() + (address.is_v4() ? "/32" : "/128");
    if (text.find('%') != text.npos)
        return std::nullopt;
    if (const auto v4 = ip::make_network_v4(given, error); !error && v4.prefix_length() > 0)
        return v4.canonical().to_string();
    if (const auto v6 = ip::make_network_v6(given, error); !error && v6.prefix_length() > 0)
        return v6.canonical().to_string();
    return std::nullopt;
}

TrustedProxies::TrustedProxies(const std::vector<std::string>& networks) {
    for (const auto& text : networks) {
        const auto slash = text.find('/');
        const auto address = Address::of(std::string_view(text).substr(0, slash));
        boost::system::error_code error;
        if (const auto v4 = ip::make_network_v4(text, error); !error)
            networks_.push_back({address.bytes, v4_offset + v4.prefix_length()});
        else if (const auto v6 = ip::make_network_v6(text, error); !error)
            networks_.push_back({address.bytes, v6.prefix_length()});
    }
}

bool TrustedProxies::cover(const redirect::Address& address) const noexcept {
    if (!address.known)
        return false;
    return std::ranges::any_of(networks_, [&](const Network& network) {
        if (address.is_v4() && network.prefix <= v4_offset)
            return false; // ::/1 and the like mean IPv6
        const auto whole = network.prefix / 8;
        const auto mask = static_cast<std::uint8_t>(0xff00U >> network.prefix % 8);
        return std::equal(network.bytes.begin(), network.bytes.begin() + whole, address.bytes.begin()) &&
               (mask == 0 || ((network.bytes[whole] ^ address.bytes[whole]) & mask) == 0);
    });
}

Sender TrustedProxies::client_of(const RequestHead& head, const Sender& peer) const noexcept {
    if (networks_.empty() || !cover(peer.address))
        return peer;
    auto forwarded = follow_chain(head, "Forwarded", read_forwarded, peer, *this);
    auto common = follow_chain(head, "X-Forwarded-For", read_forwarded_for, peer, *this);
    common.proto = last_item(head, "X-Forwarded-Proto");
    if (forwarded.any && common.any && forwarded.address != common.address)
        return {.address = peer.address, .secure = false};

    Sender client{.address = forwarded.any ? forwarded.address : common.address, .secure = peer.secure};
    for (const auto proto : {forwarded.proto, common.proto})
        if (!proto.empty())
            client.secure = iequals(proto, "https");
    if (!forwarded.proto.empty() && !common.proto.empty() && !iequals(forwarded.proto, common.proto))
        client.secure = false;
    return client;
}

} // namespace slashpost::http
