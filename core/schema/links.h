#pragma once
// The table of links. Soft deletion and expiry are part of the conditions here, so no reader has to think
// of them: "active" links are listed by default, all others only on request (wire "Lists").
#include "core/base/text.h"
#include "core/data/table.h"
#include "core/model/link.h"
#include "core/schema/people.h"
#include "core/schema/target.h"

namespace slashpost {

struct LinkTable : Table<Link> {
    LinkTable() : Table(space::links, "link") {}

    // A slashtag is unique on its domain among links that are not deleted, their other ones among them. The
    // entry carries what a redirect needs, so that it can never be stale on disk. Of a link that has expired,
    // or is paused, it says that it has ended in a way that no clock undoes, until somebody lets it go on.
    Unique<Link> short_url{this, 1, "slashtag", space::redirects, address_keys, [](const Link& l) {
                               return redirect::TargetView{
                                   .link = l.id,
                                   .workspace = l.workspace,
                                   .forwarding = l.own_forwarding(),
                                   .expires_at = l.has_ended() ? std::optional(Timestamp{}) : l.expires_at,
                                   .active_from = l.active_from,
                                   .destination = l.destination,
                                   .tagged = !l.tags.empty(),
                                   .tags = redirect::TagMarks::of(l.tags),
                                   .scripts = ids_of(l.scripts),
                                   .routing = l.routing,
                                   .expired_url = l.expired_url,
                                   .guarded = l.is_guarded(),
                                   .redirect_type = l.redirect_type,
                                   .pass_path = l.pass_path}
                                   .encode_payload();
                           }};

    // Orders of the list. Scope: workspace, and whether the link is active. Ids are in the order of creation,
    // and every entry ends in one, so `by_created` needs no place of its own.
    Ordered<Link> by_created{this, 2, "by_created", in_workspace, no_place};
    Ordered<Link> by_updated{this, 3, "by_updated", in_workspace,
                             [](const Link& l) { return key(l.updated_at); }};
    Ordered<Link> by_title{this, 4, "by_title", in_workspace,
                           [](const Link& l) { return key(fold_case(l.title)); }};
    Ordered<Link> by_slashtag{this, 5, "by_slashtag", in_workspace,
                              [](const Link& l) { return key(fold_case(l.slashtag)); }};

    // 6, 7 and 8 were filters of lists, which the search index (core/search) answers.

    // What will expire next, over all workspaces.
    Ordered<Link> by_expiry{this, 9, "by_expiry",
                            [](const Link& l) { return when(l.active() && l.expires_at.has_value()); },
                            [](const Link& l) { return key(l.expires_at.value_or(Timestamp{})); }};

    // A link stands once under each of its tags and scripts, for who takes those off (core/work/detach.h).
    Fan<Link> by_tag{this, 10, "by_tag", tag_keys, no_place};
    Fan<Link> by_script{this, 11, "by_script", script_keys, no_place};

    // What a system of the workspace's own calls the link; free again when the link is deleted.
    Unique<Link> by_external_id{this, 12, "externalId", [](const Link& l) {
                                    return when(l.holds_slashtag() && !l.external_id.empty(), l.workspace,
                                                l.external_id);
                                }};

    Tally<Link> per_workspace{this, 1, "per_workspace", [](const Link& l) {
                                  return always(l.workspace, l.active(), l.domain, l.favourite);
                              }};
    Tally<Link> per_creator{this, 2, "per_creator",
                            [](const Link& l) { return always(l.workspace, l.active(), l.creator); }};
    Tally<Link> per_domain{this, 3, "per_domain",
                           [](const Link& l) { return when(l.holds_slashtag(), l.domain); }};
    Tally<Link> per_tag{this, 4, "per_tag", tag_keys};
    // What counts for a plan: an expired link can come back, a deleted one cannot.
    Tally<Link> kept{this, 5, "kept", [](const Link& l) { return when(l.holds_slashtag(), l.workspace); }};

    // What the search index (core/search) does not know yet.
    ChangeMark<Link> unindexed{this, space::unindexed, [](const Link& l) { return key(l.workspace, l.id); }};

  private:
    static std::string_view ids_of(const std::vector<ScriptId>& scripts) {
        static_assert(sizeof(ScriptId) == 16);
        return {reinterpret_cast<const char*>(scripts.data()), scripts.size() * sizeof(ScriptId)};
    }
    static std::vector<data::Bytes> address_keys(const Link& l) {
        std::vector<data::Bytes> keys;
        if (!l.holds_slashtag())
            return keys;
        keys.reserve(1 + l.aliases.size());
        keys.push_back(key(l.domain, l.slashtag_key));
        for (const auto& alias : l.aliases)
            keys.push_back(key(l.domain, alias.key));
        return keys;
    }
    static data::When in_workspace(const Link& l) { return always(l.workspace, l.active()); }
    static data::Bytes no_place(const Link&) { return {}; }
    // Scopes of by_tag, keys of per_tag.
    static std::vector<data::Bytes> tag_keys(const Link& l) {
        std::vector<data::Bytes> keys;
        keys.reserve(l.tags.size());
        for (const auto& tag : l.tags)
            keys.push_back(key(l.workspace, l.active(), tag));
        return keys;
    }
    static std::vector<data::Bytes> script_keys(const Link& l) {
        std::vector<data::Bytes> keys;
        keys.reserve(l.scripts.size());
        for (const auto& script : l.scripts)
            keys.push_back(key(script));
        return keys;
    }
};

struct ReleasedSlashtagTable : Table<ReleasedSlashtag> {
    ReleasedSlashtagTable() : Table(space::released_slashtags, "slashtag") {}
};

} // namespace slashpost
