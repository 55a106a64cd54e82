#pragma once
// Work that is done for somebody who may go away meanwhile: a call of the API whose client closes its
// connection. What reads for long asks now and then, and ends then.
#include <atomic>
#include <utility>

namespace slashpost {

// For as long as it lives, the calling thread works for somebody.
class Errand {
  public:
    // `gone` becomes true when they have gone, and outlives the errand. Null: nobody who could go.
    explicit Errand(const std::atomic<bool>* gone) : before_(std::exchange(current, gone)) {}
    ~Errand() { current = before_; }
    Errand(const Errand&) = delete;
    Errand& operator=(const Errand&) = delete;

    // Whether the calling thread works for somebody who has gone.
    [[nodiscard]] static bool is_in_vain() {
        return current != nullptr && current->load(std::memory_order_relaxed);
    }

  private:
    static inline thread_local const std::atomic<bool>* current = nullptr;

    const std::atomic<bool>* const before_;
};

} // namespace slashpost
