#include "core/access/event_log.h"

#include "core/access/event_fields.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <map>

namespace slashpost {

namespace {

// The events of one transaction while they are made.
class Draft {
  public:
    explicit Draft(data::Txn& txn) : txn_(txn) {}

    Result<void> add(const data::Trail::Step& step);
    std::vector<Event>& events() { return events_; }

  private:
    Result<void> add_link(const data::Trail::Step& step);
    Result<void> add_parts(const data::Trail::Step& step);
    Result<void> add_domain(const data::Trail::Step& step);
    Result<void> add_share(const data::Trail::Step& step);
    Result<void> add_workspace(const data::Trail::Step& step);
    Result<void> add_member(const data::Trail::Step& step);
    Result<void> add_invite(const data::Trail::Step& step);
    // What is made, changed and erased, and nothing else.
    template <class T>
    Result<void> add_plain(const data::Trail::Step& step, EventType created, EventType updated,
                           EventType deleted);
    // Under that name, unless nothing is to be told of it.
    void put(EventType type, WorkspaceId workspace, const RawId& subject, std::string name,
             std::vector<FieldChange> changes);
    // Whether there is such an event.
    [[nodiscard]] bool find(WorkspaceId workspace, const RawId& subject, EventType type) const;
    Result<std::string> address_of(const Link& link);

