#include "core/ops/indexed_search.h"

#include <algorithm>
#include <map>

namespace slashpost {

using search::DocumentSet;
using search::Field;
using search::Fit;

namespace {

constexpr std::array fits_best_first{Fit::slashtag_is, Fit::slashtag_begins, Fit::slashtag_contains,
                                     Fit::title, Fit::destination};
constexpr std::size_t ranked_at_once = 256; // candidates whose texts are all read

// Those that can have the fit.
const DocumentSet& candidates_for(Fit fit, const search::Reader::Candidates& all) {
    const auto of = [&](Field field) -> const DocumentSet& {
        return all.by_field.at(static_cast<std::size_t>(field));
    };
    switch (fit) {
    case Fit::address_is: // found before the search
    case Fit::slashtag_is:
    case Fit::slashtag_begins:
        return of(Field::slashtag_begins);
    case Fit::slashtag_contains:
        return of(Field::slashtag);
    case Fit::title:
        return of(Field::title);
    case Fit::destination:
        break;
    }
    return of(Field::destination);
}

} // namespace

IndexedSearch::IndexedSearch(LinkQuery& query, PassingLinks found, std::string term)
    : query_(query),
      found_(std::move(found)),
      term_(std::move(term)),
      has_parts_(term_.size() >= 3) {}

Result<std::optional<Fit>> IndexedSearch::fit_of(const Link& link) const {
    const auto packed = search::pack_texts(link);
    return search::fit_of(term_, TRY(search::unpack_texts(packed)));
}

Result<std::int64_t> IndexedSearch::count() {
    std::int64_t count = 0;
    for (const auto& link : found_.unindexed)
        count += TRY(fit_of(link)) ? 1 : 0;
    auto to_read = found_.documents;
    if (has_parts_) {
        const auto candidates = TRY(found_.reader.candidates(term_));
        to_read &= candidates.anywhere;
        count += static_cast<std::int64_t>(to_read.size());
        to_read -= candidates.sure;
        count -= static_cast<std::int64_t>(to_read.size());
    }
    TRY(found_.reader.each_text(to_read, [&](std::uint32_t, const search::Texts& texts) {
        count += search::fit_of(term_, texts) ? 1 : 0;
    }));
    return count;
}

Result<std::vector<LinkId>> IndexedSearch::first(std::size_t wanted, const std::optional<SearchRank>& after) {
    if (!has_parts_)
        return first_of_all(found_.documents, wanted, after);
    auto candidates = TRY(found_.reader.candidates(term_));
    candidates.anywhere &= found_.documents;
    if (candidates.anywhere.size() <= ranked_at_once)
        return first_of_all(candidates.anywhere, wanted, after);
    for (auto& set : candidates.by_field)
        set &= found_.documents;
    std::vector<LinkId> out;
    for (const auto fit : fits_best_first)
        if (out.size() < wanted && (!after || after->fit <= fit))
            TRY(add_of_fit(fit, candidates_for(fit, candidates),
                           after && after->fit == fit ? std::optional(after->id) : std::nullopt, wanted,
                           out));
    return out;
}

// Adds those of one fit behind `after`, the newest first. The candidates may have any fit, or none.
Result<void> IndexedSearch::add_of_fit(Fit fit, const DocumentSet& candidates,
                                       const std::optional<LinkId>& after, std::size_t wanted,
                                       std::vector<LinkId>& out) {
    if (fit == Fit::slashtag_is) // by the rows, which knows them without a look at all that begin so
        return query_.each_called(term_, after, [&](const Link& link) -> Result<bool> {
            out.push_back(link.id);
            return out.size() < wanted;
        });
    std::vector<LinkId> unindexed;
    for (const auto& link : found_.unindexed)
        if (TRY(fit_of(link)) == fit)
            unindexed.push_back(link.id);
    return each_found(found_.reader, candidates, unindexed, data::Order::backward, after,
                      [&](LinkId id, std::optional<std::uint32_t> number) -> Result<bool> {
                          if (number) {
                              const auto packed = TRY(found_.reader.packed_text(*number));
                              if (search::fit_of(term_, TRY(search::unpack_texts(packed))) != fit)
                                  return true;
                          }
                          out.push_back(id);
                          return out.size() < wanted;
                      });
}

// Reads the texts of all candidates. Ids are looked up in the end, and of most documents never.
Result<std::vector<LinkId>> IndexedSearch::first_of_all(const DocumentSet& candidates, std::size_t wanted,
                                                        const std::optional<SearchRank>& after) {
    std::map<Fit, DocumentSet> documents;
    std::map<Fit, std::vector<LinkId>> unindexed;
    TRY(found_.reader.each_text(candidates, [&](std::uint32_t number, const search::Texts& texts) {
        if (const auto fit = search::fit_of(term_, texts))
            documents.try_emplace(*fit, found_.reader.none()).first->second.add(number);
    }));
    for (const auto& link : found_.unindexed)
        if (const auto fit = TRY(fit_of(link)))
            unindexed[*fit].push_back(link.id);
    std::vector<LinkId> out;
    for (const auto fit : fits_best_first) {
        if (out.size() >= wanted || (after && fit < after->fit))
            continue;
        const auto last = after && after->fit == fit ? std::optional<RawId>(after->id) : std::nullopt;
        const auto& of_fit = documents.try_emplace(fit, found_.reader.none()).first->second;
        TRY(each_found(found_.reader, of_fit, unindexed[fit], data::Order::backward, last,
                       [&](LinkId id, std::optional<std::uint32_t>) -> Result<bool> {
                           out.push_back(id);
                           return out.size() < wanted;
                       }));
    }
    return out;
}

} // namespace slashpost
