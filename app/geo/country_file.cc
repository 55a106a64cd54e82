#include "app/geo/country_file.h"

#include "core/base/guarded.h"
#include "core/base/pause.h"

#include <array>
#include <cstring>
#include <pthread.h>

namespace slashpost::geo {

namespace {

std::uint64_t next_version() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

// Neighbours mostly share a country, but not always; so all bits count.
std::size_t place_of(const redirect::Address& address, std::size_t slots) {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    std::memcpy(&high, address.bytes.data(), sizeof high);
    std::memcpy(&low, address.bytes.data() + sizeof high, sizeof low);
    return static_cast<std::size_t>(((high ^ low * 0x9e3779b97f4a7c15U) * 0xd1342543de82ef95U) >> 40U) %
           slots;
}

} // namespace

// Fixed in size. An address has one place; the last one to come has it.
struct CountryFile::Memory {
    struct CacheSlot {
        redirect::Address address; // not known: free
        CountryCode country;
    };
    std::uint64_t version = 0; // what this is of; 0: of nothing
    std::shared_ptr<const CountryDatabase> database;
    std::array<CacheSlot, 1024> slots;

    // Null when there is no room for it.
    static Memory* of_this_thread() noexcept {
        thread_local const std::unique_ptr<Memory> memory(new (std::nothrow) Memory);
        return memory.get();
    }
};

CountryFile::CountryFile(Options options)
    : options_(std::move(options)),
      watched_({options_.file}),
      version_(next_version()) {
    look(WatchedFiles::Patience::none);
    watcher_ = std::jthread([this](const std::stop_token& stopping) { watch(stopping); });
}

CountryFile::~CountryFile() = default;

CountryCode CountryFile::find(const redirect::Address& address) const noexcept {
    if (!address.known)
        return {};
    auto* const own = Memory::of_this_thread();
    if (own == nullptr)
        return {};
    auto& memory = *own;
    if (const auto version = version_.load(std::memory_order_acquire); memory.version != version) {
        memory.database = current(); // or a newer one, which is fine
        memory.version = version;
        memory.slots.fill({});
    }
    if (!memory.database)
        return {};
    auto& place = memory.slots[place_of(address, memory.slots.size())];
    if (place.address != address)
        place = {.address = address, .country = memory.database->find(address)};
    return place.country;
}

void CountryFile::reload() { look_again(WatchedFiles::Patience::none); }

// What there is no memory for now is looked at the next time.
void CountryFile::look_again(WatchedFiles::Patience patience) {
    static_cast<void>(guarded([&]() -> Result<void> {
        look(patience);
        return {};
    }));
}

CountryFile::Figures CountryFile::figures() const {
    const auto database = current();
    return {.loaded = database != nullptr, .built_at = database ? database->built_at() : 0};
}

std::shared_ptr<const CountryDatabase> CountryFile::current() const {
    const std::lock_guard lock(mutex_);
    return current_;
}

void CountryFile::watch(const std::stop_token& stopping) {
    ::pthread_setname_np(::pthread_self(), "countries");
    while (!stopping.stop_requested()) {
        pause(stopping, options_.look_every);
        if (!stopping.stop_requested())
            look_again(WatchedFiles::Patience::one_look);
    }
}

void CountryFile::look(WatchedFiles::Patience patience) {
    const std::lock_guard lock(looking_);
    if (!watched_.is_due(patience))
        return;
    auto read = CountryDatabase::read(options_.file);
    if (!read.has_value()) {
        if (watched_.refuse())
            report(watched_.are_missing() ? CountryFileNews::Kind::missing : CountryFileNews::Kind::broken,
                   read.error().message);
        return;
    }
    if (!watched_.take())
        return;
    {
        const std::lock_guard publishing(mutex_);
        current_.swap(*read); // the old data, if no thread reads it, goes after the lock
    }
    version_.store(next_version(), std::memory_order_release);
    report(CountryFileNews::Kind::loaded);
}

void CountryFile::report(CountryFileNews::Kind kind, std::string reason) const {
    if (options_.report)
        options_.report({.kind = kind, .reason = std::move(reason)});
}

} // namespace slashpost::geo
