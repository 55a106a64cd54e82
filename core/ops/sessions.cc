#include "core/ops/sessions.h"

#include "core/access/ended_rows.h"
#include "core/base/errors.h"
#include "core/base/secret.h"
#include "core/schema/schema.h"
#include "core/visitors/agents.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace slashpost {

namespace {

const SessionTable& sessions() { return schema().sessions; }

// As people write them, in the order of the numbers of Browser and System.
constexpr std::array<std::string_view, 10> browsers{
    "",       "Chrome",           "Edge",       "Firefox",       "Internet Explorer", "Opera",
    "Safari", "Samsung Internet", "UC Browser", "Yandex Browser"};
constexpr std::array<std::string_view, 7> systems{"",      "iOS",   "Android", "Windows",
                                                  "macOS", "Linux", "ChromeOS"};
static_assert(browsers.size() == browser_names.size() + 1 && systems.size() == system_names.size() + 1);

Result<std::vector<Session>> sessions_of(data::View& view, AccountId account, data::Order order) {
    std::vector<Session> out;
    const data::Walk walk{.scope = key(account), .order = order};
    TRY(sessions().by_account.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
        if (auto session = TRY(sessions().find(view, primary)))
            out.push_back(std::move(*session));
        return true;
    }));
    return out;
}

} // namespace

std::string client_named_by(std::string_view user_agent) {
    const auto agent = redirect::agent_of(user_agent);
    const auto browser = browsers.at(static_cast<std::size_t>(agent.browser));
    const auto system = systems.at(static_cast<std::size_t>(agent.system));
    if (browser.empty() && system.empty())
        return "another program";
    if (browser.empty() || system.empty())
        return browser.empty() ? fmt::format("a program on {}", system) : std::string(browser);
    return fmt::format("{} on {}", browser, system);
}

Result<OpenedSession> open_session(SystemContext& system, AccountId account, SignInWay way,
                                   std::string_view user_agent) {
    auto before = TRY(sessions_of(system.txn, account, data::Order::forward));
    for (std::size_t i = 0; i + sessions_per_account_max <= before.size(); ++i)
        TRY(end_session(system.txn, before[i]));
    OpenedSession opened{.row = {}, .token = make_token(system.tools.random)};
    opened.row = {.id = system.tools.ids.next<SessionId>(),
                  .account = account,
                  .token_hash = sha256(opened.token),
                  .created_at = system.now,
                  .used_at = system.now,
                  .client = client_named_by(user_agent),
                  .way = way,
                  .unknown = {}};
    TRY(sessions().insert(system.txn, opened.row));
    return opened;
}

Result<std::vector<Session>> list_sessions(Context& ctx) {
    auto all = TRY(sessions_of(ctx.view(), ctx.account.id, data::Order::backward));
    std::erase_if(all, [&](const Session& session) { return session.ends_at() <= ctx.now; });
    return all;
}

Result<Session> find_session(Context& ctx, std::string_view id) {
    const auto parsed = SessionId::parse(id);
    auto session = parsed ? TRY(sessions().find(ctx.view(), parsed->view())) : std::optional<Session>();
    if (!session || session->account != ctx.account.id || session->ends_at() <= ctx.now)
        return not_found("session", id);
    return std::move(*session);
}

Result<void> end_session(data::Txn& txn, const Session& session) { return sessions().remove(txn, session); }

Result<void> end_sessions(data::Txn& txn, AccountId account, SessionId kept) {
    for (const auto& session : TRY(sessions_of(txn, account, data::Order::forward)))
        if (session.id != kept)
            TRY(end_session(txn, session));
    return {};
}

Result<bool> prune_sign_ins(SystemContext& system) {
    const bool more_sessions = TRY(erase_ended(system, sessions()));
    const bool more_tokens = TRY(erase_ended(system, schema().sign_in_tokens));
    const bool more_tries = TRY(erase_ended(system, schema().sign_in_tries));
    return more_sessions || more_tokens || more_tries;
}

} // namespace slashpost
