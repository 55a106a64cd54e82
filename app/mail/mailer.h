#pragma once
// The thread that sends the mails of the outbox (core/work/mails.h), one after the other.
//
// A mail that went out is never sent again by this process, even when the store cannot be told for a while:
// that comes first, before the next mail is taken.
#include "app/log.h"
#include "app/mail/smtp.h"
#include "core/access/service.h"
#include "core/work/duty.h"

#include <memory>
#include <thread>

namespace slashpost::app {

class Mailer {
  public:
    // Starts at once. All outlive the mailer, which ends within seconds of its destruction.
    Mailer(Service& service, data::Engine& engine, const Clock& clock, Log& log,
           std::unique_ptr<MailCarrier> carrier);

  private:
    struct Unbooked {
        MailId mail;
        MailOutcome outcome;
    };
    void run(const std::stop_token& stopping);
    // Sends what is due until nothing is.
    Result<void> send_due(const std::stop_token& stopping);
    Result<void> book();

    Service& service_;
    data::Engine& engine_;
    Duty duty_; // the outbox is the store's; one server sends
    const Clock& clock_;
    Log& log_;
    const std::unique_ptr<MailCarrier> carrier_;
    std::optional<Unbooked> unbooked_; // of the thread, as is all that changes
    std::jthread thread_;
};

} // namespace slashpost::app
