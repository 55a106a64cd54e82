#pragma once
// An invitation to work in a workspace, sent to an e-mail address (interface 3.4, wire "Workspaces, people").
#include "core/model/workspace.h"

namespace slashpost {

// Follows from the row and the time; not stored.
enum class InviteStatus : std::uint8_t { pending, accepted, expired };

struct Invite {
    static constexpr std::int64_t valid_seconds = 30LL * 24 * 3600; // wire "Workspaces, people"

    InviteId id;
    WorkspaceId workspace;
    std::string email; // as given, an address (core/base/email.h); empty for one to an account
    Role role = Role::viewer;
    std::string message; // from the sender; empty: none
    AccountId sender;    // the invite is good while this account may still send such a one
    // SHA-256 of the token that was given out last, 32 bytes. Empty: none was yet, or it is used up.
    std::string token_hash;
    Timestamp created_at; // always id.made_at()
    std::optional<Timestamp> accepted_at;
    std::optional<AccountId> accepted_by;
    std::optional<Timestamp> mailed_at; // a mail server took the mail
    std::string mail_error;             // why the mail was given up; empty: it was not
    AccountId invitee;                  // of an invite to an account, whatever its address is
    data::Unknown unknown;

    [[nodiscard]] Timestamp expires_at() const { return created_at.plus_seconds(valid_seconds); }
    [[nodiscard]] InviteStatus status(Timestamp now) const {
        if (accepted_at)
            return InviteStatus::accepted;
        return expires_at() > now ? InviteStatus::pending : InviteStatus::expired;
    }

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Invite& i) { return data::Bytes(i.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Invite::id),
                          stored(2, "workspace", &Invite::workspace),
                          stored(3, "email", &Invite::email),
                          stored(4, "role", &Invite::role),
                          stored(5, "message", &Invite::message),
                          stored(6, "sender", &Invite::sender),
                          stored(7, "token_hash", &Invite::token_hash),
                          stored(8, "created_at", &Invite::created_at),
                          stored(9, "accepted_at", &Invite::accepted_at),
                          stored(10, "accepted_by", &Invite::accepted_by),
                          stored(11, "mailed_at", &Invite::mailed_at),
                          stored(12, "mail_error", &Invite::mail_error),
                          stored(13, "invitee", &Invite::invitee)};
    }
};

} // namespace slashpost
