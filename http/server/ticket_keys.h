#pragma once
// The keys under which session tickets are sealed: a new one twice a day, the one before still opens, older
// tickets lead to a full handshake. So what a stolen key opens is limited to a day, and nothing is on disk.
#include "http/server/openssl.h"

#include <array>
#include <chrono>
#include <mutex>
#include <openssl/types.h>

namespace slashpost::http {

class TicketKeys {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds lifetime = std::chrono::hours(12);

    TicketKeys();
    ~TicketKeys();
    TicketKeys(const TicketKeys&) = delete;
    TicketKeys& operator=(const TicketKeys&) = delete;

    // Must outlive the context. From then on any thread may shake hands.
    void use_in(SSL_CTX* context);
    // The next key, as when the time of this one is over.
    void rotate();

  private:
    struct Key {
        std::array<unsigned char, 16> name{};
        std::array<unsigned char, 32> cipher{};
        std::array<unsigned char, 32> mac{};
        bool usable = false;
    };
    enum class Found : std::uint8_t { no, old, current };

    static int seal_or_open(SSL* ssl, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher,
                            EVP_MAC_CTX* mac, int sealing);
    Key to_seal();
    Found to_open(const unsigned char* name, Key& key);
    static Key random_key();

    std::mutex mutex_;
    // Guarded by mutex_.
    Key current_;
    Key previous_;
    Clock::time_point rotates_at_;
};

} // namespace slashpost::http
