#pragma once
// A file that an admin names for a result: what is there under that name, and what becomes of it.
#include "app/admin/new_file.h"

#include <filesystem>
#include <variant>

namespace slashpost::admin {

// A descriptor that is closed with this.
class Stream {
  public:
    explicit Stream(int descriptor) : descriptor_(descriptor) {}
    Stream(Stream&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    Stream& operator=(Stream&&) = delete;
    ~Stream();
    [[nodiscard]] int descriptor() const { return descriptor_; }

  private:
    int descriptor_;
};

// Where there is nothing or a regular file, a new file comes in its place when it is whole; at the end of
// symbolic links too, which stay as they are. A pipe or a device is written into. Everything else is refused,
// as are a link, a pipe and a device that somebody else has put into a folder like /tmp, where everybody may.
using Target = std::variant<NewFile, Stream>;
Result<Target> open_target(const std::filesystem::path& file);

} // namespace slashpost::admin
