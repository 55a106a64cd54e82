#include "app/hooks/hook_sender.h"

#include "app/background.h"
#include "core/access/webhook_signing.h"
#include "core/base/guarded.h"
#include "core/base/pause.h"
#include "core/ops/events.h"
#include "http/api/webhook_shapes.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>

namespace slashpost::app {

namespace {

constexpr std::chrono::milliseconds look_every{250};
constexpr std::chrono::milliseconds busy_wait{5}; // for outcomes, while more is to be done
constexpr std::chrono::milliseconds trouble_pause{1'000};

// As Standard Webhooks say: any 2xx is success, 410 asks to be left alone.
Verdict verdict_of(std::uint16_t status) {
    constexpr std::uint16_t gone = 410;
    if (status >= 200 && status < 300)
        return Verdict::delivered;
    return status == gone ? Verdict::gone : Verdict::failed;
}

} // namespace

HookSender::HookSender(Service& service, data::Engine& engine, const Clock& clock, Log& log,
                       std::unique_ptr<Poster> poster)
    : engine_(engine),
      clock_(clock),
      log_(log),
      duty_(engine, "webhooks"),
      queue_(service, engine, clock),
      poster_(std::move(poster)),
      thread_([this](const std::stop_token& stopping) { run(stopping); }) {}

void HookSender::run(const std::stop_token& stopping) {
    ::pthread_setname_np(::pthread_self(), "hooks");
    lower_priority();
    bool in_trouble = false;
    while (!stopping.stop_requested()) {
        const auto more = guarded([&] { return work(); });
        if (!more.has_value() && !in_trouble)
            log_.warn("webhooks have to wait", {{"reason", more.error().message}});
        in_trouble = !more.has_value();
        if (in_trouble)
            pause(stopping, trouble_pause);
        else
            take_outcomes(*more ? busy_wait : look_every);
    }
}

Result<bool> HookSender::work() {
    if (!TRY(duty_.is_mine()))
        return false;
    TRY(queue_.book(unbooked_));
    unbooked_.clear();
    const bool more = TRY(queue_.look_at_events());
    const auto attempts = TRY(queue_.take(under_way_max - std::min(under_way_max, poster_->under_way())));
    for (const auto& attempt : attempts) {
        auto begun = guarded([&]() -> Result<void> {
            poster_->begin(TRY(post_of(attempt)));
            return {};
        });
        if (!begun.has_value()) // counts as an attempt, or nothing would be known of it
            unbooked_.push_back({.delivery = Delivery::primary_of(attempt.delivery),
                                 .text = begun.error().message,
                                 .retry_after_seconds = {}});
    }
    return more || !unbooked_.empty();
}

Result<Post> HookSender::post_of(const DeliveryAttempt& attempt) {
    const auto& delivery = attempt.delivery;
    const auto body = attempt.event ? api::webhook_message(TRY(engine_.read([&](data::View& view) {
        return details_of(view, *attempt.event);
    })))
                                    : api::webhook_test_message(delivery);
    const auto id = delivery.event.hex();
    const auto seconds = clock_.now().ms / 1000;
    return Post{
        .id = Delivery::primary_of(delivery),
        .url = attempt.url,
        .headers = {"Content-Type: application/json", fmt::format("webhook-id: {}", id),
                    fmt::format("webhook-timestamp: {}", seconds),
                    fmt::format("webhook-signature: {}",
                                webhook_signature(attempt.signature, attempt.secrets, id, seconds, body))},
        .body = body};
}

void HookSender::take_outcomes(std::chrono::milliseconds longest) {
    for (auto& one : poster_->wait(longest))
        unbooked_.push_back({.delivery = std::move(one.id),
                             .verdict = verdict_of(one.answered),
                             .answered = one.answered,
                             .text = std::move(one.text),
                             .took_ms = static_cast<std::uint32_t>(one.took.count()),
                             .retry_after_seconds = one.retry_after_seconds});
}

} // namespace slashpost::app
