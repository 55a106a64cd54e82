#pragma once
// Rollups and the last clicks of their subjects as parts of a dump (core/schema/rollups.h).
//
//   {"table":"rollups","row":{"link":ID,"grain":"day","bucket":20833,"counts":[["c",3],["Cde",2]]}}
//   {"table":"last_clicks_of_subjects","row":{"domain":ID,"workspace":ID,"at":TIME}}
//
// A subject is a link, a tag, a workspace, or a domain with a workspace. Names of counts are text, or
// {"hex": "..."} when they are not UTF-8.
#include "app/admin/dump_parts.h"

namespace slashpost::admin {

std::unique_ptr<DumpPart> make_rollup_part();
std::unique_ptr<DumpPart> make_subject_last_click_part();

// Whether a key of space::last_clicks is one of a subject, rather than of a link or a workspace.
bool is_last_click_of_subject(data::BytesView key);

} // namespace slashpost::admin
