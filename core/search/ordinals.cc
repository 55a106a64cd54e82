#include "core/search/ordinals.h"

#include "core/data/packed.h"

#include <algorithm>
#include <numeric>

namespace slashpost::search {

namespace {

constexpr std::size_t id_bytes = sizeof(RawId);

// Finds the numbers of ids.
class Numbers {
    [[nodiscard]] auto id() const {
        return [ids = ids_](std::uint32_t number) { return ids.substr(number * id_bytes, id_bytes); };
    }
    static std::uint64_t beginning(data::BytesView id) { return data::big_endian(id.substr(0, 8)); }

  public:
    explicit Numbers(data::BytesView ids) : ids_(ids), by_id_(ids.size() / id_bytes) {
        std::iota(by_id_.begin(), by_id_.end(), 0U);
        if (!std::ranges::is_sorted(by_id_, {}, id())) // mostly they are
            std::ranges::sort(by_id_, {}, id());
        for (std::size_t place = 0; place < by_id_.size(); place += step)
            beginnings_.push_back(beginning(id()(by_id_[place])));
    }
    [[nodiscard]] std::optional<std::uint32_t> find(data::BytesView wanted) const {
        const auto [low, high] = std::ranges::equal_range(beginnings_, beginning(wanted));
        const auto at = [&](auto mark) {
            return static_cast<std::size_t>(mark - beginnings_.begin()) * step;
        };
        const auto from = at(low) - (low == beginnings_.begin() ? 0 : step);
        const auto near = std::span(by_id_).subspan(from, std::min(at(high), by_id_.size()) - from);
        const auto found = std::ranges::lower_bound(near, wanted, {}, id());
        return found != near.end() && id()(*found) == wanted ? std::optional(*found) : std::nullopt;
    }

  private:
    static constexpr std::size_t step = 64;
    data::BytesView ids_;
    std::vector<std::uint32_t> by_id_;
    std::vector<std::uint64_t> beginnings_; // of every so many ids, to stay within the processor's cache
};

} // namespace

Ordinals::Ordinals(std::uint64_t version, std::vector<std::uint32_t> numbers, DocumentSet changed)
    : first_(version),
      last_(version),
      numbers_(std::make_shared<const std::vector<std::uint32_t>>(std::move(numbers))),
      changed_(std::move(changed)) {}

Result<Ordinals> Ordinals::read(data::View& view, const Key& key, std::uint64_t version, data::BytesView ids,
                                DocumentSet loose) {
    const Numbers numbers(ids);
    std::vector<std::uint32_t> found;
    found.reserve(ids.size() / id_bytes);
    TRY(key.index->walk(view, {.scope = key.scope()}, [&](data::BytesView primary) -> Result<bool> {
        if (const auto number = numbers.find(primary)) // not yet indexed otherwise
            found.push_back(*number);
        return true;
    }));
    found.shrink_to_fit();
    for (auto number = ids.size() / id_bytes; number < loose.chunks() * chunk_documents; ++number)
        loose.add(static_cast<std::uint32_t>(number));
    return Ordinals(version, std::move(found), std::move(loose));
}

Ordinals Ordinals::with(const IndexedBatch& batch) const {
    auto out = *this;
    out.last_ = batch.after;
    out.changes_ += batch.documents.size();
    for (const auto number : batch.documents)
        if (number / chunk_documents < out.changed_.chunks())
            out.changed_.add(number);
    return out;
}

bool Ordinals::worn() const { return changes_ > 1000 + numbers_->size() / 64; }

std::size_t Ordinals::bytes() const {
    return sizeof *this + numbers_->size() * sizeof(std::uint32_t) + changed_.chunks() * sizeof(ChunkSet);
}

DocumentSet Ordinals::known(DocumentSet documents) const {
    for (std::size_t chunk = 0; chunk < documents.chunks(); ++chunk)
        if (chunk < changed_.chunks())
            documents.chunk(chunk) -= changed_.chunk(chunk);
        else
            documents.chunk(chunk).clear();
    return documents;
}

bool Ordinals::knows(std::uint32_t number) const {
    return number / chunk_documents < changed_.chunks() && !changed_.contains(number);
}

std::span<const std::uint32_t> Ordinals::part_from(data::Order direction,
                                                   std::optional<std::uint32_t> first) const {
    const std::span all(*numbers_);
    if (!first)
        return all;
    const auto place = static_cast<std::size_t>(std::ranges::find(all, *first) - all.begin());
    return direction == data::Order::forward ? all.subspan(place)
                                             : all.first(std::min(place + 1, all.size()));
}

} // namespace slashpost::search
