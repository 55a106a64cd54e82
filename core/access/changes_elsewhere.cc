#include "core/access/changes_elsewhere.h"

#include "core/schema/schema.h"

namespace slashpost {

namespace {

constexpr std::size_t key_end_bytes = 2; // behind the slashtag

// The id of the row that the key is of.
template <class Table, class I>
void note_row(data::BytesView key, std::vector<I>& ids) {
    const auto prefix = Table::row_key({});
    if (!key.starts_with(prefix))
        return;
    if (const auto id = I::from_bytes(key.substr(prefix.size())))
        ids.push_back(*id);
}

void note_address(data::BytesView key, std::vector<Changes::ShortAddress>& addresses) {
    constexpr auto id_bytes = sizeof(RawId);
    if (key.size() < id_bytes + key_end_bytes)
        return;
    const auto slashtag = key.substr(id_bytes, key.size() - id_bytes - key_end_bytes);
    addresses.push_back(
        {.domain = *DomainId::from_bytes(key.substr(0, id_bytes)), .slashtag_key = std::string(slashtag)});
}

} // namespace

void note_change(Changes& changes, std::uint16_t space, data::BytesView key) {
    if (space == space::redirects.number)
        note_address(key, changes.addresses);
    else if (space == space::domains.number)
        note_row<DomainTable>(key, changes.domains);
    else if (space == space::workspaces.number)
        note_row<WorkspaceTable>(key, changes.workspaces);
}

} // namespace slashpost
