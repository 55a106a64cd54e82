#pragma once
// The bytes of one connection, without waiting: a session reads and writes through this and does not know
// whether TLS lies in between. A transport over TLS answers `would_block` while it shakes hands.
//
// Who has to wait awaits that the socket is ready, and holds no buffer meanwhile.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace slashpost::http {

class Session;

// What a socket can be awaited for. An error and the end of the connection make it ready to be read and to be
// written, too, as then nothing blocks any more.
enum class Readiness : std::uint8_t { to_read, to_write, hung_up };
inline constexpr std::size_t readiness_kinds = 3;

// The thread that runs a session, when what the session awaits is there.
class Waiter {
  public:
    virtual ~Waiter() = default;
    virtual void on_ready(Session& session, Readiness what) noexcept = 0;
};

class Transport {
  public:
    enum class Status : std::uint8_t { ok, would_block, end, failed }; // end: the peer sends no more
    struct Result {
        Status status = Status::ok;
        std::size_t bytes = 0; // 0 and ok: there is more to do, but others come first
        bool drained = false;  // of a read: nothing is left for now
    };

    virtual ~Transport() = default;
    virtual Result read(char* data, std::size_t size) = 0;
    // May take a part only.
    virtual Result write(std::string_view bytes) = 0;
    // Tells the peer that nothing more will come; reading goes on.
    virtual void finish_writing() = 0;
    // Ends both directions; who awaits something finds it ready.
    virtual void cut() noexcept = 0;
    // Calls `waiter` once: when the socket is ready, or soon after the transport was destroyed. Each kind may
    // be awaited once at a time. Throws for want of memory, and awaits nothing then.
    virtual void await(Readiness what, Waiter& waiter, Session& session) = 0;
    // Whether both directions are over.
    [[nodiscard]] virtual bool has_hung_up() = 0;
    // Whether a read that would block waits for room to write.
    [[nodiscard]] virtual bool reads_when_writable() const { return false; }
    // Whether nobody on the way can read along.
    [[nodiscard]] virtual bool is_secure() const { return false; }
};

} // namespace slashpost::http
