#pragma once
// The bytes of one connection, without waiting: a session reads and writes through this and does not know
// whether TLS lies in between. A transport over TLS answers `would_block` while it shakes hands.
#include "core/visitors/visitor.h"
#include "http/server/fd.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <sys/socket.h>

namespace slashpost::http {

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
    // Whether a read that would block waits for room to write.
    [[nodiscard]] virtual bool reads_when_writable() const { return false; }
    // Whether nobody on the way can read along.
    [[nodiscard]] virtual bool is_secure() const { return false; }
};

// Of a socket's end, without the port; not known for what is no IP.
redirect::Address address_of(const sockaddr_storage& end) noexcept;

class PlainTransport final : public Transport {
  public:
    explicit PlainTransport(Fd fd) : fd_(std::move(fd)) {}
    Result read(char* data, std::size_t size) override;
    Result write(std::string_view bytes) override;
    void finish_writing() override;

  private:
    Fd fd_;
};

} // namespace slashpost::http
