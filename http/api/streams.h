#pragma once
// Answers that go on for as long as somebody reads them: server-sent events. Each has a connection, and for a
// moment every second a worker; none waits in between.
#include "core/base/errors.h"
#include "core/base/id.h"
#include "http/server/holdings.h"

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>

namespace slashpost::api {

inline constexpr std::string_view event_stream_media_type = "text/event-stream";
// Between two looks of a stream. Less than a tick of the server, so that each of those brings one.
inline constexpr std::chrono::milliseconds stream_look_every{500};
// After so long without a word a stream says that it is there.
inline constexpr std::int64_t stream_ping_ms = 15'000;

// How many streams are open, in all and by account. Safe to use from any thread.
class Streams {
  public:
    static constexpr std::size_t of_account_max = 20;
    static constexpr std::size_t all_max = 500;

    // One of them, until the last copy of it is gone.
    using Place = std::shared_ptr<const void>;

    // Refused with LimitReached for one too many of the account, unavailable when there are too many in all.
    Result<Place> take(const AccountId& account) {
        if (!held_.take(everybody, 1, all_max))
            return unavailable("Too many streams are open; try again later.");
        Held held{.among_all = {held_, everybody}, .of_account = {}};
        const std::string who(account.view());
        if (!held_.take(who, 1, of_account_max))
            return refused("LimitReached", "stream",
                           fmt::format("An account has at most {} streams open at a time.", of_account_max));
        held.of_account = {held_, who};
        return std::make_shared<const Held>(std::move(held));
    }

    [[nodiscard]] std::size_t open() const { return held_.held_by(everybody); }

  private:
    using Holdings = http::Holdings<std::string>;
    struct Held {
        Holdings::One among_all, of_account;
    };

    static inline const std::string everybody; // an account's id is not empty
    Holdings held_;
};

} // namespace slashpost::api
