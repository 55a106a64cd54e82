#pragma once
// What events say of rows: which fields, under which names, as which values. What is not listed here is told
// to nobody; so no secret can get into an event.
#include "core/model/conversion.h"
#include "core/model/domain.h"
#include "core/model/event.h"
#include "core/model/invite.h"
#include "core/model/link.h"
#include "core/model/link_parts.h"
#include "core/model/script.h"
#include "core/model/tag.h"
#include "core/model/workspace.h"
#include "core/schema/imports.h"

namespace slashpost {

// Of one text in an event; what is longer ends in an ellipsis.
inline constexpr std::size_t event_text_bytes_max = 1024;
// Of one list.
inline constexpr std::size_t event_list_items_max = 100;

struct ShownField {
    std::string_view name;
    ValueKind kind = ValueKind::text;
    std::vector<std::string> values;
    bool always = false; // told of what is made or erased, also when it is as usual
};
// The fields of a type, always the same ones in the same order.
using ShownFields = std::vector<ShownField>;

ShownFields shown_fields(const Link& link);
ShownFields shown_fields(const LinkParts& parts);
ShownFields shown_fields(const Domain& domain);
ShownFields shown_fields(const Tag& tag);
ShownFields shown_fields(const Script& script);
ShownFields shown_fields(const Workspace& workspace);
ShownFields shown_fields(const Member& member);
ShownFields shown_fields(const Invite& invite);
ShownFields shown_fields(const Conversion& conversion);
ShownFields shown_fields(const ImportState& state);

// The fields of `now` that are not as in `was`. Both are of one type.
std::vector<FieldChange> changes_between(ShownFields was, ShownFields now);
// What something new has unlike one of which nothing is said; and what something erased had.
std::vector<FieldChange> changes_of_new(ShownFields row, const ShownFields& usual);
std::vector<FieldChange> changes_of_erased(ShownFields row, const ShownFields& usual);
template <class T>
std::vector<FieldChange> changes_of_new(const T& row) {
    return changes_of_new(shown_fields(row), shown_fields(T{}));
}
template <class T>
std::vector<FieldChange> changes_of_erased(const T& row) {
    return changes_of_erased(shown_fields(row), shown_fields(T{}));
}

} // namespace slashpost
