#pragma once
// The tags of a link as its visits carry them, so that clicks are counted for tags without a look at the
// link's row: of each tag five of the random bytes of its id, which tell the tags of a workspace apart (those
// that they do not are known by it, and the row is asked; core/clicks/tags_of_places.h).
#include "core/base/id.h"

#include <span>
#include <string_view>

namespace slashpost::redirect {

struct TagMarks {
    static constexpr std::size_t marks_max = 3;
    static constexpr std::size_t mark_bytes = 5;
    using Mark = std::uint64_t; // the bytes of one

    // How many (1 byte), then the marks. None: they are more, or an older build did not tell them.
    std::array<char, 1 + marks_max * mark_bytes> bytes{};

    bool operator==(const TagMarks&) const = default;
    static TagMarks of(std::span<const TagId> tags);
    // As `bytes` or `view` gave them; none when they cannot be read.
    static TagMarks from_bytes(std::string_view bytes);
    static Mark mark_of(const TagId& tag);

    [[nodiscard]] std::size_t count() const { return static_cast<unsigned char>(bytes[0]); }
    [[nodiscard]] bool told() const { return count() > 0; }
    [[nodiscard]] Mark at(std::size_t index) const;
    // Without the room that is not used.
    [[nodiscard]] std::string_view view() const { return {bytes.data(), 1 + count() * mark_bytes}; }
};

} // namespace slashpost::redirect
