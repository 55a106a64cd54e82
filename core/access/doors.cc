#include "core/access/doors.h"

#include "core/access/domain_doors.h"
#include "core/access/invitations.h"
#include "core/base/errors.h"
#include "core/base/host.h"
#include "core/base/secret.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

// A row of the caller's workspace. That of another one is as absent as none.
template <class I, class T>
Result<T> find_own(Context& ctx, const data::Table<T>& table, std::string_view text) {
    const auto id = I::parse(text);
    auto row = id ? TRY(table.find(ctx.view(), id->view())) : std::optional<T>();
    if (!row || row->workspace != ctx.workspace.id)
        return not_found(table.resource(), text);
    return std::move(*row);
}

template <class T>
Result<T> part_of(std::vector<T> parts, std::string_view resource, std::string_view text) {
    for (auto& part : parts)
        if (part.id == RawId::parse(text))
            return std::move(part);
    return not_found(resource, text);
}

// A guest changes only links it made (wire "Workspaces, people").
Result<void> check_may_edit(const Context& ctx, const Link& link) {
    if (ctx.role == Role::guest && link.creator != ctx.account.id)
        return forbidden("link");
    return {};
}

} // namespace

Result<Domain> domain_of(data::View& view, const Link& link) {
    auto domain = TRY(schema().domains.find(view, link.domain.view()));
    if (!domain)
        return fault("a link's domain is missing");
    return std::move(*domain);
}

Result<Link> find_link(Context& ctx, LinkId id) {
    auto link = TRY(schema().links.find(ctx.view(), id.view()));
    if (!link || link->workspace != ctx.workspace.id)
        return not_found("link", id.hex());
    if (ctx.guard.access == Access::write)
        TRY(check_may_edit(ctx, *link));
    const bool deleted = link->status == LinkStatus::deleted || ctx.workspace.is_retiring(link->domain);
    if (deleted && ctx.guard.link != LinkState::any) {
        if (ctx.guard.link == LinkState::readable)
            return not_found("link", id.hex());
        return refused("DeletedLink", "link", "The link is deleted.");
    }
    if (ctx.guard.access == Access::write && ctx.guard.place == LinkDomain::shared_domain)
        TRY(need_shared(ctx, *link));
    if (ctx.guard.domain == DomainState::in_force && TRY(domain_of(ctx.view(), *link)).revoked)
        return refused("RevokedDomain", "domain", "The link's domain is revoked.");
    if (ctx.guard.kind == LinkKind::rotator && link->type != LinkType::rotator)
        return refused("WrongLinkType", "link", "The link is no rotator.");
    return std::move(*link);
}

Result<Link> find_link(Context& ctx, std::string_view id) {
    const auto parsed = LinkId::parse(id);
    if (!parsed)
        return not_found("link", id);
    return find_link(ctx, *parsed);
}

Result<std::optional<Link>> find_link_by_external_id(Context& ctx, std::string_view external_id) {
    const auto& links = schema().links;
    const auto link = TRY(links.find_by(links.by_external_id, ctx.view(), ctx.workspace.id, external_id));
    if (!link || ctx.workspace.is_retiring(link->domain))
        return std::optional<Link>();
    return std::optional(TRY(find_link(ctx, link->id)));
}

Result<void> need_shared(Context& ctx, const Link& link) {
    if (TRY(is_shared(ctx.view(), link.domain, ctx.workspace.id)))
        return {};
    return invalid("link",
                   {not_shared("domain", "is not shared with the workspace; the link can only be deleted")});
}

Result<LinkParts> parts_of(data::View& view, const Link& link) {
    auto parts = TRY(schema().link_parts.find(view, link.id.view()));
    if (parts)
        return std::move(*parts);
    return LinkParts{.link = link.id,
                     .workspace = link.workspace,
                     .rules = {},
                     .rotator = {},
                     .open_graph = {},
                     .deep_links = {},
                     .unknown = {}};
}

Result<LinkRule> find_rule(Context& ctx, const Link& link, std::string_view id) {
    return part_of(TRY(parts_of(ctx.view(), link)).rules, "rule", id);
}

