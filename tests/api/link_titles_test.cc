// What a page is called, told to whoever makes a link to it.
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr std::string_view shop_page = "https://shop.example/sale";

struct TitleWorld : ApiWorld {
    // What is answered about a page of that text at `shop_page`.
    Answer of_page(std::string bytes, std::string content_type = "text/html; charset=utf-8") {
        pages.insert_or_assign(std::string(shop_page),
                               WebPage{.content_type = std::move(content_type), .bytes = std::move(bytes)});
        return ask(shop_page);
    }
    Answer of(WebPageProblem problem) {
        pages.insert_or_assign(std::string(shop_page), std::unexpected(problem));
        return ask(shop_page);
    }
    Answer ask(std::string_view destination) {
        return send(post("/links/title", R"({"destination":")" + std::string(destination) + "\"}"));
    }
};

} // namespace

TEST_CASE("a page's title and description are told", "[titles]") {
    TitleWorld world;
    const auto reply =
        world.of_page("<title>Summer &amp; sale</title><meta name=description content=' All\n of it '>");
    CHECK(reply.status == 200);
    CHECK(reply.body == R"({"title":"Summer & sale","description":"All of it"})");
    CHECK(world.pages_read == std::vector<std::string>{std::string(shop_page)});
    CHECK(world.of_page("<p>").body == R"({"title":"","description":""})");
    CHECK(world.of_page("<title>x</title>", "").at("title") == "x");
    CHECK(world.of_page("<title>x</title>", "Application/XHTML+XML").at("title") == "x");
    CHECK(world.send(get("/links/count")).at("count") == "0"); // nothing is made of it
}

TEST_CASE("a title is no longer than a link's may be, and is what a link takes", "[titles][threat-7]") {
    TitleWorld world;
    const auto reply =
        world.of_page("<title>" + std::string(3'000, 'x') +
                      "</title><meta name=description content=" + std::string(3'000, 'y') + ">");
    CHECK(reply.at("title") == std::string(255, 'x'));
    CHECK(reply.at("description") == std::string(2'000, 'y'));
    const auto hostile = world.of_page("<title>&lt;script&gt;alert(1)&lt;/script&gt;\x1b[2J&#x202e;</title>");
    CHECK(hostile.at("title") == "<script>alert(1)</script>[2J");
    CHECK(world.link(R"({"destination":"https://shop.example/sale","title":")" + hostile.at("title") + "\"}")
              .at("title") == "<script>alert(1)</script>[2J");
}

TEST_CASE("the page that is read is the one to which a link would lead", "[titles]") {
    TitleWorld world;
    CHECK(world.ask(" https://Shop.example/a b#part ").status == 200);
    CHECK(world.pages_read == std::vector<std::string>{"https://Shop.example/a%20b#part"});
}

TEST_CASE("what is no page is told at the destination", "[titles]") {
    TitleWorld world;
    const auto told = [](const Answer& answer) {
        return answer.summary() + " | " + answer.at("errors.0.message");
    };
    const std::string refused = "403 InvalidFormat link: InvalidFormat destination | ";
    CHECK(told(world.of(WebPageProblem::not_public)) == refused + "must lead to a public address");
    CHECK(told(world.of(WebPageProblem::no_page)) == refused + "leads to no page that can be read");
    for (const auto* type :
         {"image/png", "application/json", "text/plain; charset=utf-8", "text/htm", "text"})
        CHECK(told(world.of_page("<title>x</title>", type)) ==
              refused + "leads to something that is no page of HTML");
}

TEST_CASE("without an answer the caller is told to come again", "[titles]") {
    TitleWorld world;
    for (const auto& [problem, message] :
         {std::pair{WebPageProblem::no_answer, "The destination gave no answer in time; try again later."},
          {WebPageProblem::account_is_busy,
           "Another page is being read for this account; try again in a moment."},
          {WebPageProblem::server_is_busy, "Too many pages are being read; try again in a moment."}}) {
        const auto answer = world.of(problem);
        CHECK(answer.status == 503);
        CHECK(answer.at("message") == message);
        CHECK_FALSE(answer.header("Retry-After").empty());
    }
}

TEST_CASE("an address that no link could have is not asked for", "[titles][threat-12]") {
    TitleWorld world;
    CHECK(world.send(post("/links/title", "{}")).summary() ==
          "403 InvalidFormat link: RequiredField destination");
    for (const auto* destination : {"javascript:alert(1)", "file:///etc/passwd", "ftp://example.com/",
                                    "gopher://a/", "mailto:a@b.example", "https://", "nonsense"})
        CHECK(world.ask(destination).summary() == "403 InvalidFormat link: InvalidFormat destination");
    CHECK(world.ask("https://a.example/" + std::string(3'000, 'x')).summary() ==
          "403 InvalidFormat link: InvalidLength destination");
    CHECK(world.pages_read.empty());
}

TEST_CASE("only who may create links has pages read", "[titles][threat-12]") {
    TitleWorld world;
    const auto as = [&](const std::string& key) {
        return world
            .send(post("/links/title", R"({"destination":"https://shop.example/sale"})")
                      .with("Workspace", world.workspace_id())
                      .as(key))
            .status;
    };
    CHECK(as(world.colleague(Role::viewer).key) == 403);
    CHECK(as("0000000000000000000000000000000000000000000000000000000000000000") == 401);
    CHECK(world.pages_read.empty());
    CHECK(as(world.colleague(Role::guest).key) == 200);
    CHECK(world.pages_read.size() == 1);
}

TEST_CASE("a call that comes again with its key is answered without a second look", "[titles]") {
    TitleWorld world;
    world.pages.insert_or_assign(std::string(shop_page),
                                 WebPage{.content_type = "text/html", .bytes = "<title>a</title>"});
    const auto call =
        post("/links/title", R"({"destination":"https://shop.example/sale"})").with("Idempotency-Key", "k1");
    CHECK(world.send(call).at("title") == "a");
    world.pages.clear();
    CHECK(world.send(call).at("title") == "a");
    CHECK(world.pages_read.size() == 1);
}
