// What receivers verify: values of the standard's own examples.
#include "core/access/webhook_signing.h"

#include "core/base/ed25519.h"
#include "core/base/secret.h"
#include "tests/support/hooks.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
const std::string standard_secret = "\x31\xf2\x90\xf6\xbf\x06\x29\x8a\xab\x4f\x08\xd4"
                                    "\x3c\x3f\x08\x2c\xf6\x48\xa3\x62\xda\x2d\xa4\xb0";

Result<std::vector<std::string>> secrets_of(World& world, const Webhook& webhook) {
    return world.engine->read(
        [&](data::View& view) { return webhook_secrets(view, webhook, world.clock.now()); });
}

} // namespace

TEST_CASE("a message is signed as the standard's example is", "[webhooks]") {
    const std::vector secrets{standard_secret};
    CHECK(webhook_signature(WebhookSignature::hmac, secrets, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1'614'265'330,
                            R"({"test": 2432232314})") == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST_CASE("two secrets sign with a space between them, the newest first", "[webhooks]") {
    const std::vector secrets{std::string(32, 'k'), standard_secret};
    const auto both = webhook_signature(WebhookSignature::hmac, secrets, "msg_p5jXN8AQM9LWM0D4loKWxJek",
                                        1'614'265'330, R"({"test": 2432232314})");
    CHECK(both.starts_with("v1,"));
    CHECK(both.ends_with(" v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="));
}

TEST_CASE("a secret is shown as base64 behind whsec_, a public key behind whpk_", "[webhooks]") {
    CHECK(shown_secret(standard_secret) == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    CHECK(shown_public_key(std::string("\0\0\0", 3)) == "whpk_AAAA");
}

TEST_CASE("with Ed25519 a message is signed as the standard's example is", "[webhooks]") {
    // The first half of
    // whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==
    const std::string seed = "\xe9\x76\xff\x74\x27\x07\xa4\xf7\x9a\xdb\x53\xd2\xd4\xdf\x55\x63"
                             "\xf3\x59\x5b\xbd\xb7\x08\x47\x3b\xec\xde\x2b\x24\x2b\x9b\x31\xb7";
    CHECK(shown_public_key(ed25519_public_key(seed)) == "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=");
    const std::vector seeds{seed};
    CHECK(webhook_signature(WebhookSignature::ed25519, seeds, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1'614'265'330,
                            R"({"test": 2432232314})") ==
          "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==");
}

TEST_CASE("no row has a secret in it, and only its own store opens one", "[webhooks][threat-40]") {
    HookWorld world;
    const auto made = make_webhook(world);
    const auto secret = must(secrets_of(world, made.row)).at(0);
    CHECK(secret.size() == 32);
    CHECK(shown_secret(secret) == made.secret);
    const auto bytes = data::encode(made.row);
    CHECK(bytes.find(secret) == bytes.npos);
    World other; // another installation
    must(other.operate([](SystemContext& system) -> Result<void> {
        make_token(system.tools.random); // or it would have the same secret
        TRY(ensure_click_id_key(system.txn, system.tools.random));
        return {};
    }));
    CHECK_FALSE(secrets_of(other, made.row).has_value());
}

TEST_CASE("a webhook with a public key shows that and never its seed, and has another one afterwards",
          "[webhooks]") {
    HookWorld world;
    const auto made = make_webhook(world, {}, WebhookSignature::ed25519);
    CHECK(made.secret.empty());
    auto seeds = must(secrets_of(world, made.row));
    REQUIRE(seeds.size() == 1);
    CHECK(made.row.public_key == ed25519_public_key(seeds[0]));
    const auto renewed = world.change(made.row.id, renew_webhook_secret);
    CHECK(renewed.secret.empty());
    CHECK(renewed.row.public_key != made.row.public_key);
    seeds = must(secrets_of(world, renewed.row));
    REQUIRE(seeds.size() == 2);
    CHECK(renewed.row.public_key == ed25519_public_key(seeds[0]));
    CHECK(made.row.public_key == ed25519_public_key(seeds[1]));
}

TEST_CASE("a secret that was replaced signs for a day more", "[webhooks]") {
    HookWorld world;
    const auto made = make_webhook(world);
    const auto renewed = world.change(made.row.id, renew_webhook_secret);
    CHECK(renewed.secret != made.secret);
    auto secrets = must(secrets_of(world, renewed.row));
    REQUIRE(secrets.size() == 2);
    CHECK(shown_secret(secrets[0]) == renewed.secret);
    CHECK(shown_secret(secrets[1]) == made.secret);
    world.clock.advance_seconds(24 * 3600 - 1);
    CHECK(must(secrets_of(world, renewed.row)).size() == 2);
    world.clock.advance_seconds(1);
    CHECK(must(secrets_of(world, renewed.row)).size() == 1);
    const auto again = world.change(made.row.id, renew_webhook_secret);
    secrets = must(secrets_of(world, again.row));
    REQUIRE(secrets.size() == 2);
    CHECK(shown_secret(secrets[1]) == renewed.secret);
}
