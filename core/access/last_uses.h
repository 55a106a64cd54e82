#pragma once
// When keys, sessions and grants were used last, until a background step writes it down: no call waits for
// that.
#include "core/access/context.h"
#include "core/model/application.h"
#include "core/model/sign_in.h"

#include <map>
#include <mutex>

namespace slashpost {

class LastUses {
  public:
    static constexpr std::int64_t key_every_seconds = 3600; // how old a row's time may get
    static constexpr std::int64_t session_every_seconds = 60;
    static constexpr std::int64_t grant_every_seconds = 3600;
    static constexpr std::size_t remembered_max = 10'000; // of each; more are left to their next call

    struct Noted {
        std::map<ApiKeyId, Timestamp> keys;
        std::map<SessionId, Timestamp> sessions;
        std::map<GrantId, Timestamp> grants;
    };

    // Safe to call from any thread, as all of it is.
    void note(const ApiKey& key, Timestamp now);
    void note(const Session& session, Timestamp now);
    void note(const Grant& grant, Timestamp now);
    // All that was noted, or as much of it as one transaction shall write; forgotten here.
    Noted take();

  private:
    std::mutex mutex_;
    Noted noted_; // guarded by mutex_
};

// Moves the times of the rows. Rows that are gone, or were used later, stay as they are.
Result<void> book_uses(SystemContext& system, const LastUses::Noted& noted);

} // namespace slashpost
