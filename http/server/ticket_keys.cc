#include "http/server/ticket_keys.h"

#include <cstring>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

namespace slashpost::http {

namespace {

int slot() {
    static const int index = SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
    return index;
}

} // namespace

TicketKeys::TicketKeys() : current_(random_key()), rotates_at_(Clock::now() + lifetime) {}

TicketKeys::~TicketKeys() {
    OPENSSL_cleanse(&current_, sizeof current_);
    OPENSSL_cleanse(&previous_, sizeof previous_);
}

void TicketKeys::use_in(SSL_CTX* context) {
    SSL_CTX_set_ex_data(context, slot(), this);
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context, seal_or_open);
}

void TicketKeys::rotate() {
    const std::lock_guard lock(mutex_);
    previous_ = current_;
    current_ = random_key();
    rotates_at_ = Clock::now() + lifetime;
}

TicketKeys::Key TicketKeys::random_key() {
    Key key;
    key.usable = RAND_bytes(key.name.data(), static_cast<int>(key.name.size())) == 1 &&
                 RAND_priv_bytes(key.cipher.data(), static_cast<int>(key.cipher.size())) == 1 &&
                 RAND_priv_bytes(key.mac.data(), static_cast<int>(key.mac.size())) == 1;
    return key;
}

TicketKeys::Key TicketKeys::to_seal() {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (now >= rotates_at_) {
        // After a long silence the key before is too old as well.
        previous_ = now < rotates_at_ + lifetime ? current_ : Key{};
        current_ = random_key();
        rotates_at_ = now + lifetime;
    }
    return current_;
}

TicketKeys::Found TicketKeys::to_open(const unsigned char* name, Key& key) {
    const std::lock_guard lock(mutex_);
    if (current_.usable && std::memcmp(name, current_.name.data(), current_.name.size()) == 0) {
        key = current_;
        return Found::current;
    }
    if (previous_.usable && std::memcmp(name, previous_.name.data(), previous_.name.size()) == 0) {
        key = previous_;
        return Found::old;
    }
    return Found::no;
}

// OpenSSL's contract: 0 is no ticket, 1 is one, 2 is one that should be replaced, below 0 ends the handshake.
int TicketKeys::seal_or_open(SSL* ssl, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher,
                             EVP_MAC_CTX* mac, int sealing) {
    auto& self = *static_cast<TicketKeys*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), slot()));
    Key key;
    int answer = 1;
    if (sealing == 1) {
        key = self.to_seal();
        if (!key.usable || RAND_bytes(iv, EVP_MAX_IV_LENGTH) != 1)
            return 0;
        std::memcpy(name, key.name.data(), key.name.size());
    } else {
        const Found found = self.to_open(name, key);
        if (found == Found::no)
            return 0;
        answer = found == Found::old ? 2 : 1;
    }
    char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key.mac.data(), key.mac.size()),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
    const bool ready =
        EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), nullptr, key.cipher.data(), iv, sealing) == 1 &&
        EVP_MAC_CTX_set_params(mac, parameters) == 1;
    OPENSSL_cleanse(&key, sizeof key);
    return ready ? answer : -1;
}

} // namespace slashpost::http
