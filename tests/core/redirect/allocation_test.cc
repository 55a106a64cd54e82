// Counts every allocation of this program, to hold the promise of core/redirect/redirector.h.
#include "tests/core/redirect/redirect_world.h"

#include <cstdlib>
#include <new>

namespace {
thread_local std::size_t allocations = 0;
}

void* operator new(std::size_t size) {
    ++allocations;
    if (void* at = std::malloc(size))
        return at;
    throw std::bad_alloc();
}
// Otherwise the library's own would hand out what the delete below cannot take back.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
// Not inlined, or g++ sees free() on what the new above it made and takes that for a mistake.
[[gnu::noinline]] void operator delete(void* at) noexcept { std::free(at); }
[[gnu::noinline]] void operator delete(void* at, std::size_t) noexcept { std::free(at); }

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("once it is warm, a redirect allocates nothing", "[redirect]") {
    class NoLane final : public data::JournalLane {
        bool append(data::BytesView) noexcept override { return true; }
    } lane;
    RedirectWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/some/longer/path/than/a/short/string?x=1"));
    const redirect::Visit plain{.host = "GO.example.com:443",
                                .path = "/%53ale",
                                .user_agent =
                                    "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0"};
    auto told = plain; // with all that a visitor may tell
    told.accept_language = "de-AT,de;q=0.9,en;q=0.5";
    told.referrer = "https://news.example.org/some/longer/path/than/a/short/string";
    told.address = redirect::Address::of("2001:db8::1");
    auto forwarding = plain;
    forwarding.query = "x=2&utm_source=newsletter&utm_medium=email";
    auto unknown = plain;
    unknown.path = "/unknown";
    auto below = plain;
    below.path = "/docs/a/path/that/is/longer/than/a/short/string";
    auto below_nothing = plain;
    below_nothing.path = "/nothing/a/b/c";
    auto docs = RedirectWorld::link("docs", "https://docs.example/base?x=1");
    docs.id = id_of<LinkId>(0xc2);
    docs.pass_path = true;
    world.put(docs);
    Domain words{.id = id_of<DomainId>(0xb2), .full_name = "words.example.com", .verified = true};
    words.slashtag.charset = SlashtagCharset::unicode;
    world.put(words);
    auto spring = RedirectWorld::link("a/frühling", "https://a.example/some/longer/path/than/a/short/string");
    spring.id = id_of<LinkId>(0xc3);
    spring.domain = words.id;
    world.put(spring);
    auto in_words = plain;
    in_words.host = "words.example.com";
    in_words.path = "/A/FRU%CC%88HLING";
    const auto round = [&] {
        for (const auto& visit : {plain, told, forwarding, unknown, below, below_nothing, in_words})
            world.redirector->answer(visit, lane, world.answer);
    };
    round(); // from the store
    round(); // from the cache, into buffers that get their sizes by it

    const auto before = allocations;
    for (int i = 0; i < 100; ++i)
        round();
    CHECK(allocations == before);
    CHECK(allocations > 0);
}
