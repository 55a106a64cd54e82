#pragma once
// The only ways for an operation to obtain a row that a caller named. Each applies the state part of the
// context's guard, so a route's row is honoured wherever its operation looks.
#include "core/access/context.h"
#include "core/model/domain.h"
#include "core/model/invite.h"
#include "core/model/link.h"
#include "core/model/link_parts.h"
#include "core/model/script.h"
#include "core/model/tag.h"
#include "core/model/webhook.h"

namespace slashpost {

// The link, if it is in the caller's workspace. Not found otherwise, so that a caller learns nothing about
// other workspaces; refused when the guard lets write and the caller may not edit this link, or its domain is
// not shared with the workspace, and when the guard asks for a live link or a domain in force and this is
// neither.
Result<Link> find_link(Context& ctx, LinkId id);
// The same for an id as sent in a path.
Result<Link> find_link(Context& ctx, std::string_view id);

// The link that has this external id in the caller's workspace (Link::external_id), through the same door.
// Nothing when there is none: a deleted link has none, and one on a domain that was taken away from the
// workspace is as good as deleted.
Result<std::optional<Link>> find_link_by_external_id(Context& ctx, std::string_view external_id);

// Refused as invalid with NotShared unless the link's domain is shared with the caller's workspace.
Result<void> need_shared(Context& ctx, const Link& link);

// What the link has besides its own row; of itself it has nothing.
Result<LinkParts> parts_of(data::View& view, const Link& link);
// One of the link's routing rules, or of its rotator's, by its id as sent in a path.
Result<LinkRule> find_rule(Context& ctx, const Link& link, std::string_view id);
Result<RotatorRule> find_rotator_rule(Context& ctx, const Link& link, std::string_view id);

// A tag or a script of the caller's workspace, by its id as sent in a path.
Result<Tag> find_tag(Context& ctx, std::string_view id);
Result<Script> find_script(Context& ctx, std::string_view id);

// Somebody who works in the caller's workspace, by the account's id as sent in a path.
Result<Member> find_teammate(Context& ctx, std::string_view account_id);
// Any account, for becoming a teammate; source "teammate".
Result<Account> find_person(Context& ctx, std::string_view account_id);

// A webhook of the caller's workspace, and one of its deliveries, by their ids as sent in a path.
Result<Webhook> find_webhook(Context& ctx, std::string_view id);
Result<Delivery> find_delivery(Context& ctx, const Webhook& webhook, std::string_view id);

// An invite into the caller's workspace, by its id as sent in a path.
Result<Invite> find_invite(Context& ctx, std::string_view id);
// The invite that a token was given out for, or that has this id and is for the caller, in the account's
// scope. A token that was used, renewed, withdrawn or whose time is over is as unknown as none. Refused while
// the workspace is revoked, if the guard says so, and for an invite that is for somebody else.
Result<Invite> find_received_invite(Context& ctx, std::string_view token_or_id);

// A domain that is shared with the caller's workspace.
Result<Domain> find_domain(Context& ctx, DomainId id);
Result<Domain> find_domain_by_name(Context& ctx, std::string_view full_name);

// A domain by its id, whoever it belongs to: for showing what a link refers to.
Result<Domain> domain_of(data::View& view, const Link& link);

} // namespace slashpost
