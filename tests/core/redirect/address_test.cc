#include "core/redirect/address.h"

#include "core/redirect/sent_path.h"

#include <catch2/catch.hpp>

#include <string>

using namespace slashpost::redirect;

namespace {

std::string host(std::string_view text) {
    AddressBuffer buffer;
    return std::string(visited_host(text, buffer));
}

// The slashtag of a path, or the name of what else it is.
std::string path(std::string_view text, Case letters = Case::ignored) {
    AddressBuffer buffer;
    const auto found = visited_path(text, {.letters = letters}, buffer);
    switch (found.kind) {
    case PathKind::slashtag:
        return std::string(found.slashtag);
    case PathKind::below:
        return std::string(found.slashtag) + " (below) " + std::string(found.rest);
    case PathKind::slashtag_and_parameters:
        return std::string(found.slashtag) + " (with) " + std::string(found.rest);
    case PathKind::preview:
        return "(preview of) " + std::string(found.slashtag);
    case PathKind::qr_code:
        return "(code of) " + std::string(found.slashtag);
    case PathKind::home:
        return "(home)";
    case PathKind::robots:
        return "(robots)";
    case PathKind::favicon:
        return "(favicon)";
    case PathKind::well_known:
        return "(well known)";
    case PathKind::other:
        return "(other)";
    }
    return "?";
}

} // namespace

TEST_CASE("a visited host is found whatever its case, dot and usual port", "[redirect]") {
    CHECK(host("go.example.com") == "go.example.com");
    CHECK(host("GO.Example.COM") == "go.example.com");
    CHECK(host("go.example.com.") == "go.example.com");
    CHECK(host("go.example.com:80") == "go.example.com");
    CHECK(host("Go.example.com.:443") == "go.example.com");
    CHECK(host("go.example.com:") == "go.example.com");
    CHECK(host("localhost:8080") == "localhost:8080");
    CHECK(host("localhost.:8080") == "localhost:8080");
    CHECK(host("[::1]:8080") == "[::1]:8080");
    CHECK(host("[2001:DB8::1]:443") == "[2001:db8::1]");
    CHECK(host("[::1]") == "[::1]");
}

TEST_CASE("a hostile host becomes one that no domain can have", "[redirect]") {
    CHECK(host("").empty());
    CHECK(host(":80").empty());
    CHECK(host(".").empty());
    CHECK(host(std::string(300, 'a')).empty());
    CHECK(host("go.example.com:080") == "go.example.com:080");
    CHECK(host("go.example.com..") == "go.example.com.");
    CHECK(host("[::1").substr(0, 1) == "[");
    CHECK(host("a:b:80") == "a:b:80");
}

TEST_CASE("a path of one part is a slashtag, in lower case unless case is minded", "[redirect]") {
    CHECK(path("/sale") == "sale");
    CHECK(path("/Sale-2026_x") == "sale-2026_x");
    CHECK(path("/Sale", Case::minded) == "Sale");
    CHECK(path("/sale/") == "sale");
    CHECK(path("/%73ale") == "sale");
    CHECK(path("/%53ale", Case::minded) == "Sale");
    CHECK(path("/a%2Db%5Fc") == "a-b_c");
    CHECK(path("/v1") == "v1");
    CHECK(path("/" + std::string(255, 'a')) == std::string(255, 'a'));
}

TEST_CASE("reserved paths are no slashtags", "[redirect][threat-25]") {
    CHECK(path("/") == "(home)");
    CHECK(path("/robots.txt") == "(robots)");
    CHECK(path("/favicon.ico") == "(favicon)");
    CHECK(path("/.well-known") == "(well known)");
    CHECK(path("/.well-known/acme-challenge/x") == "(well known)");
    CHECK(path("/.well-knownx") == "(other)");
    CHECK(path("/robots") == "robots");
}

TEST_CASE("a plus behind a slashtag asks for its preview, .qr for its code", "[redirect]") {
    CHECK(path("/sale+") == "(preview of) sale");
    CHECK(path("/Sale%2B") == "(preview of) sale");
    CHECK(path("/Sale%2b/", Case::minded) == "(preview of) Sale");
    CHECK(path("/sale.qr") == "(code of) sale");
    CHECK(path("/s%41le%2Eqr") == "(code of) sale");
    CHECK(path("/Sale.QR/", Case::minded) == "(code of) Sale");
    CHECK(path("/" + std::string(255, 'a') + "+") == "(preview of) " + std::string(255, 'a'));
    CHECK(path("/saleqr") == "saleqr");
    for (const std::string text :
         {"/+", "/.qr", "/%2B", "/a++", "/a+.qr", "/a.qr+", "/a.qr.qr", "/a.q", "/a.qrx", "/a+b", "/a.png",
          "/a%252B", "/a/+", "//+", "/+a", "/a.%00", "/a+%00", "/robots.txt+", "/v1/+"})
        CHECK(path(text) == "(other)");
    CHECK(path("/" + std::string(256, 'a') + "+") == "(other)");
}

TEST_CASE("repeated slashes are no part of an address", "[redirect]") {
    CHECK(path("//Sale") == "sale");
    CHECK(path("///sale") == "sale");
    CHECK(path("/sale//") == "sale");
    CHECK(path("//sale///") == "sale");
    CHECK(path("/sale+//") == "(preview of) sale");
    CHECK(path("//sale.qr//") == "(code of) sale");
}

