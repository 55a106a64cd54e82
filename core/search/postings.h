#pragma once
// A posting: where in a chunk of documents a term occurs, told apart by the field of the document. Stored as
// segments one behind the other, so that it grows by appending:
//
//   segment = head (varint: places - 1 << 3 | field << 1 | is a bitmap), body
//   body    = the first place, then each step to the next less one (varints)
//             or: first word, number of words (varints), the words (8 bytes each, low byte first), of which
//             bit i of word w is place 64 w + i
//
// A place occurs once per field. These bytes are on disk (space::postings): never change them.
#include "core/data/engine.h"
#include "core/search/document_set.h"

#include <span>

namespace slashpost::search {

// Terms of a field of their own: a text that begins with the three bytes.
enum class Field : std::uint8_t { slashtag, title, destination, slashtag_begins };
inline constexpr std::size_t fields = 4;
inline constexpr std::size_t field_of_attributes = 0; // those have one only

// By Field.
using Posting = std::array<ChunkSet, fields>;

// Appends one segment, in the shorter of both forms. `places` ascend strictly and are not none.
void append_segment(data::Bytes& out, std::size_t field, std::span<const std::uint16_t> places);
// The whole posting, in few segments; empty when it is.
data::Bytes encode_posting(const Posting& posting);
// Adds what is stored. Fails with a fault when the bytes are no posting; some of it may have been added then.
Result<void> add_posting(data::BytesView bytes, Posting& posting);

} // namespace slashpost::search
