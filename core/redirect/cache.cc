#include "core/redirect/cache.h"

#include "core/base/mix.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <utility>

namespace slashpost::redirect {

namespace {

constexpr std::size_t word_bytes = sizeof(std::uint32_t);
constexpr std::size_t shards_min = 64;
constexpr std::size_t bytes_per_byte_max = 2; // of what is kept, however little is known of its text
constexpr std::size_t bytes_at_first = std::size_t{8} << 20;
// Of the memory is what comes to it at a time. On average half of that is unused.
constexpr std::size_t growth_part = 6;
constexpr std::size_t line_words = 16; // of the processor's cache, where slots begin
// Of an entry with its slots when the cache has learned: a short address with its destination.
constexpr std::size_t words_expected = 11;

// To learn from: of so many bytes of entries, or of this part of the memory when that is less, some.
constexpr std::size_t learn_bytes = std::size_t{1} << 20;
constexpr std::size_t learn_part = 8;
constexpr std::size_t sample_bytes = std::size_t{128} << 10;

// An entry: bytes of the key (1), the id, the codes of the text, which is the key and the rest of the value.
constexpr std::size_t head_bytes = 1 + Cache::id_bytes;
constexpr std::size_t key_bytes_max = std::numeric_limits<unsigned char>::max();

// A text out of its codes, on the stack.
class Text {
  public:
    // NOLINTNEXTLINE(*-member-init,*-equals-default): the bytes are written before they are read
    Text() {}
    std::string_view decode(const Symbols& symbols, std::string_view codes) {
        return {bytes_.data(), symbols.decode(codes, bytes_.data())};
    }

