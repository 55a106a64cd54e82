#pragma once
// The admin tool's conversation with a running server, over a connected unix socket.
//
//   frame     = type (1 byte) | payload length (4 bytes, big-endian) | payload
//   client    'A' the command's arguments, each followed by a zero byte; nothing after it
//   server    'O' bytes for standard output   'N' one line for standard error
//             'P' one line of progress   'X' the end: exit code (1 byte)
//
// A client that goes away ends its command. The bytes are a contract between builds: never change them. A
// type that a client does not know is one that it can do without.
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::admin {

enum class FrameType : std::uint8_t { arguments = 'A', output = 'O', note = 'N', progress = 'P', end = 'X' };

struct Frame {
    FrameType type = FrameType::end;
    std::string payload;
};

inline constexpr std::uint32_t frame_payload_max = 1U << 18U;

// One end. Sending and receiving block; `cut` from another thread wakes both.
class Channel {
  public:
    explicit Channel(int descriptor) : descriptor_(descriptor) {} // owns it
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    // `payload` has at most frame_payload_max bytes. Fails with `unavailable` when the peer is gone.
    Result<void> send(FrameType type, std::string_view payload);
    // Nothing when the peer closed its end between frames. Fails on a cut or malformed frame.
    Result<std::optional<Frame>> receive();
    // The peer has closed or the channel was cut. Does not block.
    [[nodiscard]] bool peer_gone() const;
    void cut();
    [[nodiscard]] int descriptor() const { return descriptor_; }

  private:
    Result<std::size_t> receive_bytes(char* into, std::size_t count);
    int descriptor_;
};

std::string encode_arguments(const std::vector<std::string>& arguments);
// Nothing when the payload does not end in a zero byte.
std::optional<std::vector<std::string>> decode_arguments(std::string_view payload);

} // namespace slashpost::admin