TEST_CASE("punctuation that is glued behind an address is no part of it", "[redirect]") {
    for (const auto* glued : {".",
                              ",",
                              ";",
                              ":",
                              "!",
                              "?",
                              ")",
                              "]",
                              ">",
                              "}",
                              "\"",
                              "'",
                              "%22",
                              "%27",
                              "%29",
                              "%3E",
                              "%5D",
                              "%3f",
                              "%20",
                              " ",
                              "%C2%A0",
                              "%E2%80%9D",
                              "\xe2\x80\x9d",
                              "%e2%80%99",
                              "%C2%BB",
                              "%C2%AB",
                              "%E2%80%A6",
                              "%E3%80%82",
                              "%EF%BC%8C",
                              "%EF%BC%89",
                              "%0D%0A",
                              "*",
                              "**",
                              "...",
                              ").",
                              "%22).",
                              ".)%20",
                              "/.",
                              "./",
                              "//)",
                              "!!!",
                              "%E2%80%8B",
                              "%EF%BB%BF",
                              "%C2%AD",
                              "%E2%81%A0",
                              "%EF%B8%8F",
                              "%E2%80%8E."}) {
        INFO(glued);
        CHECK(path(std::string("/Sale") + glued) == "sale");
        CHECK(path(std::string("//Sale") + glued, Case::minded) == "Sale");
        CHECK(path(std::string("/sale+") + glued) == "(preview of) sale");
        CHECK(path(std::string("/sale.qr") + glued) == "(code of) sale");
        CHECK(path(std::string("/") + glued) == "(home)");
    }
    CHECK(path("//") == "(home)");
    CHECK(path("///") == "(home)");
}

TEST_CASE("invisible characters are no part of an address, wherever they are", "[redirect]") {
    CHECK(path("/%E2%80%8Bsale") == "sale");
    CHECK(path("/sa%E2%80%8Ble") == "sale");
    CHECK(path("/sa\xc2\xadle") == "sale");
    CHECK(path("/%EF%BB%BFs%E2%81%A0ale+%E2%80%8B") == "(preview of) sale");
    CHECK(path("/" + std::string(255, 'a') + "%E2%80%8B") == std::string(255, 'a'));
}

TEST_CASE("parameters that are glued to a slashtag are the visitor's", "[redirect]") {
    CHECK(path("/Sale&utm_source=X") == "sale (with) utm_source=X");
    CHECK(path("/sale/&utm_source=x&b=%26") == "sale (with) utm_source=x&b=%26");
    CHECK(path("/sale%26a=1") == "sale (with) a=1");
    CHECK(path("/sale&") == "sale (with) ");
    CHECK(path("/sale.qr&a=1") == "(code of) sale");
    CHECK(path("/sale+&a=1") == "(preview of) sale");
    CHECK(path("/&a=1") == "(other)");
}

TEST_CASE("what is behind a slashtag and no punctuation makes it another address", "[redirect]") {
    for (const std::string text : {"/sale%20more", "/sale/more", "/sale.more", "/sale=1", "/sale@x",
                                   "/sale(1)", "/sale%C3%A9", "/sale%F0%9F%98%80", "/sale%E2", "/sale%E2%80",
                                   "/sale%FF", "/sale%C2", "/sale%82%AD", "/sale.%E4%B8%80", "/%F0%9F%98%80"})
        CHECK(path(text) == "(other)");
}

TEST_CASE("a browser follows the dots of a path before it asks", "[redirect]") {
    CHECK(sent_path("") == "/");
    CHECK(sent_path("/") == "/");
    CHECK(sent_path("/sale") == "/sale");
    CHECK(sent_path("/./sale") == "/sale");
    CHECK(sent_path("/x/../sale") == "/sale");
    CHECK(sent_path("/x/y/%2E%2e/../sale/.") == "/sale/");
    CHECK(sent_path("/../../sale/%2e") == "/sale/");
    CHECK(sent_path("/.%2e/sale/x/..") == "/sale/");
    CHECK(sent_path("/sale/..") == "/");
    CHECK(sent_path("//sale") == "//sale");
    CHECK(sent_path("/%73ale") == "/%73ale");
    CHECK(sent_path("/.../sale") == "/.../sale");
    CHECK(sent_path("/%252e/sale") == "/%252e/sale");
}

TEST_CASE("a path that no slashtag can have is nothing at all", "[redirect][threat-25]") {
    for (const std::string text :
         {"/a/b",      "//a/b",   "/a%2fb", "/a%2Fb", "/../a", "/a.b",      "/+",    "/.qr",
          "/a b",      "/a%20b",  "/%",     "/%7",    "/%zz",  "/%2573ale", "/a%00", "/%0d%0aSet-Cookie:x",
          "/\xc3\xa4", "/%c3%a4", "/a;b",   "/a\\b",  "/.a",   "a",         "*",     "/a\r\nb"})
        CHECK(path(text) == "(other)");
    CHECK(path("/" + std::string(256, 'a')) == "(other)");
    CHECK(path("/" + std::string(100'000, 'a')) == "(other)");
    CHECK(path(std::string("/a\0b", 4)) == "(other)");
}
