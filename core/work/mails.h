#pragma once
// The outbox: mails that wait to be sent. A mail is a row, written in the transaction that is its reason; a
// thread of the server takes those that are due, one at a time, and books what became of each
// (app/mail/mailer.h).
//
// Taking a mail books the attempt and says when the next would be, so a mail that was being sent when the
// process ended is tried again: nobody knows whether it had gone out. One that did go out is erased. The
// words are made when a mail is taken, with a new token, so that no token is ever stored.
#include "core/access/context.h"
#include "core/model/work.h"

namespace slashpost {

// Part of the transaction that is the mail's reason. A subject has one mail at a time.
Result<void> enqueue_mail(const SystemContext& system, MailKind kind, const RawId& subject);
// Succeeds when there is none.
Result<void> withdraw_mail(data::Txn& txn, MailKind kind, const RawId& subject);

struct Letter {
    MailId mail;
    std::string to;
    std::string subject;
    std::string text; // UTF-8; lines end in \n
    Timestamp date;
};

inline constexpr std::uint32_t mail_attempts_max = 16; // which take more than a day
// After so many attempts: 5 s, then twice as long each time, up to 6 hours.
std::int64_t seconds_before_next_attempt(std::uint32_t attempts);

Result<bool> mail_is_due(data::View& view, Timestamp now);
// The mail that is due longest. Those that nobody wants any more, because their invite was accepted, say, are
// dropped on the way. Nothing: none is due.
Result<std::optional<Letter>> take_due_mail(SystemContext& system);

struct MailOutcome {
    enum class Kind : std::uint8_t {
        sent,   // a mail server took it
        later,  // it may go well another time
        refused // it never will
    };
    Kind kind = Kind::sent;
    std::string reason; // unless it was sent
};

// True when the mail is done with: sent, refused, or tried for the last time.
Result<bool> book_outcome(SystemContext& system, MailId id, const MailOutcome& outcome);

} // namespace slashpost
