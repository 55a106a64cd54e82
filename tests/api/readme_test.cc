// The README's table of endpoints is made from the table of routes. After a wanted change accept it with
//     SLASHPOST_ACCEPT=1 ctest -R api_routes_tests
#include "http/api/names.h"
#include "http/api/routes.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <fstream>

using namespace slashpost;

namespace {

const char* const readme_path = SLASHPOST_TESTS_DIR "/../README.md";
constexpr std::string_view begin_mark =
    "<!-- endpoints: made from the table of routes (tests/api/readme_test.cc) -->\n";
constexpr std::string_view end_mark = "<!-- end of endpoints -->\n";

// What a caller needs: a role and what else the guard asks of the workspace.
std::string needs(const api::Route& route) {
    const auto& guard = route.guard;
    if (route.operation.document)
        return "nothing";
    std::vector<std::string> out{guard.scope == Scope::account ? "a key"
                                                               : std::string(wire::name_of(guard.role))};
    if (guard.feature != Feature::none)
        out.push_back(fmt::format("`{}`", to_string(guard.feature)));
    std::vector<std::string_view> types;
    for (const auto& [name, type] : wire::EnumNames<WorkspaceType>::all)
        if (contains(guard.types, type))
            types.push_back(name);
    if (guard.types != WorkspaceTypes::any)
        out.push_back(fmt::format("{} workspace", fmt::join(types, " or ")));
    return fmt::format("{}", fmt::join(out, ", "));
}

std::string table_of_endpoints() {
    std::string out = "\n| Request | What it does | Needs |\n|---|---|---|\n";
    for (const auto* list : api::all_routes())
        for (const auto& route : list->routes)
            out += fmt::format("| `{} /v1{}` | {} | {} |\n", to_string(route.method), route.path,
                               route.summary, needs(route));
    return out + "\n";
}

} // namespace

TEST_CASE("the README's table of endpoints is that of the routes", "[readme]") {
    std::ifstream in(readme_path);
    const std::string readme(std::istreambuf_iterator<char>(in), {});
    const auto begin = readme.find(begin_mark), end = readme.find(end_mark);
    REQUIRE(begin != readme.npos);
    REQUIRE(end > begin);
    REQUIRE(end != readme.npos);
    const auto expected =
        readme.substr(0, begin) + std::string(begin_mark) + table_of_endpoints() + readme.substr(end);
    if (std::getenv("SLASHPOST_ACCEPT") == nullptr) // NOLINT(concurrency-mt-unsafe): one thread here
        CHECK(readme == expected);
    else
        std::ofstream(readme_path) << expected;
}
