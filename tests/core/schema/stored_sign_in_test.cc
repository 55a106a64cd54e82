// How people sign in: these bytes may never change, or older stores could not be read.
#include "core/schema/schema.h"
#include "tests/core/schema/bytes.h"

#include <catch2/catch.hpp>

using namespace slashpost;

TEST_CASE("what people sign in with is stored as these bytes", "[schema]") {
    const Session session{.id = id<SessionId>('1'),
                          .account = id<AccountId>('2'),
                          .token_hash = "H",
                          .created_at = {1},
                          .used_at = {2},
                          .client = "C",
                          .way = SignInWay::invite};
    CHECK(data::encode(session) == from_hex("01 0110" + std::string(zeros) + "01 0210" + std::string(zeros) +
                                            "02 030148 040102 050104 060143 070106"));
    const Credentials credentials{.account = id<AccountId>('1'),
                                  .password_hash = "H",
                                  .password_set_at = Timestamp{1},
                                  .totp_secret = "S",
                                  .totp_since = Timestamp{2},
                                  .totp_step = 3,
                                  .recovery_hashes = {"a", "b"}};
    CHECK(data::encode(credentials) ==
          from_hex("01 0110" + std::string(zeros) + "01 020148 030102 040153 050104 060106 0704 0161 0162"));
    const SignInToken token{.id = id<SignInTokenId>('1'),
                            .account = id<AccountId>('2'),
                            .token_hash = "H",
                            .created_at = {1},
                            .by_mail = true,
                            .email = "E",
                            .by_provider = true};
    CHECK(data::encode(token) == from_hex("01 0110" + std::string(zeros) + "01 0210" + std::string(zeros) +
                                          "02 030148 040102 050102 060145 070102"));
    const Identity identity{.account = id<AccountId>('1'),
                            .issuer = "I",
                            .subject = "S",
                            .email = "E",
                            .connected_at = {1},
                            .used_at = {2}};
    CHECK(data::encode(identity) ==
          from_hex("01 0110" + std::string(zeros) + "01 020149 030153 040145 050102 060104"));
    const SignInTries tries{.subject = "S", .count = 1, .last_at = {2}, .forgotten_at = {3}};
    CHECK(data::encode(tries) == from_hex("01 010153 020102 030104 040106"));
}
