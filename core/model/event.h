#pragma once
// What happened to something of a workspace, as it is told to those who listen: a row, written in the
// transaction that made it true (core/access/event_log.h). Never with a secret in it.
#include "core/data/codec.h"
#include "core/data/key.h"

#include <array>
#include <utility>
#include <vector>

namespace slashpost {

// On disk: never renumber.
enum class EventType : std::uint8_t {
    link_created = 1,
    link_updated = 2, // also by its rules, its rotator, its preview and its deep links
    link_deleted = 3,
    link_restored = 4, // after it was deleted
    link_expired = 5,
    link_clicked = 6, // many times: told only to who asks for it by name
    domain_created = 10,
    domain_updated = 11,
    domain_deleted = 12,
    domain_shared = 13,   // with the workspace
    domain_unshared = 14, // no longer
    tag_created = 20,
    tag_updated = 21,
    tag_deleted = 22,
    script_created = 30,
    script_updated = 31,
    script_deleted = 32,
    workspace_created = 40,
    workspace_updated = 41,
    workspace_deleted = 42, // or trashed
    workspace_restored = 43,
    teammate_added = 50,
    teammate_updated = 51, // has another role
    teammate_removed = 52,
    invite_created = 60,
    invite_accepted = 61,
    invite_deleted = 62,
    conversion_recorded = 70,
    import_finished = 80,
    certificate_failed = 90,
};

// On the wire, in the order of documents.
inline constexpr std::array<std::pair<std::string_view, EventType>, 30> event_types{{
    {"link.created", EventType::link_created},
    {"link.updated", EventType::link_updated},
    {"link.deleted", EventType::link_deleted},
    {"link.restored", EventType::link_restored},
    {"link.expired", EventType::link_expired},
    {"link.clicked", EventType::link_clicked},
    {"domain.created", EventType::domain_created},
    {"domain.updated", EventType::domain_updated},
    {"domain.deleted", EventType::domain_deleted},
    {"domain.shared", EventType::domain_shared},
    {"domain.unshared", EventType::domain_unshared},
    {"tag.created", EventType::tag_created},
    {"tag.updated", EventType::tag_updated},
    {"tag.deleted", EventType::tag_deleted},
    {"script.created", EventType::script_created},
    {"script.updated", EventType::script_updated},
    {"script.deleted", EventType::script_deleted},
    {"workspace.created", EventType::workspace_created},
    {"workspace.updated", EventType::workspace_updated},
    {"workspace.deleted", EventType::workspace_deleted},
    {"workspace.restored", EventType::workspace_restored},
    {"teammate.added", EventType::teammate_added},
    {"teammate.updated", EventType::teammate_updated},
    {"teammate.removed", EventType::teammate_removed},
    {"invite.created", EventType::invite_created},
    {"invite.accepted", EventType::invite_accepted},
    {"invite.deleted", EventType::invite_deleted},
    {"conversion.recorded", EventType::conversion_recorded},
    {"import.finished", EventType::import_finished},
    {"certificate.failed", EventType::certificate_failed},
}};

// On disk: never renumber.
enum class ValueKind : std::uint8_t {
    text = 1,
    number = 2,  // decimal
    boolean = 3, // "true" or "false"
    list = 4,    // any number of texts
    time = 5,    // as to_iso has it
};

// One field of the thing. Values are texts: one, or none where the field has, or had, none; a list any
// number.
struct FieldChange {
    std::string name; // as the wire calls it
    ValueKind kind = ValueKind::text;
    std::vector<std::string> before;
    std::vector<std::string> after;
    data::Unknown unknown;
    bool operator==(const FieldChange&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "name", &FieldChange::name), stored(2, "kind", &FieldChange::kind),
                          stored(3, "before", &FieldChange::before), stored(4, "after", &FieldChange::after)};
    }
};

// One of the clicks of an event. Texts are in the words of statistics; empty: not known, or none.
struct ToldClick {
    LinkId link;
    Timestamp at;
    std::string country, language, device, os, browser;
    std::string referrer; // host
    bool scanned = false; // off a QR code
    std::string visitor;  // means nothing, but is the same for the same visitor for some hours
    data::Unknown unknown;
    bool operator==(const ToldClick&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{
            stored(1, "link", &ToldClick::link),       stored(2, "at", &ToldClick::at),
            stored(3, "country", &ToldClick::country), stored(4, "language", &ToldClick::language),
            stored(5, "device", &ToldClick::device),   stored(6, "os", &ToldClick::os),
            stored(7, "browser", &ToldClick::browser), stored(8, "referrer", &ToldClick::referrer),
            stored(9, "scanned", &ToldClick::scanned), stored(10, "visitor", &ToldClick::visitor)};
    }
};

// Of one event, and of one request to a webhook.
inline constexpr std::size_t told_clicks_max = 500;

// Events of one store are ordered by their ids as they were committed, or as nobody can tell otherwise
// (core/access/event_sequence.h).
//
//   bytes 0..7    number of the transaction, big-endian
//   bytes 8..11   place among its events, big-endian
//   bytes 12..15  zero
using EventId = Id<struct EventTag>;

// Behind the ids of all events with smaller numbers, before those of all others. `number` is not 0.
inline EventId event_id_below(std::uint64_t number) {
    return *EventId::from_bytes(data::key(number - 1, ~std::uint64_t{0}));
}

struct Event {
    EventId id;
    EventType type = EventType::link_created;
    WorkspaceId workspace; // that it is told to
    RawId subject;         // the link, domain, tag, script, workspace, account, invite or conversion
    std::string name;      // of the subject, for people: its short address, its name, its e-mail address
    Timestamp at;
    AccountId account; // who did it; empty: the installation itself
    ApiKeyId key;      // with which key; empty: none
    std::string call;  // that did it, by its operation's name in the API; empty: none
    std::vector<FieldChange> changes;
    // Of events of links that take something away: the link's row before, encoded, and, where they changed,
    // its parts, so that it can be put back.
    data::Bytes link_before;
    bool parts_changed = false;
    data::Bytes parts_before;      // empty: there were none
    std::vector<ToldClick> clicks; // of one that is told of clicks
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Event& e) { return data::Bytes(e.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Event::id),
                          stored(2, "type", &Event::type),
                          stored(3, "workspace", &Event::workspace),
                          stored(4, "subject", &Event::subject),
                          stored(5, "name", &Event::name),
                          stored(6, "at", &Event::at),
                          stored(7, "account", &Event::account),
                          stored(8, "key", &Event::key),
                          stored(9, "call", &Event::call),
                          stored(10, "changes", &Event::changes),
                          stored(11, "link_before", &Event::link_before),
                          stored(12, "parts_changed", &Event::parts_changed),
                          stored(13, "parts_before", &Event::parts_before),
                          stored(14, "clicks", &Event::clicks)};
    }
};

} // namespace slashpost
