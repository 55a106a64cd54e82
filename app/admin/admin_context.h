#pragma once
// What an admin command works with, whether it runs in the tool on a folder of its own or inside the server.
#include "app/admin/console.h"
#include "core/access/service.h"
#include "core/data/engine.h"

#include <functional>
#include <string>
#include <vector>

namespace slashpost::admin {

// One that the operator put into the server's folder of certificates.
struct OperatorCertificate {
    std::string folder;
    std::vector<std::string> names; // "*.example.com" stands for one label
    Timestamp not_after;
};

// Something that a server finds wrong with itself or around it.
struct ServerFinding {
    bool is_bad = true; // else a hint
    std::string what, remedy;
};

struct AdminContext {
    data::Engine& engine;
    Service& service; // writes go through it, so that a running server's memory follows them
    const Clock& clock;
    // When it returns, every click in the journal is in the store.
    std::function<Result<void>()> fold_clicks;
    // The same of a server, which is also to be sent no more visitors if it `leaves`. Empty: there is none.
    struct Drained {
        std::uint64_t counted = 0; // clicks since its start
        std::uint64_t waiting = 0; // that came meanwhile
    };
    std::function<Result<Drained>(bool leaves)> drain = {};
    // Whether somebody works marks of the search index off all the time, as a server does.
    bool keeps_index = false;
    // Empty: nobody knows the folder, as a server does that ends TLS.
    std::function<std::vector<OperatorCertificate>()> operator_certificates = {};
    // Of a server: what it finds. Empty where none runs.
    std::function<std::vector<ServerFinding>()> examine = {};
};

// Runs `f` over a snapshot in which every click recorded before the call is where it stays: in the totals and
// in all grains of the rollups (core/schema/recent_rollups.h).
Result<int> read_settled(AdminContext& context, const std::function<Result<int>(data::View&)>& f);

// Brings the search index to what the links are (core/search/indexer.h), and tells how far it has come of the
// `expected` links; 0: nobody knows how many. Returns the number of links.
Result<std::uint64_t> index_links(AdminContext& context, Console& console, std::uint64_t expected = 0);

} // namespace slashpost::admin
