#include "app/machine.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>

#include <fstream>

using namespace slashpost;
using app::memory_mb;

namespace {

// A machine whose files say that the process is in the group `web`, which may take so much.
class Machine {
  public:
    explicit Machine(const std::string& limit) {
        std::filesystem::create_directories(folder_.path() / "proc/self");
        std::filesystem::create_directories(folder_.path() / "sys/fs/cgroup/web");
        std::ofstream(folder_.path() / "proc/self/cgroup") << "1:cpu:/other\n0::/web\n";
        std::ofstream(folder_.path() / "sys/fs/cgroup/web/memory.max") << limit << '\n';
    }
    [[nodiscard]] std::filesystem::path root() const { return folder_.path(); }

  private:
    test::TempFolder folder_;
};

} // namespace

TEST_CASE("a process has the memory of its control group, if that is less than the machine's", "[app]") {
    const test::TempFolder nothing;
    const auto whole = memory_mb(nothing.path());
    CHECK(whole > 100); // of any machine that runs this
    CHECK(memory_mb(Machine("67108864").root()) == 64);
    CHECK(memory_mb(Machine("max").root()) == whole);
    CHECK(memory_mb(Machine("9000000000000000").root()) == whole);
}
