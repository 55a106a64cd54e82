#include "core/ops/provider_visits.h"

#include "core/base/base64.h"
#include "core/base/sealed.h"
#include "core/base/secret.h"
#include "core/schema/store.h"

#include <charconv>
#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::size_t id_characters = 32;
constexpr std::size_t secret_characters = 64;

std::string derived(std::string_view what, std::string_view secret) {
    return base64url(sha256(fmt::format("{} {}", what, secret)));
}

// Apart from what else is sealed with it.
Result<std::string> key_for_visits(SystemContext& system) {
    return "visits to the provider " + TRY(ensure_click_id_key(system.txn, system.tools.random));
}

} // namespace

std::string ProviderVisit::state() const { return derived("state", secret); }

std::string ProviderVisit::nonce() const { return derived("nonce", secret); }

std::string ProviderVisit::verifier() const { return derived("verifier", secret); }

Result<BegunVisit> begin_provider_visit(SystemContext& system, AccountId connects) {
    BegunVisit out{
        .visit = {.secret = make_token(system.tools.random), .connects = connects, .begun_at = system.now},
        .sealed = {}};
    const auto text = fmt::format("{}{}{}", connects.hex(), out.visit.secret, out.visit.begun_at.ms);
    out.sealed = base64url(seal(text, TRY(key_for_visits(system)), system.tools.random));
    return out;
}

Result<std::optional<ProviderVisit>> open_provider_visit(SystemContext& system, std::string_view sealed) {
    const auto bytes = from_base64url(sealed);
    const auto text = bytes ? unseal(*bytes, TRY(key_for_visits(system))) : std::nullopt;
    if (!text || text->size() <= id_characters + secret_characters)
        return std::optional<ProviderVisit>();
    const auto account = AccountId::parse(std::string_view(*text).substr(0, id_characters));
    ProviderVisit out{.secret = text->substr(id_characters, secret_characters),
                      .connects = account.value_or(AccountId()),
                      .begun_at = {}};
    const auto* const end = text->data() + text->size();
    const auto read = std::from_chars(text->data() + id_characters + secret_characters, end, out.begun_at.ms);
    if (read.ec != std::errc{} || read.ptr != end ||
        out.begun_at.plus_seconds(provider_visit_seconds) <= system.now)
        return std::optional<ProviderVisit>();
    return std::optional(std::move(out));
}

} // namespace slashpost
