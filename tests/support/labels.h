#pragma once
// Tags and scripts of a World, by the operations that a caller would use.
#include "core/ops/cursors.h"
#include "core/ops/link_labels.h"
#include "core/ops/scripts.h"
#include "core/ops/tags.h"
#include "core/work/jobs.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

namespace slashpost::test {

inline Tag make_tag(World& world, std::string name, std::string color = "ff8800") {
    return must(world.write([&](Context& ctx) { return create_tag(ctx, {.name = name, .color = color}); }));
}

inline Script make_script(World& world, std::string name, std::string value = "<script></script>") {
    return must(world.write(
        [&](Context& ctx) { return create_script(ctx, {.name = name, .value = value, .uri = {}}); }));
}

inline Link make_link(World& world, std::string slashtag, NewLink in = {}) {
    in.destination = "https://example.com/";
    in.slashtag = std::move(slashtag);
    world.clock.advance_seconds(1);
    return must(world.create(std::move(in))).link;
}

// attach_tag, detach_tag, attach_script or detach_script, as a route would call it.
template <class Label>
Result<void> change_label(World& world, Result<void> (*operation)(Context&, const Link&, const Label&),
                          LinkId link, const Label& label) {
    return world.write(
        [&](Context& ctx) -> Result<void> { return operation(ctx, TRY(find_link(ctx, link)), label); },
        {.link = LinkState::live});
}

inline void erase(World& world, const Tag& tag) {
    must(world.write([&](Context& ctx) { return delete_tag(ctx, tag); }));
}
inline void erase(World& world, const Script& script) {
    must(world.write([&](Context& ctx) { return delete_script(ctx, script); }));
}

// Everything that waits, to its end. Answers in how many batches.
inline int run_jobs(World& world) {
    JobRunner runner(world.service);
    int batches = 0;
    while (must(runner.run_batch()))
        ++batches;
    return batches;
}

inline LinkDetails read_link(World& world, LinkId link) {
    return must(world.read(
        [&](Context& ctx) -> Result<LinkDetails> { return describe_link(ctx, TRY(find_link(ctx, link))); }));
}

// The names of rows, joined with spaces.
template <class Rows>
std::string names(const Rows& rows) {
    std::string out;
    for (const auto& row : rows)
        out += (out.empty() ? "" : " ") + row.name;
    return out;
}

} // namespace slashpost::test
