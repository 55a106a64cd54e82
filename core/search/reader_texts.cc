// The part of the reader that goes from documents to their texts.
#include "core/base/errors.h"
#include "core/schema/spaces.h"
#include "core/search/reader.h"

namespace slashpost::search {

namespace {

Result<void> visit_block(data::BytesView stored, std::uint32_t block, const DocumentSet& documents,
                         const Reader::VisitTexts& visit) {
    const auto texts = TRY(read_text_block(stored));
    Result<void> outcome;
    documents.each_within(block * texts_per_block, (block + 1) * texts_per_block, [&](std::uint32_t number) {
        const auto unpacked = unpack_texts(texts.at(number % texts_per_block));
        if (unpacked.has_value())
            visit(number, *unpacked);
        else
            outcome = std::unexpected(unpacked.error());
    });
    return outcome;
}

} // namespace

Result<data::Bytes> Reader::packed_text(std::uint32_t number) const {
    const auto block = number / texts_per_block;
    if (texts_block_ != block) {
        auto stored = TRY(view_->get(space::postings, texts_key(workspace_, block)));
        if (!stored)
            return fault("a block of texts of the search index is missing");
        texts_ = std::move(*stored);
        texts_block_ = block;
    }
    return data::Bytes(TRY(read_text_block(texts_)).at(number % texts_per_block));
}

Result<void> Reader::each_text(const DocumentSet& documents, const VisitTexts& visit) const {
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk)
        TRY(texts_of_chunk(documents, chunk, visit));
    return {};
}

// Block by block where few are needed; else all in a row, which is quicker for each.
Result<void> Reader::texts_of_chunk(const DocumentSet& documents, std::size_t chunk,
                                    const VisitTexts& visit) const {
    constexpr std::uint32_t blocks = chunk_documents / texts_per_block;
    static_assert(texts_per_block == 64); // so a block is a word of the set
    const auto first_block = static_cast<std::uint32_t>(chunk) * blocks;
    std::vector<std::uint32_t> needed;
    for (std::uint32_t i = 0; i < blocks; ++i)
        if (documents.chunk(chunk).word(i) != 0)
            needed.push_back(first_block + i);
    if (needed.size() < blocks / 4) {
        for (const auto block : needed) {
            const auto stored = TRY(view_->get(space::postings, texts_key(workspace_, block)));
            if (!stored)
                return fault("a block of texts of the search index is missing");
            TRY(visit_block(*stored, block, documents, visit));
        }
        return {};
    }
    Result<void> outcome;
    auto next = needed.begin();
    TRY(view_->scan(
        space::postings,
        {.from = texts_key(workspace_, needed.front()), .until = texts_key(workspace_, needed.back() + 1)},
        data::Order::forward, [&](data::BytesView key, data::BytesView stored) {
            const auto wanted = texts_key(workspace_, *next);
            if (key < wanted)
                return true;
            outcome = key == wanted ? visit_block(stored, *next, documents, visit)
                                    : fault("a block of texts of the search index is missing");
            return outcome.has_value() && ++next != needed.end();
        }));
    TRY(outcome);
    if (next != needed.end())
        return fault("a block of texts of the search index is missing");
    return {};
}

} // namespace slashpost::search
