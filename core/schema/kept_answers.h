#pragma once
#include "core/data/table.h"
#include "core/model/kept_answer.h"
#include "core/schema/spaces.h"

namespace slashpost {

struct KeptAnswerTable : Table<KeptAnswer> {
    KeptAnswerTable() : Table(space::kept_answers, "answer") {}

    Ordered<KeptAnswer> by_account{this, 1, "by_account",
                                   [](const KeptAnswer& a) { return always(a.account); },
                                   [](const KeptAnswer& a) { return key(a.created_at); }};
    Ordered<KeptAnswer> by_end{this, 2, "by_end", [](const KeptAnswer&) { return always(); },
                               [](const KeptAnswer& a) { return key(a.ends_at()); }};
    Tally<KeptAnswer> per_account{this, 1, "per_account",
                                  [](const KeptAnswer& a) { return always(a.account); }};
};

} // namespace slashpost
