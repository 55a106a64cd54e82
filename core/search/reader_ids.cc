// The part of the reader that goes from documents to the ids of their links, and from ids to documents.
#include "core/base/errors.h"
#include "core/schema/spaces.h"
#include "core/search/reader.h"

#include <algorithm>
#include <queue>
#include <ranges>

namespace slashpost::search {

namespace {

RawId id_at(data::BytesView bytes, std::size_t at) {
    return *RawId::from_bytes(bytes.substr(at * id_bytes, id_bytes));
}

// Blocks of ids that have some of the documents.
std::vector<std::uint32_t> blocks_of(const DocumentSet& documents) {
    static_assert(ids_per_block % 64 == 0 && chunk_documents % ids_per_block == 0);
    constexpr std::size_t words = ids_per_block / 64;
    std::vector<std::uint32_t> blocks;
    for (std::size_t chunk = 0; chunk < documents.chunks(); ++chunk)
        for (std::size_t word = 0; word < ChunkSet::words; ++word)
            if (documents.chunk(chunk).word(word) != 0) {
                blocks.push_back(static_cast<std::uint32_t>((chunk * ChunkSet::words + word) / words));
                word += words - 1 - word % words; // to the next block
            }
    return blocks;
}

} // namespace

Result<data::Bytes> Reader::ids_of_block(std::uint32_t block) const {
    auto stored = TRY(view_->get(space::postings, ids_key(workspace_, block)));
    if (!stored)
        return fault("a block of ids of the search index is missing");
    return std::move(*stored);
}

std::size_t Reader::close(const DocumentSet& documents) {
    return blocks_of(documents).size() * ids_per_block;
}

Result<std::vector<LinkId>> Reader::ids(const DocumentSet& documents) const {
    std::vector<LinkId> out;
    out.reserve(documents.size());
    bool whole = true;
    const auto take = [&](std::uint32_t block, data::BytesView ids) {
        documents.each_within(block * ids_per_block, (block + 1) * ids_per_block, [&](std::uint32_t number) {
            whole = whole && number % ids_per_block < ids.size() / id_bytes;
            if (whole)
                out.emplace_back(id_at(ids, number % ids_per_block));
        });
    };
    const auto blocks = blocks_of(documents);
    if (blocks.size() < documents_ / ids_per_block / 4) {
        for (const auto block : blocks)
            take(block, TRY(ids_of_block(block)));
    } else { // all in a row, which is quicker for each
        std::uint32_t block = 0;
        TRY(view_->scan(
            space::postings,
            {.from = ids_key(workspace_, 0), .until = ids_key(workspace_, documents_ / ids_per_block + 1)},
            data::Order::forward, [&](data::BytesView, data::BytesView ids) {
                take(block++, ids);
                return true;
            }));
    }
    if (!whole || out.size() != documents.size())
        return fault("a block of ids of the search index is too short");
    if (!std::ranges::is_sorted(out)) // mostly they are
        std::ranges::sort(out);
    return out;
}

Result<void> Reader::read_spans() const {
    if (spans_)
        return {};
    std::vector<Span> out;
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk) {
        const auto stored = TRY(view_->get(space::documents, spans_key(workspace_, chunk)));
        if (!stored || stored->empty() || stored->size() % span_bytes != 0 ||
            stored->size() / span_bytes > chunk_documents / ids_per_block)
            return fault("the spans of the search index cannot be read");
        const auto first = static_cast<std::uint32_t>(chunk * (chunk_documents / ids_per_block));
        for (std::uint32_t i = 0; i < stored->size() / span_bytes; ++i)
            out.push_back({.block = first + i,
                           .least = id_at(*stored, 2 * std::size_t{i}),
                           .greatest = id_at(*stored, 2 * std::size_t{i} + 1)});
    }
    spans_ = std::move(out);
    return {};
}

Result<DocumentSet> Reader::created_within(const RawId& from, const std::optional<RawId>& until) const {
    TRY(read_spans());
    auto out = none();
    for (const auto& span : *spans_) {
        if (span.greatest < from || (until && span.least >= *until))
            continue;
        const bool whole = span.least >= from && (!until || span.greatest < *until);
        const auto ids = whole ? data::Bytes() : TRY(ids_of_block(span.block));
        for (std::uint32_t place = 0; place < ids_per_block; ++place) {
            if (!whole && place >= ids.size() / id_bytes)
                break;
            if (whole || (id_at(ids, place) >= from && (!until || id_at(ids, place) < *until)))
                out.add(span.block * ids_per_block + place);
        }
    }
    return out;
}

// Blocks come in the order of the first id that they can have, and what is found in one waits until no later
// block can have anything before it. Ids mostly ascend with the numbers, so little ever waits.
Result<void> Reader::each_by_id(const DocumentSet& documents, data::Order order,
                                const std::optional<RawId>& after, const VisitLink& visit) const {
    const bool forward = order == data::Order::forward;
    const auto before = [forward](const RawId& a, const RawId& b) { return forward ? a < b : b < a; };
    const auto first_of = [forward](const Span& span) { return forward ? span.least : span.greatest; };
    const auto last_of = [forward](const Span& span) { return forward ? span.greatest : span.least; };
    TRY(read_spans());
    auto blocks = *spans_;
    const auto begins_before = [&](const Span& a, const Span& b) { return before(first_of(a), first_of(b)); };
    if (!forward)
        std::ranges::reverse(blocks);
    if (!std::ranges::is_sorted(blocks, begins_before)) // mostly it is
        std::ranges::sort(blocks, begins_before);

    using Found = std::pair<RawId, std::uint32_t>;
    const auto later = [&](const Found& a, const Found& b) { return before(b.first, a.first); };
    std::priority_queue<Found, std::vector<Found>, decltype(later)> waiting(later);
    std::vector<std::uint32_t> numbers;
    for (auto next = blocks.begin(); next != blocks.end() || !waiting.empty();) {
        if (!waiting.empty() && (next == blocks.end() || before(waiting.top().first, first_of(*next)))) {
            const auto [id, number] = waiting.top();
            waiting.pop();
            if (!TRY(visit(LinkId(id), number)))
                return {};
            continue;
        }
        const auto& span = *next++;
        if (after && !before(*after, last_of(span)))
            continue;
        numbers.clear();
        documents.each_within(span.block * ids_per_block, (span.block + 1) * ids_per_block,
                              [&](std::uint32_t number) { numbers.push_back(number); });
        if (numbers.empty())
            continue;
        const auto ids = TRY(ids_of_block(span.block));
        for (const auto number : numbers) {
            if (number % ids_per_block >= ids.size() / id_bytes)
                return fault("a block of ids of the search index is too short");
            if (const auto id = id_at(ids, number % ids_per_block); !after || before(*after, id))
                waiting.emplace(id, number);
        }
    }
    return {};
}

} // namespace slashpost::search
