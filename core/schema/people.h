#pragma once
// Tables of accounts, their keys, workspaces, who works in them and who is invited to.
#include "core/base/text.h"
#include "core/data/table.h"
#include "core/model/account.h"
#include "core/model/invite.h"
#include "core/model/workspace.h"
#include "core/schema/spaces.h"

namespace slashpost {

using data::always;
using data::ChangeMark;
using data::Fan;
using data::key;
using data::Ordered;
using data::Table;
using data::Tally;
using data::Unique;
using data::when;

struct AccountTable : Table<Account> {
    AccountTable() : Table(space::accounts, "account") {}

    Unique<Account> by_username{this, 1, "username",
                                [](const Account& a) { return always(fold_case(a.username)); }};
    Ordered<Account> by_created{this, 2, "by_created", [](const Account&) { return always(); },
                                [](const Account& a) { return key(a.created_at); }};
    // Not unique: nobody has proved that an address is theirs.
    Ordered<Account> by_email{this, 3, "by_email",
                              [](const Account& a) { return when(!a.email.empty(), fold_case(a.email)); },
                              [](const Account&) { return data::Bytes(); }};
};

struct ApiKeyTable : Table<ApiKey> {
    ApiKeyTable() : Table(space::api_keys, "key") {}

    Unique<ApiKey> by_hash{this, 1, "key", [](const ApiKey& k) { return always(k.hash); }};
    Ordered<ApiKey> by_account{this, 2, "by_account", [](const ApiKey& k) { return always(k.account); },
                               [](const ApiKey& k) { return key(k.created_at); }};
};

struct WorkspaceTable : Table<Workspace> {
    WorkspaceTable() : Table(space::workspaces, "workspace") {}

    // Those that count for their owner's plan: what is hidden does not.
    Ordered<Workspace> by_owner{this, 1, "by_owner",
                                [](const Workspace& w) { return when(!w.hidden(), w.owner); },
                                [](const Workspace&) { return data::Bytes(); }};
    Tally<Workspace> per_owner{this, 1, "per_owner",
                               [](const Workspace& w) { return when(!w.hidden(), w.owner); }};
};

struct MemberTable : Table<Member> {
    MemberTable() : Table(space::members, "teammate") {}

    Ordered<Member> by_account{this, 1, "by_account", [](const Member& m) { return always(m.account); },
                               [](const Member& m) { return key(m.created_at); }};
    Tally<Member> per_workspace{this, 1, "per_workspace",
                                [](const Member& m) { return always(m.workspace); }};
};

struct InviteTable : Table<Invite> {
    InviteTable() : Table(space::invites, "invite") {}

    // An address has an '@', so no account is taken for one.
    static std::string to_whom(const Invite& i) {
        return i.invitee.empty() ? fold_case(i.email) : i.invitee.hex();
    }

    Unique<Invite> by_token{this, 1, "token",
                            [](const Invite& i) { return when(!i.token_hash.empty(), i.token_hash); }};
    // Of an address there is one invite at a time that can still be accepted, and so of an account.
    Unique<Invite> open{this, 2, "email", [](const Invite& i) {
                            return when(!i.accepted_at.has_value(), i.workspace, to_whom(i));
                        }};
    // Those that an account can accept which has the address, or is the one.
    Ordered<Invite> by_receiver{this, 4, "by_receiver",
                                [](const Invite& i) { return when(!i.accepted_at.has_value(), to_whom(i)); },
                                [](const Invite&) { return data::Bytes(); }};
    // Ids are in the order of creation, and the time of creation says which are over.
    Ordered<Invite> by_created{this, 3, "by_created",
                               [](const Invite& i) { return always(i.workspace, i.accepted_at.has_value()); },
                               [](const Invite&) { return data::Bytes(); }};
    Tally<Invite> per_workspace{this, 1, "per_workspace", [](const Invite& i) {
                                    return always(i.workspace, i.accepted_at.has_value());
                                }};
};

} // namespace slashpost
