#pragma once
// Files that somebody else replaces while the program runs, some of which belong together: when they are to
// be read again, and when it is time to say that they cannot be.
//
// A file that is found while it is written looks broken, and two files do not change in the same instant. So
// what is refused gets a second look before anybody hears of it.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace slashpost {

class WatchedFiles {
  public:
    explicit WatchedFiles(std::vector<std::filesystem::path> files) : files_(std::move(files)) {}

    enum class Patience : std::uint8_t {
        one_look,
        none, // whoever asks wants to hear at once, and again
    };
    // Looks at the files. Whether they are to be read: they are not those that were taken, and not those of
    // whose refusal was told.
    bool is_due(Patience patience);
    // After reading files that were due, which are good. False when they have changed meanwhile: then they
    // are to be read again, at the next look.
    bool take();
    // After reading files that were due, which are not good. Whether that is to be told now.
    bool refuse();
    // Whether none of the files was there at the last look.
    [[nodiscard]] bool are_missing() const;

  private:
    // What tells one version of a file from the next.
    struct State {
        std::uintmax_t bytes = 0;
        std::filesystem::file_time_type changed;
        bool operator==(const State&) const = default;
    };
    using States = std::vector<std::optional<State>>; // nothing: it is not there
    [[nodiscard]] States look() const;

    const std::vector<std::filesystem::path> files_;
    States now_;                    // at the last look
    std::optional<States> taken_;   // as they were when they were taken
    std::optional<States> refused_; // as they were when reading failed
    bool is_told_ = false;          // that they were refused
    Patience patience_ = Patience::none;
};

} // namespace slashpost
