#include "app/acme/keys.h"

#include "tests/app/acme/fake_authority.h"
#include "tests/support/must.h"

using namespace slashpost;
using namespace slashpost::acme;
using namespace slashpost::test;

namespace {

// The key of RFC 7515, appendix A.3.1.
const std::string key_of_rfc = "-----BEGIN PRIVATE KEY-----\n"
                               "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff\n"
                               "H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp\n"
                               "7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt\n"
                               "-----END PRIVATE KEY-----\n";

// Whether a JWS signature, r and s, is the key's for the text. By OpenSSL's structures.
bool is_signed(const std::string& pem, const std::string& text, const std::string& signature) {
    BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
    EVP_PKEY* key = PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr);
    ECDSA_SIG* parts = ECDSA_SIG_new();
    const auto* bytes = reinterpret_cast<const unsigned char*>(signature.data());
    ECDSA_SIG_set0(parts, BN_bin2bn(bytes, 32, nullptr), BN_bin2bn(bytes + 32, 32, nullptr));
    unsigned char* der = nullptr;
    const int size = i2d_ECDSA_SIG(parts, &der);
    EVP_MD_CTX* digest = EVP_MD_CTX_new();
    const bool good = EVP_DigestVerifyInit(digest, nullptr, EVP_sha256(), nullptr, key) == 1 &&
                      EVP_DigestVerify(digest, der, static_cast<std::size_t>(size),
                                       reinterpret_cast<const unsigned char*>(text.data()), text.size()) == 1;
    EVP_MD_CTX_free(digest);
    OPENSSL_free(der);
    ECDSA_SIG_free(parts);
    EVP_PKEY_free(key);
    BIO_free(bio);
    return good;
}

} // namespace

TEST_CASE("a public key is shown as RFC 7638 wants it, and has its thumbprint", "[acme]") {
    const auto key = must(SigningKey::of_pem(key_of_rfc));
    CHECK(key.jwk() == R"({"crv":"P-256","kty":"EC","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",)"
                       R"("y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"})");
    CHECK(key.thumbprint() == "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U");
    CHECK(key.authorization_of("a-token") == "a-token.oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U");
    CHECK(must(key.pem()) == key_of_rfc);
}

