#pragma once
// Public identifiers: 16 bytes, written as 32 lower-case hexadecimal characters, creation-ordered
// (wire "Transport"). Id<A> and Id<B> do not mix.
//
//   bytes 0..5   milliseconds since 1970, big-endian
//   bytes 6..7   counter within the millisecond, big-endian
//   bytes 8..15  random, so that an id cannot be guessed from its neighbour
#include "core/base/random.h"
#include "core/base/time.h"

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace slashpost {

struct RawId {
    std::array<std::uint8_t, 16> bytes{};
    bool operator==(const RawId& other) const { return half(0) == other.half(0) && half(8) == other.half(8); }
    // As their bytes. Searches and sorts of a million ids compare little else.
    std::strong_ordering operator<=>(const RawId& other) const {
        const auto first = half(0) <=> other.half(0);
        return first != 0 ? first : half(8) <=> other.half(8);
    }

    [[nodiscard]] bool empty() const { return bytes == std::array<std::uint8_t, 16>{}; }
    [[nodiscard]] std::string hex() const;
    [[nodiscard]] std::string_view view() const {
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    // When the id was made. The order of ids is the order of creation, so a list by creation needs no other
    // index than the ids.
    [[nodiscard]] Timestamp made_at() const;
    // The smallest id that can be made at `time`.
    static RawId first_at(Timestamp time);
    // `text` is 32 lower-case hexadecimal characters; anything else is nothing.
    static std::optional<RawId> parse(std::string_view text);
    // `raw` is exactly 16 bytes, as view() gave them.
    static std::optional<RawId> from_bytes(std::string_view raw);

  private:
    // Eight bytes as a number, big-endian.
    [[nodiscard]] std::uint64_t half(std::size_t at) const {
        std::uint64_t number = 0;
        std::memcpy(&number, bytes.data() + at, sizeof number);
        return std::endian::native == std::endian::little ? std::byteswap(number) : number;
    }
};

template <class Tag>
struct Id : RawId {
    Id() = default;
    explicit Id(const RawId& raw) : RawId(raw) {}
    auto operator<=>(const Id&) const = default;

    static std::optional<Id> parse(std::string_view text) {
        if (auto raw = RawId::parse(text))
            return Id(*raw);
        return std::nullopt;
    }
    static std::optional<Id> from_bytes(std::string_view raw_bytes) {
        if (auto raw = RawId::from_bytes(raw_bytes))
            return Id(*raw);
        return std::nullopt;
    }
};

using AccountId = Id<struct AccountTag>;
using WorkspaceId = Id<struct WorkspaceTag>;
using DomainId = Id<struct DomainTag>;
using LinkId = Id<struct LinkTag>;
using ApiKeyId = Id<struct ApiKeyTag>;
using TagId = Id<struct TagTag>;
using ScriptId = Id<struct ScriptTag>;
using JobId = Id<struct JobTag>;
using InviteId = Id<struct InviteTag>;
using MailId = Id<struct MailTag>;
using ConversionId = Id<struct ConversionTag>;
using SessionId = Id<struct SessionTag>;
using SignInTokenId = Id<struct SignInTokenTag>;
using WebhookId = Id<struct WebhookTag>;
using ApplicationId = Id<struct ApplicationTag>;
using GrantId = Id<struct GrantTag>;

// Makes ids that are unique and, within one process, strictly increasing, also when the clock jumps back.
// Safe to call from any thread.
class IdSource {
  public:
    IdSource(const Clock& clock, Random& random) : clock_(clock), random_(random) {}
    template <class I>
    I next() {
        return I(next_raw());
    }

  private:
    RawId next_raw();

    const Clock& clock_;
    Random& random_;
    std::mutex mutex_;
    std::uint64_t last_ = 0; // milliseconds << 16 | counter; guarded by mutex_
};

} // namespace slashpost
