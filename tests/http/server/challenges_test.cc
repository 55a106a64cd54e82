// How a certificate authority sees that a host is ours (RFC 8555 and 8737), and which certificate is shown
// when the server has got one by itself.
#include "http/server/certificates.h"
#include "http/server/challenge_certificate.h"
#include "tests/http/server/fixture.h"
#include "tests/http/server/tls_client.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace slashpost::http {

namespace {

constexpr const char* acme_protocol = "\x0a"
                                      "acme-tls/1";
// SHA-256 of "token.thumbprint".
constexpr std::string_view digest = "eb5ac167fe249c76e53b430da3116c5d9fde4c5507ba6d01e885516e1bd49f92";

CertificateSet::Item item(const std::string& folder, const std::string& name, int days, bool is_own) {
    const auto pem = make_pem({name}, {.days = days});
    auto read = Certificate::of_pem(pem.chain, pem.key);
    REQUIRE(read.has_value());
    return {.folder = folder, .certificate = *read, .is_own = is_own};
}

// A server that is asked about "go.example.com", and has a certificate for it as well.
struct ChallengedWorld {
    ChallengedWorld() {
        write_pair(folder.path() / "go", make_pem({"go.example.com"}));
        REQUIRE(certificates.start().has_value());
        ServerOptions options = Fixture::quick_options();
        options.tls = {.address = "127.0.0.1", .port = 0, .certificates = &certificates};
        options.https_rules.find_challenge = [](std::string_view token) {
            return token == "a-Token_1" ? std::optional<std::string>("a-Token_1.thumbprint") : std::nullopt;
        };
        fixture.emplace(options);
    }
    TlsClient client(const std::string& host, const std::string& protocols, int version) {
        return TlsClient(
            fixture->server.tls_port(),
            {.host = host, .version_min = version, .version_max = version, .protocols = protocols});
    }

    TemporaryFolder folder;
    Certificates certificates{{.folder = folder.path(),
                               .default_host = {},
                               .report = {},
                               .find_challenge = [](std::string_view host) {
                                   return host == "go.example.com"
                                              ? std::optional<std::string>("token.thumbprint")
                                              : std::nullopt;
                               }}};
    std::optional<Fixture> fixture;
};

std::string hex(const unsigned char* bytes, int size) {
    std::string out;
    for (int i = 0; i < size; ++i)
        out += fmt::format("{:02x}", bytes[i]);
    return out;
}

// The extensions of the certificate that a client was shown: "oid critical value" of acmeIdentifier.
std::string identifier_of(SSL* ssl) {
    const CertificateOwner shown(SSL_get1_peer_certificate(ssl));
    const std::unique_ptr<ASN1_OBJECT, Releaser<ASN1_OBJECT_free>> oid(OBJ_txt2obj("1.3.6.1.5.5.7.1.31", 1));
    const int at = shown ? X509_get_ext_by_OBJ(shown.get(), oid.get(), -1) : -1;
    if (at < 0)
        return "none";
    X509_EXTENSION* extension = X509_get_ext(shown.get(), at);
    const ASN1_OCTET_STRING* value = X509_EXTENSION_get_data(extension);
    return (X509_EXTENSION_get_critical(extension) == 1 ? "critical " : "") +
           hex(ASN1_STRING_get0_data(value), ASN1_STRING_length(value));
}

} // namespace

TEST_CASE(
    "an authority that offers acme-tls/1 is shown the hash of what it wants to hear, and nothing is said",
    "[tls]") {
    ChallengedWorld world;
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        auto client = world.client("GO.example.com", acme_protocol, version);
        REQUIRE(client.shake_hands());
        CHECK(client.shown() == "ACME challenge");
        CHECK(identifier_of(client.ssl()) == "critical 0420" + std::string(digest));
        const unsigned char* protocol = nullptr;
        unsigned size = 0;
        SSL_get0_alpn_selected(client.ssl(), &protocol, &size);
        CHECK(std::string(reinterpret_cast<const char*>(protocol), size) == "acme-tls/1");
        CHECK_FALSE(client.ask("GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n"));
    }
}