TEST_CASE("a request is signed by ES256, in the flattened form", "[acme]") {
    const auto key = must(SigningKey::of_pem(key_of_rfc));
    // Header and payload of RFC 7515, appendix A.3.1.
    const auto jws = must(key.sign(R"({"alg":"ES256"})", "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n "
                                                         "\"http://example.com/is_root\":true}"));
    const auto object = json::parse(jws).as_object();
    CHECK(object.size() == 3);
    CHECK(object.at("protected").as_string() == "eyJhbGciOiJFUzI1NiJ9");
    CHECK(object.at("payload").as_string() ==
          "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ");
    const auto signature = from_base64url(std::string(object.at("signature").as_string()));
    REQUIRE(signature.size() == 64);
    const std::string signed_text =
        "eyJhbGciOiJFUzI1NiJ9."
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9p"
        "c19yb290Ijp0cnVlfQ";
    CHECK(is_signed(key_of_rfc, signed_text, signature));
    CHECK_FALSE(is_signed(key_of_rfc, signed_text + "x", signature));
    // The RFC's own signature, so that the check above is one.
    CHECK(is_signed(
        key_of_rfc, signed_text,
        from_base64url(
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")));
    CHECK(json::parse(must(key.sign("{}", ""))).at("payload").as_string().empty());
}

TEST_CASE("signatures have 64 bytes whatever their numbers are", "[acme]") {
    const auto key = must(SigningKey::make());
    for (int i = 0; i < 600; ++i) // one in 128 has a zero in front of r or s
        REQUIRE(json::parse(must(key.sign("{}", std::to_string(i)))).at("signature").as_string().size() ==
                86);
}

TEST_CASE("every key is another one, and is read again as it was", "[acme]") {
    const auto one = must(SigningKey::make()), other = must(SigningKey::make());
    CHECK(one.jwk() != other.jwk());
    CHECK(must(SigningKey::of_pem(must(one.pem()))).jwk() == one.jwk());
}

TEST_CASE("what is no key on P-256 is refused", "[acme]") {
    CHECK_FALSE(SigningKey::of_pem("").has_value());
    CHECK_FALSE(
        SigningKey::of_pem("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n").has_value());
    EVP_PKEY* wide = EVP_EC_gen("P-384");
    BIO* bio = BIO_new(BIO_s_mem());
    PEM_write_bio_PrivateKey(bio, wide, nullptr, nullptr, 0, nullptr, nullptr);
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(bio, &bytes);
    CHECK_FALSE(SigningKey::of_pem(std::string(bytes, static_cast<std::size_t>(size))).has_value());
    BIO_free(bio);
    EVP_PKEY_free(wide);
}

TEST_CASE("a request for a certificate names one host, is signed by the key and has no subject", "[acme]") {
    const auto key = must(SigningKey::of_pem(key_of_rfc));
    const auto der = must(key.certificate_request("go.example.com"));
    const auto* at = reinterpret_cast<const unsigned char*>(der.data());
    X509_REQ* request = d2i_X509_REQ(nullptr, &at, static_cast<long>(der.size()));
    REQUIRE(request != nullptr);
    CHECK(at == reinterpret_cast<const unsigned char*>(der.data() + der.size()));
    CHECK(X509_REQ_get_version(request) == 0);
    CHECK(X509_NAME_entry_count(X509_REQ_get_subject_name(request)) == 0);
    CHECK(X509_REQ_verify(request, X509_REQ_get0_pubkey(request)) == 1);
    STACK_OF(X509_EXTENSION)* extensions = X509_REQ_get_extensions(request);
    REQUIRE(sk_X509_EXTENSION_num(extensions) == 1);
    const ASN1_OCTET_STRING* names = X509_EXTENSION_get_data(sk_X509_EXTENSION_value(extensions, 0));
    // SEQUENCE of one dNSName (RFC 5280, 4.2.1.6).
    CHECK(std::string(reinterpret_cast<const char*>(ASN1_STRING_get0_data(names)),
                      static_cast<std::size_t>(ASN1_STRING_length(names))) ==
          "\x30\x10\x82\x0ego.example.com");
    sk_X509_EXTENSION_pop_free(extensions, X509_EXTENSION_free);
    X509_REQ_free(request);
    for (const auto* host : {"a,DNS:b.example", "*.example.com", "", "Go.example.com", "a.example:443"})
        CHECK_FALSE(key.certificate_request(host).has_value());
}

TEST_CASE("a certificate is known to its authority by who signed it and its number", "[acme]") {
    const auto key = must(SigningKey::make());
    const auto csr = must(key.certificate_request("go.example.com"));
    // The example of RFC 9773, section 4.1.
    const std::string signer =
        "\x69\x88\x5b\x6b\x87\x46\x40\x41\xe1\xb3\x7b\x84\x7b\xa0\xae\x2c\xde\x01\xc8\xd4";
    const auto chain = certificate_for(csr, {.days = 90, .key_id = signer, .serial = 0x87654321});
    const auto issued = must(read_issued(chain, must(key.pem()), "go.example.com"));
    CHECK(issued.renewal_id == "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE");
    CHECK(issued.not_after.ms - issued.not_before.ms == 90LL * 86'400'000);
    CHECK(issued.chain == chain);
    CHECK(issued.key == must(key.pem()));
    CHECK(must(read_issued(certificate_for(csr), must(key.pem()), "go.example.com")).renewal_id.empty());
}

TEST_CASE("a certificate of another key, for another host, or none at all is refused", "[acme]") {
    const auto key = must(SigningKey::make()), other = must(SigningKey::make());
    const auto chain = certificate_for(must(key.certificate_request("go.example.com")));
    CHECK_FALSE(read_issued(chain, must(other.pem()), "go.example.com").has_value());
    CHECK_FALSE(read_issued(chain, must(key.pem()), "other.example.com").has_value());
    CHECK_FALSE(read_issued("nothing", must(key.pem()), "go.example.com").has_value());
}
