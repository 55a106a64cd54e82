#pragma once
// Names of hosts: the one form in which two spellings of the same host are equal, for registered domains,
// for Host headers and for the hosts of destinations.
//
// Reading follows the URL Standard (url.spec.whatwg.org, "Hosts"), because browsers do: percent escapes are
// undone, UTS 46 maps "BÜCHER。example" to "xn--bcher-kva.example", and "0x7f.1" is the address 127.0.0.1.
// ICU does UTS 46. libidn2 does not do for this: it adds the label rules of IDNA 2008 and so refuses names
// that browsers open, such as those with emoji.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slashpost {

// The part of an address between "//" and the path, without user and password. A view into what was split.
struct Authority {
    std::string_view host; // as given; an IPv6 address with its brackets
    std::string_view port; // digits as given, no more than 65535; empty when there is none

    // The number of the port; nothing when there is none.
    [[nodiscard]] std::optional<std::uint16_t> port_number() const;
};

// Splits "host", "host:", "host:80" or "[::1]:80". Nothing when what follows the host is no port. The host is
// not looked at, it may be empty.
[[nodiscard]] std::optional<Authority> split_authority(std::string_view text);

// The host that a browser goes to for `host` in an http or https address: a name in lower-case ASCII ("a..b",
// "a_b" and "a.b." are names to a browser), an IPv4 address as four decimal numbers, or an IPv6 address in
// brackets in its shortest form. Nothing when a browser refuses it.
[[nodiscard]] std::optional<std::string> browser_host(std::string_view host);

// The normal form of a domain's name, with its port unless that is 80 or 443 (wire "The visitor's side"):
// "Go.Example.COM.:443" is "go.example.com", "bücher.example" is "xn--bcher-kva.example", "localhost:8080"
// stays. Labels of 1 to 63 letters, digits and hyphens, 253 characters at most; or an IPv4 or IPv6 address.
// Nothing when it is no such name. normal_host(normal_host(x)) is normal_host(x).
[[nodiscard]] std::optional<std::string> normal_host(std::string_view given);

// A host in the form of browser_host as people read it, "xn--bcher-kva.example" as "bücher.example"; what is
// no punycode stays.
[[nodiscard]] std::string unicode_host(std::string_view host);

// Adds the port to `host`, a result of browser_host, and takes a name's trailing dot off: the form of
// normal_host, but for any host that browsers know. Two addresses lead to the same server if these are equal.
[[nodiscard]] std::string host_and_port(std::string_view host, std::optional<std::uint16_t> port);

} // namespace slashpost
