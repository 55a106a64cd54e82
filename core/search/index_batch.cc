#include "core/search/index_batch.h"

#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/schema/spaces.h"

#include <algorithm>

namespace slashpost::search {

namespace {

constexpr std::size_t text_slack_bytes = 4096; // superseded texts that a block may carry beside its own size

constexpr unsigned chunk_bits = 16, term_bits = 27, place_bits = 16;

std::uint32_t term_of(std::uint64_t occurrence) {
    return static_cast<std::uint32_t>(occurrence >> place_bits & ((1U << term_bits) - 1));
}
std::size_t chunk_of(std::uint64_t occurrence) { return occurrence >> (term_bits + place_bits); }
// What is the same for all fields of one posting.
std::uint64_t posting_of(std::uint64_t occurrence) { return occurrence >> (place_bits + 2); }

std::uint64_t document_of(std::uint64_t occurrence) {
    return chunk_of(occurrence) << place_bits | static_cast<std::uint16_t>(occurrence);
}

// Ascending, each once. By digits, as there are a hundred of them for each document. Those of new documents
// come in the order of these, which then is that of the lowest digits.
void sort_unique(std::vector<std::uint64_t>& numbers) {
    constexpr unsigned digit_bits = 11, all_bits = chunk_bits + term_bits + place_bits;
    constexpr std::size_t buckets = std::size_t{1} << digit_bits;
    if (numbers.size() < buckets) {
        std::ranges::sort(numbers);
    } else {
        std::vector<std::uint64_t> sorted(numbers.size());
        const bool by_document = std::ranges::is_sorted(numbers, {}, document_of);
        for (unsigned shift = by_document ? place_bits : 0; shift < all_bits; shift += digit_bits) {
            const auto bucket_of = [shift](std::uint64_t number) { return number >> shift & (buckets - 1); };
            std::array<std::size_t, buckets> ends{};
            for (const auto number : numbers)
                ++ends[bucket_of(number)];
            if (ends[bucket_of(numbers.front())] == numbers.size())
                continue;
            std::size_t begin = 0;
            for (auto& end : ends)
                begin += std::exchange(end, begin);
            for (const auto number : numbers)
                sorted[ends[bucket_of(number)]++] = number;
            numbers.swap(sorted);
        }
    }
    numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
}

// Calls `visit` with the part of each posting; `numbers` are sorted.
template <class Visit>
Result<void> each_posting(std::span<const std::uint64_t> numbers, Visit&& visit) {
    for (std::size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
        while (end < numbers.size() && posting_of(numbers[end]) == posting_of(numbers[begin]))
            ++end;
        TRY(visit(numbers.subspan(begin, end - begin)));
    }
    return {};
}

void apply(Posting& posting, std::span<const std::uint64_t> numbers, bool adding) {
    for (const auto number : numbers) {
        auto& set = posting.at(field_of(term_of(number)));
        const auto place = static_cast<std::uint16_t>(number);
        adding ? set.add(place) : set.remove(place);
    }
}

} // namespace

Result<bool> IndexBatch::begin() {
    if (const auto stored = TRY(txn_.get(space::documents, head_key(workspace_))))
        head_ = TRY(data::decode<IndexHead>(*stored));
    first_new_ = head_.documents;
    return !head_.discarded;
}

Result<void> IndexBatch::take(LinkId id, const Link* row) {
    if (row && row->workspace != workspace_)
        row = nullptr;
    const bool known = !(head_.greatest < id); // perhaps
    const auto stored = known ? TRY(txn_.get(space::documents, number_key(workspace_, id))) : std::nullopt;
    if (!stored)
        return row ? add(id, *row) : Result<void>();
    const auto was = TRY(data::decode<IndexedLink>(*stored));
    return row ? change(was, *row) : remove(id, was);
}

Result<void> IndexBatch::add(LinkId id, const Link& row) {
    if (head_.documents == documents_max)
        return fault("a search index has no numbers left");
    const auto number = head_.documents++;
    const auto packed = pack_texts(row);
    std::vector<TextTerm> terms;
    append_text_terms(TRY(unpack_texts(packed)), terms);
    note_texts(number, terms, added_);
    new_ids_.push_back(id);
    head_.greatest = std::max(head_.greatest, id);
    append_text(new_texts_[number / texts_per_block], number, packed);
    const auto attributes = attributes_of(row, number);
    note_attributes(attributes, attributes_added_);
    numbers_.emplace_back(id, attributes);
    return {};
}

Result<void> IndexBatch::change(const IndexedLink& was, const Link& row) {
    const auto before = TRY(packed_before(was.number));
    const auto packed = pack_texts(row);
    if (packed != before) {
        std::vector<TextTerm> old, fresh, gone, come;
        append_text_terms(TRY(unpack_texts(before)), old);
        append_text_terms(TRY(unpack_texts(packed)), fresh);
        for (auto* terms : {&old, &fresh}) {
            std::ranges::sort(*terms);
            terms->erase(std::ranges::unique(*terms).begin(), terms->end());
        }
        std::ranges::set_difference(old, fresh, std::back_inserter(gone));
        std::ranges::set_difference(fresh, old, std::back_inserter(come));
        note_texts(was.number, gone, removed_);
        note_texts(was.number, come, added_);
        append_text(new_texts_[was.number / texts_per_block], was.number, packed);
    }
    const auto now = attributes_of(row, was.number);
    if (now == was)
        return {};
    change_attributes(was, now);
    numbers_.emplace_back(row.id, now);
    return {};
}

Result<void> IndexBatch::remove(LinkId id, const IndexedLink& was) {
    std::vector<TextTerm> terms;
    append_text_terms(TRY(unpack_texts(TRY(packed_before(was.number)))), terms);
    note_texts(was.number, terms, removed_);
    note_attributes(was, attributes_removed_);
    return txn_.erase(space::documents, number_key(workspace_, id));
}

void IndexBatch::note_attributes(const IndexedLink& attributes,
                                 std::map<data::Bytes, std::vector<std::uint16_t>>& in) {
    for (const auto& term : terms_of(attributes))
        in[posting_key(workspace_, attributes.number / chunk_documents, term)].push_back(
            static_cast<std::uint16_t>(attributes.number % chunk_documents));
}

void IndexBatch::change_attributes(const IndexedLink& was, const IndexedLink& now) {
    auto old = terms_of(was), fresh = terms_of(now);
    std::ranges::sort(old);
    std::ranges::sort(fresh);
    const auto note = [&](const std::vector<data::Bytes>& some, const std::vector<data::Bytes>& others,
                          auto& in) {
        for (const auto& term : some)
            if (!std::ranges::binary_search(others, term))
                in[posting_key(workspace_, was.number / chunk_documents, term)].push_back(
                    static_cast<std::uint16_t>(was.number % chunk_documents));
    };
    note(old, fresh, attributes_removed_);
    note(fresh, old, attributes_added_);
}

void IndexBatch::note_texts(std::uint32_t number, const std::vector<TextTerm>& terms,
                            std::vector<Occurrence>& in) {
    const auto chunk = static_cast<std::uint64_t>(number / chunk_documents) << (term_bits + place_bits);
    for (const auto term : terms)
        in.push_back(chunk | std::uint64_t{term} << place_bits | number % chunk_documents);
}

Result<const data::Bytes*> IndexBatch::stored_texts(std::uint32_t block) {
    if (const auto known = stored_texts_.find(block); known != stored_texts_.end())
        return &known->second;
    auto stored = TRY(txn_.get(space::postings, texts_key(workspace_, block)));
    return &stored_texts_.emplace(block, std::move(stored).value_or(data::Bytes())).first->second;
}

// A document that is changed was there before this batch: each link has one mark.
Result<data::Bytes> IndexBatch::packed_before(std::uint32_t number) {
    const auto* const stored = TRY(stored_texts(number / texts_per_block));
    return data::Bytes(TRY(read_text_block(*stored)).at(number % texts_per_block));
}

Result<void> IndexBatch::write() {
    sort_unique(added_);
    sort_unique(removed_);
    TRY(write_spans());
    TRY(txn_.put(space::documents, head_key(workspace_), data::encode(head_)));
    TRY(rewrite_texts());
    TRY(rewrite_attributes());
    TRY(rewrite_terms());
    TRY(append_columns());
    return append_terms();
}

// Blocks that carry too much of what is superseded. The others are appended to.
Result<void> IndexBatch::rewrite_texts() {
    for (const auto& [block, stored] : stored_texts_) {
        const auto records = new_texts_.find(block);
        if (records == new_texts_.end())
            continue;
        std::size_t live = 0;
        for (const auto& packed : TRY(read_text_block(stored)))
            live += packed.size();
        if (stored.size() <= 2 * live + text_slack_bytes)
            continue;
        const auto whole = stored + records->second;
        const auto texts = TRY(read_text_block(whole));
        data::Bytes compact;
        for (std::uint32_t place = 0; place < texts_per_block; ++place)
            if (!texts.at(place).empty())
                append_text(compact, place, texts.at(place));
        TRY(txn_.put(space::postings, texts_key(workspace_, block), compact));
        new_texts_.erase(records);
    }
    return {};
}

Result<void> IndexBatch::append_columns() {
    for (const auto& [id, attributes] : numbers_)
        TRY(txn_.put_blind(space::documents, number_key(workspace_, id), data::encode(attributes)));
    for (const auto& [block, records] : new_texts_)
        TRY(txn_.merge(space::postings, texts_key(workspace_, block), records));
    data::Bytes ids;
    for (std::size_t i = 0; i < new_ids_.size(); ++i) {
        const auto number = first_new_ + static_cast<std::uint32_t>(i);
        ids += new_ids_[i].view();
        if (i + 1 == new_ids_.size() || (number + 1) % ids_per_block == 0) {
            TRY(txn_.merge(space::postings, ids_key(workspace_, number / ids_per_block), ids));
            ids.clear();
        }
    }
    return {};
}

Result<void> IndexBatch::write_spans() {
    for (std::size_t i = 0; i < new_ids_.size();) {
        const auto chunk = (first_new_ + i) / chunk_documents;
        const auto key = spans_key(workspace_, chunk);
        auto spans = TRY(txn_.get(space::documents, key)).value_or(data::Bytes());
        for (; i < new_ids_.size() && (first_new_ + i) / chunk_documents == chunk; ++i) {
            const auto at = (first_new_ + i) % chunk_documents / ids_per_block * span_bytes;
            const auto id = new_ids_[i].view();
            if (at >= spans.size()) {
                spans.resize(at);
                spans.append(id).append(id);
                continue;
            }
            if (id < data::BytesView(spans).substr(at, id_bytes))
                spans.replace(at, id_bytes, id);
            if (id > data::BytesView(spans).substr(at + id_bytes, id_bytes))
                spans.replace(at + id_bytes, id_bytes, id);
        }
        TRY(txn_.put(space::documents, key, spans));
    }
    return {};
}

data::Bytes IndexBatch::key_of(Occurrence occurrence) const {
    return posting_key(workspace_, chunk_of(occurrence), term(term_of(occurrence)));
}

Result<void> IndexBatch::rewrite(const data::Bytes& key, std::span<const Occurrence> removed,
                                 std::span<const Occurrence> added) {
    Posting posting{};
    if (const auto stored = TRY(txn_.get(space::postings, key)))
        TRY(add_posting(*stored, posting));
    apply(posting, removed, false);
    apply(posting, added, true);
    const auto bytes = encode_posting(posting);
    return bytes.empty() ? txn_.erase(space::postings, key) : txn_.put(space::postings, key, bytes);
}

Result<void> IndexBatch::rewrite_terms() {
    return each_posting(removed_, [&](std::span<const Occurrence> gone) {
        const auto [begin, end] = std::ranges::equal_range(added_, posting_of(gone.front()), {}, posting_of);
        return rewrite(key_of(gone.front()), gone, {begin, end});
    });
}

Result<void> IndexBatch::append_terms() {
    for (const auto& [key, places] : attributes_added_) {
        data::Bytes segment;
        append_segment(segment, field_of_attributes, places);
        TRY(txn_.merge(space::postings, key, segment));
    }
    std::vector<std::uint16_t> places;
    return each_posting(added_, [&](std::span<const Occurrence> come) -> Result<void> {
        if (std::ranges::binary_search(removed_, posting_of(come.front()), {}, posting_of))
            return {}; // rewritten
        data::Bytes segments;
        for (std::size_t begin = 0, end = 0; begin < come.size(); begin = end) {
            const auto field = field_of(term_of(come[begin]));
            places.clear();
            for (; end < come.size() && field_of(term_of(come[end])) == field; ++end)
                places.push_back(static_cast<std::uint16_t>(come[end]));
            append_segment(segments, field, places);
        }
        return txn_.merge(space::postings, key_of(come.front()), segments);
    });
}

// Leaves what is only to be appended.
Result<void> IndexBatch::rewrite_attributes() {
    for (auto& [key, places] : attributes_added_)
        std::ranges::sort(places);
    for (const auto& [key, places] : attributes_removed_) {
        const std::vector<Occurrence> gone(places.begin(), places.end()); // field_of_attributes is 0
        std::vector<Occurrence> come;
        if (const auto added = attributes_added_.find(key); added != attributes_added_.end()) {
            come.assign(added->second.begin(), added->second.end());
            attributes_added_.erase(added);
        }
        TRY(rewrite(key, gone, come));
    }
    return {};
}

} // namespace slashpost::search
