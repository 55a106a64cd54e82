// The part of the reader that goes from documents to the ids of their links, and from ids to documents.
#include "core/base/errors.h"
#include "core/schema/spaces.h"
#include "core/search/reader.h"

#include <algorithm>
#include <queue>
#include <ranges>

namespace slashpost::search {

namespace {

constexpr std::size_t id_bytes = sizeof(RawId);
constexpr std::size_t span_bytes = 2 * id_bytes;
constexpr std::size_t blocks_read_always = 64; // one by one; of more it may be better to read all

RawId id_at(data::BytesView bytes, std::size_t at) {
    return *RawId::from_bytes(bytes.substr(at * id_bytes, id_bytes));
}

} // namespace

Result<void> Reader::load_ids(bool wanted) const {
    if (columns_ && !ids_)
        ids_ = columns_->ids(workspace_, version_);
    if (!wanted || (ids_ && ids_->size() / id_bytes >= documents_ - documents_ / 64))
        return {};
    auto ids = std::make_shared<data::Bytes>();
    ids->reserve(documents_ * id_bytes);
    TRY(view_->scan(
        space::postings,
        {.from = ids_key(workspace_, 0), .until = ids_key(workspace_, documents_ / ids_per_block + 1)},
        data::Order::forward, [&](data::BytesView, data::BytesView block) {
            ids->append(block);
            return true;
        }));
    if (ids->size() != documents_ * id_bytes)
        return fault("a block of ids of the search index is missing");
    ids_ = std::move(ids);
    if (columns_)
        columns_->keep_ids(workspace_, version_, ids_);
    return {};
}

Result<data::BytesView> Reader::ids_of_block(std::uint32_t block, data::Bytes& room) const {
    constexpr std::size_t block_bytes = ids_per_block * id_bytes;
    TRY(load_ids(false));
    if (ids_ && (block + 1) * block_bytes <= ids_->size())
        return data::BytesView(*ids_).substr(block * block_bytes, block_bytes);
    auto stored = TRY(view_->get(space::postings, ids_key(workspace_, block)));
    if (!stored)
        return fault("a block of ids of the search index is missing");
    room = std::move(*stored);
    return data::BytesView(room);
}

Result<LinkId> Reader::id(std::uint32_t number) const {
    data::Bytes room;
    const auto ids = TRY(ids_of_block(number / ids_per_block, room));
    if (number % ids_per_block >= ids.size() / id_bytes)
        return fault("a block of ids of the search index is too short");
    return LinkId(id_at(ids, number % ids_per_block));
}

// By the ids in memory. They mostly ascend; where they do not, it may find nothing, but never a wrong one.
std::optional<std::uint32_t> Reader::known_number(LinkId link) const {
    const auto count = std::min<std::size_t>(documents_, ids_->size() / id_bytes);
    const auto numbers = std::views::iota(std::uint32_t{0}, static_cast<std::uint32_t>(count));
    const auto id_of = [&](std::uint32_t number) { return id_at(*ids_, number); };
    const auto found = std::ranges::lower_bound(numbers, link, {}, id_of);
    return found != numbers.end() && id_of(*found) == link ? std::optional(*found) : std::nullopt;
}

Result<std::optional<std::uint32_t>> Reader::number(LinkId link) const {
    if (std::ranges::binary_search(loose_, link))
        return std::optional<std::uint32_t>();
    TRY(load_ids(false));
    if (const auto known = ids_ ? known_number(link) : std::nullopt)
        return known;
    const auto stored = TRY(view_->get(space::documents, number_key(workspace_, link)));
    if (!stored)
        return std::optional<std::uint32_t>();
    return std::optional(TRY(data::decode<IndexedLink>(*stored)).number);
}

Result<std::vector<LinkId>> Reader::ids(const DocumentSet& documents) const {
    static_assert(ids_per_block % 64 == 0);
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t block = 0; block * ids_per_block < documents_; ++block) {
        const auto& chunk = documents.chunk(block * ids_per_block / chunk_documents);
        const auto first = block * ids_per_block % chunk_documents / 64;
        for (std::uint32_t i = 0; i < ids_per_block / 64; ++i)
            if (chunk.word(first + i) != 0) {
                blocks.push_back(block);
                break;
            }
    }
    TRY(load_ids(blocks.size() > blocks_read_always && blocks.size() > documents_ / ids_per_block / 4));
    std::vector<LinkId> out;
    out.reserve(documents.size());
    data::Bytes room;
    for (const auto block : blocks) {
        const auto ids = TRY(ids_of_block(block, room));
        bool whole = true;
        documents.each_within(block * ids_per_block, (block + 1) * ids_per_block, [&](std::uint32_t number) {
            whole = whole && number % ids_per_block < ids.size() / id_bytes;
            if (whole)
                out.emplace_back(id_at(ids, number % ids_per_block));
        });
        if (!whole)
            return fault("a block of ids of the search index is too short");
    }
    if (!std::ranges::is_sorted(out)) // mostly they are
        std::ranges::sort(out);
    return out;
}

Result<ColumnCache::Order> Reader::ordinals(const data::Ordered<Link>& index, bool active,
                                            bool at_once) const {
    if (!columns_)
        return nullptr;
    const Ordinals::Key key{.index = &index, .workspace = workspace_, .active = active};
    return columns_->order(key, version_, at_once, [&]() -> Result<Ordinals> {
        TRY(load_ids(true));
        return Ordinals::read(*view_, key, version_, *ids_, loose_numbers_);
    });
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
    data::Bytes room;
    for (const auto& span : *spans_) {
        if (span.greatest < from || (until && span.least >= *until))
            continue;
        const bool whole = span.least >= from && (!until || span.greatest < *until);
        const auto ids = whole ? data::BytesView() : TRY(ids_of_block(span.block, room));
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
    data::Bytes room;
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
        const auto ids = TRY(ids_of_block(span.block, room));
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