TEST_CASE("a host that no authority looks at has no certificate for acme-tls/1", "[tls]") {
    ChallengedWorld world;
    CHECK_FALSE(world.client("other.example.com", acme_protocol, TLS1_3_VERSION).shake_hands());
    CHECK_FALSE(world.client("", acme_protocol, TLS1_3_VERSION).shake_hands());
}

TEST_CASE("visitors see nothing of a challenge, whatever else they offer", "[tls]") {
    ChallengedWorld world;
    for (const std::string& protocols :
         {std::string(), std::string("\x08http/1.1"), std::string("\x08http/1.1") + acme_protocol}) {
        auto client = world.client("go.example.com", protocols, TLS1_3_VERSION);
        REQUIRE(client.shake_hands());
        CHECK(identifier_of(client.ssl()) == "none");
        CHECK(client.ask("GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n")->status == 302);
    }
}

TEST_CASE("a server that gets no certificates by itself refuses acme-tls/1", "[tls]") {
    TemporaryFolder folder;
    write_pair(folder.path() / "go", make_pem({"go.example.com"}));
    Certificates certificates({.folder = folder.path(), .default_host = {}, .report = {}});
    REQUIRE(certificates.start().has_value());
    ServerOptions options = Fixture::quick_options();
    options.tls = {.address = "127.0.0.1", .port = 0, .certificates = &certificates};
    Fixture fixture(options);
    CHECK_FALSE(TlsClient(fixture.server.tls_port(), {.host = "go.example.com", .protocols = acme_protocol})
                    .shake_hands());
}

TEST_CASE("an authority is answered over HTTP what it waits for, and nothing for any other token", "[tls]") {
    ChallengedWorld world;
    const auto ask = [&](const std::string& token) {
        return *world.fixture->client().ask("GET /.well-known/acme-challenge/" + token +
                                            " HTTP/1.1\r\nHost: go.example.com\r\n\r\n");
    };
    CHECK(ask("a-Token_1").status == 200);
    CHECK(ask("a-Token_1").body == "a-Token_1.thumbprint");
    for (const auto* token : {"other", "", "a-Token_1/", "a.Token", "..%2Fa", "a-Token_1%00"})
        CHECK(ask(token).status == 404);
}

TEST_CASE("the operator's certificate wins until it expires, whatever its names are", "[tls]") {
    const CertificateSet set(
        {item("wild", "*.example.com", 1, false), item("go.example.com", "go.example.com", 90, true),
         item("old", "old.example.net", -1, false), item("old.example.net", "old.example.net", 90, true),
         item("gone", "gone.example.net", -1, false), item("own.example", "own.example", 5, true)});
    CHECK(set.choose("go.example.com")->names().front() == "*.example.com");
    CHECK(set.choose("old.example.net")->expires() > std::time(nullptr));
    CHECK(set.choose("gone.example.net")->expires() < std::time(nullptr));
    CHECK(set.choose("own.example")->names().front() == "own.example");
    CHECK(set.choose("unknown.example")->names().front() ==
          "gone.example.net"); // of the first folder by name
    CHECK(set.covers("own.example"));
    CHECK(set.of_operator("go.example.com")->names().front() == "*.example.com");
    CHECK(set.of_operator("own.example") == nullptr);
}

TEST_CASE("certificates that the server gets are shown without a restart, and go as they came", "[tls]") {
    TemporaryFolder folder;
    Certificates certificates({.folder = folder.path(), .default_host = {}, .report = {}});
    REQUIRE(certificates.start().has_value());
    CHECK_FALSE(certificates.current()->covers("go.example.com"));
    certificates.set_own({{"go.example.com", item("", "go.example.com", 90, true).certificate}});
    CHECK(certificates.current()->covers("go.example.com"));
    CHECK(certificates.of_operator().empty());
    certificates.set_own({});
    CHECK_FALSE(certificates.current()->covers("go.example.com"));
}

TEST_CASE("no certificate of a challenge is made for what is no name", "[tls]") {
    for (const auto* host : {"a,DNS:b.example", "UPPER.example", "a.example:443", "", "@section"})
        CHECK_FALSE(make_challenge_certificate(host, "x").has_value());
}

} // namespace slashpost::http
