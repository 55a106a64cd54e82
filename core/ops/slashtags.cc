#include "core/ops/slashtags.h"

#include "core/access/link_rows.h"
#include "core/base/any_script.h"
#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/ops/domains.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace slashpost {

namespace {

constexpr std::string_view pattern = "^[a-zA-Z0-9_-]+$"; // interface 2.1
// Of a domain that allows letters of all scripts, as it is told; core/base/any_script.h reads it more
// strictly.
constexpr std::string_view words_pattern = R"(^[\p{L}\p{M}\p{Nd}_-]+(/[\p{L}\p{M}\p{Nd}_-]+)*$)";
// Letters and digits without 0, 1, i, l, o.
constexpr std::string_view generated_alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
constexpr std::uint32_t generated_length_min = 5;
constexpr int attempts_max = 50;

// Paths that mean something else on every host (wire "The visitor's side"), as does what is below them;
// compared ignoring case. No other such path is one that a slashtag could be.
constexpr std::array<std::string_view, 1> reserved{"v1"};

// Never part of a generated slashtag: nobody wants to print these on a poster. Only words that the
// alphabet can spell.
constexpr std::array<std::string_view, 22> blocked{
    "anus", "arse", "ass", "crap", "cum", "cunt", "damn", "fag",  "fck",  "fuck", "fuk",
    "jerk", "kkk",  "pee", "pube", "sex", "shag", "suck", "turd", "twat", "wank", "xxx"};

bool is_reserved(std::string_view slashtag) {
    return std::ranges::find(reserved, lower_ascii(slashtag.substr(0, slashtag.find('/')))) != reserved.end();
}

bool has_blocked_word(std::string_view slashtag) {
    return std::ranges::any_of(blocked, [&](auto word) { return slashtag.find(word) != slashtag.npos; });
}

bool matches_pattern(std::string_view slashtag) {
    return !slashtag.empty() && std::ranges::all_of(slashtag, [](char c) {
        return ascii::is_letter_or_digit(c) || c == '_' || c == '-';
    });
}

// The shortest length at which `links` taken ones leave odds of at most 1 in 1,000 to hit one.
std::uint32_t length_for(std::int64_t links) {
    const double wanted = 1000.0 * static_cast<double>(std::max<std::int64_t>(links, 1));
    const double length = std::log(wanted) / std::log(static_cast<double>(generated_alphabet.size()));
    return std::max(generated_length_min, static_cast<std::uint32_t>(std::ceil(length)));
}

// Its workspace is deleted, or its links on this domain are: the rows follow (core/work).
Result<bool> is_given_up(data::View& view, const Link& link) {
    const auto workspace = TRY(schema().workspaces.find(view, link.workspace.view()));
    return !workspace || workspace->deleted_at || workspace->is_retiring(link.domain);
}

std::string random_slashtag(Random& random, std::uint32_t length) {
    std::string slashtag;
    for (std::uint32_t i = 0; i < length; ++i)
        slashtag += generated_alphabet[random.below(static_cast<std::uint32_t>(generated_alphabet.size()))];
    return slashtag;
}

} // namespace

std::string shown_slashtag(std::string_view given) { return word_form(given, WordCase::kept); }

std::string slashtag_key(const Domain& domain, std::string_view slashtag) {
    return word_form(slashtag, domain.slashtag.case_sensitive ? WordCase::kept : WordCase::folded);
}

void check_slashtag(const Domain& domain, std::string_view slashtag, Problems& problems) {
    const auto& rules = domain.slashtag;
    const bool any_script = rules.charset == SlashtagCharset::unicode;
    const auto length = count_code_points(slashtag);
    if (!(any_script ? are_words(slashtag) : matches_pattern(slashtag)))
        problems.add(pattern_mismatch("slashtag", any_script ? words_pattern : pattern));
    else if (length < rules.length_min || length > rules.length_max)
        problems.add(invalid_length("slashtag", rules.length_min, rules.length_max));
    else if (std::max(slashtag.size(), slashtag_key(domain, slashtag).size()) > slashtag_length_limit)
        problems.add(
            invalid_format("slashtag", fmt::format("takes more than {} bytes", slashtag_length_limit)));
    else if (is_reserved(slashtag))
        problems.add(invalid_format("slashtag", "is reserved"));
}

Result<std::optional<FieldError>> slashtag_is_taken(Context& ctx, const Domain& domain,
                                                    std::string_view slashtag_key) {
    std::optional<FieldError> nothing;
    const bool is_own = domain.type == DomainType::user && domain.owner == ctx.workspace.owner;
    const auto& links = schema().links;
    std::optional<ReleasedSlashtag> released;
    if (TRY(links.short_url.find(ctx.view(), domain.id, slashtag_key))) {
        const auto holder = TRY(links.find_by(links.short_url, ctx.view(), domain.id, slashtag_key));
        if (!holder || !TRY(is_given_up(ctx.view(), *holder)))
            return std::optional(already_exists("slashtag"));
        released = released_by(*holder, slashtag_key, ctx.now, ctx.settings);
    } else if (!is_own) {
        released = TRY(schema().released_slashtags.find(ctx.view(), data::key(domain.id, slashtag_key)));
    }
    if (is_own || !released || released->until <= ctx.now)
        return nothing;
    const auto former = TRY(schema().workspaces.find(ctx.view(), released->workspace.view()));
    if (former && former->owner == ctx.workspace.owner)
        return nothing;
    return std::optional(
        already_exists("slashtag", fmt::format("was given up by somebody else and is in quarantine until {}",
                                               to_iso(released->until))));
}

Result<std::string> generate_slashtag(Context& ctx, const Domain& domain) {
    const auto links = TRY(schema().links.per_domain.count(ctx.view(), domain.id));
    const auto length = std::clamp(length_for(links), domain.slashtag.length_min, domain.slashtag.length_max);
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
        auto slashtag = random_slashtag(ctx.random, length);
        if (is_reserved(slashtag) || has_blocked_word(slashtag))
            continue;
        if (!TRY(slashtag_is_taken(ctx, domain, slashtag)))
            return slashtag;
    }
    return refused(
        "LimitReached", "domain",
        fmt::format("No free slashtag of {} characters was found on this domain; allow longer ones.",
                    length));
}

Result<void> claim_slashtag(Context& ctx, const Link& link, std::string_view slashtag_key) {
    TRY(note_arrival(ctx.txn(), link.domain));
    const auto& links = schema().links;
    if (const auto holder = TRY(links.find_by(links.short_url, ctx.view(), link.domain, slashtag_key));
        holder && holder->id != link.id)
        TRY(retire_link(ctx.system_context(), *holder));
    const auto& table = schema().released_slashtags;
    if (const auto before = TRY(table.find(ctx.view(), data::key(link.domain, slashtag_key))))
        return table.remove(ctx.txn(), *before);
    return {};
}

} // namespace slashpost
