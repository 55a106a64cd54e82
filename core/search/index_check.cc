#include "core/search/index_check.h"

#include "core/schema/schema.h"
#include "core/search/document.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace slashpost::search {

namespace {

constexpr std::size_t texts_in_memory_max = 32ULL << 20;

struct Document {
    IndexedLink attributes;
    data::Bytes packed;
    bool there = false;
};

// Whether a text of the field holds the bytes.
bool holds(const Texts& texts, std::size_t field, std::string_view bytes) {
    switch (static_cast<Field>(field)) {
    case Field::slashtag:
        return texts.slashtag.find(bytes) != std::string_view::npos;
    case Field::title:
        return texts.title.find(bytes) != std::string_view::npos;
    case Field::destination:
        return texts.destination.find(bytes) != std::string_view::npos ||
               texts.decoded.find(bytes) != std::string_view::npos;
    case Field::slashtag_begins:
        return texts.slashtag.starts_with(bytes);
    }
    return false;
}

bool holds(const Document& document, data::BytesView term, std::size_t field) {
    if (!document.there || term.empty())
        return false;
    const auto kind = static_cast<TermKind>(term.front());
    const auto texts = unpack_texts(document.packed);
    if (kind == TermKind::gram)
        return texts.has_value() && term.size() == 4 && holds(*texts, field, term.substr(1));
    if (kind == TermKind::phrase) {
        const auto number = static_cast<unsigned char>(term.back());
        return texts.has_value() && term.size() == 2 && number < phrases().size() &&
               field != static_cast<std::size_t>(Field::slashtag_begins) &&
               holds(*texts, field, phrases()[number]);
    }
    const auto terms = terms_of(document.attributes);
    return field == field_of_attributes && std::ranges::find(terms, term) != terms.end();
}

std::size_t terms_held(const Document& document) {
    const auto texts = unpack_texts(document.packed);
    std::vector<TextTerm> terms;
    if (texts.has_value())
        append_text_terms(*texts, terms);
    std::ranges::sort(terms);
    const auto repeated = std::ranges::unique(terms);
    return terms.size() - repeated.size() + terms_of(document.attributes).size();
}

class IndexCheck {
  public:
    explicit IndexCheck(data::View& view) : view_(view) {}

    Result<data::Findings> run() {
        TRY(schema().links.each(view_, [&](const Link& link) -> Result<bool> {
            ++findings_.rows;
            TRY(check_link(link));
            return true;
        }));
        for (const auto& [workspace, head] : heads_)
            if (head)
                TRY(check_workspace(workspace, *head));
        return std::move(findings_);
    }

  private:
    // Nothing for a workspace that has no index, or none that is of use.
    Result<std::optional<IndexHead>> head_of(WorkspaceId workspace) {
        if (const auto known = heads_.find(workspace); known != heads_.end())
            return known->second;
        std::optional<IndexHead> head;
        if (const auto stored = TRY(view_.get(space::documents, head_key(workspace))))
            head = TRY(data::decode<IndexHead>(*stored));
        if (head && head->discarded)
            head.reset();
        heads_.emplace(workspace, head);
        return head;
    }

    Result<void> check_link(const Link& link) {
        if (TRY(view_.get(space::unindexed, schema().links.unindexed.key_of(link))))
            return {};
        const auto head = TRY(head_of(link.workspace));
        if (!head) {
            const auto workspace = TRY(schema().workspaces.find(view_, link.workspace.view()));
            if (workspace && !workspace->deleted_at)
                findings_.add(fmt::format("index: link {} is neither indexed nor marked", link.id.hex()));
            return {};
        }
        const auto document = TRY(document_of(link.workspace, link.id));
        if (!document.there || document.attributes != attributes_of(link, document.attributes.number) ||
            document.packed != pack_texts(link))
            findings_.add(fmt::format("index: link {} is not in it as it is", link.id.hex()));
        return {};
    }

    Result<Document> document_of(WorkspaceId workspace, LinkId link) {
        Document document;
        const auto stored = TRY(view_.get(space::documents, number_key(workspace, link)));
        if (!stored)
            return document;
        document.attributes = TRY(data::decode<IndexedLink>(*stored));
        const auto number = document.attributes.number;
        const auto block = texts_key(workspace, number / texts_per_block);
        if (block != texts_at_) {
            texts_ = TRY(view_.get(space::postings, block)).value_or(data::Bytes());
            texts_at_ = block;
        }
        if (const auto texts = read_text_block(texts_); texts.has_value())
            document.packed = texts->at(number % texts_per_block);
        document.there = true;
        return document;
    }

