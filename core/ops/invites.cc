#include "core/ops/invites.h"

#include "core/access/invitations.h"
#include "core/access/limits.h"
#include "core/access/membership.h"
#include "core/base/email.h"
#include "core/base/text.h"
#include "core/ops/row_lists.h"
#include "core/schema/click_totals.h"
#include "core/schema/schema.h"
#include "core/work/mails.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace slashpost {

namespace {

constexpr std::array<std::string_view, 1> invite_order_names{"createdAt"};

const InviteTable& invites() { return schema().invites; }
const MemberTable& members() { return schema().members; }

Result<std::optional<Member>> member_of(data::View& view, WorkspaceId workspace, AccountId account) {
    return members().find(view, Member::primary_of({.workspace = workspace, .account = account}));
}

Result<InviteDetails> with_sender(data::View& view, Invite invite) {
    auto sender = TRY(schema().accounts.find(view, invite.sender.view()));
    if (!sender)
        return fault("an invite's sender is missing");
    auto invitee = TRY(schema().accounts.find(view, invite.invitee.view()));
    return InviteDetails{
        .invite = std::move(invite), .sender = std::move(*sender), .invitee = std::move(invitee)};
}

// Somebody of that address works here already, with nothing to gain from the role.
Result<bool> works_here(Context& ctx, std::string_view email, Role role) {
    bool found = false;
    const data::Walk walk{.scope = key(fold_case(email))};
    TRY(schema().accounts.by_email.walk(ctx.view(), walk, [&](data::BytesView primary) -> Result<bool> {
        const auto member = TRY(member_of(ctx.view(), ctx.workspace.id, *AccountId::from_bytes(primary)));
        found = member && (role != Role::owner || member->role == Role::owner);
        return !found;
    }));
    return found;
}

// The addresses without repetitions; adds a problem for each that is none or works here.
Result<std::vector<std::string>> check_emails(Context& ctx, const NewInvites& in, Problems& problems) {
    std::vector<std::string> out;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < in.emails.size(); ++i) {
        const auto property = fmt::format("emails[{}]", i);
        const std::string email(trim(in.emails[i]));
        if (in.emails[i].empty())
            continue; // noted when it was read
        if (!is_email(email))
            problems.add(invalid_format(property, "must be an e-mail address"));
        else if (TRY(works_here(ctx, email, in.role)))
            problems.add(already_exists(property));
        else if (seen.insert(fold_case(email)).second)
            out.push_back(email);
    }
    return out;
}

void check_offer(const Context& ctx, const NewInvites& in, Problems& problems) {
    if (in.role != Role::owner)
        return;
    if (ctx.workspace.is_default)
        problems.add(invalid_format("role", "cannot be owner: a default workspace stays with its account"));
    if (in.emails.size() > 1)
        problems.add(out_of_range("emails", "must be one address, as a workspace has one owner"));
}

// Counts invites against what the owner may send in a day, over all workspaces.
Result<void> count_sent(Context& ctx, std::int64_t more) {
    const auto today = day_of(ctx.now);
    auto counted = ctx.payer;
    const auto used = counted.invites_day == today ? counted.invites_sent : 0;
    TRY(admit_more(ctx, Limit::invites_per_day, used, more));
    counted.invites_day = today;
    counted.invites_sent = used + more;
    TRY(schema().accounts.update(ctx.txn(), ctx.payer, counted));
    ctx.payer = std::move(counted);
    return {};
}

Result<void> erase(data::Txn& txn, const Invite& invite, Timestamp now) {
    auto trace = invite;
    trace.message.clear();
    trace.token_hash.clear();
    TRY(keep_place(txn, invites(), trace, now));
    TRY(withdraw_mail(txn, MailKind::invite, invite.id));
    return invites().remove(txn, invite);
}

// Puts the invite, which lacks what all have, in the place of one that its receiver has.
Result<Invite> store_invite(Context& ctx, Invite invite) {
    if (const auto before = TRY(
            invites().find_by(invites().open, ctx.view(), ctx.workspace.id, InviteTable::to_whom(invite))))
        TRY(erase(ctx.txn(), *before, ctx.now));
    invite.workspace = ctx.workspace.id;
    invite.sender = ctx.account.id;
    invite.created_at = invite.id.made_at(); // lists by creation go by the id
    TRY(invites().insert(ctx.txn(), invite));
    return invite;
}

Result<SentInvite> send_one(Context& ctx, const std::string& email, const NewInvites& in) {
    Invite invite{.id = ctx.ids.next<InviteId>(),
                  .email = email,
                  .role = in.role,
                  .message = in.message,
                  .token_hash = {},
                  .mail_error = {},
                  .unknown = {}};
    std::string address;
    if (ctx.settings.sends_mail)
        TRY(enqueue_mail(ctx.system_context(), MailKind::invite, invite.id));
    else
        address = acceptance_address(ctx.settings, renew_token(ctx.random, invite));
    return SentInvite{.details = {.invite = TRY(store_invite(ctx, std::move(invite))),
                                  .sender = ctx.account,
                                  .invitee = {}},
                      .address = std::move(address)};
}

