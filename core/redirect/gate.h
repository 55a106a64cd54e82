#pragma once
// Who gets to the destination of a guarded link: one with a password, or for so many visitors only. Whether a
// link is guarded its target says, so a visit to any other costs nothing more. Who comes to a guarded one is
// looked at on a thread for which nobody waits: comparing a password takes 100 ms, and a visitor is counted
// in a transaction, as two at once must not both be the last.
#include "core/base/id.h"
#include "core/redirect/redirector.h"

#include <optional>
#include <string>

namespace slashpost::redirect {

// A visit with all that its answer depends on, for when the request is gone.
struct GuardedVisit {
    explicit GuardedVisit(const Visit& visit);
    // Of this one's texts.
    [[nodiscard]] Visit visit() const;

    std::string host, path, query, user_agent, accept_language, referrer;
    Address address;
    bool secure = false, objects = false, counts = true, posts = false;
    // As it was sent with the page's form; nothing: none was.
    std::optional<std::string> password;
};

enum class Passage : std::uint8_t {
    open,        // to the destination
    ended,       // the link has ended, perhaps with the visitor before
    gone,        // there is no such link any more
    asks,        // a password is needed
    wrong,       // it is another one
    waits,       // there were too many wrong ones from this address
    shut,        // only people get through, and this is a program that only looks
    busy,        // too many passwords are looked at just now
    unavailable, // the store could not be read or written
};

struct Admission {
    Passage passage = Passage::unavailable;
    std::int64_t wait_seconds = 0; // of `waits`: until the next try
};

class Gate {
  public:
    virtual ~Gate() = default;
    // Counts the visitor of a link that is for so many, when it lets them through. `is_person`: no bot.
    // Thread-safe; blocks on the disk and on comparing a password.
    virtual Admission admit(LinkId link, const GuardedVisit& visit, bool is_person) = 0;
};

} // namespace slashpost::redirect
