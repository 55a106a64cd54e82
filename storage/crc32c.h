#pragma once
// CRC-32C (Castagnoli), the checksum that processors compute themselves: some ten nanoseconds for a record,
// where the usual CRC-32 takes a hundred.
#include <cstdint>
#include <string_view>

namespace slashpost::storage {

// `begin` is 0, or the checksum of what comes before.
[[nodiscard]] std::uint32_t crc32c(std::uint32_t begin, std::string_view bytes);
// The same without the processor's help: where there is none, and for tests.
[[nodiscard]] std::uint32_t crc32c_portable(std::uint32_t begin, std::string_view bytes);

} // namespace slashpost::storage
