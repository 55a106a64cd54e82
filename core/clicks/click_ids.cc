#include "core/clicks/click_ids.h"

#include <openssl/evp.h>

#include <algorithm>

namespace slashpost::redirect {

namespace {

constexpr std::size_t key_half_bytes = 16; // one half authenticates, the other encrypts
constexpr std::size_t tag_bytes = 16, link_bytes = 16, time_bytes = 6, random_bytes = 6;
constexpr std::size_t plain_bytes = link_bytes + time_bytes + random_bytes;
constexpr std::size_t sealed_bytes = tag_bytes + plain_bytes;
static_assert(click_id_characters == (sealed_bytes * 8 + 5) / 6);

using Plain = std::array<std::uint8_t, plain_bytes>;
using Sealed = std::array<std::uint8_t, sealed_bytes>;

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

ClickId to_text(const Sealed& sealed) {
    ClickId out;
    std::uint32_t bits = 0;
    int held = 0;
    auto next = out.text.begin();
    for (const auto byte : sealed) {
        bits = bits << 8 | byte;
        for (held += 8; held >= 6; held -= 6)
            *next++ = alphabet[bits >> (held - 6) & 63];
    }
    *next = alphabet[bits << (6 - held) & 63];
    return out;
}

// Nothing when it is not what to_text makes.
std::optional<Sealed> from_text(std::string_view text) {
    if (text.size() != click_id_characters)
        return std::nullopt;
    Sealed out{};
    std::uint32_t bits = 0;
    int held = 0;
    auto next = out.begin();
    for (const char c : text) {
        const auto digit = alphabet.find(c);
        if (digit == alphabet.npos)
            return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        held += 6;
        if (held >= 8) {
            held -= 8;
            *next++ = static_cast<std::uint8_t>(bits >> held);
        }
    }
    const auto rest = bits & ((1U << held) - 1); // one click, one text
    return rest == 0 ? std::optional(out) : std::nullopt;
}

struct FreeContext {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

const unsigned char* bytes_of(const std::string& text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

// The workspace goes into the authenticator.
bool add_workspace(EVP_CIPHER_CTX* context, WorkspaceId workspace) {
    int length = 0;
    return EVP_CipherUpdate(context, nullptr, &length, workspace.bytes.data(),
                            static_cast<int>(workspace.bytes.size())) == 1;
}

} // namespace

bool is_click_id(std::string_view text) { return from_text(text).has_value(); }

void ClickIds::FreeCipher::operator()(evp_cipher_st* cipher) const { EVP_CIPHER_free(cipher); }

ClickIds::ClickIds(std::string key)
    : key_(std::move(key)),
      cipher_(key_.size() == 2 * key_half_bytes ? EVP_CIPHER_fetch(nullptr, "AES-128-SIV", nullptr)
                                                : nullptr) {}

std::optional<ClickId> ClickIds::make(WorkspaceId workspace, const ClickOrigin& click, Random& random) const {
    Plain plain{};
    auto* next = std::ranges::copy(click.link.bytes, plain.begin()).out;
    for (int shift = 40; shift >= 0; shift -= 8)
        *next++ = static_cast<std::uint8_t>(click.time.ms >> shift);
    random.fill({next, random_bytes});

    Sealed sealed{};
    int length = 0, rest = 0;
    const CipherContext context(EVP_CIPHER_CTX_new());
    if (!context ||
        EVP_EncryptInit_ex2(context.get(), cipher_.get(), bytes_of(key_), nullptr, nullptr) != 1 ||
        !add_workspace(context.get(), workspace) ||
        EVP_EncryptUpdate(context.get(), &sealed[tag_bytes], &length, plain.data(), plain_bytes) != 1 ||
        EVP_EncryptFinal_ex(context.get(), nullptr, &rest) != 1 ||
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, tag_bytes, sealed.data()) != 1)
        return std::nullopt;
    return to_text(sealed);
}

std::optional<ClickOrigin> ClickIds::open(WorkspaceId workspace, std::string_view text) const {
    auto sealed = from_text(text);
    if (!sealed)
        return std::nullopt;
    Plain plain{};
    int length = 0;
    const CipherContext context(EVP_CIPHER_CTX_new());
    // The last step compares the authenticator, in constant time.
    if (!context ||
        EVP_DecryptInit_ex2(context.get(), cipher_.get(), bytes_of(key_), nullptr, nullptr) != 1 ||
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes, sealed->data()) != 1 ||
        !add_workspace(context.get(), workspace) ||
        EVP_DecryptUpdate(context.get(), plain.data(), &length, &(*sealed)[tag_bytes], plain_bytes) != 1)
        return std::nullopt;
    ClickOrigin click;
    std::copy_n(plain.begin(), link_bytes, click.link.bytes.begin());
    for (std::size_t i = link_bytes; i < link_bytes + time_bytes; ++i)
        click.time.ms = click.time.ms << 8 | plain[i];
    return click;
}

} // namespace slashpost::redirect