    data::Txn& txn_;
    std::vector<Event> events_;
    std::map<RawId, std::size_t> links_;   // where the event of a link is
    std::map<RawId, std::string> domains_; // names of those that were written
};

template <class T>
struct Rows {
    std::optional<T> was, now;
};

template <class T>
Result<Rows<T>> rows_of(const data::Trail::Step& step) {
    Rows<T> out;
    if (!step.was.empty())
        out.was = TRY(data::decode<T>(step.was));
    if (!step.now.empty())
        out.now = TRY(data::decode<T>(step.now));
    return out;
}

template <class T>
std::vector<FieldChange> changes_of(const Rows<T>& rows) {
    if (!rows.was)
        return changes_of_new(*rows.now);
    return rows.now ? changes_between(shown_fields(*rows.was), shown_fields(*rows.now))
                    : changes_of_erased(*rows.was);
}

void Draft::put(EventType type, WorkspaceId workspace, const RawId& subject, std::string name,
                std::vector<FieldChange> changes) {
    events_.push_back({.type = type,
                       .workspace = workspace,
                       .subject = subject,
                       .name = std::move(name),
                       .changes = std::move(changes)});
}

bool Draft::find(WorkspaceId workspace, const RawId& subject, EventType type) const {
    return std::ranges::any_of(events_, [&](const Event& event) {
        return event.type == type && event.subject == subject && event.workspace == workspace;
    });
}

Result<std::string> Draft::address_of(const Link& link) {
    const auto domain = TRY(schema().domains.find(txn_, link.domain.view()));
    return domain ? domain->full_name + "/" + link.slashtag : link.slashtag;
}

EventType type_of(const Rows<Link>& rows) {
    if (!rows.was)
        return EventType::link_created;
    const auto was = rows.was->status;
    const auto now = rows.now ? rows.now->status : LinkStatus::deleted;
    if (now == LinkStatus::deleted)
        return EventType::link_deleted;
    if (was == LinkStatus::deleted)
        return EventType::link_restored;
    return was == LinkStatus::active && now == LinkStatus::expired ? EventType::link_expired
                                                                   : EventType::link_updated;
}

Result<void> Draft::add_link(const data::Trail::Step& step) {
    const auto rows = TRY(rows_of<Link>(step));
    const auto& link = rows.now ? *rows.now : *rows.was;
    auto changes = changes_of(rows);
    // A change of the parts alone has no other field; what is left without one in the end is not written.
    links_[link.id] = events_.size();
    put(type_of(rows), link.workspace, link.id, TRY(address_of(link)), std::move(changes));
    events_.back().link_before = step.was;
    return {};
}

Result<void> Draft::add_parts(const data::Trail::Step& step) {
    const auto rows = TRY(rows_of<LinkParts>(step));
    const auto found = links_.find(rows.now ? rows.now->link : rows.was->link);
    if (found == links_.end())
        return {}; // parts are written with their link (core/ops/link_parts.h)
    auto& event = events_[found->second];
    const LinkParts none;
    for (auto& change : changes_between(shown_fields(rows.was ? *rows.was : none),
                                        shown_fields(rows.now ? *rows.now : none)))
        event.changes.push_back(std::move(change));
    event.parts_changed = true;
    event.parts_before = step.was;
    return {};
}

// Told where it was registered; those that share it only hear of the sharing.
Result<void> Draft::add_domain(const data::Trail::Step& step) {
    const auto rows = TRY(rows_of<Domain>(step));
    const auto& domain = rows.now ? *rows.now : *rows.was;
    domains_[domain.id] = domain.full_name;
    put(!rows.was   ? EventType::domain_created
        : !rows.now ? EventType::domain_deleted
                    : EventType::domain_updated,
        domain.registered_in, domain.id, domain.full_name, changes_of(rows));
    return {};
}

Result<void> Draft::add_share(const data::Trail::Step& step) {
    const auto rows = TRY(rows_of<DomainShare>(step));
    const auto& share = rows.now ? *rows.now : *rows.was;
    const bool was = rows.was && rows.was->in_force(), now = rows.now && rows.now->in_force();
    if (was == now || find(share.workspace, share.domain, EventType::domain_created) ||
        find(share.workspace, share.domain, EventType::domain_deleted))
        return {};
    auto& name = domains_[share.domain];
    if (name.empty())
        if (const auto domain = TRY(schema().domains.find(txn_, share.domain.view())))
            name = domain->full_name;
    put(now ? EventType::domain_shared : EventType::domain_unshared, share.workspace, share.domain, name, {});
    return {};
}

Result<void> Draft::add_workspace(const data::Trail::Step& step) {
    const auto rows = TRY(rows_of<Workspace>(step));
    if (!rows.now)
        return {}; // rows of workspaces stay
    const bool was_hidden = rows.was && rows.was->hidden();
    const auto type = !rows.was                          ? EventType::workspace_created
                      : was_hidden == rows.now->hidden() ? EventType::workspace_updated
                      : was_hidden                       ? EventType::workspace_restored
                                                         : EventType::workspace_deleted;
    put(type, rows.now->id, rows.now->id, rows.now->name, changes_of(rows));
    return {};
}

Result<void> Draft::add_member(const data::Trail::Step& step) {
    const auto rows = TRY(rows_of<Member>(step));
    const auto& member = rows.now ? *rows.now : *rows.was;
    if (find(member.workspace, member.workspace, EventType::workspace_created))
        return {}; // its owner
    const auto account = TRY(schema().accounts.find(txn_, member.account.view()));
    put(!rows.was   ? EventType::teammate_added
        : !rows.now ? EventType::teammate_removed
                    : EventType::teammate_updated,
        member.workspace, member.account, account ? account->username : std::string(), changes_of(rows));
    return {};
}

Result<void> Draft::add_invite(const data::Trail::Step& step) {
    const auto rows = TRY(rows_of<Invite>(step));
    const auto& invite = rows.now ? *rows.now : *rows.was;
    if (rows.was && rows.now && rows.was->accepted_at == rows.now->accepted_at)
        return {}; // a new token, or a mail on its way
    put(!rows.was   ? EventType::invite_created
        : !rows.now ? EventType::invite_deleted
                    : EventType::invite_accepted,
        invite.workspace, invite.id, invite.email, changes_of(rows));
    return {};
}

template <class T>
Result<void> Draft::add_plain(const data::Trail::Step& step, EventType created, EventType updated,
                              EventType deleted) {
    const auto rows = TRY(rows_of<T>(step));
    const auto& row = rows.now ? *rows.now : *rows.was;
    put(!rows.was   ? created
        : !rows.now ? deleted
                    : updated,
        row.workspace, row.id, row.name, changes_of(rows));
    return {};
}

Result<void> Draft::add(const data::Trail::Step& step) {
    if (step.was == step.now)
        return {}; // made and erased again, or nothing at all
    switch (step.space->number) {
    case space::links.number:
        return add_link(step);
    case space::link_parts.number:
        return add_parts(step);
    case space::domains.number:
        return add_domain(step);
    case space::domain_shares.number:
        return add_share(step);
    case space::tags.number:
        return add_plain<Tag>(step, EventType::tag_created, EventType::tag_updated, EventType::tag_deleted);
    case space::scripts.number:
        return add_plain<Script>(step, EventType::script_created, EventType::script_updated,
                                 EventType::script_deleted);
    case space::workspaces.number:
        return add_workspace(step);
    case space::members.number:
        return add_member(step);
    case space::invites.number:
        return add_invite(step);
    case space::events.number:
        events_.push_back(TRY(data::decode<Event>(step.now)));
        return {};
    default:
        return {};
    }
}

// What others look for among the events comes first, what belongs to the event of another row last.
int turn_of_table(const data::Space& space) {
    if (space.number == space::domains.number || space.number == space::workspaces.number)
        return 0;
    return space.number == space::link_parts.number ? 2 : 1;
}

// Whether the row changed in a way that nobody is told of.
bool is_silent(const Event& event) {
    switch (event.type) {
    case EventType::link_updated:
    case EventType::domain_updated:
    case EventType::tag_updated:
    case EventType::script_updated:
    case EventType::workspace_updated:
    case EventType::teammate_updated:
        return event.changes.empty();
    default:
        return false;
    }
}

// Whether the workspace is told who did it: strangers, of whom it learns what they did on a domain that they
// share with it, are nobody's business there.
class Names {
  public:
    Names(data::Txn& txn, const EventCause& cause) : txn_(txn), cause_(cause) {}
    Result<bool> are_told(const Event& event) {
        if (cause_.account.empty())
            return false;
        if (event.subject == cause_.account) // who leaves is a teammate no longer
            return true;
        if (event.workspace != workspace_) {
            workspace_ = event.workspace;
            const auto member = TRY(schema().members.find(
                txn_, Member::primary_of({.workspace = workspace_, .account = cause_.account})));
            is_member_ = member.has_value();
        }
        return is_member_;
    }

