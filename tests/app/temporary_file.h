#pragma once
// A file that holds a text while a test runs.
#include "tests/support/temp_folder.h"

#include <filesystem>
#include <fstream>
#include <string_view>

namespace slashpost::test {

class TemporaryFile {
  public:
    explicit TemporaryFile(std::string_view text) { std::ofstream(path(), std::ios::binary) << text; }
    [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "file"; }

  private:
    TempFolder folder_;
};

} // namespace slashpost::test
