// How certificates are on the disk: these bytes may never change, or older stores could not be read.
#include "core/schema/schema.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using data::Bytes;

TEST_CASE("what is known of a host's certificate is stored as these bytes", "[schema]") {
    HostCertificate row{.host = "a.b",
                        .wanted = true,
                        .state = CertificateState::failed,
                        .due_at = {1},
                        .orders = {{2}, {3}},
                        .failures = 4,
                        .error = "E",
                        .failed_at = Timestamp{5},
                        .issued_at = Timestamp{6},
                        .not_before = {7},
                        .not_after = {8},
                        .renewal_id = "R",
                        .window_start = Timestamp{9},
                        .window_end = Timestamp{10},
                        .ask_at = {11}};
    const auto bytes =
        Bytes("\x01\x01\x03\x61\x2e\x62\x02\x01\x02\x03\x01\x06\x04\x01\x02\x05\x04\x01\x04\x01"
              "\x06\x06\x01\x08\x07\x01\x45\x08\x01\x0a\x09\x01\x0c\x0a\x01\x0e\x0b\x01\x10\x0c"
              "\x01\x52\x0d\x01\x12\x0e\x01\x14\x0f\x01\x16",
              51);
    CHECK(data::encode(row) == bytes);
    CHECK(data::encode(*data::decode<HostCertificate>(bytes)) == bytes);
    CHECK(HostCertificate::primary_of(row) ==
          Bytes("\x2e\x73\x36\xdc\x8e\xba\x87\xef\x47\x2d\xf5\x68\xc3\x54\x82\xab\xf2\x57\x5d\xc3"
                "\xe5\xea\xc0\xc5\xc6\x2b\x8f\xfa\xea\xc2\xc9\x34",
                32));
    CHECK(AcmeChallenge::primary_for(ChallengeKind::http, "t") ==
          Bytes("\xa0\x63\x47\x06\x9e\x3b\x92\xf3\x07\x48\x56\xf9\x90\x84\x5a\xf5\x45\x3a\x0f\x74"
                "\x56\xd7\x34\xee\x6a\xac\x0f\x23\x75\x28\x58\x40",
                32));
}
