#pragma once
// Events on the wire: in histories, audits and the feed, and as webhooks carry them.
#include "core/ops/events.h"
#include "http/wire/fields.h"

namespace slashpost::api {

struct EventSubjectReply {
    std::string type; // "link"
    RawId id;
    std::string name;
    static constexpr std::string_view wire_name = "EventSubject";
    static wire::Fields fields();
};

struct EventAccountReply {
    AccountId id;
    std::string full_name;
    static constexpr std::string_view wire_name = "EventAccount";
    static wire::Fields fields();
};

struct EventActorReply {
    EventAccountReply account;
    std::optional<ApiKeyId> key_id;
    std::optional<std::string> call;
    static constexpr std::string_view wire_name = "EventActor";
    static wire::Fields fields();
};

struct EventChangeReply {
    std::string name;
    std::optional<wire::AnyValue> before;
    std::optional<wire::AnyValue> after;
    static constexpr std::string_view wire_name = "EventChange";
    static wire::Fields fields();
};

struct EventClickReply {
    LinkId link_id;
    Timestamp at;
    std::string country, language, device, os, browser, referrer;
    bool scanned = false;
    std::string visitor;
    static constexpr std::string_view wire_name = "EventClick";
    static wire::Fields fields();
};

struct EventReply {
    EventId id;
    EventType type = EventType::link_created;
    Timestamp at;
    WorkspaceId workspace_id;
    EventSubjectReply subject;
    std::optional<EventActorReply> by;
    std::vector<EventChangeReply> changes;
    std::optional<std::vector<EventClickReply>> clicks;
    static constexpr std::string_view wire_name = "Event";
    static wire::Fields fields();

    static EventReply of(const EventDetails& details);
    static std::vector<EventReply> of_all(const std::vector<EventDetails>& details);
};

} // namespace slashpost::api

namespace slashpost::wire {

template <>
struct EnumNames<EventType> {
    static constexpr auto all = event_types;
};

} // namespace slashpost::wire
