#include "tests/support/world.h"

#include "core/schema/click_orders.h"
#include "core/schema/compiled.h"
#include "core/search/index_check.h"
#include "storage/open.h"
#include "tests/support/in_turns.h"

#include <cstdlib>
#include <stdexcept>

namespace slashpost::test {

namespace {

// The value of a Result that cannot fail in a sound test.
template <class T>
T sure(Result<T> result) {
    if (!result.has_value())
        throw std::runtime_error(result.error().message);
    if constexpr (!std::is_void_v<T>)
        return *std::move(result);
}

// In memory; where tests/storage/with_postgres.py runs the program, in a schema of its own there, which two
// servers use.
std::unique_ptr<data::Engine> usual_engine() {
    static int schemas = 0;
    const char* const server = std::getenv("SLASHPOST_TEST_POSTGRES");
    if (server == nullptr)
        return storage::make_memory_engine(space::all);
    const auto where = std::string(server) + "?options=-csearch_path%3Dtest" + std::to_string(++schemas);
    const auto open = [&] { return sure(storage::open(where, space::all)); };
    auto first = open();
    return std::make_unique<InTurns>(std::move(first), open());
}

} // namespace

World::World(std::unique_ptr<data::Engine> given)
    : engine(given ? std::move(given) : usual_engine()),
      service(*engine, clock, Tools{.ids = ids, .random = random, .settings = settings}, listener) {
    sure(prepare_store(*engine));
    installed = sure(operate([](SystemContext& system) { return install(system, "go.example.com"); }));
    caller = {.account = installed.account.id, .key = installed.key.row.id};
}

Stranger World::stranger(std::string_view username) {
    Stranger out;
    out.account = sure(operate(
        [&](SystemContext& system) { return create_account(system, {.username = std::string(username)}); }));
    const auto key =
        sure(operate([&](SystemContext& system) { return create_key(system, out.account, "test"); }));
    out.caller = {.account = out.account.id, .key = key.row.id};
    return out;
}

Domain World::domain(std::string_view full_name, SlashtagRules rules) {
    return sure(operate([&](SystemContext& system) -> Result<Domain> {
        auto made = TRY(
            add_domain(system, {.full_name = std::string(full_name), .verified = true, .slashtag = rules}));
        TRY(share_domain(system, made.id, installed.account.default_workspace));
        return made;
    }));
}

std::string World::inconsistency() {
    std::string found;
    sure(engine->read([&](data::View& view) -> Result<void> {
        Result<void> outcome;
        schema().each_table([&](const auto& table) {
            auto findings = table.check(view);
            if (!findings.has_value())
                outcome = std::unexpected(findings.error());
            else if (!findings->sentences.empty() && found.empty())
                found = findings->sentences.front();
        });
        for (const auto check : {check_compiled, search::check_indexes, check_click_orders}) {
            const auto findings = TRY(check(view));
            if (!findings.sentences.empty() && found.empty())
                found = findings.sentences.front();
        }
        return outcome;
    }));
    return found;
}

} // namespace slashpost::test