Result<RotatorRule> find_rotator_rule(Context& ctx, const Link& link, std::string_view id) {
    return part_of(TRY(parts_of(ctx.view(), link)).rotator, "rotator", id);
}

Result<Tag> find_tag(Context& ctx, std::string_view id) { return find_own<TagId>(ctx, schema().tags, id); }

Result<Script> find_script(Context& ctx, std::string_view id) {
    return find_own<ScriptId>(ctx, schema().scripts, id);
}

Result<Member> find_teammate(Context& ctx, std::string_view account_id) {
    const auto id = AccountId::parse(account_id);
    auto member = id ? TRY(schema().members.find(
                           ctx.view(), Member::primary_of({.workspace = ctx.workspace.id, .account = *id})))
                     : std::optional<Member>();
    if (!member)
        return not_found("teammate", account_id);
    return std::move(*member);
}

Result<Account> find_person(Context& ctx, std::string_view account_id) {
    const auto id = AccountId::parse(account_id);
    auto account = id ? TRY(schema().accounts.find(ctx.view(), id->view())) : std::optional<Account>();
    if (!account)
        return not_found("teammate", account_id);
    return std::move(*account);
}

Result<Webhook> find_webhook(Context& ctx, std::string_view id) {
    return find_own<WebhookId>(ctx, schema().webhooks, id);
}

Result<Delivery> find_delivery(Context& ctx, const Webhook& webhook, std::string_view id) {
    const auto event = EventId::parse(id);
    auto delivery = event ? TRY(schema().deliveries.find(ctx.view(), data::key(webhook.id, *event)))
                          : std::optional<Delivery>();
    if (!delivery)
        return not_found("delivery", id);
    return std::move(*delivery);
}

Result<Invite> find_invite(Context& ctx, std::string_view id) {
    return find_own<InviteId>(ctx, schema().invites, id);
}

Result<Invite> find_received_invite(Context& ctx, std::string_view token_or_id) {
    const auto absent = not_found("invite", ""); // a token is not said back
    const auto& invites = schema().invites;
    const auto hash = sha256(token_or_id);
    auto invite = TRY(invites.find_by(invites.by_token, ctx.view(), hash));
    if (invite && !equal_in_constant_time(invite->token_hash, hash))
        invite.reset();
    const bool by_token = invite.has_value();
    if (const auto id = InviteId::parse(token_or_id); id && !invite)
        invite = TRY(invites.find(ctx.view(), id->view()));
    if (!invite || !(by_token || is_for(*invite, ctx.account)))
        return absent;
    const auto workspace = TRY(invited_to(ctx.view(), *invite, ctx.now));
    if (!workspace)
        return absent;
    if (!may_accept(*invite, ctx.account, ctx.settings))
        return invalid("invite",
                       {not_shared("token", "is for another e-mail address than that of your account")});
    if (ctx.guard.refuses_revoked() && workspace->revoked)
        return refused("RevokedWorkspace", "workspace", "The workspace is revoked.");
    return std::move(*invite);
}

Result<Domain> find_domain(Context& ctx, DomainId id) {
    auto domain = TRY(schema().domains.find(ctx.view(), id.view()));
    if (!domain || !TRY(is_shared(ctx.view(), id, ctx.workspace.id)))
        return not_found("domain", id.hex());
    return std::move(*domain);
}

Result<Domain> find_domain_by_name(Context& ctx, std::string_view full_name) {
    const auto& domains = schema().domains;
    const auto normal = normal_host(full_name);
    if (!normal)
        return not_found("domain", full_name);
    // The verified one; else one that is not, so that the caller is told why it is of no use.
    auto named = TRY(domains.find_by(domains.by_name, ctx.view(), *normal));
    for (const auto owner : {AccountId(), ctx.workspace.owner, ctx.account.id}) {
        if (named && TRY(is_shared(ctx.view(), named->id, ctx.workspace.id)))
            break;
        named = TRY(domains.find_by(domains.own_name, ctx.view(), owner, *normal));
    }
    if (!named || !TRY(is_shared(ctx.view(), named->id, ctx.workspace.id)))
        return not_found("domain", full_name);
    return std::move(*named);
}

} // namespace slashpost
