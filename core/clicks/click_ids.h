#pragma once
// Click ids: what a forwarded visitor carries in the destination's query, so that what they do there can be
// put down to the click. Nothing is stored for one: the text says everything, to nobody but who has the key.
//
//   sealed   16  the authenticator of RFC 5297 (AES-SIV), over what follows and the workspace
//            28  encrypted: link (16), time of the click in milliseconds (6, big-endian), random (6)
//   text     base64url of the 44 bytes, 59 characters; a click has one text only
//
// The workspace is authenticated without being carried: whoever opens a click id knows in which workspace,
// and one of another workspace is as good as a forged one. No two clicks share a text, so they cannot be
// connected by it, and it tells neither the link nor the time.
#include "core/base/id.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_cipher_st; // OpenSSL's

namespace slashpost::redirect {

inline constexpr std::size_t click_id_characters = 59;

struct ClickId {
    std::array<char, click_id_characters> text{};
    [[nodiscard]] std::string_view view() const { return {text.data(), text.size()}; }
};

// What a click id tells who may know.
struct ClickOrigin {
    LinkId link;
    Timestamp time;
    bool operator==(const ClickOrigin&) const = default;
};

// Whether it looks like one.
[[nodiscard]] bool is_click_id(std::string_view text);

// Safe to use from any thread.
class ClickIds {
  public:
    // `key` has click_id_key_bytes (core/schema/store.h).
    explicit ClickIds(std::string key);

    // Nothing when there is no memory for it.
    [[nodiscard]] std::optional<ClickId> make(WorkspaceId workspace, const ClickOrigin& click,
                                              Random& random) const;
    // Nothing for a text that was not made with this key for this workspace.
    [[nodiscard]] std::optional<ClickOrigin> open(WorkspaceId workspace, std::string_view text) const;

  private:
    struct FreeCipher {
        void operator()(evp_cipher_st* cipher) const;
    };
    std::string key_;
    std::unique_ptr<evp_cipher_st, FreeCipher> cipher_;
};

} // namespace slashpost::redirect
