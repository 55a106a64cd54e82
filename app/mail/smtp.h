#pragma once
// Gives letters to the mail server of the settings, over SMTP, with libcurl. The only place that knows it.
//
// smtps:// is TLS from the first byte, smtp:// begins it with STARTTLS. Either way nothing is sent, neither a
// password nor a letter, whose token is as good as one, before there is TLS with a certificate that is good
// for the host. A server of this machine, localhost, 127.0.0.1 or [::1], is the exception with smtp://: what
// goes there is on no wire, so STARTTLS is used if it is offered, whosever certificate it is. Nothing is
// taken from the environment: no proxy, no .netrc.
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
    std::string url;       // smtp://host[:port] or smtps://host[:port]
    std::string from;      // an address
    std::string user;      // empty: without a login
    std::string password;  // never in a log
    std::string ca_file;   // of certificates to trust; empty: the system's
    bool insecure = false; // TLS only if the server has it, and with any certificate
};

// Safe to use from one thread at a time. Keeps the connection from one letter to the next.
std::unique_ptr<MailCarrier> make_smtp_carrier(const SmtpOptions& options);

} // namespace slashpost::app
