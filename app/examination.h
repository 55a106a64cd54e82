#pragma once
// What a server looks at in itself and around it, for `slashpost-admin doctor`.
#include "app/config.h"
#include "app/installation.h"
#include "http/server/certificates.h"

#include <span>
#include <string>
#include <vector>

namespace slashpost::app {

struct Examined {
    const Config& config;
    std::span<const std::string> warnings; // of the settings
    const Installation& installation;
    const http::Certificates* certificates; // null without HTTPS
};

// Takes seconds: it writes to the disk, and asks the DNS for the names of up to 50 domains.
std::vector<admin::ServerFinding> examine(const Examined& server);

// One by one, for tests. How long a write of a page takes to be on the disk, in the middle of 50; nothing
// when no file could be written there.
std::optional<std::chrono::microseconds> sync_time(const std::filesystem::path& folder);

} // namespace slashpost::app
