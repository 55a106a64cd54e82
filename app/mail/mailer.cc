#include "app/mail/mailer.h"

#include "core/base/guarded.h"
#include "core/base/pause.h"

namespace slashpost::app {

namespace {

constexpr std::chrono::milliseconds look_every{500};

} // namespace

Mailer::Mailer(Service& service, data::Engine& engine, const Clock& clock, Log& log,
               std::unique_ptr<MailCarrier> carrier)
    : service_(service),
      engine_(engine),
      duty_(engine, "mails"),
      clock_(clock),
      log_(log),
      carrier_(std::move(carrier)),
      thread_([this](const std::stop_token& stopping) { run(stopping); }) {}

void Mailer::run(const std::stop_token& stopping) {
    ::pthread_setname_np(::pthread_self(), "mail");
    bool in_trouble = false;
    while (!stopping.stop_requested()) {
        const auto done = guarded([&] { return send_due(stopping); });
        if (!done.has_value() && !in_trouble)
            log_.warn("mails have to wait", {{"reason", done.error().message}});
        in_trouble = !done.has_value();
        pause(stopping, look_every);
    }
}

Result<void> Mailer::send_due(const std::stop_token& stopping) {
    if (!TRY(duty_.is_mine()))
        return {};
    while (!stopping.stop_requested()) {
        TRY(book());
        if (!TRY(engine_.read([&](data::View& view) { return mail_is_due(view, clock_.now()); })))
            return {};
        const auto letter =
            TRY(service_.run_as_operator([](SystemContext& system) { return take_due_mail(system); }));
        if (!letter)
            return {};
        unbooked_ = {.mail = letter->mail, .outcome = carrier_->carry(*letter, stopping)};
    }
    return book();
}

Result<void> Mailer::book() {
    if (!unbooked_)
        return {};
    const auto& [mail, outcome] = *unbooked_;
    const bool done = TRY(
        service_.run_as_operator([&](SystemContext& system) { return book_outcome(system, mail, outcome); }));
    if (outcome.kind == MailOutcome::Kind::sent)
        log_.info("a mail was sent", {{"mail", mail.hex()}});
    else
        log_.warn(done ? "a mail was given up" : "a mail could not be sent and is tried again",
                  {{"mail", mail.hex()}, {"reason", outcome.reason}});
    unbooked_.reset();
    return {};
}

} // namespace slashpost::app
