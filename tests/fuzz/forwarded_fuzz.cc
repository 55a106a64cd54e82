// Forwarding headers: nobody but a trusted proxy says who the client is. The first line is the peer's
// address, the others are headers.
#include "http/server/client_address.h"
#include "tests/fuzz/fuzz.h"

using namespace slashpost;
using namespace slashpost::http;
using namespace slashpost::fuzz;

void slashpost::fuzz::try_input(std::string_view bytes) {
    static const TrustedProxies nobody;
    static const TrustedProxies proxies({"10.0.0.0/8", "2001:db8::/32"});
    auto left = bytes;
    const Sender peer{.address = redirect::Address::of(take_line(left))};
    RequestHead head;
    while (!left.empty() && head.field_count < 16) {
        auto value = take_line(left);
        const auto name = value.substr(0, value.find(':'));
        value.remove_prefix(std::min(value.size(), name.size() + 1));
        head.fields[head.field_count++] = {name, value};
    }
    must(nobody.client_of(head, peer) == peer, "no header of a stranger changes anything");
    const auto client = proxies.client_of(head, peer);
    if (!proxies.cover(peer.address))
        must(client == peer, "a header counts only when a trusted proxy sends it");
    must(!client.address.known || redirect::Address::of(client.address.text()) == client.address,
         "an address reads as it is written");
    const auto network = TrustedProxies::normal_network(bytes);
    must(!network || TrustedProxies::normal_network(*network) == network,
         "the normal form of a network is its own");
}
