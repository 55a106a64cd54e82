#pragma once
// A world that says what was told to whom: a line for each event.
#include "core/model/event.h"
#include "tests/support/must.h"
#include "tests/support/people.h"
#include "tests/support/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace slashpost::test {

using Texts = std::vector<std::string>;
using Types = std::set<std::string>; // "link.created"

inline Caller nobody() { return {}; }

// "tag.created" of this subject, by its name, in the workspace that is told.
inline std::string line(std::string_view type, const RawId& what, std::string_view name, WorkspaceId where,
                        const Caller& by) {
    return fmt::format("{} {} \"{}\" in {} by {} with {} calling \"{}\"", type, what.hex(), name, where.hex(),
                       by.account.hex(), by.key.hex(), by.call);
}

// A world that says what was told, to whichever workspace.
struct Office : World {
    WorkspaceId home = installed.account.default_workspace;
    Types types; // of all that was told
    Event last;  // that was told

    Office() {
        caller.call = "theCall";
        news(); // of what a new installation has
        types.clear();
    }
    // A line for each event since it was asked last, in their order.
    Texts news() {
        Texts out;
        must(engine->read([&](data::View& view) {
            return schema().events.each(
                view,
                [&](const Event& event) -> Result<bool> {
                    const auto* word = std::ranges::find(event_types, event.type,
                                                         [](const auto& one) { return one.second; });
                    const std::string type(word == event_types.end() ? "no word" : word->first);
                    const Caller by{.account = event.account, .key = event.key, .call = event.call};
                    out.push_back(line(type, event.subject, event.name, event.workspace, by));
                    types.insert(type);
                    last = event;
                    return true;
                },
                last.id.empty() ? data::Bytes() : Event::primary_of(last));
        }));
        return out;
    }
    // One event of the home workspace, by the world's caller.
    [[nodiscard]] Texts told(std::string_view type, const RawId& what, std::string_view name) const {
        return {line(type, what, name, home, caller)};
    }
    // Somebody with a key and the address USERNAME@example.com, of whom nothing is told yet.
    Stranger colleague(std::string_view username) {
        auto out = person(*this, username, fmt::format("{}@example.com", username));
        out.caller.call = "theCall";
        news(); // of their own workspace
        types.clear();
        return out;
    }
};

} // namespace slashpost::test
