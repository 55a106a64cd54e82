#pragma once
// What links need so that the paths of an endpoint find something on them (access_test.cc).
#include "core/schema/schema.h"
#include "tests/api/api_world.h"
#include "tests/support/must.h"

namespace slashpost::test {

// The external id that the link gets.
inline std::string external_id_of(ApiWorld& world, const std::string& id) {
    const auto link = LinkId::parse(id).value();
    must(world.operate([&](SystemContext& system) -> Result<void> {
        const auto was = TRY(schema().links.find(system.txn, link.view())).value();
        auto now = was;
        now.external_id = "called " + id;
        return schema().links.update(system.txn, was, now);
    }));
    return "called%20" + id;
}

// Gives the link of "/links/<id>/tags/<tag>" that tag, or script.
inline void attach_label(ApiWorld& world, const std::string& path, const std::string& id) {
    const bool is_tag = path.starts_with("/links/" + id + "/tags/");
    const auto label = path.substr(path.rfind('/') + 1);
    if ((!is_tag && !path.starts_with("/links/" + id + "/scripts/")) || !TagId::parse(label))
        return;
    must(world.operate([&](SystemContext& system) -> Result<void> {
        const auto was = TRY(schema().links.find(system.txn, LinkId::parse(id)->view())).value();
        auto now = was;
        now.tags = is_tag ? std::vector{TagId::parse(label).value()} : was.tags;
        now.scripts = is_tag ? was.scripts : std::vector{ScriptId::parse(label).value()};
        return schema().links.update(system.txn, was, now);
    }));
}

} // namespace slashpost::test
