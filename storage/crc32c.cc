#include "storage/crc32c.h"

#include <array>
#include <cstring>

namespace slashpost::storage {

namespace {

constexpr auto table = [] {
    constexpr std::uint32_t polynomial = 0x82f63b78; // bits reversed
    std::array<std::uint32_t, 256> out{};
    for (std::uint32_t byte = 0; byte < out.size(); ++byte) {
        auto sum = byte;
        for (int bit = 0; bit < 8; ++bit)
            sum = (sum & 1) != 0 ? sum >> 1 ^ polynomial : sum >> 1;
        out[byte] = sum;
    }
    return out;
}();

#ifdef __x86_64__
__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse(std::uint32_t begin, std::string_view bytes) {
    std::uint64_t sum = ~begin;
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), 8);
        sum = __builtin_ia32_crc32di(sum, word);
    }
    for (const char byte : bytes)
        sum = __builtin_ia32_crc32qi(static_cast<std::uint32_t>(sum), static_cast<unsigned char>(byte));
    return ~static_cast<std::uint32_t>(sum);
}
const bool has_sse = __builtin_cpu_supports("sse4.2") != 0;
#endif

} // namespace

std::uint32_t crc32c_portable(std::uint32_t begin, std::string_view bytes) {
    auto sum = ~begin;
    for (const char byte : bytes)
        sum = sum >> 8 ^ table[(sum ^ static_cast<unsigned char>(byte)) & 0xff];
    return ~sum;
}

std::uint32_t crc32c(std::uint32_t begin, std::string_view bytes) {
#ifdef __x86_64__
    if (has_sse)
        return crc32c_sse(begin, bytes);
#endif
    return crc32c_portable(begin, bytes);
}

} // namespace slashpost::storage
