#include "storage/rocksdb/log_files.h"

#include "core/base/errors.h"
#include "storage/crc32c.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <vector>

namespace slashpost::storage {

namespace {

namespace fs = std::filesystem;

// As RocksDB's wiki has it ("Write Ahead Log File Format"): a log is blocks, a block is records, none of
// which lies in two of them:
//
//   0  4  CRC-32C of what comes behind the length, rotated and moved by a constant
//   4  2  length of the rest
//   6  1  type: 1 whole, 2 first, 3 middle, 4 last part of a write
//   7  n  the write, or a part of it
constexpr std::size_t block_bytes = 32'768, header_bytes = 7;
constexpr std::size_t sector_bytes = 512; // the least that a disk writes
constexpr std::size_t zeroes_that_tell =
    64; // no row has so many in a line, and these end where a sector does

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t width) {
    std::uint32_t number = 0;
    for (std::size_t i = width; i-- > 0;)
        number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
    return number;
}

std::uint32_t masked(std::uint32_t sum) { return (sum >> 15 | sum << 17) + 0xa282ead8; }

bool is_zero(std::string_view bytes) {
    return std::ranges::all_of(bytes, [](char c) { return c == 0; });
}

// One block, which is shorter at the log's end.
struct Block {
    std::string_view bytes;

    [[nodiscard]] bool has_header(std::size_t at) const { return at + header_bytes <= bytes.size(); }
    [[nodiscard]] std::size_t end_of(std::size_t at) const {
        return at + header_bytes + number_at(bytes, at + 4, 2);
    }
    [[nodiscard]] bool is_whole(std::size_t at) const {
        if (!has_header(at) || bytes[at + 6] < 1 || bytes[at + 6] > 4 || end_of(at) > bytes.size())
            return false;
        const auto summed = bytes.substr(at + 6, end_of(at) - at - 6);
        return number_at(bytes, at, 4) == masked(crc32c(0, summed));
    }
    // Where the first record begins that is not whole; nothing when all are.
    [[nodiscard]] std::optional<std::size_t> find_broken() const {
        std::size_t at = 0;
        while (is_whole(at))
            at = end_of(at);
        return has_header(at) ? std::optional(at) : std::nullopt;
    }
    [[nodiscard]] bool has_whole_behind(std::size_t at) const {
        while (has_header(++at))
            if (is_whole(at))
                return true;
        return false;
    }
    // A sector of the broken record is as it was before the record was written: zero, from the record's begin
    // at least.
    [[nodiscard]] bool lacks_sector(std::size_t begin) const {
        const auto end = std::min(end_of(begin), bytes.size());
        if (is_zero(bytes.substr(begin, header_bytes)))
            return true;
        for (auto at = begin; at < end;) {
            const auto next = std::min((at / sector_bytes + 1) * sector_bytes, bytes.size());
            const auto last = std::min(next - at, zeroes_that_tell);
            if (is_zero(bytes.substr(next - last, last)))
                return true;
            at = next;
        }
        return false;
    }
};

struct Damage {
    std::uint64_t at = 0;   // the broken record
    std::uint64_t size = 0; // of the log
};

Result<std::optional<Damage>> find_damage(const fs::path& log) {
    std::ifstream file(log, std::ios::binary);
    std::string buffer(block_bytes, '\0');
    std::error_code error;
    const auto size = fs::file_size(log, error);
    std::optional<Damage> broken; // it may be cut off
    for (std::uint64_t begin = 0; file && !error && begin < size; begin += block_bytes) {
        file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        const Block block{std::string_view(buffer).substr(0, static_cast<std::size_t>(file.gcount()))};
        if (broken) {
            if (block.is_whole(0))
                return broken;
            continue;
        }
        const auto at = block.find_broken();
        if (!at)
            continue;
        if (block.lacks_sector(*at))
            return std::nullopt;
        broken = Damage{.at = begin + *at, .size = size};
        const bool is_cut_off = block.end_of(*at) > block.bytes.size();
        if (!is_cut_off || block.has_whole_behind(*at))
            return broken;
    }
    if (error || file.bad() || (!file && !file.eof()))
        return unavailable(fmt::format("cannot read {}", log.string()));
    return std::nullopt;
}

// Oldest first.
Result<std::vector<fs::path>> logs_of(const std::string& folder) {
    std::vector<fs::path> logs;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == ".log")
            logs.push_back(it->path());
    if (error && error != std::errc::no_such_file_or_directory)
        return unavailable(fmt::format("cannot list {}: {}", folder, error.message()));
    std::ranges::sort(logs, {}, [](const fs::path& log) {
        const auto name = log.filename().string();
        return std::pair(name.size(), name);
    });
    return logs;
}

} // namespace

Result<bool> check_logs(const std::string& folder, bool accepts_loss, const Notice& notice) {
    const auto logs = TRY(logs_of(folder));
    for (auto log = logs.begin(); log != logs.end(); ++log) {
        const auto damage = TRY(find_damage(*log));
        if (!damage)
            continue;
        const auto lost =
            fmt::format("its last {} bytes, and all that was written later", damage->size - damage->at);
        if (!accepts_loss)
            return damaged_file(
                *log, fmt::format("byte {} or one soon behind it is not what was written", damage->at), lost);
        for (; log != logs.end(); ++log)
            TRY(keep_damaged(*log, notice));
        if (notice)
            notice(fmt::format("The store goes on without what was written last: of its log {}.", lost));
        return true;
    }
    return false;
}

} // namespace slashpost::storage