// The first invite that can still be pending: ids are in the order of creation.
data::Bytes first_pending(Timestamp now) {
    return data::Bytes(RawId::first_at({now.ms - Invite::valid_seconds * 1000 + 1}).view());
}

data::Walk walk_of(const Context& ctx, InviteStatus status) {
    data::Walk walk{.scope = key(ctx.workspace.id, status == InviteStatus::accepted)};
    if (status == InviteStatus::pending)
        walk.from = first_pending(ctx.now);
    else if (status == InviteStatus::expired)
        walk.until = first_pending(ctx.now);
    return walk;
}

// The caller becomes the owner of a workspace that it works in, and pays for it.
Result<void> take_over(Context& ctx, Workspace& workspace) {
    if (workspace.type == WorkspaceType::extended && !ctx.has(Feature::links_extended))
        return feature_not_included(to_string(Feature::links_extended));
    TRY(admit_workspace(ctx, workspace));
    const auto owner = TRY(member_of(ctx.view(), workspace.id, workspace.owner));
    if (!owner)
        return fault("a workspace's owner is no member");
    TRY(change_role(ctx.system_context(), *owner, Role::admin));
    auto changed = workspace;
    changed.owner = ctx.account.id;
    changed.updated_at = ctx.now;
    TRY(schema().workspaces.update(ctx.txn(), workspace, changed));
    workspace = std::move(changed);
    return {};
}

// Makes the caller a member with at least the role.
Result<void> take_place(Context& ctx, WorkspaceId workspace, Role role) {
    const auto before = TRY(member_of(ctx.view(), workspace, ctx.account.id));
    if (!before)
        TRY(join_workspace(ctx.system_context(), workspace, ctx.account.id, role));
    else if (before->role < role)
        TRY(change_role(ctx.system_context(), *before, role));
    return {};
}

// From here on it is the workspace's owner whose plan counts.
Result<void> let_owner_pay(Context& ctx, const Workspace& workspace) {
    auto owner = TRY(schema().accounts.find(ctx.view(), workspace.owner.view()));
    if (!owner)
        return fault("a workspace's owner is missing");
    ctx.payer = std::move(*owner);
    ctx.plan = TRY(plan_of(ctx.view(), ctx.payer));
    return {};
}

} // namespace

Result<std::vector<SentInvite>> create_invites(Context& ctx, const NewInvites& in, Problems problems) {
    if (in.role > ctx.role)
        return forbidden("invite");
    const auto emails = TRY(check_emails(ctx, in, problems));
    check_offer(ctx, in, problems);
    if (in.emails.empty() && std::ranges::none_of(problems.fields(), [](const FieldError& problem) {
            return problem.property == "emails";
        }))
        problems.add(required_field("emails"));
    TRY(problems.result("invite"));
    if (in.role != Role::owner)
        TRY(admit_more(ctx, Limit::teammates));
    TRY(count_sent(ctx, std::ssize(emails)));
    std::vector<SentInvite> out;
    out.reserve(emails.size());
    for (const auto& email : emails)
        out.push_back(TRY(send_one(ctx, email, in)));
    return out;
}

Result<Invite> invite_account(Context& ctx, const Account& person, Role role) {
    TRY(admit_more(ctx, Limit::teammates));
    TRY(count_sent(ctx, 1));
    auto invite = TRY(store_invite(ctx, {.id = ctx.ids.next<InviteId>(),
                                         .email = {},
                                         .role = role,
                                         .message = {},
                                         .token_hash = {},
                                         .mail_error = {},
                                         .invitee = person.id,
                                         .unknown = {}}));
    if (ctx.settings.sends_mail && !person.email.empty())
        TRY(enqueue_mail(ctx.system_context(), MailKind::invite, invite.id));
    return invite;
}

std::span<const std::string_view> invite_orders() { return invite_order_names; }

Result<std::vector<InviteDetails>> list_invites(Context& ctx, InviteStatus status, const PageRequest& page,
                                                Problems problems) {
    const std::array<ListOrder<Invite>, 1> orders{{{invite_order_names[0], &invites().by_created}}};
    const auto& index = read_list_order<Invite>(orders, page.order_by, problems);
    const auto last = TRY(read_last(ctx, invites(), page.last, problems));
    TRY(problems.result("invite"));

    auto walk = walk_of(ctx, status);
    walk.order = walk_order(page.direction);
    if (last)
        walk.after = index.position(*last);
    std::vector<InviteDetails> out;
    PageCount count(page);
    TRY(index.walk(ctx.view(), walk, [&](data::BytesView primary) -> Result<bool> {
        if (count.takes())
            if (auto invite = TRY(invites().find(ctx.view(), primary)))
                out.push_back(TRY(with_sender(ctx.view(), std::move(*invite))));
        return !count.is_full();
    }));
    return out;
}

