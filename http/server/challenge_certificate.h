#pragma once
// The certificate of a handshake in which an authority looks whether a host is ours (TLS-ALPN-01, RFC 8737):
// signed by itself, for that host only, with a hash of what the authority wants to hear.
#include "http/server/certificate.h"

namespace slashpost::http {

// `host` in normal form, which has no character that means anything in an extension. Fails without memory.
Result<std::shared_ptr<const Certificate>> make_challenge_certificate(std::string_view host,
                                                                      std::string_view key_authorization);

} // namespace slashpost::http
