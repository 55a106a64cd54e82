#pragma once
// The country of an address, by a MaxMind-format file (--geoip) that may be replaced while the server runs.
//
// The file is looked at every few seconds, off the threads that serve visitors, and read anew when it has
// changed. One that is missing, truncated or no file of countries leaves the one before in force, and says so
// once. Readers take no lock and wait for nobody: each thread keeps hold of the data it reads until it has
// seen that there is newer, and remembers the last addresses it was asked for.
#include "app/geo/country_database.h"
#include "core/base/watched_files.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace slashpost::geo {

// Something about the file that whoever runs the server should know.
struct CountryFileNews {
    enum class Kind : std::uint8_t { loaded, missing, broken };
    Kind kind = Kind::loaded;
    std::string reason; // why it is missing or broken
};

class CountryFile final : public redirect::CountryFinder {
  public:
    struct Options {
        std::filesystem::path file;
        std::chrono::milliseconds look_every{2'000};
        std::function<void(const CountryFileNews&)> report; // called by one thread at a time
    };

    // Looks at the file, which need not be there, and watches it from then on.
    explicit CountryFile(Options options);
    ~CountryFile() override;

    // From any thread; after the first call of a thread it allocates nothing.
    [[nodiscard]] CountryCode find(const redirect::Address& address) const noexcept override;
    // Looks at once, and speaks again about what is still broken. From any thread.
    void reload();

    struct Figures {
        bool loaded = false;
        std::uint64_t built_at = 0; // when the data was put together, in Unix time; 0: none is loaded
    };
    // From any thread.
    [[nodiscard]] Figures figures() const;

  private:
    // What one thread remembers.
    struct Memory;

    void look(WatchedFiles::Patience patience);
    void look_again(WatchedFiles::Patience patience);
    void watch(const std::stop_token& stopping);
    void report(CountryFileNews::Kind kind, std::string reason = {}) const;
    [[nodiscard]] std::shared_ptr<const CountryDatabase> current() const;

    const Options options_;

    std::mutex looking_;
    WatchedFiles watched_; // guarded by looking_

    std::atomic<std::uint64_t> version_; // of what is current; no two files of a process share one
    mutable std::mutex mutex_;
    std::shared_ptr<const CountryDatabase> current_; // guarded by mutex_; null: none
    std::jthread watcher_;
};

} // namespace slashpost::geo
