#include "core/access/membership.h"

#include "core/schema/schema.h"

namespace slashpost {

Result<Member> join_workspace(const Desk& desk, WorkspaceId workspace, AccountId account, Role role) {
    Member member{.workspace = workspace,
                  .account = account,
                  .role = role,
                  .created_at = desk.now,
                  .invites_end = desk.tools.ids.next<InviteId>(),
                  .unknown = {}};
    TRY(schema().members.insert(desk.txn, member));
    return member;
}

Result<Member> change_role(const Desk& desk, const Member& was, Role role) {
    auto member = was;
    member.role = role;
    if (role < was.role)
        member.invites_end = desk.tools.ids.next<InviteId>();
    TRY(schema().members.update(desk.txn, was, member));
    return member;
}

} // namespace slashpost
