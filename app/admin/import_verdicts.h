#pragma once
// `slashpost-admin import check`: whether two servers lead the same addresses to the same places.
#include "app/admin/admin_context.h"
#include "app/admin/console.h"

#include <cstdint>
#include <string>

namespace slashpost::admin {

struct SameAddresses {
    std::string old_url; // "https://old.example"; asked as it is
    // The server that is to take over; asked for the links' own domains, wherever those lead now.
    std::string new_url = "http://localhost:8080";
    std::string domain;          // whose links; empty: the one of `old_url` if it is one here, else all
    std::uint32_t sample = 1000; // links at most, chosen at random
};

// Asks both for active links with HEAD, which counts as a click nowhere, and prints how many answers are the
// same, different and missing in the new one, with the first ten of each. Answers exit_findings unless all
// are the same. Fails when one of them cannot be reached.
Result<int> check_same_addresses(AdminContext& context, Console& console, const SameAddresses& options);

} // namespace slashpost::admin
