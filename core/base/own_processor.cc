#include "core/base/own_processor.h"

#include <array>
#include <charconv>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

namespace slashpost {

namespace {

constexpr std::chrono::milliseconds look_every{2};
constexpr auto waits_too_long = look_every / 4;
// Of such turns in that time: who waits for somebody that works for long, a compaction say, has fewer. It is
// better off where it is.
constexpr std::uint64_t turns_together = 16;

// Who has which.
struct Taken {
    std::mutex mutex;
    cpu_set_t set{};
};

Taken& taken() {
    static auto& all = *new Taken; // threads may end after everything that is static
    return all;
}

void keep_to(const cpu_set_t& processors) { (void)::sched_setaffinity(0, sizeof processors, &processors); }

void keep_to(int processor) {
    cpu_set_t place;
    CPU_ZERO(&place);
    CPU_SET(processor, &place);
    keep_to(place);
}

// The last one of these that nobody has: interrupts are usually handled by the first.
std::optional<int> last_free(const cpu_set_t& allowed, const cpu_set_t& set) {
    for (int number = CPU_SETSIZE - 1; number >= 0; --number)
        if (CPU_ISSET(number, &allowed) && !CPU_ISSET(number, &set))
            return number;
    return std::nullopt;
}

} // namespace

OwnProcessor::OwnProcessor(unsigned threads) {
    if (::sched_getaffinity(0, sizeof allowed_, &allowed_) != 0 ||
        static_cast<unsigned>(CPU_COUNT(&allowed_)) <= threads)
        return;
    {
        const std::lock_guard lock(taken().mutex);
        processor_ = last_free(allowed_, taken().set);
        if (!processor_)
            return;
        CPU_SET(*processor_, &taken().set);
    }
    keep_to(*processor_);
    file_ = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    looked_at_ = std::chrono::steady_clock::now();
    counted_ = count().value_or(Counted{});
}

OwnProcessor::~OwnProcessor() {
    if (file_ >= 0)
        ::close(file_);
    if (!processor_)
        return;
    const std::lock_guard lock(taken().mutex);
    CPU_CLR(*processor_, &taken().set);
}

// "nanoseconds that it ran, nanoseconds that it waited, turns" (Documentation/scheduler/sched-stats).
std::optional<OwnProcessor::Counted> OwnProcessor::count() const {
    std::array<char, 80> text{};
    const auto got = file_ < 0 ? -1 : ::pread(file_, text.data(), text.size(), 0);
    if (got <= 0)
        return std::nullopt;
    std::array<std::uint64_t, 3> figures{};
    const char *at = text.data(), *const end = text.data() + got;
    for (auto& figure : figures) {
        const auto [past, error] = std::from_chars(at, end, figure);
        if (error != std::errc())
            return std::nullopt;
        at = past == end ? end : past + 1;
    }
    return Counted{.waited = figures[1], .turns = figures[2]};
}

void OwnProcessor::look(Time now) {
    const auto passed = now - looked_at_;
    if (!processor_ || passed < look_every)
        return;
    looked_at_ = now;
    const auto counted = count();
    if (!counted)
        return;
    const auto waited = std::chrono::nanoseconds(counted->waited - counted_.waited);
    const auto turns = counted->turns - counted_.turns;
    counted_ = *counted;
    if (waited >= waits_too_long && waited >= passed / 4 && turns >= turns_together)
        move();
}

// The kernel chooses among those that nobody has.
void OwnProcessor::move() {
    const std::lock_guard lock(taken().mutex);
    cpu_set_t both, others;
    CPU_AND(&both, &allowed_, &taken().set);
    CPU_XOR(&others, &allowed_, &both);
    if (CPU_COUNT(&others) == 0)
        return;
    keep_to(others);
    const int found = ::sched_getcpu();
    if (found < 0 || !CPU_ISSET(found, &others)) { // the system did not let it go
        keep_to(*processor_);
        return;
    }
    CPU_CLR(*processor_, &taken().set);
    CPU_SET(found, &taken().set);
    processor_ = found;
    keep_to(found);
}

cpu_set_t OwnProcessor::all() {
    const std::lock_guard lock(taken().mutex);
    return taken().set;
}

} // namespace slashpost
