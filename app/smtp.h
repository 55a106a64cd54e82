#pragma once
// Gives letters to the mail server of the settings, over SMTP, with libcurl. The only place that knows it.
//
// smtps:// is TLS from the first byte. With smtp:// the connection is made safe with STARTTLS: always before
// a password is sent to another machine, otherwise if the server offers it. Where TLS is a must, the server's
// certificate has to be good. Nothing is taken from the environment: no proxy, no .netrc.
#include "core/work/mails.h"

#include <memory>
#include <stop_token>

namespace slashpost::app {

// Who takes a letter; a test's own instead of SMTP.
class MailCarrier {
  public:
    virtual ~MailCarrier() = default;
    // Blocks until the outcome is known, or soon after `stopping`, with Kind::later.
    virtual MailOutcome carry(const Letter& letter, const std::stop_token& stopping) = 0;
};

struct SmtpOptions {
    std::string url;      // smtp://host[:port] or smtps://host[:port]
    std::string from;     // an address
    std::string user;     // empty: without a login
    std::string password; // never in a log
    std::string ca_file;  // of certificates to trust; empty: the system's
};

// Safe to use from one thread at a time. Keeps the connection from one letter to the next.
std::unique_ptr<MailCarrier> make_smtp_carrier(const SmtpOptions& options);

} // namespace slashpost::app
