#pragma once
// Short addresses as people paste them: which domain of ours, and which slashtag on it.
#include "core/data/engine.h"
#include "core/model/domain.h"
#include "core/redirect/address.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost {

// What a visitor finds on the domain under the path of a stored address, without its query.
struct ShortPath {
    redirect::PathKind kind = redirect::PathKind::other;
    std::string slashtag_key; // of a slashtag, a preview or a QR code
    std::string rest = {};    // what is behind the slashtag's slash, of what is below one
};
[[nodiscard]] ShortPath read_short_path(const Domain& domain, std::string_view path);
// Of the same, what it may be below of, the longest slashtag first (core/redirect/below.h).
[[nodiscard]] std::vector<ShortPath> read_paths_above(const Domain& domain, std::string_view path);

struct ShortAddress {
    DomainId domain;
    std::string slashtag_key;
};

// Reads "go.example.com/sale", with or without a scheme, a query, a "+" or ".qr" behind it. Nothing when it
// names no verified domain of this server, or no slashtag.
Result<std::optional<ShortAddress>> read_short_address(data::View& view, std::string_view text);

} // namespace slashpost
