#pragma once
// A file that takes room on the disk for a start when there is none left: a start writes anew what the log
// has, and lists its files.
#include <cstdint>
#include <string>

namespace slashpost::storage {

class Reserve {
  public:
    // In the store's folder; none of 0 bytes.
    Reserve(const std::string& folder, std::uint64_t bytes) : path_(folder + "/reserve"), bytes_(bytes) {}

    // Makes the file, if it is not there and the disk has four times as much to give. For one thread.
    void keep();
    // Gives the room back. False when there was none.
    bool give_back();

  private:
    std::string path_;
    std::uint64_t bytes_;
    bool is_kept_ = false;
};

} // namespace slashpost::storage
