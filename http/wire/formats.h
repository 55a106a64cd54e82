#pragma once
// The named forms of text that fields use: each a pattern for the document and a function for the check.
#include "http/wire/value_type.h"

namespace slashpost::wire::formats {

extern const Rule
    slashtag; // as the most generous domain has it (core/base/any_script.h); the rest is its domain's to say
extern const Rule hex_color;       // six hex digits, with or without "#"
extern const Rule uri;             // documented only: what a destination may be is the operation's to say
extern const Rule open_graph_type; // "website", "music.song"
extern const Rule locale;          // "en", "en_US"
extern const Rule email;           // one "@", something before it, a dotted name behind it; at most 254 bytes
extern const Rule json;            // text that is a JSON object or array
extern const Rule event_name;      // "purchase": 1 to 64 of lower-case letters, digits, "_", "." and "-"
extern const Rule parameter_name;  // of a query, in need of no escapes: "sp_click"
extern const Rule date;            // YYYY-MM-DD; a Timestamp field with it takes nothing longer
extern const Rule date_or_time;    // of text: either

} // namespace slashpost::wire::formats
