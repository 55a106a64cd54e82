#include "core/data/merging.h"

#include "core/data/counts.h"
#include "core/data/sheets.h"

namespace slashpost::data {

namespace {

std::optional<Bytes> merge_sums(std::span<const BytesView> parts) {
    std::uint64_t total = 0;
    for (const auto part : parts) {
        const auto sum = decode_sum(part);
        if (!sum)
            return std::nullopt;
        total += static_cast<std::uint64_t>(*sum);
    }
    return encode_sum(static_cast<std::int64_t>(total));
}

Bytes put_together(std::span<const BytesView> parts) {
    Bytes whole;
    for (const auto part : parts)
        whole += part;
    return whole;
}

} // namespace

std::optional<Bytes> merge_values(MergeRule rule, std::span<const BytesView> parts) {
    switch (rule) {
    case MergeRule::none:
        return std::nullopt;
    case MergeRule::sum:
        return merge_sums(parts);
    case MergeRule::counts:
        return merge_counts(parts);
    case MergeRule::sheets:
        return merge_sheets(parts);
    case MergeRule::append:
        return put_together(parts);
    }
    return std::nullopt;
}

Bytes encode_sum(std::int64_t sum) {
    Bytes bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i)
        bytes[i] = static_cast<char>(static_cast<std::uint64_t>(sum) >> (8 * i));
    return bytes;
}

std::optional<std::int64_t> decode_sum(BytesView bytes) {
    if (bytes.size() != 8)
        return std::nullopt;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < 8; ++i)
        sum |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return static_cast<std::int64_t>(sum);
}

} // namespace slashpost::data
