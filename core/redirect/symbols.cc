#include "core/redirect/symbols.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace slashpost::redirect {

namespace {

constexpr std::size_t short_numbers = 0xef; // have a code of one byte
constexpr std::size_t numbers_max = short_numbers + (std::size_t{0xff} - short_numbers) * 256; // 13 bits
constexpr unsigned char run_mark = 0xff;
constexpr std::size_t run_bytes_max = 0xff;

constexpr int generations = 7; // each may make symbols of two of the generation before
constexpr double weight_of_single = 1.2;

unsigned char byte_of(char c) { return static_cast<unsigned char>(c); }

using Counts = std::unordered_map<std::string_view, std::uint32_t>;

// The best first: those that save the most bytes. A single byte saves being part of a run.
std::vector<std::string_view> best_of(const Counts& counts) {
    std::vector<std::pair<double, std::string_view>> gains;
    for (const auto& [piece, count] : counts)
        if (count > 1)
            gains.emplace_back(
                count * (piece.size() == 1 ? weight_of_single : static_cast<double>(piece.size() - 1)),
                piece);
    const auto end = gains.begin() + static_cast<std::ptrdiff_t>(std::min(gains.size(), numbers_max - 1));
    std::ranges::partial_sort(gains, end, std::greater<>()); // by the text, too: always the same
    std::vector<std::string_view> best;
    for (auto gain = gains.begin(); gain != end; ++gain)
        best.push_back(gain->second);
    return best;
}

} // namespace

Symbols::Symbols(const std::vector<std::string_view>& symbols) : symbols_(1) {
    for (const auto symbol : symbols) {
        assert(!symbol.empty() && symbol.size() <= symbol_bytes_max);
        if (symbols_.size() == numbers_max)
            break;
        auto& made = symbols_.emplace_back();
        std::ranges::copy(symbol, made.bytes.begin());
        made.size = static_cast<std::uint8_t>(symbol.size());
    }
    make_room_for_edges();
    for (std::size_t number = 1; number < symbols_.size(); ++number)
        add_edges(symbols_[number].view(), static_cast<std::uint16_t>(number));
}

void Symbols::make_room_for_edges() {
    std::vector<std::string_view> sorted;
    sorted.reserve(symbols_.size());
    for (const auto& symbol : symbols_)
        sorted.push_back(symbol.view());
    std::ranges::sort(sorted);
    std::size_t edges = 1;
    for (std::size_t i = 1; i < sorted.size();
         ++i) // one for each byte that the one before does not begin with
        edges +=
            sorted[i].size() -
            static_cast<std::size_t>(std::ranges::mismatch(sorted[i], sorted[i - 1]).in1 - sorted[i].begin());
    edges_.resize(std::bit_ceil(edges + edges / 2));
    edges_shift_ = 33 - static_cast<int>(std::bit_width(edges_.size()));
}

void Symbols::add_edges(std::string_view symbol, std::uint16_t number) {
    std::uint32_t node = 0;
    std::size_t place = 0;
    for (const char byte : symbol) {
        place = place_of(node, byte);
        if (edges_[place].to == 0)
            edges_[place] = {.from = node << 8 | byte_of(byte), .to = nodes_++};
        node = edges_[place].to & node_mask;
    }
    edges_[place].to |= std::uint32_t{number} << node_bits;
}

std::size_t Symbols::place_of(std::uint32_t node, char byte) const {
    const auto from = node << 8 | byte_of(byte);
    auto place = static_cast<std::size_t>(std::uint64_t{from * 0x9e37'79b1U} >> edges_shift_);
    while (edges_[place].to != 0 && edges_[place].from != from)
        place = (place + 1) & (edges_.size() - 1);
    return place;
}

std::uint16_t Symbols::longest(std::string_view text) const {
    std::uint32_t node = 0, number = 0;
    for (const char byte : text) {
        const auto to = edges_[place_of(node, byte)].to;
        if (to == 0)
            break;
        node = to & node_mask;
        if (to >> node_bits != 0)
            number = to >> node_bits;
    }
    return static_cast<std::uint16_t>(number);
}

Symbols Symbols::learn(const std::vector<std::string_view>& texts) {
    Symbols known;
    for (int generation = 0; generation < generations; ++generation) {
        Counts counts;
        for (const auto text : texts) {
            std::size_t before = 0; // bytes of the piece before
            for (std::size_t at = 0; at < text.size();) {
                const auto found = known.longest(text.substr(at));
                const std::size_t size = found == 0 ? 1 : known.symbols_[found].size;
                ++counts[text.substr(at, size)];
                if (size > 1)
                    ++counts[text.substr(at, 1)];
                if (before > 0 && before + size <= symbol_bytes_max)
                    ++counts[text.substr(at - before, before + size)];
                before = size;
                at += size;
            }
        }
        known = Symbols(best_of(counts));
    }
    return known.sorted_by_use(texts);
}

// So that those which are used most have the short codes.
Symbols Symbols::sorted_by_use(const std::vector<std::string_view>& texts) const {
    std::vector<std::uint32_t> uses(symbols_.size());
    for (const auto text : texts)
        for (std::size_t at = 0; at < text.size();) {
            const auto found = longest(text.substr(at));
            ++uses[found];
            at += found == 0 ? 1 : symbols_[found].size;
        }
    std::vector<std::uint16_t> order(symbols_.size() - 1);
    std::iota(order.begin(), order.end(), std::uint16_t{1});
    std::ranges::sort(order, {}, [&](std::uint16_t number) { return std::pair(~uses[number], number); });
    std::vector<std::string_view> sorted;
    for (const auto number : order)
        if (uses[number] > 0)
            sorted.push_back(symbols_[number].view());
    return Symbols(sorted);
}

void Symbols::encode(std::string_view text, std::string& codes) const {
    std::size_t run = 0; // bytes of the one that `codes` ends with
    while (!text.empty()) {
        const auto number = longest(text);
        if (number == 0) {
            if (run == 0 || run == run_bytes_max) {
                codes += static_cast<char>(run_mark);
                codes += '\0';
                run = 0;
            }
            codes += text.front();
            ++run;
            codes[codes.size() - run - 1] = static_cast<char>(run);
            text.remove_prefix(1);
            continue;
        }
        run = 0;
        if (number < short_numbers) {
            codes += static_cast<char>(number);
        } else {
            codes += static_cast<char>(short_numbers + (number - short_numbers) / 256);
            codes += static_cast<char>((number - short_numbers) % 256);
        }
        text.remove_prefix(symbols_[number].size);
    }
}

char* Symbols::decode(std::string_view codes, char* out) const {
    const auto* const symbols = symbols_.data();
    const char* at = codes.data();
    const char* const end = at + codes.size();
    while (at != end) {
        std::size_t number = byte_of(*at++);
        if (number == run_mark) {
            const std::size_t size = byte_of(*at++);
            std::memcpy(out, at, size);
            at += size;
            out += size;
            continue;
        }
        if (number >= short_numbers)
            number = short_numbers + (number - short_numbers) * 256 + byte_of(*at++);
        std::memcpy(out, &symbols[number], sizeof(Symbol));
        out += symbols[number].size;
    }
    return out;
}

} // namespace slashpost::redirect
