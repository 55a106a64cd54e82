#pragma once
// What the journal's tests share: a folder of their own, records that carry a number, raw access to files.
#include "storage/journal/journal.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace slashpost::test {

inline constexpr std::size_t record_bytes = 12;
inline constexpr std::size_t slot_bytes = 16;

// A folder of the test's own, and what lies in it.
class Folder {
  public:
    [[nodiscard]] std::string path() const { return folder_.path().string(); }
    [[nodiscard]] std::string file(std::string_view name) const { return (folder_.path() / name).string(); }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
            out.push_back(entry.path().filename().string());
        std::ranges::sort(out);
        return out;
    }

  private:
    TempFolder folder_;
};

// A journal whose segments hold `slots` records, and which makes files at the test's own calls only.
inline Result<std::unique_ptr<data::Journal>> open_small(const Folder& folder, std::size_t slots = 4,
                                                         std::size_t files_in_reserve = 0) {
    return storage::open_journal({.folder = folder.path(),
                                  .record_bytes = record_bytes,
                                  .segment_bytes = 64 + slots * slot_bytes,
                                  .files_in_reserve = files_in_reserve,
                                  .has_thread = false});
}

// The same, but what is damaged is given up.
inline Result<std::unique_ptr<data::Journal>> open_lossy(const Folder& folder, std::size_t slots = 4) {
    return storage::open_journal({.folder = folder.path(),
                                  .record_bytes = record_bytes,
                                  .segment_bytes = 64 + slots * slot_bytes,
                                  .accepts_loss = true,
                                  .has_thread = false});
}

inline std::string record(std::uint64_t number) {
    auto text = std::to_string(number);
    return std::string(record_bytes - text.size(), '.') + text;
}

inline std::vector<std::string> records(data::Journal& journal, std::uint32_t lane, std::uint64_t from = 0) {
    std::vector<std::string> out;
    REQUIRE(journal.read(lane, from, [&](data::BytesView bytes) {
        out.emplace_back(bytes);
        return true;
    }));
    return out;
}

inline std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void overwrite(const std::string& path, std::size_t at, std::string_view bytes) {
    std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
    out.seekp(static_cast<std::streamoff>(at));
    out << bytes;
    REQUIRE(out.good());
}

} // namespace slashpost::test
