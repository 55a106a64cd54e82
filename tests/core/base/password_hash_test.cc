#include "core/base/password_hash.h"

#include "tests/support/must.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using slashpost::test::must;

namespace {

std::string problem_of(std::string_view password) {
    Problems problems;
    check_password("new", password, problems);
    return problems.none() ? "" : problems.fields().front().code + " " + problems.fields().front().message;
}

} // namespace

TEST_CASE("a password has 10 characters at least, 256 bytes at most, and is none that everybody tries",
          "[passwords]") {
    CHECK(problem_of("") == "RequiredField cannot be empty");
    CHECK(problem_of("k7#Qp2!xz") == "InvalidFormat must have at least 10 characters");
    CHECK(problem_of("k7#Qp2!xzz").empty());
    CHECK(problem_of("äöüßÄÖÜ€😀x").empty()); // ten characters
    CHECK(problem_of("äöüßÄÖÜ€😀") == "InvalidFormat must have at least 10 characters");
    CHECK(problem_of(std::string(256, 'x')).empty());
    CHECK(problem_of(std::string(257, 'x')) == "InvalidFormat must have at most 256 bytes");
    CHECK(problem_of("1234567890") == "InvalidFormat is one of the passwords that everybody tries first");
    CHECK(problem_of("Q1w2e3r4t5y6u8").empty());
    CHECK(problem_of("1Q2W3E4R5T") == "InvalidFormat is one of the passwords that everybody tries first");
    CHECK(problem_of("zxcvbnm123\xff") == "InvalidFormat has characters that are not allowed");
}

TEST_CASE("a hash is Argon2id with a salt of its own, and opens for its password only",
          "[passwords][threat-40]") {
    const auto hash = must(hash_password("correct horse battery"));
    CHECK(hash.starts_with("$argon2id$v=19$m=65536,t=2,p=1$"));
    CHECK(must(hash_password("correct horse battery")) != hash);
    CHECK(must(is_password(hash, "correct horse battery")));
    CHECK_FALSE(must(is_password(hash, "correct horse batterY")));
    CHECK_FALSE(must(is_password(hash, std::string("correct horse battery\0", 22))));
    CHECK_FALSE(must(is_password("", "correct horse battery")));
    CHECK_FALSE(must(is_password("", "")));
    CHECK_FALSE(must(is_password("what is no hash", "x")));
}
