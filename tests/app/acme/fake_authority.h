#pragma once
// An authority for tests: it answers as RFC 8555 says, from a list of what goes wrong, and remembers what it
// was asked. Its certificates are signed by itself.
#include "app/acme/authority.h"
#include "app/acme/keys.h"
#include "core/base/errors.h"

#include <atomic>
#include <boost/json.hpp>
#include <fmt/format.h>
#include <functional>
#include <mutex>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <vector>

namespace slashpost::test {

namespace json = boost::json;

// The text of base64url, by OpenSSL's decoder rather than ours.
inline std::string from_base64url(std::string text) {
    for (char& c : text)
        c = c == '-' ? '+' : c == '_' ? '/' : c;
    const std::size_t missing = (4 - text.size() % 4) % 4;
    text.append(missing, '=');
    std::string out(text.size() / 4 * 3, '\0');
    EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                    reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
    out.resize(out.size() - missing);
    return out;
}

struct LeafOptions {
    int days = 90;
    std::string key_id; // of its authority; empty: none is named
    unsigned long serial = 1;
};

// PEM of a certificate for the public key and the names of a request (DER).
inline std::string certificate_for(const std::string& csr, const LeafOptions& options = {}) {
    const auto* at = reinterpret_cast<const unsigned char*>(csr.data());
    X509_REQ* request = d2i_X509_REQ(nullptr, &at, static_cast<long>(csr.size()));
    X509* made = X509_new();
    X509_set_version(made, X509_VERSION_3);
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(made), options.serial);
    X509_gmtime_adj(X509_getm_notBefore(made), -3600);
    X509_gmtime_adj(X509_getm_notAfter(made), 86'400L * options.days - 3600);
    X509_set_pubkey(made, X509_REQ_get0_pubkey(request));
    STACK_OF(X509_EXTENSION)* extensions = X509_REQ_get_extensions(request);
    for (int i = 0; i < sk_X509_EXTENSION_num(extensions); ++i)
        X509_add_ext(made, sk_X509_EXTENSION_value(extensions, i), -1);
    if (!options.key_id.empty()) {
        AUTHORITY_KEYID* authority = AUTHORITY_KEYID_new();
        authority->keyid = ASN1_OCTET_STRING_new();
        ASN1_OCTET_STRING_set(authority->keyid, reinterpret_cast<const unsigned char*>(options.key_id.data()),
                              static_cast<int>(options.key_id.size()));
        X509_add1_ext_i2d(made, NID_authority_key_identifier, authority, 0, 0);
        AUTHORITY_KEYID_free(authority);
    }
    EVP_PKEY* signer = EVP_EC_gen("P-256");
    X509_sign(made, signer, EVP_sha256());
    BIO* bio = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(bio, made);
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(bio, &bytes);
    std::string pem(bytes, static_cast<std::size_t>(size));
    BIO_free(bio);
    EVP_PKEY_free(signer);
    sk_X509_EXTENSION_pop_free(extensions, X509_EXTENSION_free);
    X509_free(made);
    X509_REQ_free(request);
    return pem;
}

// What happens there, shared by the test and the Web that the issuer owns.
struct FakeAuthority {
    std::mutex mutex;
    // Guarded by mutex, but for what is set before anybody asks.
    std::vector<std::string> asked;                                                // "POST /order {payload}"
    std::function<std::optional<acme::WebAnswer>(const std::string& path)> before; // answers instead, or not
    std::function<bool()> sees_proof = [] { return true; };
    bool offers_renewals = false;
    bool proved = false, finalized = false;
    std::string certificate, csr;
    int nonces_refused = 0; // of the next posts
    LeafOptions leaf;
    std::string last_nonce;
    int nonces = 0;
    std::atomic<bool> reachable = true;

    static std::string at(std::string_view path) { return fmt::format("https://ca.example{}", path); }
    static acme::WebAnswer answer(long status, const json::object& body, std::string location = {}) {
        return {.status = status,
                .body = json::serialize(body),
                .nonce = {},
                .location = std::move(location),
                .retry_after = {}};
    }
    static acme::WebAnswer problem(long status, const std::string& kind, const std::string& detail) {
        return answer(status, {{"type", "urn:ietf:params:acme:error:" + kind}, {"detail", detail}});
    }

    acme::WebAnswer take(const acme::WebRequest& request) {
        const std::lock_guard lock(mutex);
        const auto path = request.url.substr(at("").size());
        auto made = take(request, path);
        made.nonce = last_nonce = fmt::format("nonce{}", ++nonces);
        return made;
    }

