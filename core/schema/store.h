#pragma once
// Facts about a store as a whole, in space::meta, and the steps when one is opened.
#include "core/base/id.h"
#include "core/data/engine.h"

#include <functional>
#include <string>
#include <vector>

namespace slashpost {

// The version of everything below core/schema: spaces, keys, entries, fields whose meaning changed.
// Raised together with a step in upgrade_store (store.cc).
//   1   the first
//   2   a domain has an entry by its name only when it is verified, and entries by its owner
//   3   every write of a link leaves a mark for the search index
//   4   what a redirect finds says which tags the link has; filters of lists have no entries of links
//   5   clicks of an hour that goes on are in fewer sheets
//   6   sharing that has ended leaves a row; domains say where they were registered; invites are found by who
//       they are for
//   7   what a redirect finds says of a link that has expired that it has, whatever the clock says later
//   8   every link stands in the orders by clicks (core/schema/click_orders.h)
//   9   the search index holds texts without accents
//  10   a link may be paused; a workspace that gave a domain back may share it again
//  11   domains and links say whose parameter wins, and where who comes too late is sent
//  12   people sign in: sessions, passwords, one-time addresses; keys may be limited
//  13   what happens is written down: events
//  14   calls may be repeated: their answers are kept
//  15   events are found by their type, kept answers by when they end; webhooks; certificates
//  16   programs of others act for accounts; people may sign in with a provider: who they are there
//  17   links that not everybody gets to, by a password, or the first so many visitors; links with several
//       slashtags; links are found by what systems of others call them
inline constexpr std::uint32_t store_format = 17;

namespace meta_key {
inline constexpr std::string_view format = "format";                 // decimal text
inline constexpr std::string_view default_domain = "default_domain"; // a domain's id, 16 bytes
inline constexpr std::string_view restoring = "restoring"; // an older build was restoring, and was cut off
inline constexpr std::string_view click_id_key = "click_id_key"; // a secret, 32 bytes
} // namespace meta_key

// Whether this build may work on a store whose stored format is `stored` (nothing: a new store). Fails with
// words that say what to do when the store is of a newer build.
Result<void> check_format(const std::optional<data::Bytes>& stored);

// Told in one sentence what takes a while when a store is opened.
using StoreNotice = std::function<void(std::string_view sentence)>;

// Marks a new store with its format, and brings an older one to it, which reads every row if entries have
// changed since. Refuses a newer one, one whose restore was cut off, and an older one while other servers use
// it. An upgrade may be cut off anywhere, by kill -9 too: its steps change nothing where they have
// been, and the new format is written last, so the next call begins anew and ends it.
Result<void> prepare_store(data::Engine& engine, const StoreNotice& notice = {});

// What prepare_store would do to a store whose stored format is `stored`, in sentences; fails as it does.
Result<std::vector<std::string>> planned_upgrade(const std::optional<data::Bytes>& stored);

// Told of each table when it is done, and how many of its entries and tallies were mended.
using TableReindexed = std::function<Result<void>(std::string_view table, std::uint64_t mended)>;
// Compiles links' parts anew where need be (core/schema/compiled.h), then Table::reindex for all of them. A
// failure of `done` ends it.
Result<void> reindex_store(data::Engine& engine, const TableReindexed& done);

// Marks every link as if it had just been written, in bounded transactions, so that it is indexed again.
Result<void> mark_links(data::Engine& engine);

// No account was ever made here, so nothing else can be.
Result<bool> store_is_empty(data::View& view);

// The domain of links that name none (wire "Link").
Result<std::optional<DomainId>> default_domain(data::View& view);
Result<void> set_default_domain(data::Txn& txn, DomainId domain);

// The secret that click ids are made with (core/clicks/click_ids.h), and that secrets of webhooks are sealed
// with (core/access/webhook_signing.h). Dumps carry it, or those that visitors
// hold would mean nothing after a restore; so a dump lets its reader forge them.
inline constexpr std::size_t click_id_key_bytes = 32;
Result<std::optional<data::Bytes>> click_id_key(data::View& view);
Result<void> set_click_id_key(data::Txn& txn, data::BytesView key);
// Makes one in a store that has none.
Result<data::Bytes> ensure_click_id_key(data::Engine& engine, Random& random);
Result<data::Bytes> ensure_click_id_key(data::Txn& txn, Random& random);

} // namespace slashpost
