#pragma once
// What a visitor would get of a link, and why, without a visit: asked of the same compiled rules by the same
// functions as a redirect (core/redirect/choose.h). Nothing is counted and no turn of a rotator is taken.
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/clicks/clicks.h"
#include "core/model/link.h"
#include "core/model/link_parts.h"

#include <optional>
#include <string>
#include <vector>

namespace slashpost {

// Who is supposed to come; what is empty is not known of them.
struct SupposedVisitor {
    std::string country;  // ISO 3166, any case
    std::string language; // as in Accept-Language: "de-AT", or all of such a header
    std::string device, os, browser;
    std::string query;             // with or without "?"
    std::optional<Timestamp> time; // nothing: now
};

// A rule that was tried.
struct TriedRule {
    LinkRule rule;
    std::optional<RuleCondition> failed; // the first condition that does not hold; nothing: it matched
};

struct ArmShare {
    RotatorRule arm;
    std::int64_t visits = 0; // of `of` visits those that it gets
    std::int64_t of = 0;
};

struct Explanation {
    redirect::Chooser chooser = redirect::Chooser::link;
    std::string destination;      // with the query forwarded; empty when the arms differ
    Forwarding forwarding;        // as the link says, and its domain where the link says nothing
    std::vector<TriedRule> rules; // up to the one that matched, in order
    std::vector<ArmShare> arms;   // when a rotator chooses; all of them
};

// Fails as invalid on country, language, device, os or browser when those say nothing that can be.
Result<Explanation> explain_link(Context& ctx, const Link& link, const SupposedVisitor& supposed,
                                 Problems problems = {});

// "rule 0192… matched: req.country in de"; one sentence each for whoever reads.
std::string reason_of(const TriedRule& tried);
std::string reason_of(const Explanation& explanation);

} // namespace slashpost