  private:
    std::array<char, Cache::text_bytes_max + Symbols::symbol_bytes_max + 1> bytes_;
};

std::size_t key_bytes(std::string_view entry) { return static_cast<unsigned char>(entry.front()); }

} // namespace

Cache::Cache(std::size_t bytes_max, Random& random)
    : shards_(std::max(shards_min, bytes_max / (CacheRing::memory_words_max * word_bytes))),
      bytes_max_(bytes_max) {
    random.fill(std::span(reinterpret_cast<std::uint8_t*>(&seed_), sizeof seed_));
    auto memory = Zeroes::take(std::min(bytes_max, bytes_at_first), Zeroes::Pages::usual);
    if (!memory)
        throw std::bad_alloc();
    memory_ = std::move(*memory);
    for (std::size_t i = 0; i < shards_.size(); ++i) {
        shards_[i].symbols = &nothing_learned_;
        begin(shards_[i], part_of(memory_, i));
    }
}

std::span<std::uint32_t> Cache::part_of(const Zeroes& memory, std::size_t shard) const {
    const auto words = memory.bytes().size() / word_bytes / shards_.size() / line_words * line_words;
    return std::span(reinterpret_cast<std::uint32_t*>(memory.bytes().data()), words * shards_.size())
        .subspan(shard * words, words);
}

// With nothing in it, in `memory` of zeroes.
void Cache::begin(Shard& shard, std::span<std::uint32_t> memory) {
    shard.entries = CacheRing();
    shard.entries.begin(memory, words_expected);
}

bool Cache::grow() {
    const auto bytes = memory_.bytes().size();
    if (bytes == bytes_max_ || has_room())
        return false;
    auto more = Zeroes::take(std::min(bytes_max_, bytes + bytes / growth_part), Zeroes::Pages::large);
    if (!more)
        return false;
    auto before = std::exchange(memory_, std::move(*more));
    for (std::size_t i = 0; i < shards_.size(); ++i) {
        auto& shard = shards_[i];
        {
            const std::lock_guard lock(shard.mutex);
            const auto entries = shard.entries;
            begin(shard, part_of(memory_, i));
            move_entries(entries, shard);
        }
        before.give_back_before((i + 1) * part_of(before, i).size_bytes());
    }
    return true;
}

void Cache::move_entries(const CacheRing& from, Shard& to) const {
    Text text;
    from.each([&](std::string_view entry) {
        const auto known = text.decode(*to.symbols, entry.substr(head_bytes));
        to.entries.put(hash_of(known.substr(0, key_bytes(entry))), entry);
    });
}

std::uint64_t Cache::hash_of(std::string_view key) const {
    constexpr std::uint64_t other_odd = 0xd6e8feb86659fd93;
    std::uint64_t hash = seed_ ^ golden_odd;
    for (auto left = key; !left.empty(); left.remove_prefix(std::min<std::size_t>(left.size(), 8))) {
        std::uint64_t word = 0;
        std::memcpy(&word, left.data(), std::min<std::size_t>(left.size(), 8));
        hash = mix(hash ^ word, other_odd);
    }
    return mix(hash ^ key.size(), seed_ | 1);
}

Cache::Answer Cache::find(std::string_view key, std::string& value) {
    const auto hash = hash_of(key);
    auto& shard = shard_of(hash);
    Text text;
    const std::lock_guard lock(shard.mutex);
    const auto is_it = [&](std::string_view entry) {
        if (key_bytes(entry) != key.size())
            return false;
        const auto known = text.decode(*shard.symbols, entry.substr(head_bytes));
        if (!known.starts_with(key))
            return false;
        value.assign(entry, 1, id_bytes).append(known, key.size());
        return true;
    };
    const bool is_present = shard.entries.use(hash, is_it);
    if (is_present || !shard.keys.may_have(hash)) {
        ++shard.hits;
        return {.known = is_present ? Known::present : Known::absent};
    }
    ++shard.misses;
    return {.known = Known::nothing, .ticket = shard.epoch};
}

void Cache::keep(std::string_view key, const std::string& value, std::uint64_t ticket) {
    if (key.size() > key_bytes_max || value.size() <= id_bytes || key.size() + value.size() > text_bytes_max)
        return;
    const auto hash = hash_of(key);
    auto& shard = shard_of(hash);
    {
        // What may not fit is not made: that would be in vain at each visit.
        const std::lock_guard lock(shard.mutex);
        if (bytes_per_byte_max * (key.size() + value.size()) > shard.entries.entry_bytes_max())
            return;
    }
    const auto* const symbols = symbols_.load();
    std::string entry(1, static_cast<char>(key.size()));
    entry.append(value, 0, id_bytes);
    symbols->encode(std::string(key).append(value, id_bytes), entry);

    const std::lock_guard lock(shard.mutex);
    if (shard.epoch != ticket || shard.symbols != symbols)
        return;
    drop(shard, hash, key); // another thread missed at the same time
    shard.entries.put(hash, entry);
}

std::vector<std::uint64_t> Cache::tickets() const {
    std::vector<std::uint64_t> tickets;
    for (const auto& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        tickets.push_back(shard.epoch);
    }
    return tickets;
}

void Cache::forget(std::string_view key) {
    const auto hash = hash_of(key);
    auto& shard = shard_of(hash);
    const std::lock_guard lock(shard.mutex);
    ++shard.epoch;
    drop(shard, hash, key);
    shard.keys.add(hash); // it may be a new one
    shard.next_keys.add(hash);
}

void Cache::forget_all() {
    for (auto& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        ++shard.epoch;
        shard.entries.clear();
        shard.keys = shard.next_keys = KeyFilter();
    }
}

void Cache::drop(Shard& shard, std::uint64_t hash, std::string_view key) {
    Text text;
    shard.entries.drop(hash, [&](std::string_view entry) {
        return key_bytes(entry) == key.size() &&
               text.decode(*shard.symbols, entry.substr(head_bytes)).starts_with(key);
    });
}

std::vector<std::string> Cache::some_texts() const {
    std::vector<std::string> texts;
    Text text;
    for (const auto& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        std::size_t bytes = 0;
        shard.entries.each([&](std::string_view entry) {
            if (bytes < sample_bytes / shards_.size())
                bytes += texts.emplace_back(text.decode(*shard.symbols, entry.substr(head_bytes))).size();
        });
    }
    return texts;
}

bool Cache::learn() {
    if (learned_ || figures().bytes < std::min(learn_bytes, bytes_max_ / learn_part))
        return false;
    const auto texts = some_texts();
    learned_ = std::make_unique<const Symbols>(Symbols::learn({texts.begin(), texts.end()}));
    symbols_ = learned_.get();
    for (auto& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        shard.symbols = learned_.get();
        shard.entries.clear();
    }
    return true;
}

bool Cache::has_room() const {
    const auto full = std::ranges::count_if(shards_, [](const Shard& shard) {
        const std::lock_guard lock(shard.mutex);
        return shard.entries.is_full();
    });
    return static_cast<std::size_t>(full) < shards_.size() / 2;
}

bool Cache::begin_keys(std::size_t count) {
    const auto lines = std::min(count / KeyFilter::keys_per_line, key_lines_max()) / shards_.size() + 1;
    std::optional<Zeroes> memory;
    if (count <= keys_max())
        memory = Zeroes::take(lines * shards_.size() * sizeof(KeyFilter::Line), Zeroes::Pages::usual);
    for (std::size_t i = 0; i < shards_.size(); ++i) {
        auto* const first = memory ? reinterpret_cast<KeyFilter::Line*>(memory->bytes().data()) : nullptr;
        const std::lock_guard lock(shards_[i].mutex);
        shards_[i].next_keys = first ? KeyFilter({first + i * lines, lines}) : KeyFilter();
    }
    next_keys_memory_ = memory ? std::move(*memory) : Zeroes();
    return memory.has_value();
}

void Cache::note_key(std::string_view key) {
    const auto hash = hash_of(key);
    auto& shard = shard_of(hash);
    const std::lock_guard lock(shard.mutex);
    shard.next_keys.add(hash);
}

void Cache::end_keys() {
    for (auto& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        shard.keys = std::exchange(shard.next_keys, KeyFilter());
    }
    keys_memory_ = std::exchange(next_keys_memory_, Zeroes());
}

bool Cache::has_too_many_keys() const {
    const auto lines = keys_memory_.bytes().size() / sizeof(KeyFilter::Line);
    std::size_t keys = 0;
    for (const auto& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        keys += shard.keys.size();
    }
    return lines < key_lines_max() && keys > lines * KeyFilter::keys_per_line;
}

Cache::Figures Cache::figures() const {
    Figures sum;
    for (const auto& shard : shards_) {
        const std::lock_guard lock(shard.mutex);
        sum.hits += shard.hits;
        sum.misses += shard.misses;
        sum.bytes += shard.entries.bytes();
    }
    return sum;
}

} // namespace slashpost::redirect
