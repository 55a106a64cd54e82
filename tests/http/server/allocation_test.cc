// A program of its own: it replaces operator new to count what a redirect allocates.
#include "tests/http/server/fixture.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> allocations = 0;

} // namespace

void* operator new(std::size_t size) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* memory = std::malloc(size))
        return memory;
    throw std::bad_alloc();
}
// Otherwise the library's own would hand out what the delete below cannot take back.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
// Not inlined, or g++ sees free() on what the new above it made and takes that for a mistake.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace slashpost::http {

TEST_CASE("a plain redirect allocates nothing in the steady state", "[server]") {
    Fixture fixture;
    fixture.redirector.remembers = false;
    Fd fd(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(fixture.server.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);

    const std::string_view request =
        "GET /go/some/place HTTP/1.1\r\nHost: go.example.com\r\nUser-Agent: Mozilla/5.0 (X11; Linux "
        "x86_64)\r\n"
        "Accept: text/html,application/xhtml+xml\r\nAccept-Language: en-GB,en;q=0.5\r\n\r\n";
    char answer[4096];
    const auto round_trips = [&](int count) {
        for (int i = 0; i < count; ++i) {
            if (::send(fd.get(), request.data(), request.size(), 0) <= 0 ||
                ::recv(fd.get(), answer, sizeof answer, 0) <= 0)
                return false;
        }
        return true;
    };
    REQUIRE(round_trips(100));
    const std::uint64_t before = allocations.load();
    REQUIRE(round_trips(10'000));
    CHECK(allocations.load() - before == 0);
}

} // namespace slashpost::http
