#include "core/base/own_processor.h"

#include <mutex>

namespace slashpost {

namespace {

constexpr std::chrono::microseconds look_every{100};
constexpr std::chrono::milliseconds stays_for{1}; // where it has come to: a move costs some 20 us

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
}

OwnProcessor::~OwnProcessor() {
    if (!processor_)
        return;
    const std::lock_guard lock(taken().mutex);
    CPU_CLR(*processor_, &taken().set);
}

bool OwnProcessor::asks(Time now) {
    if (!processor_ || now < asks_at_)
        return false;
    asks_at_ = now + look_every;
    return true;
}

// The kernel chooses among those that nobody has.
void OwnProcessor::go() {
    asks_at_ += stays_for;
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
