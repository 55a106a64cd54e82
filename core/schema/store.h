#pragma once
// Facts about a store as a whole, in space::meta, and the steps when one is opened.
#include "core/base/id.h"
#include "core/data/engine.h"

namespace slashpost {

// The version of everything below core/schema: spaces, keys, entries, fields whose meaning changed.
// Raised together with a step in prepare_store.
inline constexpr std::uint32_t store_format = 1;

namespace meta_key {
inline constexpr std::string_view format = "format";                 // decimal text
inline constexpr std::string_view default_domain = "default_domain"; // a domain's id, 16 bytes
inline constexpr std::string_view restoring = "restoring";           // there while a restore has not ended
} // namespace meta_key

// Whether this build may work on a store whose stored format is `stored` (nothing: a new store). Fails with
// words that say what to do when the store is of a newer build.
Result<void> check_format(const std::optional<data::Bytes>& stored);

// Marks a new store with its format. Refuses a newer one, and one whose restore was cut off.
Result<void> prepare_store(data::Engine& engine);

// No account was ever made here, so nothing else can be.
Result<bool> store_is_empty(data::View& view);

// The domain of links that name none (wire "Link").
Result<std::optional<DomainId>> default_domain(data::View& view);
Result<void> set_default_domain(data::Txn& txn, DomainId domain);

// While the mark is there, the store opens for nobody.
Result<void> mark_restoring(data::Txn& txn);
Result<void> clear_restoring(data::Txn& txn);

} // namespace slashpost
