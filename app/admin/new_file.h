#pragma once
// A file that appears under its name when it is whole, or not at all.
//
// Until then its bytes are in a file beside it, NAME.<16 hexadecimal digits>.part, which is made by whoever
// writes it and nobody else: under a name that cannot be guessed, never through a symbolic link, and for its
// owner only. What a program that was killed left there is removed by the next one that writes the same file.
#include "core/base/result.h"

#include <filesystem>
#include <string_view>
#include <utility>

namespace slashpost {

class NewFile {
  public:
    // Begins the file that will be `path`. Fails with `unavailable` and the system's reason.
    static Result<NewFile> begin(const std::filesystem::path& path);
    // Without `finish`, nothing is left.
    ~NewFile();
    NewFile(NewFile&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)),
          path_(std::move(other.path_)),
          part_(std::move(other.part_)) {}
    NewFile& operator=(NewFile&&) = delete;

    // Fails as `begin` does.
    Result<void> write(std::string_view bytes);
    // Puts the file under its name, in place of a file that has it; both are on the disk when this succeeds.
    // Fails as `begin` does. Called once, after all writes.
    Result<void> finish();

  private:
    NewFile(int descriptor, std::filesystem::path path, std::filesystem::path part)
        : descriptor_(descriptor),
          path_(std::move(path)),
          part_(std::move(part)) {}

    int descriptor_;
    std::filesystem::path path_, part_;
};

// "cannot write FILE: REASON", the reason being errno's.
std::unexpected<Error> cannot_write(const std::filesystem::path& file);

} // namespace slashpost
