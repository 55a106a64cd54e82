#include "http/api/event_shapes.h"

#include "http/api/names.h"

namespace slashpost::api {

using wire::example;
using wire::field;
using wire::Fields;
using wire::note;

namespace {

std::optional<wire::AnyValue> value_of(ValueKind kind, const std::vector<std::string>& texts) {
    if (texts.empty())
        return std::nullopt;
    using enum wire::AnyValue::Kind;
    return wire::AnyValue{.kind = kind == ValueKind::number    ? number
                                  : kind == ValueKind::boolean ? boolean
                                  : kind == ValueKind::list    ? list
                                                               : text,
                          .texts = texts};
}

} // namespace

Fields EventSubjectReply::fields() {
    return {
        field("type", &EventSubjectReply::type,
              note("link, domain, tag, script, workspace, teammate, invite, conversion, import or "
                   "certificate."),
              example("link")),
        field("id", &EventSubjectReply::id,
              note("Its id; of a teammate the account's, of an import the workspace's, of a certificate the "
                   "domain's.")),
        field("name", &EventSubjectReply::name,
              note("What it was called then: a short address, a name, a username, an e-mail address."),
              example("go.example.com/spring"))};
}

Fields EventAccountReply::fields() {
    return {field("id", &EventAccountReply::id, note("Id of the account.")),
            field("fullName", &EventAccountReply::full_name,
                  note("The person's name, as it is now; empty for an account that is gone."),
                  example("Ann Example"))};
}

Fields EventActorReply::fields() {
    return {field("account", &EventActorReply::account, note("Whose call it was.")),
            field("keyId", &EventActorReply::key_id,
                  note("Id of the API key that the call came with; absent for one from the dashboard.")),
            field("call", &EventActorReply::call, note("The call, by its operationId in this document."),
                  example("updateLink"))};
}

Fields EventChangeReply::fields() {
    return {field("field", &EventChangeReply::name, note("What changed, as the resource calls it."),
                  example("destination")),
            field("before", &EventChangeReply::before,
                  note("What it was; absent when it was nothing. Long texts are cut off.")),
            field("after", &EventChangeReply::after,
                  note("What it is since then; absent when it is nothing. Long texts are cut off."))};
}

Fields EventClickReply::fields() {
    return {
        field("linkId", &EventClickReply::link_id, note("Id of the link that was clicked.")),
        field("at", &EventClickReply::at, note("When it was clicked.")),
        field("country", &EventClickReply::country,
              note("Where the visitor was, as statistics have it, like what follows; empty: not known."),
              example("de")),
        field("language", &EventClickReply::language, note("The language of the visitor's browser."),
              example("de")),
        field("device", &EventClickReply::device, note("On what kind of device."), example("mobile")),
        field("os", &EventClickReply::os, note("With which operating system."), example("ios")),
        field("browser", &EventClickReply::browser, note("With which browser."), example("safari")),
        field("referrer", &EventClickReply::referrer,
              note("The host that the visitor came from; empty: none, or not known."),
              example("news.example.com")),
        field("scanned", &EventClickReply::scanned, note("Whether the address was read off a QR code.")),
        field("visitor", &EventClickReply::visitor,
              note("The same for clicks of the same visitor within some hours, and nothing besides; empty: "
                   "not known. No address of a visitor is kept."),
              example("9b1d3c5a7e2f4860"))};
}

Fields EventReply::fields() {
    return {
        field("id", &EventReply::id, note("Id of the event. Ids rise as events happen.")),
        field("type", &EventReply::type, note("What happened.")),
        field("at", &EventReply::at, note("When it happened.")),
        field("workspaceId", &EventReply::workspace_id, note("Id of the workspace that it concerns.")),
        field("subject", &EventReply::subject, note("What it happened to.")),
        field("by", &EventReply::by, note("Who did it; absent for what the service or its operator did.")),
        field("changes", &EventReply::changes,
              note("The fields that are not as before: all that something new has, all that something "
                   "deleted had.")),
        field("clicks", &EventReply::clicks,
              note("Of link.clicked: up to 500 clicks of any links of the workspace, those of bots left out. "
                   "Absent for other types."))};
}

EventReply EventReply::of(const EventDetails& details) {
    const auto& event = details.event;
    const auto type = wire::name_of(event.type);
    const bool of_clicks = event.type == EventType::link_clicked; // which happen to many links
    EventReply out{.id = event.id,
                   .type = event.type,
                   .at = event.at,
                   .workspace_id = event.workspace,
                   .subject = {.type = of_clicks ? "workspace" : std::string(type.substr(0, type.find('.'))),
                               .id = event.subject,
                               .name = event.name},
                   .by = {},
                   .changes = {},
                   .clicks = {}};
    if (!event.account.empty()) {
        auto& by = out.by.emplace();
        by.account = {.id = event.account,
                      .full_name = details.account ? details.account->full_name : std::string()};
        if (!event.key.empty())
            by.key_id = event.key;
        if (!event.call.empty())
            by.call = event.call;
    }
    for (const auto& change : event.changes)
        out.changes.push_back({.name = change.name,
                               .before = value_of(change.kind, change.before),
                               .after = value_of(change.kind, change.after)});
    if (of_clicks)
        out.clicks.emplace();
    for (const auto& click : event.clicks)
        out.clicks->push_back({.link_id = click.link,
                               .at = click.at,
                               .country = click.country,
                               .language = click.language,
                               .device = click.device,
                               .os = click.os,
                               .browser = click.browser,
                               .referrer = click.referrer,
                               .scanned = click.scanned,
                               .visitor = click.visitor});
    return out;
}

std::vector<EventReply> EventReply::of_all(const std::vector<EventDetails>& details) {
    std::vector<EventReply> out;
    out.reserve(details.size());
    for (const auto& one : details)
        out.push_back(of(one));
    return out;
}

} // namespace slashpost::api
