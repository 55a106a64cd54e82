#pragma once
// Tables of how people sign in, and where they are signed in.
#include "core/data/table.h"
#include "core/model/sign_in.h"
#include "core/schema/people.h"

namespace slashpost {

struct CredentialsTable : Table<Credentials> {
    CredentialsTable() : Table(space::credentials, "password") {}
};

struct IdentityTable : Table<Identity> {
    IdentityTable() : Table(space::identities, "identity") {}

    Unique<Identity> by_subject{this, 1, "identity",
                                [](const Identity& i) { return always(i.issuer, i.subject); }};
};

struct SessionTable : Table<Session> {
    SessionTable() : Table(space::sessions, "session") {}

    Unique<Session> by_token{this, 1, "token", [](const Session& s) { return always(s.token_hash); }};
    // The one that was not used for the longest time first.
    Ordered<Session> by_account{this, 2, "by_account", [](const Session& s) { return always(s.account); },
                                [](const Session& s) { return key(s.used_at); }};
    Ordered<Session> by_end{this, 3, "by_end", [](const Session&) { return always(); },
                            [](const Session& s) { return key(s.ends_at()); }};
};

struct SignInTokenTable : Table<SignInToken> {
    SignInTokenTable() : Table(space::sign_in_tokens, "token") {}

    Unique<SignInToken> by_token{this, 1, "token", [](const SignInToken& t) { return always(t.token_hash); }};
    Ordered<SignInToken> by_account{this, 2, "by_account",
                                    [](const SignInToken& t) { return always(t.account); },
                                    [](const SignInToken& t) { return key(t.created_at); }};
    Ordered<SignInToken> by_end{this, 3, "by_end", [](const SignInToken&) { return always(); },
                                [](const SignInToken& t) { return key(t.ends_at()); }};
};

struct SignInTriesTable : Table<SignInTries> {
    SignInTriesTable() : Table(space::sign_in_tries, "tries") {}

    Ordered<SignInTries> by_end{this, 1, "by_end", [](const SignInTries&) { return always(); },
                                [](const SignInTries& t) { return key(t.forgotten_at); }};
};

} // namespace slashpost
