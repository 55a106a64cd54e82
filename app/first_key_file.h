#pragma once
// The file that the first API key goes to, for those who start the server where what it says is kept or lost.
#include "core/base/result.h"

#include <filesystem>
#include <string_view>

namespace slashpost::app {

class FirstKeyFile {
  public:
    // Makes the file, which only its user may read. Fails with a sentence when something has its name
    // already, a link included, and when it cannot be made.
    static Result<FirstKeyFile> make(const std::filesystem::path& file);
    // Removes a file that nothing was written to.
    ~FirstKeyFile();
    FirstKeyFile(FirstKeyFile&& other) noexcept;
    FirstKeyFile(const FirstKeyFile&) = delete;
    FirstKeyFile& operator=(const FirstKeyFile&) = delete;
    FirstKeyFile& operator=(FirstKeyFile&&) = delete;

    // The key as the file's only line, on the disk when this succeeds. Once.
    Result<void> write(std::string_view key);

  private:
    FirstKeyFile(std::filesystem::path file, int descriptor)
        : file_(std::move(file)),
          descriptor_(descriptor) {}

    std::filesystem::path file_;
    int descriptor_; // -1 when all is done
};

} // namespace slashpost::app
