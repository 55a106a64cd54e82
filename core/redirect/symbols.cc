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
constexpr std::size_t numbers_max = short_numbers + (std::size_t{0xff} - short_numbers) * 256;
constexpr unsigned char run_mark = 0xff;
constexpr std::size_t run_bytes_max = 0xff;

constexpr int generations = 7; // each may make symbols of two of the generation before
constexpr double weight_of_single = 1.2;

unsigned char byte_of(char c) { return static_cast<unsigned char>(c); }

std::uint64_t first_bytes_of(std::string_view text) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data(), std::min(text.size(), sizeof bytes));
    return std::endian::native == std::endian::little ? __builtin_bswap64(bytes) : bytes;
}

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
    for (std::size_t number = 1; number < symbols_.size(); ++number)
        pieces_.push_back({.first_bytes = first_bytes_of(symbols_[number].view()),
                           .number = static_cast<std::uint16_t>(number)});
    std::ranges::sort(pieces_, {}, [&](const Piece& piece) { return symbols_[piece.number].view(); });
    for (std::size_t byte = 0; byte < begins_.size(); ++byte)
        begins_.at(byte) = static_cast<std::uint16_t>(
            std::ranges::partition_point(pieces_,
                                         [&](const Piece& piece) { return piece.first_bytes >> 56 < byte; }) -
            pieces_.begin());
    // What a piece begins with stands before it, and the piece just before begins with that as well.
    for (std::size_t place = 1; place < pieces_.size(); ++place)
        pieces_[place].begins_with =
            beginning(symbols_[pieces_[place].number].view(), static_cast<std::uint16_t>(place - 1));
}

std::uint16_t Symbols::beginning(std::string_view text, std::uint16_t place) const {
    while (place != none && !text.starts_with(at(place)))
        place = pieces_[place].begins_with;
    return place;
}

std::uint16_t Symbols::longest(std::string_view text) const {
    const std::size_t first = byte_of(text.front());
    const auto first_bytes = first_bytes_of(text);
    const auto behind =
        std::partition_point(pieces_.begin() + begins_.at(first), pieces_.begin() + begins_.at(first + 1),
                             [&](const Piece& piece) {
                                 return piece.first_bytes != first_bytes
                                            ? piece.first_bytes < first_bytes
                                            : symbols_[piece.number].view() <= text;
                             });
    const auto place = behind - pieces_.begin();
    if (place == begins_.at(first))
        return 0;
    const auto found = beginning(text, static_cast<std::uint16_t>(place - 1));
    return found == none ? 0 : pieces_[found].number;
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
