#include "core/schema/store.h"

#include "core/base/errors.h"
#include "core/data/peers.h"
#include "core/schema/click_orders.h"
#include "core/schema/compiled.h"
#include "core/schema/recent_rollups.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace slashpost {

namespace {

constexpr std::size_t marks_batch_max = 1000;
constexpr std::size_t erased_batch_max = 10'000;

// Nothing for a new store. Fails when there is something else than a format that this build knows.
Result<std::optional<std::uint32_t>> read_format(const std::optional<data::Bytes>& stored) {
    if (!stored)
        return std::nullopt;
    std::uint32_t version = 0;
    const auto* const end = stored->data() + stored->size();
    if (std::from_chars(stored->data(), end, version).ptr != end || stored->empty())
        return fault(fmt::format("the store's format is not a number but '{}'", *stored));
    if (version > store_format)
        return refused("NewerStore", "store",
                       fmt::format("This store has format {}, this program knows formats up to {}. Use a "
                                   "newer slashpost, or restore a dump made by it.",
                                   version, store_format));
    return version;
}

Result<void> write_format(data::Txn& txn) {
    return txn.put(space::meta, meta_key::format, fmt::to_string(store_format));
}

Result<void> erase_entries(data::Engine& engine, const data::Space& space, data::Range range) {
    for (bool more = true; more;) {
        const auto erased = TRY(engine.transact([&](data::Txn& txn) -> Result<std::vector<data::Bytes>> {
            std::vector<data::Bytes> found;
            TRY(txn.scan(space, range, data::Order::forward, [&](data::BytesView key, data::BytesView) {
                found.emplace_back(key);
                return found.size() < erased_batch_max;
            }));
            for (const auto& key : found)
                TRY(txn.erase_blind(space, key));
            return found;
        }));
        more = erased.size() == erased_batch_max;
        if (more)
            range.from = erased.back(); // not again over all that is erased
    }
    return {};
}

// Entries that links had before format 4, by the numbers that they stood under (core/schema/links.h).
Result<void> erase_retired_entries(data::Engine& engine) {
    for (const auto number : std::array<std::uint8_t, 3>{6, 7, 8})
        TRY(erase_entries(engine, space::links, data::Range::of_prefix(data::key(number))));
    return {};
}

// The thread of the server, or the next import, makes the index of what is marked.
Result<void> forget_search_indexes(data::Engine& engine) {
    TRY(mark_links(engine));
    TRY(erase_entries(engine, space::documents, {}));
    return erase_entries(engine, space::postings, {});
}

// Before format 6, links.scripts let scripts run on shared domains, too.
void add_shared_scripts(std::vector<std::string>& features) {
    const std::string shared = "links.scripts.shared";
    if (std::ranges::find(features, "links.scripts") != features.end() &&
        std::ranges::find(features, shared) == features.end())
        features.push_back(shared);
}

template <class T>
Result<void> keep_shared_scripts(data::Engine& engine, const data::Table<T>& table,
                                 std::vector<std::string> T::* features) {
    return engine.transact([&](data::Txn& txn) -> Result<void> {
        std::vector<T> rows;
        TRY(table.each(txn, [&](const T& row) -> Result<bool> {
            auto changed = row;
            add_shared_scripts(changed.*features);
            if (changed.*features != row.*features)
                rows.push_back(row);
            return true;
        }));
        for (const auto& row : rows) {
            auto changed = row;
            add_shared_scripts(changed.*features);
            TRY(table.update(txn, row, changed));
        }
        return {};
    });
}

// Where a domain was registered is where it was shared in the same moment. Before format 6 nothing said so.
Result<void> note_registrations(data::Engine& engine) {
    return engine.transact([](data::Txn& txn) -> Result<void> {
        const auto& s = schema();
        std::vector<DomainShare> shares;
        TRY(s.domain_shares.each(txn, [&](const DomainShare& share) -> Result<bool> {
            shares.push_back(share);
            return true;
        }));
        for (const auto& share : shares) {
            const auto domain = TRY(s.domains.find(txn, share.domain.view()));
            const auto workspace = TRY(s.workspaces.find(txn, share.workspace.view()));
            if (!domain || !workspace || domain->type != DomainType::user || !domain->registered_in.empty() ||
                domain->created_at != share.created_at || domain->owner != workspace->owner)
                continue;
            auto changed = *domain;
            changed.registered_in = workspace->id;
            TRY(s.domains.update(txn, *domain, changed));
        }
        return {};
    });
}

// Links of workspaces that a domain is shared with no longer, which before format 6 left no trace: the owner
// of the domain is to find them.
Result<void> note_links_left(data::Engine& engine) {
    return engine.transact([](data::Txn& txn) -> Result<void> {
        const auto& s = schema();
        std::vector<std::pair<WorkspaceId, DomainId>> found; // by the tally of active links
        const auto prefix = s.links.per_workspace.prefix();
        constexpr std::size_t id_bytes = sizeof(RawId), domain_at = id_bytes + 1;
        TRY(txn.scan_tallies(data::Range::of_prefix(prefix), data::Order::forward,
                             [&](data::BytesView key, std::int64_t links) {
                                 const auto place = key.substr(prefix.size());
                                 if (links > 0 && place.substr(id_bytes, 1) == data::key(true))
                                     found.emplace_back(
                                         *WorkspaceId::from_bytes(place.substr(0, id_bytes)),
                                         *DomainId::from_bytes(place.substr(domain_at, id_bytes)));
                                 return true;
                             }));
        for (const auto& [workspace, domain] : found) {
            const auto row = TRY(s.domains.find(txn, domain.view()));
            DomainShare share{.workspace = workspace, .domain = domain, .ended_at = {}, .unknown = {}};
            if (!row || TRY(s.domain_shares.find(txn, DomainShare::primary_of(share))))
                continue;
            share.created_at = row->created_at;
            share.ended_at = row->created_at;
            TRY(s.domain_shares.insert(txn, share));
        }
        return {};
    });
}

// By an upgrade from that format; empty: next to nothing.
std::string_view what_is_read(std::uint32_t from) {
    return from < 4 ? "every row" : from < 9 ? "every link" : "";
}

// From any older format. Every step does nothing where it has been already (see prepare_store).
Result<void> upgrade_store(data::Engine& engine, std::uint32_t from, const StoreNotice& notice) {
    const auto say = [&](const std::string& sentence) {
        if (notice)
            notice(sentence);
    };
    const bool entries_changed = from < 4;
    const auto reads = what_is_read(from);
    say(fmt::format(
        "upgrading the store from format {} to {}; it {}goes on at the next start if it is cut off", from,
        store_format, reads.empty() ? std::string() : fmt::format("reads {}, and ", reads)));

    if (entries_changed)
        TRY(reindex_store(engine, [&](std::string_view table, std::uint64_t mended) -> Result<void> {
            say(fmt::format("upgrading the store: {}: {} entries renewed", table, mended));
            return {};
        }));
    else if (from < 7)
        TRY(schema().links.reindex(engine));
    if (from < 4)
        TRY(erase_retired_entries(engine));
    if (from < 5)
        TRY(close_all_hours(engine)); // who reads would look for them in other sheets
    if (from < 6) {
        TRY(schema().invites.reindex(engine));
        TRY(keep_shared_scripts(engine, schema().plans, &Plan::features));
        TRY(keep_shared_scripts(engine, schema().accounts, &Account::granted_features));
        TRY(note_registrations(engine));
        TRY(note_links_left(engine));
    }
    if (from < 8)
        TRY(remake_click_orders(engine, Remake::always));
    if (from < 9)
        TRY(forget_search_indexes(engine));
    if (from < 15) {
        TRY(schema().events.reindex(engine));
        TRY(schema().kept_answers.reindex(engine));
    }
    TRY(engine.transact([](data::Txn& txn) { return write_format(txn); }));
    say(fmt::format("the store is upgraded to format {}", store_format));
    return {};
}

// They would go on writing what the older format asks for.
Result<void> check_alone(data::Engine& engine, std::uint32_t format) {
    auto* const peers = engine.peers();
    if (!peers || TRY(peers->is_alone()))
        return {};
    return refused(
        "StoreInUse", "store",
        fmt::format("This program brings the store from format {} to {}, but not while other servers "
                    "use it: stop them all, and start this one first.",
                    format, store_format));
}

} // namespace

