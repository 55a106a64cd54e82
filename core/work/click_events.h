#pragma once
// Clicks as events, for workspaces of which a webhook hears of them, and for no others: what was clicked in a
// workspace is one event of each fold, written in the transaction that counts it. So a click is in one event,
// once, whenever the process dies.
#include "core/access/service.h"
#include "core/clicks/click_listener.h"

#include <atomic>
#include <map>
#include <vector>

namespace slashpost {

class ClickEvents final : public redirect::ClickListener {
  public:
    // Both outlive it. One thread at a time; `missed` from any.
    ClickEvents(Service& service, data::Engine& engine) : service_(service), engine_(engine) {}

    Result<bool> begin() override;
    void hear(const redirect::Click& click) override;
    Result<void> commit(const std::function<Result<void>(data::Txn&)>& work) override;

    // Clicks of which no event tells, as there were more than told_clicks_max in a fold; since the start.
    [[nodiscard]] std::uint64_t missed() const { return missed_; }

    static constexpr std::size_t workspaces_max = 10'000; // that are listened to at a time

  private:
    Service& service_;
    data::Engine& engine_;
    std::map<WorkspaceId, std::vector<ToldClick>> heard_; // of those that somebody listens to
    std::atomic<std::uint64_t> missed_ = 0;
};

} // namespace slashpost
