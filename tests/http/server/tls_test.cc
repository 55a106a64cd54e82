// The server over TLS: who gets in and how, and what clients that do not behave can do.
#include "http/server/tls.h"

#include "http/server/ticket_keys.h"
#include "tests/http/server/fixture.h"
#include "tests/http/server/tls_client.h"

#include <catch2/catch.hpp>

namespace slashpost::http {

namespace {

using std::chrono::milliseconds;

const std::string go = "GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n";

// A server with TLS on a free port and certificates for a few hosts.
class TlsWorld {
  public:
    explicit TlsWorld(void (*change)(ServerOptions&) = [](ServerOptions&) {}) {
        write_pair(folder.path() / "default", make_pem({"default.example"}));
        write_pair(folder.path() / "go", make_pem({"go.example.com"}));
        write_pair(folder.path() / "wild", make_pem({"*.example.com"}));
        write_pair(folder.path() / "rsa", make_pem({"rsa.example"}, {.rsa_bits = 2048}));
        if (!certificates.start())
            throw std::runtime_error("no certificates");
        ServerOptions options = Fixture::quick_options();
        options.tls = {.address = "127.0.0.1", .port = 0, .certificates = &certificates};
        change(options);
        fixture.emplace(options);
    }

    TlsClient client(const TlsClient::Options& options = {}) {
        return TlsClient(fixture->server.tls_port(), options);
    }
    ServerMetrics metrics() { return fixture->server.metrics(); }

    TemporaryFolder folder;
    Certificates certificates{
        {.folder = folder.path(), .default_host = {}, .look_every = milliseconds(10), .report = {}}};
    std::optional<Fixture> fixture;
};

bool works(TlsWorld& world) {
    TlsClient client = world.client();
    const auto response = client.ask(go);
    return response && response->status == 302;
}

} // namespace

TEST_CASE("visitors and the API are answered over TLS 1.2 and 1.3, and over nothing older", "[tls]") {
    TlsWorld world;
    const struct {
        int version;
        std::string name;
    } versions[] = {{TLS1_2_VERSION, "TLSv1.2"}, {TLS1_3_VERSION, "TLSv1.3"}};
    for (const auto& [version, name] : versions) {
        for (const std::string host : {"go.example.com", "rsa.example"}) {
            INFO(name << " " << host);
            TlsClient client = world.client({.host = host, .version_min = version, .version_max = version});
            REQUIRE(client.shake_hands());
            CHECK(client.version() == name);
            CHECK(client.shown() == host);
            const auto redirect = client.ask(go);
            REQUIRE(redirect);
            CHECK(redirect->status == 302);
            CHECK(redirect->header("Location") == "https://example.com/a");
            const auto api = client.ask("POST /v1/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi");
            REQUIRE(api);
            CHECK(api->body == "POST /v1/echo [hi]");
            CHECK(client.ask("GET /v1/host HTTP/1.1\r\nHost: h\r\n\r\n")->body == "h 127.0.0.1");
        }
    }
    CHECK_FALSE(world.client({.version_min = TLS1_VERSION, .version_max = TLS1_1_VERSION}).shake_hands());
    CHECK(world.fixture->client().ask(go)->status == 302); // the plain port is as it was
}

TEST_CASE("only forward-secret ciphers are agreed on", "[tls]") {
    TlsWorld world;
    TlsClient old = world.client({.host = "rsa.example", .version_max = TLS1_2_VERSION});
    SSL_set_cipher_list(old.ssl(), "AES128-SHA:AES128-GCM-SHA256:ECDHE-RSA-AES128-SHA:@SECLEVEL=0");
    CHECK_FALSE(old.shake_hands());
    TlsClient good = world.client({.host = "rsa.example", .version_max = TLS1_2_VERSION});
    REQUIRE(good.shake_hands());
    CHECK_THAT(SSL_get_cipher_name(good.ssl()), Catch::StartsWith("ECDHE-RSA-"));
}

TEST_CASE("the certificate is chosen by the host that is asked for", "[tls]") {
    TlsWorld world;
    const struct {
        std::string host, shown;
    } cases[] = {{"go.example.com", "go.example.com"},
                 {"GO.EXAMPLE.COM", "go.example.com"},
                 {"other.example.com", "*.example.com"},
                 {"example.com", "default.example"},
                 {"", "default.example"}};
    for (const auto& [host, shown] : cases) {
        INFO(host);
        TlsClient client = world.client({.host = host});
        REQUIRE(client.shake_hands());
        CHECK(client.shown() == shown);
    }
}

TEST_CASE("without any certificate nobody gets in, with the first one everybody does", "[tls]") {
    const TemporaryFolder folder;
    Certificates certificates(
        {.folder = folder.path(), .default_host = {}, .look_every = milliseconds(10), .report = {}});
    REQUIRE(certificates.start().has_value());
    ServerOptions options = Fixture::quick_options();
    options.tls = {.address = "127.0.0.1", .port = 0, .certificates = &certificates};
    Fixture fixture(options);
    CHECK_FALSE(TlsClient(fixture.server.tls_port(), {}).shake_hands());
    write_pair(folder.path() / "a", make_pem({"a.example"}));
    REQUIRE(until([&] { return certificates.current()->size() == 1; }));
    CHECK(TlsClient(fixture.server.tls_port(), {}).shake_hands());
}

TEST_CASE("a connection lives on while the certificate changes beneath it", "[tls]") {
    TlsWorld world;
    TlsClient open = world.client({.host = "go.example.com"});
    REQUIRE(open.ask(go)->status == 302);
    write_pair(world.folder.path() / "go", make_pem({"renewed", "go.example.com"}, {.days = 200}));
    REQUIRE(until([&] {
        TlsClient next = world.client({.host = "go.example.com"});
        return next.shake_hands() && next.shown() == "renewed";
    }));
    CHECK(open.ask(go)->status == 302);
    CHECK(open.shown() == "go.example.com");
}

TEST_CASE("a visitor who comes back resumes the session", "[tls]") {
    TlsWorld world;
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        INFO(version);
        SessionOwner session;
        {
            TlsClient first = world.client({.host = "go.example.com", .version_max = version});
            REQUIRE(first.ask(go)->status == 302); // tickets of TLS 1.3 come with the first answer
            CHECK_FALSE(first.resumed());
            session = first.session();
            first.say_goodbye();
        }
        TlsClient again =
            world.client({.host = "go.example.com", .version_max = version, .session = session.get()});
        CHECK(again.ask(go)->status == 302);
        CHECK(again.resumed());
    }
    REQUIRE(until([&] { return world.metrics().handshakes == 4; }));
    CHECK(world.metrics().handshakes_resumed == 2);
}

