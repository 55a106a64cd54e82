#include "core/search/document.h"

#include "core/base/find_text.h"
#include "core/base/text.h"
#include "core/base/url.h"
#include "core/data/codec_code.h"

#include <algorithm>

namespace slashpost {
SLASHPOST_CODEC_CODE(search::IndexHead);
SLASHPOST_CODEC_CODE(search::IndexedLink);
} // namespace slashpost

namespace slashpost::search {

namespace {

enum class Column : std::uint8_t { head = 1, numbers, spans, ids, texts, postings };

// On disk by their places: never change the order.
constexpr std::array<std::string_view, 32> all_phrases{"https://www.",
                                                       "http://www.",
                                                       ".com/",
                                                       ".org/",
                                                       ".net/",
                                                       ".edu/",
                                                       ".gov/",
                                                       ".co.uk/",
                                                       ".html",
                                                       ".aspx",
                                                       ".php?",
                                                       ".php",
                                                       ".asp?",
                                                       ".pdf",
                                                       ".jpg",
                                                       "/index.html",
                                                       "/index.php",
                                                       "/wiki/",
                                                       "wikipedia.org/wiki/",
                                                       "youtube.com/watch?v=",
                                                       "?utm_source=",
                                                       "&utm_medium=",
                                                       "&utm_campaign=",
                                                       "&utm_content=",
                                                       "&utm_term=",
                                                       "/news/",
                                                       "/blog/",
                                                       "/products/",
                                                       "/article",
                                                       "/default.",
                                                       "link ",
                                                       "https://en."};

void append_sized(data::Bytes& out, std::string_view text) {
    data::append_varint(out, text.size());
    out += text;
}

void append_grams(std::string_view text, Field field, std::vector<TextTerm>& out) {
    for (std::size_t i = 0; i + 3 <= text.size(); ++i)
        out.push_back(gram_of(text.substr(i, 3)) << 2 | static_cast<TextTerm>(field));
}

void append_phrases(std::string_view text, Field field, std::vector<TextTerm>& out) {
    for (std::uint32_t phrase = 0; phrase < all_phrases.size(); ++phrase)
        if (text.find(all_phrases[phrase]) != text.npos)
            out.push_back((1U << 24 | phrase) << 2 | static_cast<TextTerm>(field));
}

} // namespace

std::span<const std::string_view> phrases() { return all_phrases; }

std::optional<Fit> fit_of(std::string_view term_form, const Texts& texts) {
    const auto in = [&](std::string_view text) { return find_text(text, term_form) != text.npos; };
    const auto at = find_text(texts.slashtag, term_form);
    if (at == 0)
        return texts.slashtag.size() == term_form.size() ? Fit::slashtag_is : Fit::slashtag_begins;
    if (at != texts.slashtag.npos)
        return Fit::slashtag_contains;
    if (in(texts.title))
        return Fit::title;
    if (in(texts.destination) || in(texts.decoded))
        return Fit::destination;
    return std::nullopt;
}

IndexedLink attributes_of(const Link& link, std::uint32_t number) {
    IndexedLink out{.number = number,
                    .active = link.active(),
                    .favourite = link.favourite,
                    .domain = link.domain,
                    .creator = link.creator,
                    .tags = link.tags,
                    .unknown = {}};
    std::ranges::sort(out.tags);
    out.tags.erase(std::ranges::unique(out.tags).begin(), out.tags.end());
    return out;
}

data::Bytes pack_texts(const Link& link) {
    data::Bytes out;
    append_sized(out, search_form(link.slashtag));
    append_sized(out, search_form(link.title));
    const auto destination = search_form(link.destination);
    append_sized(out, destination);
    const auto readable = readable_address(link.destination);
    if (readable == link.destination)
        return out;
    const auto decoded = search_form(readable);
    return decoded == destination ? out : out + decoded;
}

Result<Texts> unpack_texts(data::BytesView packed) {
    Texts texts;
    if (!data::take_sized(packed, texts.slashtag) || !data::take_sized(packed, texts.title) ||
        !data::take_sized(packed, texts.destination))
        return fault("a text of the search index cannot be read");
    texts.decoded = packed;
    return texts;
}

data::Bytes head_key(WorkspaceId workspace) { return data::key(workspace, Column::head); }
data::Bytes number_key(WorkspaceId workspace, LinkId link) {
    return data::key(workspace, Column::numbers, link);
}
data::Bytes spans_key(WorkspaceId workspace, std::size_t chunk) {
    return data::key(workspace, Column::spans, static_cast<std::uint16_t>(chunk));
}
data::Bytes ids_key(WorkspaceId workspace, std::uint32_t block) {
    return data::key(workspace, Column::ids, block);
}
data::Bytes texts_key(WorkspaceId workspace, std::uint32_t block) {
    return data::key(workspace, Column::texts, block);
}
data::Bytes posting_key(WorkspaceId workspace, std::size_t chunk, data::BytesView term) {
    return data::key(workspace, Column::postings, static_cast<std::uint16_t>(chunk), data::Raw{term});
}

data::Bytes phrase_term(std::size_t phrase) {
    return data::key(TermKind::phrase, static_cast<std::uint8_t>(phrase));
}
data::Bytes gram_term(std::uint32_t gram) {
    return data::key(TermKind::gram, static_cast<std::uint8_t>(gram >> 16), static_cast<std::uint16_t>(gram));
}
data::Bytes term(TextTerm term) {
    const auto what = term >> 2;
    return what >> 24 != 0 ? phrase_term(what & 0xff) : gram_term(what);
}

std::vector<data::Bytes> terms_of(const IndexedLink& attributes) {
    std::vector<data::Bytes> out;
    out.reserve(5 + attributes.tags.size());
    out.push_back(term(TermKind::any));
    if (attributes.active)
        out.push_back(term(TermKind::active));
    if (attributes.favourite)
        out.push_back(term(TermKind::favourite));
    out.push_back(term(TermKind::domain, attributes.domain));
    out.push_back(term(TermKind::creator, attributes.creator));
    for (const auto& tag : attributes.tags)
        out.push_back(term(TermKind::tag, tag));
    return out;
}

void append_text_terms(const Texts& texts, std::vector<TextTerm>& out) {
    append_grams(texts.slashtag, Field::slashtag, out);
    append_grams(texts.slashtag.substr(0, 3), Field::slashtag_begins, out);
    append_grams(texts.title, Field::title, out);
    append_grams(texts.destination, Field::destination, out);
    append_grams(texts.decoded, Field::destination, out);
    append_phrases(texts.slashtag, Field::slashtag, out);
    append_phrases(texts.title, Field::title, out);
    append_phrases(texts.destination, Field::destination, out);
    append_phrases(texts.decoded, Field::destination, out);
}

Result<TextBlock> read_text_block(data::BytesView block) {
    TextBlock out;
    while (!block.empty()) {
        const auto place = static_cast<unsigned char>(block.front());
        block.remove_prefix(1);
        data::BytesView packed;
        if (place >= texts_per_block || !data::take_sized(block, packed))
            return fault("a block of texts of the search index cannot be read");
        out[place] = packed;
    }
    return out;
}

void append_text(data::Bytes& block, std::uint32_t number, data::BytesView packed) {
    block += static_cast<char>(number % texts_per_block);
    append_sized(block, packed);
}

} // namespace slashpost::search