Result<std::int64_t> count_invites(Context& ctx, InviteStatus status, const Problems& problems) {
    TRY(problems.result("invite"));
    if (status == InviteStatus::accepted)
        return invites().per_workspace.count(ctx.view(), ctx.workspace.id, true);
    std::int64_t count = 0; // a month's invites at most, or else what is not among them
    TRY(invites().by_created.walk(ctx.view(), walk_of(ctx, InviteStatus::pending),
                                  [&](data::BytesView) -> Result<bool> {
                                      ++count;
                                      return true;
                                  }));
    if (status == InviteStatus::pending)
        return count;
    return TRY(invites().per_workspace.count(ctx.view(), ctx.workspace.id, false)) - count;
}

Result<InviteDetails> withdraw_invite(Context& ctx, const Invite& invite) {
    auto system = ctx.system_context();
    TRY(withdraw_any_invite(system, invite));
    return with_sender(ctx.view(), invite);
}

Result<std::vector<AcceptedInvite>> list_received_invites(Context& ctx) {
    std::vector<AcceptedInvite> out;
    for (const auto& receiver : {ctx.account.id.hex(), fold_case(ctx.account.email)}) {
        if (receiver.empty())
            continue;
        data::Walk walk{.scope = key(receiver)};
        TRY(invites().by_receiver.walk(ctx.view(), walk, [&](data::BytesView primary) -> Result<bool> {
            auto invite = TRY(invites().find(ctx.view(), primary));
            auto workspace =
                invite ? TRY(invited_to(ctx.view(), *invite, ctx.now)) : std::optional<Workspace>();
            if (workspace)
                out.push_back({.details = TRY(with_sender(ctx.view(), std::move(*invite))),
                               .workspace = std::move(*workspace)});
            return out.size() < received_invites_max;
        }));
    }
    std::ranges::sort(out, {}, [](const AcceptedInvite& one) { return one.details.invite.id; });
    if (out.size() > received_invites_max)
        out.resize(received_invites_max);
    return out;
}

Result<AcceptedInvite> accept_invite(Context& ctx, const Invite& invite) {
    auto workspace = TRY(schema().workspaces.find(ctx.view(), invite.workspace.view()));
    if (!workspace)
        return fault("an invite's workspace is missing");
    const bool joins = !TRY(member_of(ctx.view(), workspace->id, ctx.account.id));
    if (invite.role != Role::owner && joins) {
        TRY(let_owner_pay(ctx, *workspace));
        TRY(admit_more(ctx, Limit::teammates));
    }
    TRY(take_place(ctx, workspace->id, invite.role));
    if (invite.role == Role::owner && workspace->owner != ctx.account.id)
        TRY(take_over(ctx, *workspace));

    auto accepted = invite;
    accepted.token_hash.clear();
    accepted.accepted_at = ctx.now;
    accepted.accepted_by = ctx.account.id;
    TRY(withdraw_mail(ctx.txn(), MailKind::invite, invite.id));
    TRY(invites().update(ctx.txn(), invite, accepted));
    return AcceptedInvite{.details = TRY(with_sender(ctx.view(), std::move(accepted))),
                          .workspace = std::move(*workspace)};
}

Result<AcceptedInvite> decline_invite(Context& ctx, const Invite& invite) {
    auto workspace = TRY(schema().workspaces.find(ctx.view(), invite.workspace.view()));
    if (!workspace)
        return fault("an invite's workspace is missing");
    auto details = TRY(with_sender(ctx.view(), invite));
    auto system = ctx.system_context();
    TRY(withdraw_any_invite(system, invite));
    return AcceptedInvite{.details = std::move(details), .workspace = std::move(*workspace)};
}

Result<Invite> find_any_invite(data::View& view, std::string_view id) {
    const auto parsed = InviteId::parse(id);
    auto invite = parsed ? TRY(invites().find(view, parsed->view())) : std::optional<Invite>();
    if (!invite)
        return not_found("invite", id);
    return std::move(*invite);
}

Result<std::string> issue_acceptance_address(SystemContext& system, const Invite& invite) {
    if (!TRY(invited_to(system.txn, invite, system.now)))
        return conflict("The invite cannot be accepted any more; send a new one.");
    auto renewed = invite;
    const auto token = renew_token(system.tools.random, renewed);
    TRY(withdraw_mail(system.txn, MailKind::invite, invite.id));
    TRY(invites().update(system.txn, invite, renewed));
    return acceptance_address(system.tools.settings, token);
}

Result<void> withdraw_any_invite(SystemContext& system, const Invite& invite) {
    if (invite.accepted_at)
        return conflict("The invite was accepted; remove the teammate instead.");
    return erase(system.txn, invite, system.now);
}

} // namespace slashpost
