#pragma once
// Every space of the store with its permanent number and name, and every kind of tally that is
// accumulated rather than derived from rows. On disk: never reuse a number or a name.
#include "core/data/engine.h"

#include <array>

namespace slashpost::space {

using data::MergeRule;
using data::Pattern;
using data::Space;

inline constexpr Space meta{1, "meta", Pattern::settings}; // facts about the store itself
inline constexpr Space links{2, "links", Pattern::rows};
inline constexpr Space redirects{3, "redirects", Pattern::hot_lookup}; // (domain, slashtag) -> target
inline constexpr Space accounts{4, "accounts", Pattern::settings};
inline constexpr Space api_keys{5, "api_keys", Pattern::settings};
inline constexpr Space workspaces{6, "workspaces", Pattern::settings};
inline constexpr Space members{7, "members", Pattern::settings}; // who works in which workspace, as what
inline constexpr Space domains{8, "domains", Pattern::settings};
inline constexpr Space domain_shares{9, "domain_shares", Pattern::settings};
inline constexpr Space last_clicks{10, "last_clicks", Pattern::marks}; // key(workspace, link or 0) -> time
inline constexpr Space journal{11, "journal", Pattern::rows};          // lane -> record number folded up to
inline constexpr Space released_slashtags{12, "released_slashtags", Pattern::rows};
inline constexpr Space tags{13, "tags", Pattern::rows};
inline constexpr Space scripts{14, "scripts", Pattern::rows};
inline constexpr Space link_parts{15, "link_parts", Pattern::rows}; // by link: rules, rotator, preview, apps
inline constexpr Space invites{16, "invites", Pattern::rows};
inline constexpr Space plans{17, "plans", Pattern::settings}; // and marks of limits (core/access/limits.cc)
inline constexpr Space mails{18, "mails", Pattern::rows};     // that wait to be sent
inline constexpr Space jobs{19, "jobs", Pattern::rows};       // work that follows a commit in batches
inline constexpr Space tombstones{20, "tombstones", Pattern::rows}; // places of erased rows, for cursors
inline constexpr Space rollups{21, "rollups", Pattern::rows, MergeRule::counts}; // core/schema/rollups.h
inline constexpr Space conversions{22, "conversions", Pattern::rows};            // that must not count twice
inline constexpr Space recent_rollups{23, "recent_rollups", Pattern::rows, MergeRule::counts};
inline constexpr Space unindexed{24, "unindexed",
                                 Pattern::queue};                 // links that the search index does not know
inline constexpr Space documents{25, "documents", Pattern::rows}; // of the search index
inline constexpr Space recent_links{27, "recent_links", Pattern::passing,
                                    MergeRule::sheets};                 // core/schema/recent_links.h
inline constexpr Space click_orders{28, "click_orders", Pattern::rows}; // core/schema/click_orders.h
inline constexpr Space postings{26, "postings", Pattern::rows, MergeRule::append}; // of the search index
// How people sign in, and where they are signed in (core/model/sign_in.h).
inline constexpr Space sessions{29, "sessions", Pattern::settings};
inline constexpr Space credentials{30, "credentials", Pattern::settings};
inline constexpr Space sign_in_tokens{31, "sign_in_tokens", Pattern::settings};
inline constexpr Space sign_in_tries{32, "sign_in_tries", Pattern::settings};
inline constexpr Space kept_answers{36, "kept_answers", Pattern::rows}; // of calls with an Idempotency-Key

inline constexpr Space events{33, "events", Pattern::rows};         // what happened (core/model/event.h)
inline constexpr Space webhooks{37, "webhooks", Pattern::rows};     // who is told of events
inline constexpr Space deliveries{38, "deliveries", Pattern::rows}; // what they are told, and were

// Certificates that the server gets by itself (core/model/certificate.h).
inline constexpr Space acme_accounts{40, "acme_accounts", Pattern::settings};
inline constexpr Space host_certificates{41, "host_certificates", Pattern::settings};
inline constexpr Space certificate_files{42, "certificate_files", Pattern::settings};
inline constexpr Space acme_challenges{43, "acme_challenges", Pattern::settings};

// Programs of others, and what accounts allowed them (core/model/application.h).
inline constexpr Space applications{44, "applications", Pattern::settings};
inline constexpr Space grants{45, "grants", Pattern::settings};
inline constexpr Space identities{46, "identities", Pattern::settings}; // who people are at the provider

inline constexpr std::array all{meta,
                                links,
                                redirects,
                                accounts,
                                api_keys,
                                workspaces,
                                members,
                                domains,
                                domain_shares,
                                last_clicks,
                                journal,
                                released_slashtags,
                                tags,
                                scripts,
                                plans,
                                jobs,
                                tombstones,
                                invites,
                                mails,
                                link_parts,
                                rollups,
                                conversions,
                                recent_rollups,
                                unindexed,
                                documents,
                                postings,
                                recent_links,
                                click_orders,
                                sessions,
                                credentials,
                                sign_in_tokens,
                                sign_in_tries,
                                events,
                                kept_answers,
                                webhooks,
                                deliveries,
                                acme_accounts,
                                host_certificates,
                                certificate_files,
                                acme_challenges,
                                applications,
                                grants,
                                identities};

// Of these a server holds something in memory, so it has to hear of what others write there
// (core/access/changes_elsewhere.h).
inline constexpr std::array watched{redirects, workspaces, domains};

} // namespace slashpost::space

namespace slashpost::counter {

// First two bytes of accumulated tallies, where derived ones (core/data/entries.h) have their table's space
// number; so these begin at 0xff00. Clicks that links forgot are those of the link 0.
inline constexpr std::uint16_t link_clicks = 0xff00;      // key(link_clicks, workspace, link)
inline constexpr std::uint16_t workspace_clicks = 0xff01; // key(workspace_clicks, workspace)
inline constexpr std::uint16_t domain_clicks = 0xff02;    // key(domain_clicks, domain[, workspace])
inline constexpr std::uint16_t workspace_days = 0xff03;   // key(workspace_days, workspace, day of 32 bits)

} // namespace slashpost::counter
