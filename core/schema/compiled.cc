#include "core/schema/compiled.h"

#include "core/schema/routing.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::size_t batch_max = 500;

// Calls `visit(link, compiled)` for each link that carries something else than the compiled form of its
// parts.
Result<void> each_stale(data::View& view,
                        const std::function<void(const Link&, data::Bytes compiled)>& visit) {
    return schema().links.each(view, [&](const Link& link) -> Result<bool> {
        const auto parts = TRY(schema().link_parts.find(view, link.id.view()));
        auto compiled = parts ? redirect::compile_routing(*parts) : data::Bytes();
        if (compiled != link.routing)
            visit(link, std::move(compiled));
        return true;
    });
}

} // namespace

Result<data::Findings> check_compiled(data::View& view) {
    data::Findings findings;
    TRY(each_stale(view, [&](const Link& link, const data::Bytes&) {
        findings.add(
            fmt::format("link.routing: link {} does not carry its rules as they are", link.id.hex()));
    }));
    return findings;
}

Result<std::uint64_t> compile_anew(data::Engine& engine) {
    std::vector<LinkId> stale;
    TRY(engine.read([&](data::View& view) {
        return each_stale(view, [&](const Link& link, const data::Bytes&) { stale.push_back(link.id); });
    }));
    for (std::size_t begin = 0; begin < stale.size(); begin += batch_max)
        TRY(engine.transact([&](data::Txn& txn) -> Result<void> {
            for (auto i = begin; i < std::min(stale.size(), begin + batch_max); ++i) {
                const auto link = TRY(schema().links.find(txn, stale[i].view()));
                const auto parts = TRY(schema().link_parts.find(txn, stale[i].view()));
                if (!link)
                    continue;
                auto mended = *link;
                mended.routing = parts ? redirect::compile_routing(*parts) : data::Bytes();
                TRY(schema().links.update(txn, *link, mended));
            }
            return {};
        }));
    return stale.size();
}

} // namespace slashpost
