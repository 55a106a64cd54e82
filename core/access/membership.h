#pragma once
// The one way in which people come into a workspace and get another role there.
//
// Who comes again, or loses a role, has sent no invite that is still good: it was the word of somebody who
// has not been there ever since. That is written down here once, in the member's row, so that no later role
// brings such an invite back (core/access/invitations.h).
#include "core/access/context.h"

namespace slashpost {

// Fails with a conflict when the account works there already.
Result<Member> join_workspace(const SystemContext& system, WorkspaceId workspace, AccountId account,
                              Role role);
// `was` is the row as stored.
Result<Member> change_role(const SystemContext& system, const Member& was, Role role);

} // namespace slashpost
