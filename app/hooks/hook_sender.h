#pragma once
// The thread that tells webhooks of events: it takes what is due from the queue (core/work/hook_queue.h),
// writes and signs the requests, and books what came of them. It has a low niceness, and whatever waits, only
// so many requests are under way.
#include "app/hooks/http_posts.h"
#include "app/log.h"
#include "core/work/duty.h"
#include "core/work/hook_queue.h"

#include <memory>
#include <thread>

namespace slashpost::app {

class HookSender {
  public:
    static constexpr std::size_t under_way_max = 32;

    // Starts at once. All outlive the sender, which ends within a second of its destruction; what was under
    // way then is sent again at the next start.
    HookSender(Service& service, data::Engine& engine, const Clock& clock, Log& log,
               std::unique_ptr<Poster> poster);

    [[nodiscard]] HookQueue::Figures figures() const { return queue_.figures(); }

  private:
    void run(const std::stop_token& stopping);
    // One round; true when the next can begin at once.
    Result<bool> work();
    Result<Post> post_of(const DeliveryAttempt& attempt);
    void take_outcomes(std::chrono::milliseconds longest);

    data::Engine& engine_;
    const Clock& clock_;
    Log& log_;
    Duty duty_; // the queue is the store's; one server sends
    HookQueue queue_;
    const std::unique_ptr<Poster> poster_;
    std::vector<DeliveryOutcome> unbooked_; // of the thread, as is all that changes
    std::jthread thread_;
};

} // namespace slashpost::app
