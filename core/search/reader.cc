#include "core/search/reader.h"

#include "core/base/errors.h"
#include "core/schema/schema.h"

#include <algorithm>

namespace slashpost::search {

namespace {

constexpr std::size_t loose_max = 2000; // above, reading rows altogether is better

// Links whose time is over while their rows still say that they are active. `found` grows by those of the
// workspace; false when there are too many in all.
Result<bool> add_due(data::View& view, WorkspaceId workspace, Timestamp now, std::vector<LinkId>& found) {
    std::vector<LinkId> due;
    data::Walk walk;
    walk.until = data::key(Timestamp{now.ms + 1});
    TRY(schema().links.by_expiry.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
        due.push_back(*LinkId::from_bytes(primary));
        return due.size() <= loose_max;
    }));
    for (const auto& id : due)
        if (const auto link = TRY(schema().links.find(view, id.view())); link && link->workspace == workspace)
            found.push_back(id);
    return due.size() <= loose_max;
}

} // namespace

Result<std::optional<Reader>> Reader::open(data::View& view, WorkspaceId workspace, Timestamp now) {
    const auto stored = TRY(view.get(space::documents, head_key(workspace)));
    if (!stored)
        return std::optional<Reader>();
    const auto head = TRY(data::decode<IndexHead>(*stored));
    if (head.discarded)
        return std::optional<Reader>();
    Reader reader(view, workspace, head);
    if (!TRY(reader.find_loose(now)))
        return std::optional<Reader>();
    return std::optional(std::move(reader));
}

Result<bool> Reader::find_loose(Timestamp now) {
    TRY(view_->scan(space::unindexed, data::Range::of_prefix(workspace_.view()), data::Order::forward,
                    [&](data::BytesView key, data::BytesView) {
                        if (const auto id = LinkId::from_bytes(key.substr(id_bytes)))
                            unindexed_.push_back(*id);
                        return unindexed_.size() <= loose_max;
                    }));
    if (unindexed_.size() > loose_max || !TRY(add_due(*view_, workspace_, now, unindexed_)))
        return false;
    std::ranges::sort(unindexed_);
    unindexed_.erase(std::ranges::unique(unindexed_).begin(), unindexed_.end());
    for (const auto& id : unindexed_)
        if (const auto stored = TRY(view_->get(space::documents, number_key(workspace_, id)))) {
            const auto number = TRY(data::decode<IndexedLink>(*stored)).number;
            if (number / chunk_documents >= chunks())
                return fault("a number of the search index was never given");
            loose_numbers_.add(number);
        }
    return true;
}

Result<Posting> Reader::posting(std::size_t chunk, data::BytesView term) const {
    Posting posting{};
    if (const auto stored = TRY(view_->get(space::postings, posting_key(workspace_, chunk, term))))
        TRY(add_posting(*stored, posting));
    return posting;
}

Result<DocumentSet> Reader::having(data::BytesView term) const {
    auto out = none();
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk)
        out.chunk(chunk) = TRY(posting(chunk, term))[field_of_attributes];
    out -= loose_numbers_;
    return out;
}

Result<Reader::Candidates> Reader::candidates(std::string_view folded_term) const {
    Candidates out{.by_field = {none(), none(), none(), none()}, .anywhere = none(), .sure = none()};
    std::vector<Part> parts;
    for (std::size_t i = 0; i + 3 <= folded_term.size(); ++i)
        if (auto gram = gram_term(gram_of(folded_term.substr(i, 3)));
            std::ranges::find(parts, gram, &Part::term) == parts.end())
            parts.push_back({.term = std::move(gram), .begins = i == 0});
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk)
        TRY(candidates_of_chunk(parts, chunk, out));
    for (auto& set : out.by_field) {
        set -= loose_numbers_;
        out.anywhere |= set;
    }
    if (folded_term.size() == 3) {
        out.sure = out.anywhere;
        return out;
    }
    for (std::size_t phrase = 0; phrase < phrases().size(); ++phrase)
        if (phrases()[phrase].find(folded_term) != std::string_view::npos)
            for (std::size_t chunk = 0; chunk < chunks(); ++chunk)
                for (const auto& set : TRY(posting(chunk, phrase_term(phrase))))
                    out.sure.chunk(chunk) |= set;
    out.sure &= out.anywhere;
    return out;
}

// Of each field the documents that have all parts there. What was rare in the chunk before comes first, so
// that a chunk without the term is left soon.
Result<void> Reader::candidates_of_chunk(std::vector<Part>& parts, std::size_t chunk, Candidates& out) const {
    constexpr std::array texts{Field::slashtag, Field::title, Field::destination};
    const auto set_of = [&](Field field) -> ChunkSet& {
        return out.by_field.at(static_cast<std::size_t>(field)).chunk(chunk);
    };
    std::ranges::sort(parts, [](const Part& a, const Part& b) {
        return a.size != b.size ? a.size < b.size : a.term < b.term;
    });
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto& part = parts[i];
        Posting found{};
        const auto stored = TRY(view_->get(space::postings, posting_key(workspace_, chunk, part.term)));
        part.size = stored ? stored->size() : 0;
        if (stored)
            TRY(add_posting(*stored, found));
        bool empty = true;
        for (const auto field : texts) {
            auto& set = set_of(field);
            const auto& here = found.at(static_cast<std::size_t>(field));
            if (i == 0)
                set = here;
            else
                set &= here;
            empty = empty && set.empty();
        }
        if (part.begins)
            set_of(Field::slashtag_begins) = found.at(static_cast<std::size_t>(Field::slashtag_begins));
        if (empty)
            break;
    }
    set_of(Field::slashtag_begins) &= set_of(Field::slashtag);
    return {};
}

} // namespace slashpost::search
