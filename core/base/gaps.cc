#include "core/base/gaps.h"

#include "core/base/own_processor.h"
#include "core/base/thread_clock.h"

#include <chrono>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

namespace slashpost {

namespace {

// In a stay.
constexpr std::chrono::microseconds work{60}, pause{500};
constexpr unsigned times_per_look = 8; // at the clock

constexpr std::chrono::milliseconds look_every{50}; // at how the worker gets on

// Who is in the gaps with locks, and how many others may want them.
struct Locks {
    std::atomic<unsigned> wanted = 0;
    std::atomic<Gaps*> holder = nullptr; // changes under the mutex
    std::mutex mutex;
};

Locks& locks() {
    static auto& all = *new Locks;
    return all;
}

thread_local bool is_in_gaps = false;

// Threads may end, and processors go: then it is as it is.
void keep_to(int thread, const cpu_set_t& processors) {
    (void)::sched_setaffinity(thread, sizeof processors, &processors);
}

bool set_policy(int thread, int policy) {
    const sched_param none{};
    return ::sched_setscheduler(thread, policy, &none) == 0;
}

// Whether the system lets a thread come back from the gaps; the calling one may have to stay.
bool can_come_back() { return set_policy(0, SCHED_IDLE) && set_policy(0, SCHED_OTHER); }

bool are_offered() {
    const auto processors = OwnProcessor::all();
    return CPU_COUNT(&processors) > 0;
}

} // namespace

Gaps::~Gaps() {
    keeper_.request_stop();
    begun_.release();
}

void Gaps::open() {
    worker_ = ::gettid();
    (void)::sched_getaffinity(0, sizeof anywhere_, &anywhere_);
    clockid_t clock{};
    if (::sched_getscheduler(0) != SCHED_OTHER || // what somebody chose for the whole process stays
        ::pthread_getcpuclockid(::pthread_self(), &clock) != 0)
        return;
    keeper_ = std::jthread([this, clock](const std::stop_token& stopping) {
        is_open_ = can_come_back();
        tried_.release();
        look_after(stopping, clock);
    });
    ::pthread_setname_np(keeper_.native_handle(), "gaps");
    tried_.acquire();
}

// Without a lock, as the worker may stand still anywhere.
void Gaps::look_after(const std::stop_token& stopping, clockid_t clock) {
    for (begun_.acquire(); !stopping.stop_requested(); begun_.acquire())
        for (auto before = worked(clock); is_in_;) {
            std::this_thread::sleep_for(look_every);
            const auto now = worked(clock);
            if (waiting_ > 0)
                come_out();
            else if (now - before < least_)
                take_share();
            before = now;
        }
}

void Gaps::enter() {
    is_out_ = false;
    is_in_ = true;
    begun_.release();
    keep_to(worker_, OwnProcessor::all());
    (void)set_policy(worker_, SCHED_IDLE);
    rests_at_ = std::chrono::steady_clock::now() + work;
}

void Gaps::take_share() {
    is_out_ = true;
    (void)set_policy(worker_, SCHED_OTHER);
}

void Gaps::come_out() {
    take_share();
    keep_to(worker_, anywhere_);
}

void Gaps::hold_locks(Gaps* holder) {
    const std::lock_guard lock(locks().mutex);
    locks().holder = holder;
}

void Gaps::rest() {
    if (!is_in_ || is_out_ || ++times_ % times_per_look != 0 || std::chrono::steady_clock::now() < rests_at_)
        return;
    std::this_thread::sleep_for(pause);
    rests_at_ = std::chrono::steady_clock::now() + work;
}

Gaps::Stay::Stay(Gaps* gaps, Holds holds) : holds_(holds) {
    if (gaps == nullptr || ::gettid() != gaps->worker_ || !gaps->is_open_ || gaps->waiting_ > 0 ||
        !are_offered())
        return;
    if (holds == Holds::locks) {
        hold_locks(gaps);
        if (locks().wanted > 0) { // who comes from now on sees the holder
            hold_locks(nullptr);
            return;
        }
    }
    gaps_ = gaps;
    is_in_gaps = true;
    gaps->enter();
    if (holds == Holds::locks && locks().wanted > 0) // came before the thread had entered
        gaps->come_out();
}

// Out of the gaps first: nobody is to wait for a thread there.
Gaps::Stay::~Stay() {
    if (gaps_ == nullptr)
        return;
    gaps_->come_out();
    if (holds_ == Holds::locks)
        hold_locks(nullptr);
    gaps_->is_in_ = false;
    is_in_gaps = false;
}

Gaps::Locking::Locking() : counts_(!is_in_gaps) {
    if (!counts_)
        return;
    ++locks().wanted;
    if (locks().holder == nullptr)
        return;
    const std::lock_guard lock(locks().mutex);
    if (auto* const holder = locks().holder.load())
        holder->come_out();
}

Gaps::Locking::~Locking() {
    if (counts_)
        --locks().wanted;
}

Gaps::Wait::Wait(Gaps& gaps) : gaps_(gaps) {
    ++gaps_.waiting_;
    if (gaps_.is_in_)
        gaps_.come_out();
}

Gaps::Wait::~Wait() { --gaps_.waiting_; }

} // namespace slashpost