  private:
    data::Txn& txn_;
    const EventCause& cause_;
    WorkspaceId workspace_; // that was looked at last
    bool is_member_ = false;
};

EventId id_of(std::uint64_t number, std::uint32_t place, std::uint32_t server) {
    const auto bytes = data::key(number, place, server);
    return *EventId::from_bytes(bytes);
}

} // namespace

void note_event(data::Txn& txn, const Event& event) {
    if (txn.trail() != nullptr)
        txn.trail()->note(space::events, data::key(txn.trail()->steps().size()), {}, data::encode(event));
}

Result<void> write_events(data::Txn& txn, const data::Trail& trail, const EventCause& cause, Timestamp now,
                          EventSequence::Turn& turn) {
    if (trail.steps().empty())
        return {};
    Draft draft(txn);
    for (const int turn_of : {0, 1, 2})
        for (const auto& step : trail.steps())
            if (turn_of_table(*step.space) == turn_of)
                TRY(draft.add(step));
    std::erase_if(draft.events(), is_silent);
    if (draft.events().empty())
        return {};
    const auto number = turn.take();
    std::uint32_t place = 0;
    Names names(txn, cause);
    for (auto& event : draft.events()) {
        event.id = id_of(number, place++, turn.server());
        event.at = now;
        if (TRY(names.are_told(event))) {
            event.account = cause.account;
            event.key = cause.key;
            event.call = cause.call;
        }
        TRY(schema().events.insert_new(txn, event));
    }
    return {};
}

} // namespace slashpost
