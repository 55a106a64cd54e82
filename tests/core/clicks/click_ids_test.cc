#include "core/clicks/click_ids.h"
#include "tests/core/redirect/redirect_world.h"

#include <cctype>
#include <random>
#include <set>

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;

namespace {

struct SevensRandom final : Random {
    void fill(std::span<std::uint8_t> out) override { std::ranges::fill(out, std::uint8_t{7}); }
};

std::string key_of(char first) {
    std::string key;
    for (char c = 0; c < 32; ++c)
        key += static_cast<char>(first + c);
    return key;
}

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr Timestamp new_year{1'767'225'600'000};

std::string text_of(const ClickIds& ids, WorkspaceId workspace, const ClickOrigin& click) {
    SystemRandom random;
    const auto made = ids.make(workspace, click, random);
    REQUIRE(made);
    return std::string(made->view());
}

} // namespace

TEST_CASE("a click id is these characters", "[click_ids]") {
    // Computed by RFC 5297 apart from this program: key 00..1f, the workspace as associated data, and as the
    // plaintext link, time and six bytes of 07. Visitors hold such texts, so later builds must read them.
    SevensRandom random;
    const ClickIds ids(key_of(0));
    const auto made = ids.make(workspace_id, {.link = link_id, .time = new_year}, random);
    REQUIRE(made);
    CHECK(made->view() == "Pv_wWVj6Yno7cqtrDKnuMWR46v9U166qyZstuSSTU-I9TNpsoa36Uqq9eL0");
    CHECK(ids.open(workspace_id, made->view()) == ClickOrigin{.link = link_id, .time = new_year});
}

TEST_CASE("a click id tells link and time to who has the key, in its workspace only", "[click_ids]") {
    const ClickIds ids(key_of(0)), others(key_of(1));
    const ClickOrigin click{.link = link_id, .time = {253'402'300'799'999}}; // the last millisecond of 9999
    const auto text = text_of(ids, workspace_id, click);
    CHECK(ids.open(workspace_id, text) == click);
    CHECK_FALSE(ids.open(id_of<WorkspaceId>(0xa2), text));
    CHECK_FALSE(others.open(workspace_id, text));
}

TEST_CASE("no two clicks have the same id, and nothing of the link shows in one", "[click_ids]") {
    const ClickIds ids(key_of(0));
    std::set<std::string> seen;
    std::set<char> firsts, lasts;
    for (int i = 0; i < 1000; ++i) {
        const auto text = text_of(ids, workspace_id, {.link = link_id, .time = new_year});
        CHECK(text.size() == 59);
        CHECK(std::ranges::all_of(text,
                                  [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; }));
        seen.insert(text);
        firsts.insert(text.front());
        lasts.insert(text[57]);
    }
    CHECK(seen.size() == 1000);
    CHECK(firsts.size() > 50);
    CHECK(lasts.size() > 50);
}

TEST_CASE("a click id that is changed in any character opens no more", "[click_ids]") {
    const ClickIds ids(key_of(0));
    const auto text = text_of(ids, workspace_id, {.link = link_id, .time = new_year});
    int opened = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        for (const char c : std::string_view("AQgw_-09z=+/%& \n\xff")) {
            auto changed = text;
            changed[i] = c;
            opened += changed != text && ids.open(workspace_id, changed) ? 1 : 0;
        }
    CHECK(opened == 0);
    for (std::size_t length = 0; length < text.size(); ++length) {
        CHECK_FALSE(is_click_id(text.substr(0, length)));
        CHECK_FALSE(ids.open(workspace_id, text.substr(0, length)));
    }
    CHECK_FALSE(ids.open(workspace_id, text + "A"));
    CHECK_FALSE(ids.open(workspace_id, std::string(1'000'000, 'A')));
}

TEST_CASE("a click has one text only", "[click_ids]") {
    const ClickIds ids(key_of(0));
    const auto text = text_of(ids, workspace_id, {.link = link_id, .time = new_year});
    CHECK(is_click_id(text));
    constexpr std::string_view last_ones = "AEIMQUYcgkosw048"; // the two lowest bits belong to no byte
    int others = 0;
    for (const char c : letters) {
        auto changed = text;
        changed.back() = c;
        others += last_ones.find(c) == last_ones.npos ? 1 : 0;
        CHECK(is_click_id(changed) == (last_ones.find(c) != last_ones.npos));
        CHECK(ids.open(workspace_id, changed).has_value() == (changed == text));
    }
    CHECK(others == 48);
}

TEST_CASE("whatever text comes in is no click id, unless it was made here", "[click_ids]") {
    const ClickIds ids(key_of(0));
    std::mt19937 generator{20260102};
    std::uniform_int_distribution<int> byte(0, 255);
    int opened = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string text(static_cast<std::size_t>(i % 3 == 0 ? byte(generator) : 59), '\0');
        for (auto& c : text)
            c = i % 2 == 0 ? letters[static_cast<std::size_t>(byte(generator)) % 64]
                           : static_cast<char>(byte(generator));
        opened += ids.open(workspace_id, text) ? 1 : 0;
    }
    CHECK(opened == 0);
}

TEST_CASE("without a key of the right length no click id is made and none opened", "[click_ids]") {
    const ClickIds ids(key_of(0));
    const auto text = text_of(ids, workspace_id, {.link = link_id, .time = new_year});
    SystemRandom random;
    for (const auto* key : {"", "short"}) {
        const ClickIds without{std::string(key)};
        CHECK_FALSE(without.make(workspace_id, {.link = link_id, .time = new_year}, random));
        CHECK_FALSE(without.open(workspace_id, text));
    }
}