    Result<void> check_workspace(WorkspaceId workspace, const IndexHead& head) {
        TRY(check_numbers(workspace, head));
        std::vector<Document> documents;
        std::size_t bytes = 0;
        for (std::uint32_t number = 0, from = 0; number < head.documents; ++number) {
            documents.push_back(TRY(document_at(workspace, number)));
            bytes += sizeof(Document) + documents.back().packed.size();
            const bool last = number + 1 == head.documents || (number + 1) % chunk_documents == 0;
            if (!last && bytes < texts_in_memory_max)
                continue;
            TRY(check_postings(workspace, from, documents));
            from = number + 1;
            documents.clear();
            bytes = 0;
        }
        return {};
    }

    // Every number was given, once, to a link that is there.
    Result<void> check_numbers(WorkspaceId workspace, const IndexHead& head) {
        std::vector<bool> given(head.documents);
        Result<void> outcome;
        const auto check = [&](LinkId id, std::uint32_t number) -> Result<void> {
            const auto link = schema().links.find(view_, id.view());
            const bool marked =
                TRY(view_.get(space::unindexed, data::key(workspace, id))).has_value(); // it goes soon
            if (!marked && (!link.has_value() || !*link || (*link)->workspace != workspace))
                findings_.add(fmt::format("index: link {} has a number but is not there", id.hex()));
            if (number >= given.size() || given[number])
                findings_.add(fmt::format("index: link {} has a number that is not its own", id.hex()));
            else
                given[number] = true;
            return {};
        };
        const auto prefix = number_key(workspace, {}).substr(0, id_bytes + 1);
        TRY(view_.scan(space::documents, data::Range::of_prefix(prefix), data::Order::forward,
                       [&](data::BytesView key, data::BytesView stored) {
                           const auto id = LinkId::from_bytes(key.substr(prefix.size()));
                           const auto row = data::decode<IndexedLink>(stored);
                           if (id && row.has_value())
                               outcome = check(*id, row->number);
                           else
                               findings_.add(
                                   fmt::format("index: the row {} cannot be read", data::printable(key)));
                           return outcome.has_value();
                       }));
        return outcome;
    }

    // By the columns of ids; not there when the link has no number any more.
    Result<Document> document_at(WorkspaceId workspace, std::uint32_t number) {
        const auto block = ids_key(workspace, number / ids_per_block);
        if (block != ids_at_) {
            ids_ = TRY(view_.get(space::postings, block)).value_or(data::Bytes());
            ids_at_ = block;
            spans_ = TRY(view_.get(space::documents, spans_key(workspace, number / chunk_documents)))
                         .value_or(data::Bytes());
        }
        const auto at = std::size_t{number % ids_per_block} * id_bytes;
        const auto id = LinkId::from_bytes(data::BytesView(ids_).substr(std::min(at, ids_.size()), id_bytes));
        const auto span = number % chunk_documents / ids_per_block * 2 * id_bytes;
        const auto least = data::BytesView(spans_).substr(std::min(span, spans_.size()), id_bytes);
        const auto greatest =
            data::BytesView(spans_).substr(std::min(span + id_bytes, spans_.size()), id_bytes);
        if (!id || id->view() < least || id->view() > greatest)
            findings_.add(fmt::format("index: number {} of workspace {} has no id, or one out of its span",
                                      number, workspace.hex()));
        auto document = id ? TRY(document_of(workspace, *id)) : Document();
        document.there = document.there && document.attributes.number == number;
        return document;
    }

    Result<void> check_postings(WorkspaceId workspace, std::uint32_t from,
                                const std::vector<Document>& documents) {
        std::size_t expected = 0, found = 0;
        for (const auto& document : documents)
            expected += document.there ? terms_held(document) : 0;
        const auto prefix = posting_key(workspace, from / chunk_documents, {});
        const auto first = from % chunk_documents;
        TRY(view_.scan(space::postings, data::Range::of_prefix(prefix), data::Order::forward,
                       [&](data::BytesView key, data::BytesView stored) {
                           Posting posting{};
                           const auto term = key.substr(prefix.size());
                           bool good = add_posting(stored, posting).has_value();
                           for (std::size_t field = 0; field < fields; ++field)
                               posting.at(field).each(
                                   [&](std::uint16_t place) {
                                       ++found;
                                       good = good && holds(documents[place - first], term, field);
                                   },
                                   first, first + documents.size());
                           if (!good)
                               findings_.add(
                                   fmt::format("index: the posting {} is wrong", data::printable(key)));
                           return true;
                       }));
        if (found != expected)
            findings_.add(fmt::format("index: documents {} to {} of workspace {} are in {} postings, not {}",
                                      from, from + documents.size() - 1, workspace.hex(), found, expected));
        return {};
    }

    data::View& view_;
    data::Findings findings_;
    std::map<WorkspaceId, std::optional<IndexHead>> heads_;
    data::Bytes texts_at_, texts_, ids_at_, ids_, spans_; // the blocks that were read last
};

} // namespace

Result<data::Findings> check_indexes(data::View& view) { return IndexCheck(view).run(); }

} // namespace slashpost::search
