#include "core/schema/target.h"

#include "tests/core/redirect/redirect_world.h"

using namespace slashpost;
using namespace slashpost::test;
using redirect::TargetView;
using namespace std::string_literals;

namespace {
const std::string link_bytes(link_id.view());
const std::string workspace_bytes(workspace_id.view());
} // namespace

TEST_CASE("a target is stored in the bytes that its header draws", "[redirect]") {
    TargetView plain{.link = link_id, .workspace = workspace_id, .destination = "https://a.example/"};
    CHECK(plain.encode_payload() == workspace_bytes + "\x00\x01\x12https://a.example/"s);
    plain.forwarding = {.parameters = false, .on_conflict = OnConflict::visitor};
    CHECK(plain.encode_payload() == workspace_bytes + "\x00\x80\x12https://a.example/"s);

    const TargetView full{.link = link_id,
                          .workspace = workspace_id,
                          .forwarding = {.parameters = true, .on_conflict = OnConflict::both},
                          .expires_at = Timestamp{0x0102'0304'0506},
                          .destination = "x",
                          .tagged = true,
                          .tags = redirect::TagMarks::from_bytes("\x01marks"),
                          .scripts = "sixteen bytes...",
                          .routing = "rules",
                          .expired_url = "y"};
    CHECK(full.encode_payload() == workspace_bytes +
                                       "\x03\xff\x00\x00\x01\x02\x03\x04\x05\x06\x01x\x10sixteen bytes..."
                                       "\x05rules\x06\x01marks\x01y"s);
}

TEST_CASE("a target says the status that its link redirects with", "[redirect]") {
    TargetView target{.link = link_id, .workspace = workspace_id, .destination = "x"};
    for (const auto& [type, flags] : {std::pair(301U, "\x04\x01"s),
                                      {302U, "\x08\x01"s},
                                      {307U, "\x0c\x01"s},
                                      {308U, "\x10\x01"s},
                                      {0U, "\x00\x01"s}}) {
        target.redirect_type = type;
        CHECK(target.encode_payload() == workspace_bytes + flags + "\x01x");
        CHECK(TargetView::decode(link_bytes + target.encode_payload())->redirect_type == type);
    }
}

TEST_CASE("a target says when its link begins, behind when it ends", "[redirect]") {
    TargetView target{.link = link_id,
                      .workspace = workspace_id,
                      .active_from = Timestamp{0x0102'0304'0506},
                      .destination = "x"};
    CHECK(target.encode_payload() == workspace_bytes + "\x20\x01\x00\x00\x01\x02\x03\x04\x05\x06\x01x"s);
    target.expires_at = Timestamp{7};
    const auto stored = link_bytes + target.encode_payload();
    CHECK(stored.substr(32) ==
          "\x20\x03\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x01\x02\x03\x04\x05\x06\x01x"s);
    CHECK(TargetView::decode(stored)->expires_at == Timestamp{7});
    CHECK(TargetView::decode(stored)->active_from == Timestamp{0x0102'0304'0506});
    CHECK_FALSE(TargetView::decode(stored.substr(0, 49)));
}

TEST_CASE("a target says whether its link passes paths on", "[redirect]") {
    TargetView target{.link = link_id, .workspace = workspace_id, .destination = "x", .pass_path = true};
    CHECK(target.encode_payload() == workspace_bytes + "\x40\x01\x01x"s);
    CHECK(TargetView::decode(link_bytes + target.encode_payload())->pass_path);
    target.pass_path = false;
    CHECK_FALSE(TargetView::decode(link_bytes + target.encode_payload())->pass_path);
}

TEST_CASE("a target is read back as views into the stored bytes", "[redirect]") {
    const auto stored =
        link_bytes + workspace_bytes +
        "\x03\xbf\x00\x00\x01\x02\x03\x04\x05\x06\x03x:y\x10sixteen bytes...\x05rules\x06\x01marks\x02z:"s;
    const auto target = TargetView::decode(stored);
    REQUIRE(target);
    CHECK(target->link == link_id);
    CHECK(target->workspace == workspace_id);
    CHECK(target->forwarding == OwnForwarding{.parameters = true, .on_conflict = OnConflict::visitor});
    CHECK(target->expires_at == Timestamp{0x0102'0304'0506});
    CHECK(target->destination == "x:y");
    CHECK(target->destination.data() == stored.data() + 43);
    CHECK(target->tagged);
    CHECK(target->scripts == "sixteen bytes...");
    CHECK(target->routing == "rules");
    CHECK(target->expired_url == "z:");
    CHECK(target->tags == redirect::TagMarks::from_bytes("\x01marks"));
}

TEST_CASE("a target says that not every visitor gets to its destination", "[redirect]") {
    const TargetView target{.link = link_id, .workspace = workspace_id, .destination = "x", .guarded = true};
    CHECK(target.encode_payload() == workspace_bytes + "\x80\x01\x01x"s);
    CHECK(TargetView::decode(link_bytes + target.encode_payload())->guarded);
    CHECK_FALSE(TargetView::decode(link_bytes + workspace_bytes + "\x40\x01\x01x"s)->guarded);
}

TEST_CASE("later parts of a target are skipped", "[redirect]") {
    const auto stored = link_bytes + workspace_bytes + "\x00\x00\x01xlater parts"s;
    const auto target = TargetView::decode(stored);
    REQUIRE(target);
    CHECK(target->destination == "x");
    CHECK(target->forwarding == OwnForwarding{.parameters = false, .on_conflict = OnConflict::as_domain});
    CHECK_FALSE(target->expires_at);
}

TEST_CASE("a target of before links could say so leaves forwarding to its domain, unless it forwards nothing",
          "[redirect]") {
    const auto stored = link_bytes + workspace_bytes + "\x00\x01\x01x"s;
    CHECK(TargetView::decode(stored)->forwarding == OwnForwarding{});
}

TEST_CASE("bytes cut off anywhere are no target", "[redirect]") {
    const auto stored =
        link_bytes + workspace_bytes +
        "\x03\xbf\x00\x00\x01\x02\x03\x04\x05\x06\x03x:y\x10sixteen bytes...\x05rules\x06\x01marks\x02z:"s;
    for (std::size_t length = 0; length < stored.size(); ++length)
        CHECK_FALSE(TargetView::decode(std::string_view(stored).substr(0, length)));
}
