# What nearly every file of a layer includes, read once for all of them: with clang, a third of the time. For the
# sanitizers' builds only; the others do without, so that a file which leaves out an include does not compile.

# precompile(OWNER HEADERS a b USERS x y): headers for the files of OWNER and of the targets USERS.
function(precompile owner)
    cmake_parse_arguments(ARG "" "" "HEADERS;USERS" ${ARGN})
    target_precompile_headers(${owner} PRIVATE ${ARG_HEADERS})
    foreach(user ${ARG_USERS})
        target_precompile_headers(${user} REUSE_FROM ${owner})
    endforeach()
endfunction()

set(standard <algorithm> <array> <atomic> <charconv> <chrono> <filesystem> <functional> <map> <memory> <mutex>
             <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <vector> <fmt/format.h>)
set(domain ${PROJECT_SOURCE_DIR}/core/schema/schema.h ${PROJECT_SOURCE_DIR}/core/access/guard.h)

precompile(slashpost_core HEADERS ${standard} ${domain}
           USERS slashpost_storage slashpost_server slashpost_dns slashpost_geo)
precompile(slashpost_wire HEADERS ${standard} ${domain} <boost/json.hpp> ${PROJECT_SOURCE_DIR}/http/wire/encode.h
           USERS slashpost_api slashpost_admin slashpost_app)
if(SLASHPOST_TESTS)
    get_property(programs GLOBAL PROPERTY SLASHPOST_TEST_PROGRAMS)
    list(REMOVE_ITEM programs dns_tests geo_tests) # whose own names are the domain's too
    precompile(slashpost_test_world HEADERS ${standard} ${domain} <catch2/catch.hpp>
               USERS ${programs})
endif()
