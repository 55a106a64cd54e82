#pragma once
// What the journal's tests share: a folder of their own, records that carry a number, raw access to files.
#include "storage/journal/journal.h"

#include <catch2/catch.hpp>

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace slashpost::test {

inline constexpr std::size_t record_bytes = 12;
inline constexpr std::size_t slot_bytes = 16;

// A new folder under the system's temporary one, removed at the end.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "slashpost-journal-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const auto& entry : std::filesystem::directory_iterator(path_))
            out.push_back(entry.path().filename().string());
        std::ranges::sort(out);
        return out;
    }

  private:
    std::string path_;
};

// A journal whose segments hold `slots` records.
inline Result<std::unique_ptr<data::Journal>> open_small(const Folder& folder, std::size_t slots = 4) {
    return storage::open_journal(
        {.folder = folder.path(), .record_bytes = record_bytes, .segment_bytes = 64 + slots * slot_bytes});
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
