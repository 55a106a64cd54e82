#pragma once
// What the search index knows of a link, and under which keys. The index of a workspace gives every link a
// number for good; numbers are dense, and newer links have higher ones unless they came in another order.
//
//   space::documents   workspace | 1                               -> IndexHead
//                      workspace | 2 | link                        -> IndexedLink
//                      workspace | 3 | chunk (2 bytes)             -> of each block of ids the least and the
//                                                                     greatest, 32 bytes
//   space::postings    workspace | 4 | block of ids (4 bytes)      -> their ids by number, 16 bytes each
//                      workspace | 5 | block of texts (4 bytes)    -> records: place in the block (1 byte),
//                                                                     length (varint), Texts; later ones
//                                                                     count
//                      workspace | 6 | chunk (2 bytes) | term      -> posting (core/search/postings.h)
//
//   term   = kind (1 byte), then the id, the three bytes or the number of the phrase (1 byte) that it is
//            about
//   Texts  = slashtag, title, destination (length as varint and bytes each), the destination as people read
//   it
//            if that differs; all in the form of search_form (core/base/text.h)
//
// Who changes what the terms of a link are has every index discarded (core/search/indexer.h) when a store is
// opened that was written before.
#include "core/model/link.h"
#include "core/search/postings.h"

namespace slashpost::search {

inline constexpr std::size_t id_bytes = sizeof(RawId);
inline constexpr std::size_t span_bytes = 2 * id_bytes; // the least and the greatest of a block
inline constexpr std::uint32_t ids_per_block = 256;
inline constexpr std::uint32_t texts_per_block = 64;
inline constexpr std::uint32_t documents_max = 2'000'000'000;

struct IndexHead {
    std::uint32_t documents = 0; // numbers given
    LinkId greatest;             // of the links that have one
    bool discarded = false;      // to be erased, and no use meanwhile
    data::Unknown unknown;
    static constexpr auto fields() {
        return std::tuple{data::stored(1, "documents", &IndexHead::documents),
                          data::stored(2, "greatest", &IndexHead::greatest),
                          data::stored(3, "discarded", &IndexHead::discarded)}; // 4 was a version
    }
};

// A link's number, and what filters ask for.
struct IndexedLink {
    std::uint32_t number = 0;
    bool active = false;
    bool favourite = false;
    DomainId domain;
    AccountId creator;
    std::vector<TagId> tags; // ascending
    data::Unknown unknown;
    bool operator==(const IndexedLink&) const = default;
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{
            stored(1, "number", &IndexedLink::number),       stored(2, "active", &IndexedLink::active),
            stored(3, "favourite", &IndexedLink::favourite), stored(4, "domain", &IndexedLink::domain),
            stored(5, "creator", &IndexedLink::creator),     stored(6, "tags", &IndexedLink::tags)};
    }
};

// What is searched, in the form of search_form.
struct Texts {
    std::string_view slashtag, title, destination;
    std::string_view decoded; // the destination as people read it; empty when that is the same
};

// How well a link matches, best first.
enum class Fit : std::uint8_t {
    address_is,
    slashtag_is,
    slashtag_begins,
    slashtag_contains,
    title,
    destination
};
std::optional<Fit> fit_of(std::string_view term_form, const Texts& texts);

IndexedLink attributes_of(const Link& link, std::uint32_t number);
data::Bytes pack_texts(const Link& link);
Result<Texts> unpack_texts(data::BytesView packed);

data::Bytes head_key(WorkspaceId workspace);
data::Bytes number_key(WorkspaceId workspace, LinkId link);
data::Bytes spans_key(WorkspaceId workspace, std::size_t chunk);
data::Bytes ids_key(WorkspaceId workspace, std::uint32_t block);
data::Bytes texts_key(WorkspaceId workspace, std::uint32_t block);
data::Bytes posting_key(WorkspaceId workspace, std::size_t chunk, data::BytesView term);

enum class TermKind : std::uint8_t { any = 1, active, favourite, domain, creator, tag, phrase, gram };
inline data::Bytes term(TermKind kind) { return data::key(kind); }
inline data::Bytes term(TermKind kind, const RawId& id) { return data::key(kind, id); }
data::Bytes phrase_term(std::size_t phrase);
data::Bytes gram_term(std::uint32_t gram);

std::vector<data::Bytes> terms_of(const IndexedLink& attributes);

// Three bytes of a text or a phrase that it holds, with the field: what one posting entry says of a document.
// The bytes, first one highest, or 1 << 24 | the phrase's number; then two bits for the field.
using TextTerm = std::uint32_t;
constexpr std::uint32_t gram_of(std::string_view three) {
    const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(three[i])}; };
    return byte(0) << 16 | byte(1) << 8 | byte(2);
}
// Appends those of the texts; one may come several times.
void append_text_terms(const Texts& texts, std::vector<TextTerm>& out);
data::Bytes term(TextTerm term);
inline std::size_t field_of(TextTerm term) { return term & 3; }

// Phrases that very many links hold. A term within one occurs in all of them, without a look at their texts.
std::span<const std::string_view> phrases();

// The texts of one block by place, null where there are none. Views into `block`.
using TextBlock = std::array<data::BytesView, texts_per_block>;
Result<TextBlock> read_text_block(data::BytesView block);
void append_text(data::Bytes& block, std::uint32_t number, data::BytesView packed);

} // namespace slashpost::search
