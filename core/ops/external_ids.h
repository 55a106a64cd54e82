#pragma once
// Link::external_id: what a system of the workspace's own calls a link, so that it finds and changes its
// links without keeping our ids. Unique among the links of a workspace that are not deleted, in exactly these
// characters: case and white space count.
#include "core/access/context.h"
#include "core/base/change.h"
#include "core/base/errors.h"
#include "core/model/link.h"

#include <cstddef>
#include <string_view>

namespace slashpost {

// In characters; the empty text is none.
inline constexpr std::size_t external_id_length_max = 255;

// Adds what is wrong with the text itself, on `externalId`: it is UTF-8 of that many characters at most, none
// of them a control character.
void check_external_id(std::string_view external_id, Problems& problems);

// The same, and AlreadyExists if another link of the caller's workspace has it.
Result<void> admit_external_id(Context& ctx, LinkId link, std::string_view external_id, Problems& problems);

// What an update says about it. `link` is `was` as far as it is changed by now. What a deleted link that
// comes back was called may be another one's by now, so it is looked at again.
Result<void> change_external_id(Context& ctx, const Link& was, const Change<std::string>& change, Link& link,
                                Problems& problems);

// For an admitted link that is about to be written: takes its external id from one that is as good as deleted
// and has it still, which is deleted now.
Result<void> claim_external_id(Context& ctx, const Link& link);

} // namespace slashpost
