#include "app/acme/order_steps.h"

#include <algorithm>
#include <array>
#include <utility>

namespace slashpost::acme {

namespace {

constexpr std::int64_t shortest_wait_ms = 200, longest_wait_ms = 30'000;
constexpr std::int64_t first_wait_ms = 500, usual_wait_max_ms = 8'000;
constexpr std::uint32_t doublings_max = 16;
constexpr std::uint16_t http_port = 80;

Step step_of_pending(const OrderView& seen) {
    switch (seen.authorization) {
    case Status::unknown:
        return Step::read_authorization;
    case Status::pending:
        // A challenge that was answered goes from pending to processing, and stays in it as long as the
        // authority tries.
        return seen.challenge == Status::processing ? Step::wait_for_proof
               : seen.challenge == Status::pending  ? Step::prove
                                                    : Step::give_up;
    case Status::valid:
        return Step::wait_for_proof; // the order becomes ready in a moment
    default:
        return Step::give_up;
    }
}

} // namespace

Status status_of(std::string_view word) {
    static constexpr std::array<std::pair<std::string_view, Status>, 8> words{
        {{"pending", Status::pending},
         {"processing", Status::processing},
         {"ready", Status::ready},
         {"valid", Status::valid},
         {"invalid", Status::invalid},
         {"deactivated", Status::deactivated},
         {"expired", Status::expired},
         {"revoked", Status::revoked}}};
    const auto* const found = std::ranges::find(words, word, &std::pair<std::string_view, Status>::first);
    return found == words.end() ? Status::unknown : found->second;
}

Step next_step(const OrderView& seen) {
    switch (seen.order) {
    case Status::pending:
        return step_of_pending(seen);
    case Status::ready:
        return Step::finalize;
    case Status::processing:
        return Step::wait_for_certificate;
    case Status::valid:
        return Step::download;
    default:
        return Step::give_up;
    }
}

std::int64_t wait_before_asking(std::uint32_t asked, std::optional<std::int64_t> retry_seconds) {
    if (retry_seconds)
        return std::clamp(*retry_seconds * 1000, shortest_wait_ms, longest_wait_ms);
    return std::min(first_wait_ms << std::min(asked, doublings_max), usual_wait_max_ms);
}

Method method_for(Method chosen, const Listeners& listeners) {
    if (chosen != Method::automatic)
        return chosen;
    return listeners.http_port == http_port || !listeners.has_tls ? Method::http_01 : Method::tls_alpn_01;
}

std::string_view name_of(Method method) {
    if (method == Method::automatic)
        return {};
    return method == Method::http_01 ? "http-01" : "tls-alpn-01";
}

} // namespace slashpost::acme
