#pragma once
// A provider of OpenID Connect: where it is, by its own document (Discovery 1.0); where the browser goes (the
// code flow with PKCE, RFC 7636); and what a code is worth. What it publishes is kept for an hour.
#include "app/oidc/id_token.h"
#include "app/web.h"
#include "core/base/time.h"
#include "http/dashboard/provider.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace slashpost::oidc {

struct ProviderOptions {
    std::string issuer;
    std::string client_id;
    std::string client_secret; // empty: a public client, which PKCE protects alone
    std::string name;
    std::string redirect_url; // where it sends browsers back to
};

class Provider final : public dashboard::Provider {
  public:
    using MakeWeb = std::function<std::unique_ptr<app::Web>()>;
    // Told what went wrong, for the log.
    using OnTrouble = std::function<void(const std::string& reason)>;

    // `clock` outlives it. `make_web` is called from any thread, once for each time that the provider is
    // spoken with.
    Provider(ProviderOptions options, const Clock& clock, MakeWeb make_web, OnTrouble on_trouble)
        : options_(std::move(options)),
          clock_(clock),
          make_web_(std::move(make_web)),
          on_trouble_(std::move(on_trouble)) {}

    [[nodiscard]] const std::string& name() const override { return options_.name; }
    Result<std::string> address_for(const ProviderVisit& visit) override;
    Result<ProvenIdentity> redeem(const ProviderVisit& visit,
                                  const dashboard::ProviderAnswer& answer) override;

  private:
    // What its document says, checked.
    struct Document {
        std::string authorization, token, keys, user_info; // addresses; the last may be empty
        bool takes_secret_in_header = true;
        bool names_itself = false; // in its answers (RFC 9207)
    };
    template <class T>
    struct Kept {
        std::shared_ptr<const T> value;
        Timestamp since;
    };
    struct Tokens {
        std::string id_token, access_token;
    };

    Result<std::shared_ptr<const Document>> document();
    Result<Document> read_document(std::string_view text) const;
    // With that key among them.
    Result<std::shared_ptr<const WebKeys>> keys_for(const Document& document, const IdToken& token);
    Result<ProvenIdentity> redeem_checked(const ProviderVisit& visit,
                                          const dashboard::ProviderAnswer& answer);
    Result<Tokens> exchange(const Document& document, const ProviderVisit& visit, const std::string& code);
    // The claims, with those that only the address for them tells.
    Result<json::object> ask_for_email(const Document& document, const std::string& access_token,
                                       const json::object& claims);
    Result<app::WebAnswer> send(const app::WebRequest& request);
    [[nodiscard]] bool may_be_asked(std::string_view url) const;
    template <class T>
    Result<T> told(Result<T> outcome);

    const ProviderOptions options_;
    const Clock& clock_;
    const MakeWeb make_web_;
    const OnTrouble on_trouble_;
    std::mutex mutex_;
    Kept<Document> document_; // guarded by mutex_, as is the next
    Kept<WebKeys> keys_;
};

} // namespace slashpost::oidc
