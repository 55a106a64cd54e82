#pragma once
// What the types of fields say about them, for every field of a row (core/ops/row_rules.cc).
#include "core/base/errors.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/data/codec.h"
#include "core/ops/field_rules.h"
#include "core/ops/known_values.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>

namespace slashpost {

inline constexpr std::string_view not_known = "is not one that is known";
inline constexpr Timestamp times_end{253'402'300'800'000}; // the year 10000 (parse_iso)
// Fields that hold bytes, or what another program said, rather than text.
inline constexpr std::array<std::string_view, 17> not_text{
    "row",        "primary",     "routing",      "done",
    "mail_error", "last_error",  "subject",      "totp_secret",
    "sealed",     "link_before", "parts_before", "fingerprint",
    "secret",     "old_secret",  "answer",       "recovery_hashes",
    "public_key"};

template <class Row>
void check_fields(const Row& row, Problems& problems);

template <class V>
void check_value(std::string_view name, const V& value, Problems& problems) {
    if constexpr (std::is_enum_v<V>) {
        if (!is_known(value))
            problems.add(invalid_format(name, not_known));
    } else if constexpr (std::is_same_v<V, Timestamp>) {
        if (value < Timestamp{} || value >= times_end)
            problems.add(out_of_range(name, "must be a time of the years 1970 to 9999"));
    } else if constexpr (std::is_same_v<V, std::string>) {
        if (!is_utf8(value) && !name.ends_with("hash") && std::ranges::find(not_text, name) == not_text.end())
            problems.add(invalid_format(name, "is not UTF-8"));
    } else if constexpr (data::Composite<V>) {
        check_fields(value, problems);
    } else if constexpr (requires { value.has_value(); }) {
        if (value)
            check_value(name, *value, problems);
    } else if constexpr (requires { value.begin(); }) {
        for (const auto& item : value)
            check_value(name, item, problems);
    }
}

// What the type of a field says about it, for every field of the row.
template <class Row>
void check_fields(const Row& row, Problems& problems) {
    data::for_each_field<Row>(
        [&](const auto& field) { check_value(field.name, row.*field.member, problems); });
}

// The row's problems as far as the types of its fields tell them.
template <class Row>
Problems problems_of_fields(const Row& row) {
    Problems problems;
    check_fields(row, problems);
    return problems;
}

} // namespace slashpost
