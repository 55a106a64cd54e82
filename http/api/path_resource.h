#pragma once
// What a path may name, as parameters of handlers: each comes through its door, which also looks at its
// state as the route's guard says (core/access/doors.h).
#include "core/access/doors.h"
#include "core/ops/deep_links.h"
#include "http/api/route.h"

namespace slashpost::api {

template <>
struct Argument<Link> {
    static Result<Link> take(Context& ctx, const Input& input) {
        auto link = TRY(find_link(ctx, input.at("link_id")));
        // What cannot be read is not as it is stored (may_change).
        if (ctx.guard.place == LinkDomain::shared_domain_to_change && !input.body.has_value())
            TRY(need_shared(ctx, link));
        return link;
    }
    static void describe(Operation&) {}
};

template <>
struct Argument<Tag> {
    static Result<Tag> take(Context& ctx, const Input& input) { return find_tag(ctx, input.at("tag_id")); }
    static void describe(Operation&) {}
};

template <>
struct Argument<Script> {
    static Result<Script> take(Context& ctx, const Input& input) {
        return find_script(ctx, input.at("script_id"));
    }
    static void describe(Operation&) {}
};

template <>
struct Argument<Webhook> {
    static Result<Webhook> take(Context& ctx, const Input& input) {
        return find_webhook(ctx, input.at("webhook_id"));
    }
    static void describe(Operation&) {}
};

// Of the webhook that the path names, too.
template <>
struct Argument<Delivery> {
    static Result<Delivery> take(Context& ctx, const Input& input) {
        return find_delivery(ctx, TRY(find_webhook(ctx, input.at("webhook_id"))), input.at("delivery_id"));
    }
    static void describe(Operation&) {}
};

template <>
struct Argument<Member> {
    static Result<Member> take(Context& ctx, const Input& input) {
        return find_teammate(ctx, input.at("teammate_id"));
    }
    static void describe(Operation&) {}
};

// Anybody, be it a teammate or not.
template <>
struct Argument<Account> {
    static Result<Account> take(Context& ctx, const Input& input) {
        return find_person(ctx, input.at("teammate_id"));
    }
    static void describe(Operation&) {}
};

// Rules are found in their link, so that comes through its door first.
template <>
struct Argument<LinkRule> {
    static Result<LinkRule> take(Context& ctx, const Input& input) {
        return find_rule(ctx, TRY(find_link(ctx, input.at("link_id"))), input.at("rule_id"));
    }
    static void describe(Operation&) {}
};

template <>
struct Argument<Invite> {
    static Result<Invite> take(Context& ctx, const Input& input) {
        const auto token = input.at("token");
        return token.empty() ? find_invite(ctx, input.at("invite_id")) : find_received_invite(ctx, token);
    }
    static void describe(Operation&) {}
};

template <>
struct Argument<RotatorRule> {
    static Result<RotatorRule> take(Context& ctx, const Input& input) {
        return find_rotator_rule(ctx, TRY(find_link(ctx, input.at("link_id"))), input.at("rule_id"));
    }
    static void describe(Operation&) {}
};

template <>
struct Argument<App> {
    static Result<App> take(Context&, const Input& input) { return find_app(input.at("app_id")); }
    static void describe(Operation&) {}
};

// For LinkDomain::shared_domain_to_change: whether to do what is sent to a link, or a part of it that is
// `now`. On a domain that is not shared with the workspace false when it is so already, else invalid with
// NotShared.
template <class T, class Reply>
Result<bool> may_change(Context& ctx, const Link& link, const Update<T>& sent, const Reply& now) {
    const auto shared = need_shared(ctx, link);
    if (!shared.has_value() && !sent.is_as(now))
        return std::unexpected(shared.error());
    return shared.has_value();
}

} // namespace slashpost::api
