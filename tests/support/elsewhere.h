#pragma once
// A workspace that is not the world's, and things in it: what nobody may reach from the world's own.
#include "tests/support/labels.h"
#include "tests/support/parts.h"
#include "tests/support/people.h"
#include "tests/support/workspaces.h"

namespace slashpost::test {

class Elsewhere {
  public:
    // Of somebody else.
    Elsewhere(World& world, const Stranger& stranger)
        : world_(world),
          caller_(stranger.caller),
          workspace_(stranger.account.default_workspace) {}
    // Another one of the world's own account.
    Elsewhere(World& world, const Workspace& own)
        : world_(world),
          caller_(world.caller),
          workspace_(own.id) {}

    [[nodiscard]] WorkspaceId workspace() const { return workspace_; }

    // New things that `path` may name at `parameter` but must not find from the world's workspace: things of
    // this one, and parts of another link. None where all that is there is everybody's.
    [[nodiscard]] std::vector<std::string> things(const std::string& path, std::string_view parameter) const;

  private:
    template <class Work>
    auto write(const Work& work) const {
        return must(write_as(world_, caller_, workspace_, work, {.link = LinkState::live}));
    }
    [[nodiscard]] Link link(LinkType type) const {
        return write([&](Context& ctx) {
                   return create_link(ctx, {.destination = "https://example.com/", .type = type});
               })
            .link;
    }
    // A rule of a link there, and one of another link of the world's.
    [[nodiscard]] std::vector<std::string> parts(LinkType type, LinkId other) const {
        const auto there = link(type);
        if (type == LinkType::standard)
            return {write([&](Context& ctx) { return create_rule(ctx, there, rule_input()); }).id.hex(),
                    make_rule(world_, other).id.hex()};
        const auto arm = write([&](Context& ctx) {
            return create_rotator_rule(ctx, there,
                                       {.destination = "https://example.com/arm", .weight = {}, .id = {}});
        });
        return {arm.id.hex(), make_rotator_rule(world_, other).id.hex()};
    }
    // Somebody who works there, with the role `user`, and not in the world's.
    [[nodiscard]] AccountId teammate(std::string_view username) const {
        const auto id = world_.stranger(username).account.id;
        add_member(world_, workspace_, id, Role::user);
        return id;
    }
    // Verified and shared there.
    [[nodiscard]] DomainId domain(const std::string& full_name, DomainType type) const {
        return must(world_.operate([&](SystemContext& system) -> Result<DomainId> {
            const auto made =
                TRY(add_domain(system, {.full_name = full_name,
                                        .type = type,
                                        .owner = type == DomainType::user ? caller_.account : AccountId(),
                                        .verified = true,
                                        .slashtag = {}}));
            TRY(share_domain(system, made.id, workspace_));
            return made.id;
        }));
    }

    World& world_;
    Caller caller_; // may do everything there
    WorkspaceId workspace_;
};

inline std::vector<std::string> Elsewhere::things(const std::string& path, std::string_view parameter) const {
    const auto name = world_.ids.next<LinkId>().hex();
    const auto type = path.find("/rotator") != std::string::npos ? LinkType::rotator : LinkType::standard;
    if (parameter == "{link_id}")
        return {link(type).id.hex()};
    if (parameter == "{external_id}") {
        write([&](Context& ctx) {
            return create_link(ctx, {.destination = "https://example.com/", .external_id = name});
        });
        return {name};
    }
    if (parameter == "{rule_id}")
        return parts(type, make_link(world_, name, {.type = type}).id);
    if (parameter == "{tag_id}")
        return {
            write([&](Context& ctx) { return create_tag(ctx, {.name = name, .color = "ff8800"}); }).id.hex()};
    if (parameter == "{script_id}")
        return {write([&](Context& ctx) {
                    return create_script(ctx, {.name = name, .value = "<script></script>", .uri = {}});
                }).id.hex()};
    if (parameter == "{invite_id}")
        return {write([&](Context& ctx) {
                    return create_invites(ctx, {.emails = {name + "@example.com"}, .message = {}});
                })
                    .front()
                    .details.invite.id.hex()};
    if (parameter == "{teammate_id}")
        return {teammate(name).hex()};
    if (parameter == "{domain_id}" && caller_.account != world_.caller.account) // one sees one's own
        return {domain("user." + name, DomainType::user).hex(),
                domain("service." + name, DomainType::service).hex()};
    return {};
}

} // namespace slashpost::test
