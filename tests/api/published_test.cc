// Texts of the program's own: packed where the client lets us, and not sent again to who has them.
#include "http/api/published.h"

#include "http/api/entity_tags.h"
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>
#include <zlib.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string unpacked(const std::string& packed) {
    z_stream stream{};
    REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
    std::string in = packed;
    std::string out(4'000'000, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    REQUIRE(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

// The coding in which a client that accepts this gets a text.
std::string_view coding_for(std::string_view accepted) {
    static const api::Published text("hello");
    http::Request request;
    request.headers = {{"Accept-Encoding", std::string(accepted)}};
    return text.edition_for(request).encoding;
}

} // namespace

TEST_CASE("a text is packed for who prefers that", "[published]") {
    for (const auto* accepted :
         {"gzip", "GZIP", "deflate, gzip, br", "gzip;q=0.5", "gzip; q=0.001", "x-gzip", "*", "*;q=0.1",
          "identity;q=0.5, gzip", "identity;q=0.5, gzip;q=0.5", "br,,gzip ,", "identity;q=0, *;q=0.5"}) {
        CAPTURE(accepted);
        CHECK(coding_for(accepted) == "gzip");
    }
    for (const auto* accepted :
         {"", "identity", "br", "gzip;q=0", "gzip;q=0.000", "*;q=0", "gzip;q=0, *", "gzipped", "gzip;q=x",
          "gzip;q=", "gzip;q=0.5, identity", "gzip;q=nan", "gzip;q=-1", "identity, *;q=0.5"}) {
        CAPTURE(accepted);
        CHECK(coding_for(accepted).empty());
    }
    http::Request several;
    several.headers = {{"accept-encoding", "br"}, {"Accept-Encoding", "gzip"}};
    CHECK(api::Published("x").edition_for(several).encoding == "gzip");
}

TEST_CASE("each form of a text has a tag of its own, which changes with the text", "[published]") {
    const api::Published one("one"), other("other"), same("one");
    http::Request plain, packed;
    packed.headers = {{"Accept-Encoding", "gzip"}};
    const auto tag = one.edition_for(plain).tag;
    CHECK(tag.size() == 34);
    CHECK(tag.starts_with('"'));
    CHECK(tag.ends_with('"'));
    CHECK(one.edition_for(packed).tag != tag);
    CHECK(other.edition_for(plain).tag != tag);
    CHECK(same.edition_for(plain).tag == tag);
}

TEST_CASE("who has a text already is recognised by its tag", "[published]") {
    const api::Published text("hello");
    const auto known = [&](const std::string& sent) {
        http::Request request;
        request.headers = {{"If-None-Match", sent}};
        return api::has_already(request, text.edition_for(request).tag);
    };
    const auto tag = text.edition_for({}).tag;
    for (const auto& sent : {tag, "W/" + tag, "\"x\", " + tag, std::string("*"), tag + ",\"y\""})
        CHECK(known(sent));
    for (const auto& sent :
         {std::string("\"x\""), tag.substr(1), std::string(), "W/ " + tag, std::string("\"\"")})
        CHECK_FALSE(known(sent));
    CHECK_FALSE(api::has_already({}, text.edition_for({}).tag));
}

TEST_CASE("the page and the document are sent packed, and once", "[published]") {
    ApiWorld world;
    for (const std::string path : {"/docs", "/openapi.json", "/"}) {
        INFO(path);
        const auto plain = world.send(get(path));
        CHECK(plain.header("Content-Encoding").empty());
        CHECK(plain.header("Vary") == "Accept-Encoding");
        CHECK(plain.header("Cache-Control") == "public, max-age=300");
        CHECK(plain.header("X-RateLimit-Limit") != "");

        const auto packed = world.send(get(path).with("Accept-Encoding", "gzip, br"));
        CHECK(packed.header("Content-Encoding") == "gzip");
        CHECK(packed.header("Content-Type") == plain.header("Content-Type"));
        CHECK(unpacked(packed.body) == plain.body);

        for (const auto& answer : {plain, packed}) {
            auto call = get(path).with("If-None-Match", answer.header("ETag"));
            if (!answer.header("Content-Encoding").empty())
                call = std::move(call).with("Accept-Encoding", "gzip");
            const auto again = world.send(call);
            CHECK(again.status == 304);
            CHECK(again.body.empty());
            CHECK(again.header("ETag") == answer.header("ETag"));
            CHECK(again.header("Cache-Control") == "public, max-age=300");
            CHECK(again.header("Content-Type").empty());
        }
        CHECK(world.send(get(path).with("If-None-Match", packed.header("ETag"))).status == 200);
    }
    CHECK(world.send(get("/links")).header("Cache-Control") == "no-store");
    CHECK(world.send(get("/links").with("Accept-Encoding", "gzip")).header("Content-Encoding").empty());
}
