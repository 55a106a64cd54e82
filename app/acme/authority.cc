#include "app/acme/authority.h"

#include "core/base/base64.h"
#include "core/base/errors.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost::acme {

namespace {

namespace json = boost::json;

constexpr std::string_view error_prefix = "urn:ietf:params:acme:error:";
constexpr int nonce_tries_max = 20;
constexpr long too_many_requests = 429;
constexpr long server_errors = 500;

std::string text_of(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(json::string_view(name.data(), name.size()));
    return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

const json::object* object_of(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(json::string_view(name.data(), name.size()));
    return value ? value->if_object() : nullptr;
}

const json::array* list_of(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(json::string_view(name.data(), name.size()));
    return value ? value->if_array() : nullptr;
}

Result<json::object> parse(std::string_view body) {
    boost::system::error_code error;
    auto value = json::parse(json::string_view(body.data(), body.size()), error);
    if (error || !value.is_object())
        return unavailable("the certificate authority answers something that is no JSON object");
    return std::move(value.get_object());
}

// "malformed" of "urn:ietf:params:acme:error:malformed".
std::string kind_of(const json::object& problem) {
    const auto type = text_of(problem, "type");
    return type.starts_with(error_prefix) ? type.substr(error_prefix.size()) : type;
}

// What a problem document (RFC 7807) says, on one line: it is shown to people.
std::string words_of(const json::object& problem) {
    auto words = text_of(problem, "detail");
    if (const auto* parts = list_of(problem, "subproblems"))
        for (const auto& part : *parts)
            if (const auto* object = part.if_object())
                words += fmt::format("{}{}", words.empty() ? "" : "; ", text_of(*object, "detail"));
    const auto kind = kind_of(problem);
    if (words.empty())
        words = kind.empty() ? "it gives no reason" : kind;
    else if (!kind.empty())
        words += fmt::format(" ({})", kind);
    for (char& c : words)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
            c = ' ';
    return words;
}

} // namespace

Authority::Authority(Web& web, const Clock& clock, std::string directory, Timestamp deadline, Wait wait,
                     const std::stop_token& stopping)
    : web_(web),
      clock_(clock),
      directory_url_(std::move(directory)),
      deadline_(deadline),
      wait_(std::move(wait)),
      stopping_(stopping) {}

std::string Authority::authorization_of(std::string_view token) const {
    return key_->authorization_of(token);
}

Result<WebAnswer> Authority::send(const WebRequest& request) {
    if (stopping_.stop_requested())
        return unavailable("the server stops");
    if (clock_.now() >= deadline_)
        return refused("TooSlow", "certificate", "the certificate authority took too long");
    auto answer = TRY(web_.send(request, stopping_));
    if (!answer.nonce.empty())
        nonce_ = answer.nonce;
    return answer;
}

std::unexpected<Error> Authority::refusal(const WebAnswer& answer) {
    const auto problem = parse(answer.body);
    const auto words = problem.has_value() ? words_of(*problem) : std::string("it gives no reason");
    if (answer.status == too_many_requests || answer.retry_after)
        retry_at_ = clock_.now().plus_seconds(answer.retry_after.value_or(0));
    forgot_account_ = problem.has_value() && kind_of(*problem) == "accountDoesNotExist";
    auto sentence =
        fmt::format("the certificate authority refuses (HTTP status {}): {}", answer.status, words);
    if (answer.status >= server_errors)
        return unavailable(std::move(sentence));
    return refused(problem.has_value() ? kind_of(*problem) : "", "certificate", std::move(sentence));
}

Result<json::object> Authority::directory() {
    if (!directory_) {
        const auto answer = TRY(send({.method = WebRequest::Method::get, .url = directory_url_, .body = {}}));
        if (answer.status != 200)
            return unavailable(fmt::format("there is no certificate authority at {} (HTTP status {})",
                                           directory_url_, answer.status));
        directory_ = TRY(parse(answer.body));
    }
    return *directory_;
}

Result<std::string> Authority::address(std::string_view name) {
    auto found = text_of(TRY(directory()), name);
    if (found.empty())
        return unavailable(fmt::format("the directory at {} has no {}", directory_url_, name));
    return found;
}

Result<std::string> Authority::nonce() {
    if (nonce_.empty())
        TRY(send({.method = WebRequest::Method::head, .url = TRY(address("newNonce")), .body = {}}));
    if (nonce_.empty())
        return unavailable("the certificate authority gives no nonce");
    return std::exchange(nonce_, {}); // each is good once
}

Result<WebAnswer> Authority::post(const std::string& url, std::string_view payload, bool by_key) {
    std::optional<WebAnswer> answer;
    for (int tries = 0; tries < nonce_tries_max; ++tries) {
        const auto who = by_key ? fmt::format(R"("jwk":{})", key_->jwk())
                                : fmt::format(R"("kid":{})", json::serialize(json::value(account_url_)));
        const auto header =
            fmt::format(R"({{"alg":"ES256",{},"nonce":{},"url":{}}})", who,
                        json::serialize(json::value(TRY(nonce()))), json::serialize(json::value(url)));
        answer = TRY(send({.method = WebRequest::Method::post,
                           .url = url,
                           .body = TRY(key_->sign(header, payload)),
                           .content_type = "application/jose+json"}));
        if (answer->status < 400)
            return *std::move(answer);
        const auto problem = parse(answer->body);
        if (!problem.has_value() || kind_of(*problem) != "badNonce")
            break;
    }
    return refusal(*answer);
}

Result<json::object> Authority::post_for_object(const std::string& url, std::string_view payload) {
    return parse(TRY(post(url, payload)).body);
}

Result<void> Authority::sign_in(AcmeAccount& account, const std::string& email) {
    key_ = TRY(SigningKey::of_pem(account.key));
    account_url_ = account.url;
    json::array contact;
    if (!email.empty())
        contact.emplace_back("mailto:" + email);
    if (!account.url.empty()) {
        if (account.email != email)
            TRY(post(account_url_, json::serialize(json::object{{"contact", contact}})));
        account.email = email;
        return {};
    }
    if (const auto* meta = object_of(TRY(directory()), "meta"))
        if (const auto* external = meta->if_contains("externalAccountRequired"))
            if (external->is_bool() && external->get_bool())
                return refused("ExternalAccount", "certificate",
                               "this certificate authority wants an account that was made elsewhere, which "
                               "this server cannot use; give another one with --acme");
    const auto answer =
        TRY(post(TRY(address("newAccount")),
                 json::serialize(json::object{{"termsOfServiceAgreed", true}, {"contact", contact}}), true));
    if (answer.location.empty())
        return unavailable("the certificate authority does not say where the account is");
    account.url = account_url_ = answer.location;
    account.email = email;
    return {};
}

Result<Authority::Order> Authority::begin_order(std::string_view host, const std::string& replaces) {
    json::object wanted{
        {"identifiers", json::array{json::object{{"type", "dns"}, {"value", std::string(host)}}}}};
    const auto url = TRY(address("newOrder"));
    if (!replaces.empty() && TRY(directory()).contains("renewalInfo"))
        wanted.emplace("replaces", replaces);
    auto answer = post(url, json::serialize(wanted));
    // As it may say of a certificate that somebody renewed already, or that it does not know (RFC 9773, 5).
    if (!answer.has_value() && answer.error().kind == ErrorKind::refused &&
        (answer.error().code == "alreadyReplaced" || answer.error().code == "malformed") &&
        wanted.erase("replaces") > 0)
        answer = post(url, json::serialize(wanted));
    const auto made = TRY(std::move(answer));
    Order order;
    order.url = made.location;
    if (order.url.empty())
        return unavailable("the certificate authority does not say where the order is");
    TRY(take_order(TRY(parse(made.body)), order));
    return order;
}

Result<void> Authority::take_order(const json::object& object, Order& order) {
    order.seen.order = status_of(text_of(object, "status"));
    order.finalize_url = text_of(object, "finalize");
    order.certificate_url = text_of(object, "certificate");
    if (const auto* authorizations = list_of(object, "authorizations");
        authorizations && authorizations->size() == 1 && authorizations->front().is_string())
        order.authorization_url = authorizations->front().get_string();
    if (const auto* problem = object_of(object, "error"))
        order.trouble = words_of(*problem);
    if (order.finalize_url.empty() || order.authorization_url.empty())
        return unavailable("the certificate authority's order is not one for one host");
    return {};
}

Result<void> Authority::read_order(Order& order) {
    const auto answer = TRY(post(order.url, ""));
    order.retry_after = answer.retry_after;
    return take_order(TRY(parse(answer.body)), order);
}

Result<void> Authority::read_authorization(Order& order, Method method) {
    const auto answer = TRY(post(order.authorization_url, ""));
    order.retry_after = answer.retry_after;
    const auto object = TRY(parse(answer.body));
    order.seen.authorization = status_of(text_of(object, "status"));
    order.seen.challenge = Status::unknown;
    const auto* challenges = list_of(object, "challenges");
    for (const auto& item : challenges ? *challenges : json::array()) {
        const auto* challenge = item.if_object();
        if (!challenge || text_of(*challenge, "type") != name_of(method))
            continue;
        order.seen.challenge = status_of(text_of(*challenge, "status"));
        order.challenge_url = text_of(*challenge, "url");
        order.token = text_of(*challenge, "token");
        if (const auto* problem = object_of(*challenge, "error"))
            order.trouble = "it cannot see that the domain is ours: " + words_of(*problem);
    }
    if (order.seen.challenge == Status::unknown && order.seen.authorization == Status::pending)
        order.trouble = fmt::format("it does not offer to verify the domain by {}", name_of(method));
    return {};
}

Result<void> Authority::take_step(Step step, Order& order, Method method, const Prove& prove,
                                  std::string_view csr) {
    switch (step) {
    case Step::read_authorization:
        return read_authorization(order, method);
    case Step::prove:
        TRY(prove(order.token));
        TRY(post(order.challenge_url, "{}"));
        order.seen.challenge = Status::processing;
        return {};
    case Step::wait_for_proof: {
        const bool proved = order.seen.authorization == Status::valid;
        TRY(read_authorization(order, method));
        // An authority may leave a challenge pending while it looks: it was answered all the same.
        if (order.seen.challenge == Status::pending)
            order.seen.challenge = Status::processing;
        return proved || order.seen.authorization == Status::valid ? read_order(order) : Result<void>();
    }
    case Step::finalize: {
        const auto made =
            TRY(post_for_object(order.finalize_url, json::serialize(json::object{{"csr", base64url(csr)}})));
        return take_order(made, order);
    }
    case Step::wait_for_certificate:
        return read_order(order);
    case Step::download:
    case Step::give_up:
        break;
    }
    return {};
}

Result<IssuedCertificate> Authority::obtain(std::string_view host, const std::string& replaces, Method method,
                                            const Prove& prove) {
    const auto key = TRY(SigningKey::make());
    const auto csr = TRY(key.certificate_request(host));
    auto order = TRY(begin_order(host, replaces));
    std::uint32_t asked = 0;
    for (;;) {
        const auto step = next_step(order.seen);
        if (step == Step::download)
            return read_issued(TRY(post(order.certificate_url, "")).body, TRY(key.pem()), host);
        if (step == Step::give_up)
            return refused("Invalid", "certificate",
                           fmt::format("the certificate authority gives no certificate: {}",
                                       order.trouble.empty() ? "it gives no reason" : order.trouble));
        if (step == Step::wait_for_proof || step == Step::wait_for_certificate)
            wait_(wait_before_asking(asked++, std::exchange(order.retry_after, std::nullopt)));
        TRY(take_step(step, order, method, prove, csr));
    }
}

Result<Renewal> Authority::ask_about(const std::string& renewal_id) {
    const auto base = text_of(TRY(directory()), "renewalInfo");
    if (base.empty())
        return Renewal{};
    const auto answer =
        TRY(send({.method = WebRequest::Method::get, .url = base + "/" + renewal_id, .body = {}}));
    Renewal out{.window = {}, .ask_in = answer.retry_after};
    if (answer.status != 200)
        return out;
    const auto object = TRY(parse(answer.body));
    const auto* window = object_of(object, "suggestedWindow");
    const auto start = window ? parse_iso(text_of(*window, "start")) : std::nullopt;
    const auto end = window ? parse_iso(text_of(*window, "end")) : std::nullopt;
    if (start && end && *start < *end)
        out.window = RenewalWindow{.start = *start, .end = *end};
    return out;
}

} // namespace slashpost::acme