Result<std::vector<std::string>> planned_upgrade(const std::optional<data::Bytes>& stored) {
    const auto from = TRY(read_format(stored));
    if (!from)
        return std::vector<std::string>{"There is no store yet; a new one will be made."};
    if (*from == store_format)
        return std::vector<std::string>{
            fmt::format("The store has format {}, which is this program's: nothing will be changed.", *from)};
    const auto reads = what_is_read(*from);
    return std::vector<std::string>{
        fmt::format("The store has format {} and will be upgraded to {} when this program opens it first.",
                    *from, store_format),
        reads.empty()
            ? std::string("That takes a moment.")
            : fmt::format("That reads {}: seconds for a hundred thousand links, minutes for millions; only "
                          "then does the server listen.",
                          reads),
        "It may be cut off at any time, and goes on at the next start.",
        "An older program refuses the store afterwards, so make a backup with the older one before."};
}

Result<void> check_format(const std::optional<data::Bytes>& stored) {
    TRY(read_format(stored));
    return {};
}

Result<void> prepare_store(data::Engine& engine, const StoreNotice& notice) {
    const auto format = TRY(engine.transact([](data::Txn& txn) -> Result<std::uint32_t> {
        const auto stored = TRY(read_format(TRY(txn.get(space::meta, meta_key::format))));
        if (TRY(txn.get(space::meta, meta_key::restoring)))
            return refused(
                "UnfinishedRestore", "store",
                "A restore into this data folder was cut off. Empty the folder and restore again.");
        if (!stored) {
            TRY(write_format(txn));
            TRY(begin_click_orders(txn));
        }
        return stored.value_or(store_format);
    }));
    if (format < store_format) {
        TRY(check_alone(engine, format));
        return upgrade_store(engine, format, notice);
    }
    return remake_click_orders(engine, Remake::if_forgotten); // a restore was cut off behind the links
}

