#pragma once
// API keys and the tokens of invites: made from 256 random bits, shown once, kept as a hash.
#include "core/base/random.h"

#include <string>
#include <string_view>

namespace slashpost {

// 64 lower-case hexadecimal characters.
std::string make_token(Random& random);

// SHA-256, 32 bytes. Enough for tokens: they are random, so there is nothing to guess at.
std::string sha256(std::string_view text);

// HMAC with SHA-256 (RFC 2104), 32 bytes.
std::string hmac_sha256(std::string_view text, std::string_view secret);

// Takes the same time wherever the texts differ.
bool equal_in_constant_time(std::string_view a, std::string_view b);

} // namespace slashpost
