#include "core/base/password_hash.h"

#include "core/base/common_passwords.h"
#include "core/base/text.h"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <sodium.h>

namespace slashpost {

namespace {

static_assert(crypto_pwhash_MEMLIMIT_INTERACTIVE == password_hash_memory_bytes);

// Of a password that nobody knows, for accounts that have none. It opens nothing: is_password sees to that.
constexpr std::string_view nobodys_hash = "$argon2id$v=19$m=65536,t=2,p=1$tIsoVKZzh"
                                          "HnlHzRbgBhWhQ$JvZyeJYN2wWTlHPBFBgewwFriUXvEkYmvYvO9jv0Zis";

// Chooses libsodium's quickest code for this processor. Once, before anything else of it.
bool is_ready() {
    static const bool ready = sodium_init() >= 0;
    return ready;
}

std::unexpected<Error> no_memory() {
    return unavailable("There is no memory to look at a password now; try again in a moment.");
}

} // namespace

void check_password(std::string_view property, std::string_view password, Problems& problems) {
    if (password.empty())
        problems.add(required_field(property));
    else if (!is_utf8(password))
        problems.add(invalid_format(property, "has characters that are not allowed"));
    else if (count_code_points(password) < password_characters_min)
        problems.add(invalid_format(
            property, fmt::format("must have at least {} characters", password_characters_min)));
    else if (password.size() > password_bytes_max)
        problems.add(invalid_format(property, fmt::format("must have at most {} bytes", password_bytes_max)));
    else if (is_common_password(password))
        problems.add(invalid_format(property, "is one of the passwords that everybody tries first"));
}

Result<std::string> hash_password(std::string_view password) {
    std::array<char, crypto_pwhash_STRBYTES> hash{};
    if (!is_ready() ||
        crypto_pwhash_str(hash.data(), password.data(), password.size(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                          crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0)
        return no_memory();
    return std::string(hash.data());
}

Result<bool> is_password(std::string_view hash, std::string_view password) {
    if (!is_ready())
        return no_memory();
    const std::string looked_at(hash.empty() ? nobodys_hash : hash);
    errno = 0;
    const bool same = crypto_pwhash_str_verify(looked_at.c_str(), password.data(), password.size()) == 0;
    if (!same && errno == ENOMEM)
        return no_memory();
    return same && !hash.empty();
}

} // namespace slashpost