Result<void> reindex_store(data::Engine& engine, const TableReindexed& done) {
    // Rows first, since entries are functions of them. Links of format 1 do not carry their rules.
    auto outcome = done("rules of links", TRY(compile_anew(engine)));
    schema().each_table([&](const auto& table) {
        if (!outcome.has_value())
            return;
        const auto mended = table.reindex(engine);
        outcome = mended.has_value() ? done(table.rows().name, *mended)
                                     : Result<void>(std::unexpected(mended.error()));
    });
    return outcome;
}

Result<void> mark_links(data::Engine& engine) {
    const auto& table = schema().links;
    std::vector<Link> links;
    do {
        const auto after = links.empty() ? data::Bytes() : Link::primary_of(links.back());
        links.clear();
        TRY(engine.read([&](data::View& view) {
            return table.each(
                view,
                [&](const Link& link) -> Result<bool> {
                    links.push_back({.id = link.id, .workspace = link.workspace});
                    return links.size() < marks_batch_max;
                },
                after);
        }));
        TRY(engine.transact([&](data::Txn& txn) -> Result<void> {
            for (const auto& link : links)
                TRY(table.unindexed.put(txn, link));
            return {};
        }));
    } while (links.size() == marks_batch_max);
    return {};
}

Result<bool> store_is_empty(data::View& view) {
    bool empty = true;
    TRY(schema().accounts.each(view, [&](const Account&) -> Result<bool> { return empty = false; }));
    return empty;
}

Result<std::optional<DomainId>> default_domain(data::View& view) {
    const auto stored = TRY(view.get(space::meta, meta_key::default_domain));
    return stored ? DomainId::from_bytes(*stored) : std::nullopt;
}

Result<void> set_default_domain(data::Txn& txn, DomainId domain) {
    return txn.put(space::meta, meta_key::default_domain, domain.view());
}

Result<std::optional<data::Bytes>> click_id_key(data::View& view) {
    return view.get(space::meta, meta_key::click_id_key);
}

Result<void> set_click_id_key(data::Txn& txn, data::BytesView key) {
    return txn.put(space::meta, meta_key::click_id_key, key);
}

Result<data::Bytes> ensure_click_id_key(data::Engine& engine, Random& random) {
    // A store that takes no writes has one to read, unless it is new.
    if (auto stored = TRY(engine.read([](data::View& view) { return click_id_key(view); })))
        return std::move(*stored);
    return engine.transact([&](data::Txn& txn) { return ensure_click_id_key(txn, random); });
}

Result<data::Bytes> ensure_click_id_key(data::Txn& txn, Random& random) {
    if (auto stored = TRY(click_id_key(txn)))
        return std::move(*stored);
    std::array<std::uint8_t, click_id_key_bytes> bits{};
    random.fill(bits);
    data::Bytes key(bits.begin(), bits.end());
    TRY(set_click_id_key(txn, key));
    return key;
}

} // namespace slashpost
