#pragma once
// Operations on tags (interface 4.3, wire "Parts of a link"). Which links carry them: core/ops/link_labels.h.
//
// As everywhere, an operation that takes `problems` adds its own to those that reading the input found, and
// fails as invalid with all of them at once.
#include "core/access/context.h"
#include "core/base/change.h"
#include "core/base/errors.h"
#include "core/base/page.h"
#include "core/model/tag.h"

#include <span>

namespace slashpost {

inline constexpr std::size_t tag_name_length_max = 255; // in characters

struct NewTag {
    std::string name;
    std::string color; // with or without "#", in any case; empty: one that is chosen by the name
};

struct TagChange {
    Change<std::string> name;
    Change<std::string> color;
};

struct TagFilter {
    std::string term; // in the name; empty: all
    std::optional<bool> active;
};

// Fails as invalid with AlreadyExists on `name` when the workspace has a tag of that name, ignoring case.
Result<Tag> create_tag(Context& ctx, const NewTag& in, Problems problems = {});
Result<Tag> update_tag(Context& ctx, const Tag& tag, const TagChange& change, Problems problems = {});
// Every reader of links sees it gone at once; the links' own rows follow in batches (core/work/detach.h).
Result<Tag> delete_tag(Context& ctx, const Tag& tag);

// Names for PageRequest::order_by, the default first.
std::span<const std::string_view> tag_orders();

// Fails as invalid on `orderBy` or `last` when those name nothing.
Result<std::vector<Tag>> list_tags(Context& ctx, const TagFilter& filter, const PageRequest& page,
                                   Problems problems = {});
Result<std::int64_t> count_tags(Context& ctx, const TagFilter& filter, const Problems& problems = {});

// What replies show of them: two look-ups each.
struct TagDetails {
    Tag tag;
    std::int64_t clicks = 0; // of links while they carried it
    std::int64_t sessions = 0;
    std::optional<Timestamp> last_click_at;
};
Result<TagDetails> describe_tag(Context& ctx, Tag tag);
Result<std::vector<TagDetails>> describe_tags(Context& ctx, std::vector<Tag> tags);

} // namespace slashpost
