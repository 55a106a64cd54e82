// Names of hosts: a normal form that is its own, and that a URL of it leads to.
#include "core/base/host.h"
#include "tests/fuzz/fuzz.h"

using namespace slashpost;
using namespace slashpost::fuzz;

void slashpost::fuzz::try_input(std::string_view bytes) {
    if (const auto authority = split_authority(bytes)) {
        must(authority->host.size() + authority->port.size() <= bytes.size(),
             "the parts of an authority lie in it");
        must(authority->port.empty() || authority->port_number().has_value(), "a port is a number");
    }
    if (const auto host = browser_host(bytes))
        must(browser_host(*host) == host, "a browser's form of a host is its own");
    if (const auto name = normal_host(bytes)) {
        must(normal_host(*name) == name, "the normal form of a name is its own");
        must(name->find_first_of("/?#@ \t\r\n") == std::string::npos,
             "a name has nothing of an address around it");
        must(name->size() <= 253 + 6, "a name has at most 253 characters, and a port");
    }
}
