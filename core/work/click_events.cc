#include "core/work/click_events.h"

#include "core/schema/schema.h"

#include <fmt/format.h>

namespace slashpost {

namespace {

ToldClick told(const redirect::Click& click) {
    return {.link = click.link,
            .at = click.time,
            .country = std::string(click.country.view()),
            .language = std::string(click.language.view()),
            .device = std::string(word_of(click.agent.device)),
            .os = std::string(word_of(click.agent.system)),
            .browser = std::string(word_of(click.agent.browser)),
            .referrer = std::string(click.referrer.view()),
            .scanned = click.scanned,
            .visitor = click.visitor == 0 ? std::string() : fmt::format("{:016x}", click.visitor),
            .unknown = {}};
}

} // namespace

Result<bool> ClickEvents::begin() {
    heard_.clear();
    const auto& index = schema().webhooks.of_clicks;
    const auto scope = index.prefix().size();
    TRY(engine_.read([&](data::View& view) {
        return view.scan(index.space(), data::Range::of_prefix(index.prefix()), data::Order::forward,
                         [&](data::BytesView key, data::BytesView) {
                             heard_.try_emplace(*WorkspaceId::from_bytes(key.substr(scope, sizeof(RawId))));
                             return heard_.size() < workspaces_max;
                         });
    }));
    return !heard_.empty();
}

void ClickEvents::hear(const redirect::Click& click) {
    const auto of_workspace = heard_.find(click.workspace);
    if (!click.counts || of_workspace == heard_.end())
        return;
    if (of_workspace->second.size() < told_clicks_max)
        of_workspace->second.push_back(told(click));
    else
        ++missed_;
}

Result<void> ClickEvents::commit(const std::function<Result<void>(data::Txn&)>& work) {
    return service_.run_as_operator([&](SystemContext& system) -> Result<void> {
        TRY(work(system.txn));
        for (const auto& [id, clicks] : heard_) {
            if (clicks.empty())
                continue;
            const auto workspace = TRY(schema().workspaces.find(system.txn, id.view()));
            if (!workspace || workspace->hidden())
                continue;
            Event event;
            event.type = EventType::link_clicked;
            event.workspace = id;
            event.subject = id;
            event.name = workspace->name;
            event.clicks = clicks;
            note_event(system.txn, event);
        }
        return {};
    });
}

} // namespace slashpost