  private:
    json::object order() const {
        json::object out{{"status", finalized ? "valid"
                                    : proved  ? "ready"
                                              : "pending"},
                         {"authorizations", json::array{at("/authorization")}},
                         {"finalize", at("/finalize")}};
        if (finalized)
            out.emplace("certificate", at("/certificate"));
        return out;
    }
    json::object authorization(std::string_view state) const {
        json::array challenges;
        for (const auto* type : {"dns-01", "http-01", "tls-alpn-01"}) {
            json::object one{
                {"type", type}, {"url", at("/challenge")}, {"token", "a-token"}, {"status", state}};
            if (state == "invalid")
                one.emplace("error", json::object{{"type", "urn:ietf:params:acme:error:connection"},
                                                  {"detail", "Connection\nrefused"}});
            challenges.push_back(std::move(one));
        }
        return {{"status", state}, {"challenges", challenges}};
    }

    acme::WebAnswer take(const acme::WebRequest& request, const std::string& path) {
        std::string payload;
        if (request.method == acme::WebRequest::Method::post) {
            const auto jws = json::parse(request.body).as_object();
            payload = from_base64url(std::string(jws.at("payload").as_string()));
            const auto header =
                json::parse(from_base64url(std::string(jws.at("protected").as_string()))).as_object();
            asked.push_back("POST " + path + " " + payload);
            if (header.at("url").as_string() != request.url || header.at("nonce").as_string() != last_nonce)
                return problem(400, "malformed", "the header is wrong");
            if (nonces_refused > 0) {
                --nonces_refused;
                return problem(400, "badNonce", "the nonce is not one");
            }
            if ((path == "/account/new") == header.contains("kid"))
                return problem(400, "malformed", "the account is named in the wrong way");
        } else {
            asked.push_back((request.method == acme::WebRequest::Method::head ? "HEAD " : "GET ") + path);
        }
        if (before)
            if (auto instead = before(path))
                return *std::move(instead);
        return answer_to(path, payload);
    }

    acme::WebAnswer answer_to(const std::string& path, const std::string& payload) {
        if (path == "/directory") {
            json::object out{{"newNonce", at("/nonce")},
                             {"newAccount", at("/account/new")},
                             {"newOrder", at("/order/new")}};
            if (offers_renewals)
                out.emplace("renewalInfo", at("/renewal"));
            return answer(200, out);
        }
        if (path == "/nonce")
            return answer(200, {});
        if (path == "/account/new")
            return answer(201, {{"status", "valid"}}, at("/account/7"));
        if (path == "/account/7")
            return answer(200, {{"status", "valid"}});
        if (path == "/order/new") {
            proved = finalized = false;
            return answer(201, order(), at("/order/9"));
        }
        if (path == "/order/9")
            return answer(200, order());
        if (path == "/authorization")
            return answer(200, authorization(proved ? "valid" : proof_was_tried ? "invalid" : "pending"));
        if (path == "/challenge") {
            proved = sees_proof();
            proof_was_tried = !proved;
            return answer(200, {{"status", "processing"}});
        }
        if (path == "/finalize") {
            csr = from_base64url(std::string(json::parse(payload).at("csr").as_string()));
            certificate = certificate_for(csr, leaf);
            finalized = true;
            auto processing = order();
            processing["status"] = "processing";
            return answer(200, processing);
        }
        if (path == "/certificate")
            return {.status = 200, .body = certificate, .nonce = {}, .location = {}, .retry_after = {}};
        if (path.starts_with("/renewal/")) {
            auto out = answer(200, {{"suggestedWindow",
                                     {{"start", "2027-02-01T00:00:00Z"}, {"end", "2027-02-02T00:00:00Z"}}}});
            out.retry_after = 21'600;
            return out;
        }
        return problem(404, "malformed", "there is nothing here");
    }

    bool proof_was_tried = false;
};

class FakeWeb final : public acme::Web {
  public:
    explicit FakeWeb(FakeAuthority& authority) : authority_(authority) {}
    Result<acme::WebAnswer> send(const acme::WebRequest& request, const std::stop_token&) override {
        if (!authority_.reachable)
            return unavailable("no route to the authority");
        return authority_.take(request);
    }

  private:
    FakeAuthority& authority_;
};

} // namespace slashpost::test
