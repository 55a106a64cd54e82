// A whole session: what a client may send over one connection. The server answers what can be answered, ends
// the connection when it must, and serves the next client as if nothing had been.
#include "tests/fuzz/fuzz.h"
#include "tests/http/server/fixture.h"

#include <openssl/crypto.h>

using namespace slashpost::http;
using namespace slashpost::fuzz;

namespace {

ServerOptions options() {
    auto options = Fixture::quick_options();
    options.limits.body_bytes_max = 4096;
    return options;
}

// Each answer has a head that can be read, and as long a body as it says.
void check_answers(Client& client, std::string_view sent) {
    std::size_t answers = 0;
    for (bool more = true; more; ++answers) {
        // Of a HEAD no body comes; which answers are those is not looked into, so nothing is said of bodies
        // then.
        const auto answer = client.receive(sent.find("HEAD ") == std::string_view::npos ? "GET" : "HEAD");
        more = answer.has_value();
        if (more)
            must(answer->status >= 100 && answer->status < 600, "an answer has a status");
        must(answers <= sent.size(), "there are no more answers than could be asked for");
    }
}

} // namespace

void slashpost::fuzz::try_input(std::string_view bytes) {
    // What OpenSSL ends at exit has to outlive the fixture's threads, so it begins before them: with
    // something to load, for asked for nothing it does nothing.
    static const int openssl = OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG, nullptr);
    must(openssl == 1, "OpenSSL begins");
    static Fixture fixture(options());
    static Client patient = fixture.client();
    if (bytes.find("/v1/wait") != std::string_view::npos || bytes.find("/v1/large") != std::string_view::npos)
        return; // what the fixture has for tests of waiting
    static std::uint8_t host = 0;
    auto client =
        fixture.client(2 + host++ % 250); // so many connections a minute that one has not ports enough
    const auto half = bytes.size() / 2;
    client.send(bytes.substr(0, half));
    client.send(bytes.substr(half));
    client.finish_writing();
    check_answers(client, bytes);

    const auto next = patient.ask("GET /go/on HTTP/1.1\r\nHost: go.example.com\r\n\r\n");
    must(next && next->status == 302, "other clients are served meanwhile");
}
