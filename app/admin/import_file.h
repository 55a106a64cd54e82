#pragma once
// A file that is read more than once and must stay as it is meanwhile.
#include "core/base/csv.h"

#include <filesystem>
#include <memory>
#include <sys/stat.h>

namespace slashpost::admin {

class ImportFile {
  public:
    // Fails for what is no regular file that can be read.
    static Result<std::unique_ptr<ImportFile>> open(const std::filesystem::path& path);
    ~ImportFile();
    ImportFile(const ImportFile&) = delete;
    ImportFile& operator=(const ImportFile&) = delete;

    [[nodiscard]] std::uint64_t bytes() const;
    // SHA-256 of all that is in it. Asks `go_on()`, a Result<void>, now and then.
    [[nodiscard]] Result<std::string> hash(const std::function<Result<void>()>& go_on) const;
    // From `offset` on. Fails when the file was changed since it was opened. This outlives the source.
    [[nodiscard]] CsvReader::Source from(std::uint64_t offset) const;

  private:
    ImportFile(std::filesystem::path path, int descriptor)
        : path_(std::move(path)),
          descriptor_(descriptor) {}
    [[nodiscard]] Result<std::size_t> read(std::uint64_t offset, std::span<char> into) const;

    std::filesystem::path path_;
    int descriptor_;
    struct stat opened_{};
};

} // namespace slashpost::admin
