#include "core/access/membership.h"

#include "core/schema/schema.h"

namespace slashpost {

Result<Member> join_workspace(const SystemContext& system, WorkspaceId workspace, AccountId account,
                              Role role) {
    Member member{.workspace = workspace,
                  .account = account,
                  .role = role,
                  .created_at = system.now,
                  .invites_end = system.tools.ids.next<InviteId>(),
                  .unknown = {}};
    TRY(schema().members.insert(system.txn, member));
    return member;
}

Result<Member> change_role(const SystemContext& system, const Member& was, Role role) {
    auto member = was;
    member.role = role;
    if (role < was.role)
        member.invites_end = system.tools.ids.next<InviteId>();
    TRY(schema().members.update(system.txn, was, member));
    return member;
}

} // namespace slashpost
