#include "core/schema/tag_marks.h"

#include "core/data/packed.h"

#include <algorithm>

namespace slashpost::redirect {

namespace {

std::string_view mark_of_id(const TagId& tag) {
    return tag.view().substr(sizeof(TagId) - TagMarks::mark_bytes);
}

} // namespace

TagMarks TagMarks::of(std::span<const TagId> tags) {
    TagMarks marks;
    if (tags.size() > marks_max)
        return marks;
    auto* at = marks.bytes.data();
    *at++ = static_cast<char>(tags.size());
    for (const auto& tag : tags)
        at = std::ranges::copy(mark_of_id(tag), at).out;
    return marks;
}

TagMarks TagMarks::from_bytes(std::string_view bytes) {
    TagMarks marks;
    if (bytes.empty())
        return marks;
    const std::size_t count = static_cast<unsigned char>(bytes.front());
    if (count <= marks_max && bytes.size() >= 1 + count * mark_bytes)
        std::ranges::copy(bytes.substr(0, 1 + count * mark_bytes), marks.bytes.begin());
    return marks;
}

TagMarks::Mark TagMarks::mark_of(const TagId& tag) { return data::big_endian(mark_of_id(tag)); }

TagMarks::Mark TagMarks::at(std::size_t index) const {
    return data::big_endian(
        std::string_view(bytes.data(), bytes.size()).substr(1 + index * mark_bytes, mark_bytes));
}

} // namespace slashpost::redirect