TEST_CASE("a session ticket outlives one change of its key, not two", "[tls]") {
    TicketKeys keys;
    const SslContextOwner server(SSL_CTX_new(TLS_server_method()));
    const SslContextOwner client(SSL_CTX_new(TLS_client_method()));
    SSL_CTX_set_session_cache_mode(server.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_max_proto_version(server.get(), TLS1_2_VERSION);
    keys.use_in(server.get());
    const TemporaryFolder folder;
    write_pair(folder.path(), make_pem({"a.example"}));
    const auto certificate =
        Certificate::read(folder.path() / "fullchain.pem", folder.path() / "privkey.pem");
    REQUIRE(certificate.has_value());
    // A handshake in memory. Answers whether it resumed `session`, which becomes the new one.
    const auto meet = [&](SessionOwner& session) {
        const SslOwner here(SSL_new(server.get()));
        const SslOwner there(SSL_new(client.get()));
        REQUIRE((*certificate)->install(here.get()));
        BIO* near = nullptr;
        BIO* far = nullptr;
        BIO_new_bio_pair(&near, 0, &far, 0);
        SSL_set_bio(here.get(), near, near);
        SSL_set_bio(there.get(), far, far);
        SSL_set_accept_state(here.get());
        SSL_set_connect_state(there.get());
        if (session)
            SSL_set_session(there.get(), session.get());
        for (int i = 0; i < 10; ++i) {
            SSL_do_handshake(there.get());
            SSL_do_handshake(here.get());
        }
        REQUIRE(SSL_is_init_finished(there.get()) == 1);
        session.reset(SSL_get1_session(there.get()));
        const bool resumed = SSL_session_reused(there.get()) == 1;
        SSL_shutdown(there.get()); // a session that was cut off is not resumed
        return resumed;
    };
    SessionOwner session;
    CHECK_FALSE(meet(session));
    CHECK(meet(session));
    keys.rotate();
    SessionOwner renewed(session.get());
    SSL_SESSION_up_ref(renewed.get());
    CHECK(meet(renewed)); // gets a ticket under the new key
    keys.rotate();
    CHECK(meet(renewed));
    CHECK_FALSE(meet(session));
}

TEST_CASE("HTTP/1.1 is the protocol that is agreed on, or there is no connection", "[tls]") {
    TlsWorld world;
    TlsClient browser = world.client({.protocols = "\x02h2\x08http/1.1"});
    REQUIRE(browser.shake_hands());
    CHECK(browser.protocol() == "http/1.1");
    CHECK(browser.ask(go)->status == 302);
    CHECK_FALSE(world.client({.protocols = "\x02h2"}).shake_hands());
    CHECK_FALSE(world
                    .client({.protocols = "\x0a"
                                          "acme-tls/1"})
                    .shake_hands());
}

TEST_CASE("what does not speak TLS is closed, and the others are served", "[tls]") {
    TlsWorld world;
    for (const std::string& garbage : {go, std::string("\x16\x03\x01\x40\x00", 5) + std::string(100'000, 'x'),
                                       std::string(50'000, '\0'), std::string("\x80\x2e\x01\x00\x02")}) {
        Client client(world.fixture->server.tls_port());
        client.send(garbage);
        client.finish_writing();
        while (!client.receive_some().empty()) {
        }
        CHECK(works(world));
    }
    REQUIRE(until([&] { return world.metrics().handshakes_failed == 4; }));
    CHECK(world.metrics().handshakes == 4);
}

TEST_CASE("a handshake may come byte by byte, but not take for ever", "[tls]") {
    TlsWorld world([](ServerOptions& options) { options.limits.header_deadline = milliseconds(1'500); });
    TlsClient slow = world.client({.bytes_at_once = 1});
    CHECK(slow.ask(go)->status == 302);

    Client silent(world.fixture->server.tls_port());
    const auto begin = std::chrono::steady_clock::now();
    CHECK(silent.is_closed());
    CHECK(std::chrono::steady_clock::now() - begin >= milliseconds(1'400));
    CHECK(world.metrics().handshakes_failed == 1);
    CHECK(world.metrics().connections_expired == 1);
}

TEST_CASE("when too many shake hands the oldest one gives way", "[tls]") {
    TlsWorld world([](ServerOptions& options) { options.limits.handshakes_max = 4; });
    const std::uint16_t port = world.fixture->server.tls_port();
    std::vector<std::unique_ptr<Client>> silent;
    for (int i = 0; i < 4; ++i) {
        silent.push_back(std::make_unique<Client>(port));
        REQUIRE(until([&] { return world.metrics().connections_accepted == silent.size(); }));
    }
    CHECK(works(world));
    CHECK(silent[0]->is_closed());
    CHECK(silent[1]->is_silent(milliseconds(50)));
    CHECK(silent[3]->is_silent(milliseconds(50)));
    // One that got in does not count any more.
    CHECK(works(world));
    CHECK(silent[1]->is_silent(milliseconds(50)));
}

TEST_CASE("the end of a connection is announced, so that none can be faked", "[tls]") {
    TlsWorld world([](ServerOptions& options) { options.limits.idle_deadline = milliseconds(100); });
    TlsClient last = world.client();
    REQUIRE(last.ask("GET /go/a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")->status == 302);
    CHECK(last.hears_goodbye());
    TlsClient idle = world.client();
    REQUIRE(idle.ask(go)->status == 302);
    CHECK(idle.hears_goodbye());
    TlsClient refused = world.client();
    REQUIRE(refused.ask("nonsense\r\n\r\n")->status == 400);
    CHECK(refused.hears_goodbye());
}

TEST_CASE("who has said everything still gets the answers", "[tls]") {
    TlsWorld world;
    TlsClient polite = world.client();
    REQUIRE(polite.shake_hands());
    polite.send(go + go);
    polite.say_goodbye();
    CHECK(polite.receive()->status == 302);
    CHECK(polite.receive()->status == 302);
    TlsClient rude = world.client(); // closes its half without a word of TLS
    REQUIRE(rude.shake_hands());
    rude.send(go);
    rude.socket().finish_writing();
    CHECK(rude.receive()->status == 302);
    // Half a request is no request.
    TlsClient cut = world.client();
    REQUIRE(cut.shake_hands());
    cut.send("POST /v1/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nab");
    cut.socket().finish_writing();
    CHECK_FALSE(cut.receive());
}

TEST_CASE("large bodies go through in both directions, also to a slow reader", "[tls]") {
    TlsWorld world;
    TlsClient client = world.client();
    client.send("GET /v1/large HTTP/1.1\r\nHost: h\r\n\r\n");
    std::this_thread::sleep_for(milliseconds(100)); // the socket is full by now
    const auto large = client.receive();
    REQUIRE(large);
    CHECK(large->body == std::string(8'000'000, 'x'));
    const auto echo = client.ask("POST /v1/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n" +
                                 std::string(1'000'000, 'y'));
    REQUIRE(echo);
    CHECK(echo->body == "POST /v1/echo [1000000]");
    std::string many;
    for (int i = 0; i < 1'000; ++i)
        many += go;
    client.send(many);
    int answered = 0;
    for (; answered < 1'000 && client.receive()->status == 302; ++answered) {
    }
    CHECK(answered == 1'000);
}

TEST_CASE("records without content and changes of keys keep nobody else waiting", "[tls]") {
    TlsWorld world;
    TlsClient pest = world.client({.version_min = TLS1_3_VERSION});
    REQUIRE(pest.shake_hands());
    for (int i = 0; i < 2'000; ++i) {
        SSL_key_update(pest.ssl(), SSL_KEY_UPDATE_NOT_REQUESTED);
        SSL_do_handshake(pest.ssl());
    }
    pest.push();
    CHECK(works(world));
    const auto answer = pest.ask(go);
    CHECK((!answer || answer->status == 302));
    // Renegotiation, the old way to make a server work.
    TlsClient old = world.client({.version_max = TLS1_2_VERSION});
    REQUIRE(old.shake_hands());
    SSL_renegotiate(old.ssl());
    SSL_do_handshake(old.ssl());
    old.push();
    CHECK(works(world));
}

TEST_CASE("browsers are told to stay with HTTPS, and only over HTTPS", "[tls]") {
    TlsWorld world([](ServerOptions& options) { options.tls->hsts_seconds = 31'536'000; });
    TlsClient client = world.client();
    for (const std::string path : {"/go/a", "/missing", "/v1/echo"}) {
        const std::string request = "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
        CHECK(client.ask(request)->header("Strict-Transport-Security") == "max-age=31536000");
        CHECK(world.fixture->client().ask(request)->header("Strict-Transport-Security").empty());
    }
    CHECK(client.ask("nonsense\r\n\r\n")->header("Strict-Transport-Security") == "max-age=31536000");
    TlsWorld silent;
    CHECK(silent.client().ask(go)->header("Strict-Transport-Security").empty());
}

TEST_CASE("a server that stops answers what it has over TLS too", "[tls]") {
    TlsWorld world;
    TlsClient waiting = world.client();
    waiting.send("GET /v1/wait HTTP/1.1\r\nHost: h\r\n\r\n");
    world.fixture->gate.until_waiting(1);
    TlsClient idle = world.client();
    REQUIRE(idle.ask(go)->status == 302);
    Client half(world.fixture->server.tls_port());
    std::thread stopping([&] { world.fixture->server.stop(); });
    CHECK(idle.hears_goodbye());
    CHECK(half.is_closed());
    world.fixture->gate.open();
    const auto answer = waiting.receive();
    stopping.join();
    REQUIRE(answer);
    CHECK(answer->status == 200);
    CHECK(waiting.hears_goodbye());
}

TEST_CASE("the plain port sends visitors to HTTPS when told to", "[tls]") {
    TlsWorld world([](ServerOptions& options) {
        options.https_rules = {.redirect = HttpsRules::Redirect::on,
                               .certificates = options.tls->certificates,
                               .https_port = 0,
                               .acme_webroot = {}};
    });
    Client plain = world.fixture->client();
    const auto sent = plain.ask("GET /go/a?b=c HTTP/1.1\r\nHost: go.example.com\r\n\r\n");
    REQUIRE(sent);
    CHECK(sent->status == 301);
    CHECK(sent->header("Location") ==
          "https://go.example.com:" + std::to_string(world.fixture->server.tls_port()) + "/go/a?b=c");
    CHECK(plain.ask("GET /go/a HTTP/1.1\r\nHost: uncovered.example\r\n\r\n")->status == 302);
    // A body is not read; the connection ends instead.
    const auto post =
        plain.ask("POST /v1/echo HTTP/1.1\r\nHost: go.example.com\r\nContent-Length: 5\r\n\r\nGET /");
    REQUIRE(post);
    CHECK(post->status == 308);
    CHECK(post->header("Connection") == "close");
    CHECK(plain.is_closed());
    TlsClient secure = world.client();
    CHECK(secure.ask("GET /go/a HTTP/1.1\r\nHost: go.example.com\r\n\r\n")->status == 302);
}

} // namespace slashpost::http
