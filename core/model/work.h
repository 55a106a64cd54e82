#pragma once
// What remains to be done after a commit: jobs, worked off in batches, mails, and the traces of erased rows.
#include "core/data/codec.h"
#include "core/data/key.h"

namespace slashpost {

// On disk: never renumber.
enum class JobKind : std::uint8_t {
    detach_tag = 1,       // subject: the tag, erased already; take it off all links
    detach_script = 2,    // the same for a script
    purge_workspace = 3,  // deleted already; delete its links and all that is in it
    purge_domain = 4,     // subject: the domain, erased already; erase its statistics
    retire_links = 5,     // subject: a domain; delete the links that the workspace has on it
    purge_webhook = 6,    // subject: the webhook, erased already; erase its deliveries
    reset_statistics = 7, // subject: a link; erase what was counted of it before the day ahead of the job's
};

// Written in the transaction that makes it necessary, erased in the one that finishes it (core/work/jobs.h).
struct Job {
    JobId id;
    JobKind kind = JobKind::detach_tag;
    WorkspaceId workspace;
    RawId subject;
    Timestamp created_at;
    data::Bytes done; // how far it has come, in the words of its kind
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Job& j) { return data::Bytes(j.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Job::id),
                          stored(2, "kind", &Job::kind),
                          stored(3, "workspace", &Job::workspace),
                          stored(4, "subject", &Job::subject),
                          stored(5, "created_at", &Job::created_at),
                          stored(6, "done", &Job::done)};
    }
};

// On disk: never renumber.
enum class MailKind : std::uint8_t {
    invite = 1,           // subject: the invite
    sign_in = 2,          // subject: the account that asked for a one-time address
    webhook_disabled = 3, // subject: the webhook
    email = 4,            // subject: the account that is to have another e-mail address (core/ops/profile.h)
};

// A mail that waits to be sent (core/work/mails.h). Its words are made when it is, so that no token is
// stored.
struct Mail {
    MailId id;
    MailKind kind = MailKind::invite;
    RawId subject;
    Timestamp created_at;
    Timestamp due_at;           // of the next attempt
    std::uint32_t attempts = 0; // begun
    std::string last_error;     // of the last one, for the operator
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Mail& m) { return data::Bytes(m.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Mail::id),
                          stored(2, "kind", &Mail::kind),
                          stored(3, "subject", &Mail::subject),
                          stored(4, "created_at", &Mail::created_at),
                          stored(5, "due_at", &Mail::due_at),
                          stored(6, "attempts", &Mail::attempts),
                          stored(7, "last_error", &Mail::last_error)};
    }
};

// What is left of an erased row for a while, so that a list can go on from it (core/ops/cursors.h).
struct Tombstone {
    std::uint16_t space = 0; // number of the erased row's space
    std::string primary;     // its primary key, at most primary_max bytes
    std::string row;         // encoded, perhaps without what no order looks at
    Timestamp until;
    data::Unknown unknown;

    static constexpr std::size_t primary_max = 32;
    static constexpr std::size_t primary_bytes = 2 + primary_max; // shorter ones are filled up with zeros
    static data::Bytes primary_of(const Tombstone& t) {
        auto key = data::key(t.space) + t.primary;
        key.resize(primary_bytes);
        return key;
    }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "space", &Tombstone::space), stored(2, "primary", &Tombstone::primary),
                          stored(3, "row", &Tombstone::row), stored(4, "until", &Tombstone::until)};
    }
};

} // namespace slashpost
