// Kills, torn and stale records, full disks, foreign files: what the journal makes of them.
#include "storage/crc32c.h"
#include "tests/storage/journal_folder.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;
using namespace std::string_literals;

namespace {

const std::string first_segment = "0000-00000000000000000000.segment";

// Runs `body` in a process of its own, which then ends at once; its answer is the exit code.
pid_t in_child(const std::function<int()>& body) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0)
        ::_exit(body());
    return child;
}

// Memory that a child shares with its parent and leaves behind when it is killed.
struct Shared {
    Shared()
        : count(new(::mmap(nullptr, sizeof(*count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                           0)) std::atomic<std::uint64_t>(0)) {}
    ~Shared() { ::munmap(count, sizeof(*count)); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
    std::atomic<std::uint64_t>* count;
};

// Waits until another process has counted further than `before`; gives up after a minute.
void await_more_than(const std::atomic<std::uint64_t>& count, std::uint64_t before) {
    for (int milliseconds = 0; count.load(std::memory_order_acquire) <= before && milliseconds < 60'000;
         ++milliseconds)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void fill(const Folder& folder, std::uint64_t count, std::size_t slots = 4) {
    auto journal = open_small(folder, slots).value();
    auto* lane = journal->lane(0).value();
    for (std::uint64_t i = 0; i < count; ++i)
        REQUIRE(lane->append(record(i)));
}

std::size_t slot_at(std::size_t index) { return 64 + index * slot_bytes; }

} // namespace

TEST_CASE("every record that was acknowledged survives kill -9", "[journal]") {
    const Folder folder;
    const Shared shared;
    for (int round = 0; round < 25; ++round) {
        const auto before = shared.count->load();
        const auto child = in_child([&] {
            auto journal = open_small(folder, 500);
            if (!journal.has_value())
                return 1;
            auto* lane = (*journal)->lane(0).value();
            for (auto number = (*journal)->end(0); lane->append(record(number)); ++number) {
                shared.count->store(number + 1, std::memory_order_release);
                if (number % 1000 == 0)
                    (void)(*journal)->release(0, number / 2); // maintenance at work, too
            }
            return 2;
        });
        if (round % 2 == 0) // while it writes; in the other rounds it may be opening still
            await_more_than(*shared.count, before);
        std::this_thread::sleep_for(std::chrono::microseconds(500 + 700 * round));
        ::kill(child, SIGKILL);
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        REQUIRE(WIFSIGNALED(status));

        auto journal = open_small(folder, 500).value();
        const auto acknowledged = shared.count->load(std::memory_order_acquire);
        const auto end = journal->end(0);
        REQUIRE(end >= acknowledged);
        REQUIRE(end <= acknowledged + 1);
        auto number = journal->begin(0);
        std::uint64_t wrong = 0;
        for (const auto& bytes : records(*journal, 0, number))
            wrong += bytes != record(number++);
        REQUIRE(wrong == 0);
        REQUIRE(number == end);
        shared.count->store(end);
    }
    CHECK(shared.count->load() > 0);
}

TEST_CASE("a record that was torn is as if it had never been", "[journal]") {
    const Folder folder;
    fill(folder, 3);
    overwrite(folder.file(first_segment), slot_at(2) + 5, "torn");
    auto journal = open_small(folder).value();
    CHECK(records(*journal, 0) == std::vector{record(0), record(1)});
    REQUIRE(journal->lane(0).value()->append(record(2)));
    CHECK(records(*journal, 0, 2) == std::vector{record(2)});
}

TEST_CASE("records behind one that never arrived never come back", "[journal]") {
    const Folder folder;
    fill(folder, 7); // into a second segment
    overwrite(folder.file(first_segment), slot_at(1), std::string(slot_bytes, '\0'));
    {
        auto journal = open_small(folder).value();
        CHECK(journal->end(0) == 1);
        CHECK(folder.names() == std::vector{first_segment});
        CHECK(bytes_of(folder.file(first_segment)).substr(slot_at(1)) == std::string(3 * slot_bytes, '\0'));
        REQUIRE(journal->lane(0).value()->append(record(1)));
    }
    auto journal = open_small(folder).value();
    CHECK(records(*journal, 0) == std::vector{record(0), record(1)});
}

TEST_CASE("a record of another number at the same place is not taken for one", "[journal]") {
    const Folder folder;
    fill(folder, 8);
    const auto old = bytes_of(folder.file(first_segment));
    {
        auto journal = open_small(folder).value();
        REQUIRE(journal->release(0, 8));
    }
    overwrite(folder.file("0000-00000000000000000004.segment"), 64, old.substr(64));
    CHECK(open_small(folder).value()->end(0) == 4);
}

TEST_CASE("a file that was to be taken again holds nothing, whenever its writer is killed", "[journal]") {
    const Folder folder;
    const std::string second_segment = "0000-00000000000000000004.segment";
    fill(folder, 7);
    const auto old = bytes_of(folder.file(first_segment));
    {
        auto journal = open_small(folder).value();
        REQUIRE(journal->release(0, 7));
        REQUIRE(folder.names() == std::vector{second_segment});
    }
    const auto name = GENERATE("0000-00000000000000000000.segment.aside"s, // set aside
                               "0000-00000000000000000008.segment"s);      // and named, but a power cut took
                                                                           // its header
    std::ofstream(folder.file(name), std::ios::binary) << old;
    auto journal = open_small(folder).value();
    CHECK(folder.names() == std::vector{second_segment});
    CHECK(records(*journal, 0, 4) == std::vector{record(4), record(5), record(6)});
    auto* lane = journal->lane(0).value();
    REQUIRE(lane->append(record(7)));
    REQUIRE(lane->append(record(8)));
    CHECK(records(*journal, 0, 7) == std::vector{record(7), record(8)});
}

TEST_CASE("a page that cannot be had ends nobody: the record goes to the file, or is refused", "[journal]") {
    const Folder folder;
    const auto child = in_child([&]() -> int {
        ::signal(SIGXFSZ, SIG_IGN);
        auto journal = open_small(folder, 1000).value();
        auto* lane = journal->lane(0).value();
        for (std::uint64_t i = 0; i < 300; ++i)
            if (!lane->append(record(i)))
                return 1;
        std::filesystem::resize_file(folder.file(first_segment), 4096); // 252 records
        rlimit limit{.rlim_cur = 4096, .rlim_max = RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        if (lane->append(record(300)) || lane->append(record(300)) || journal->end(0) != 300)
            return 2;
        limit.rlim_cur = RLIM_INFINITY;
        ::setrlimit(RLIMIT_FSIZE, &limit);
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        for (std::uint64_t i = 300; i < 1500; ++i) // into the next segment, too
            if (!lane->append(record(i)))
                return 3;
        if (!journal->sync() || records(*journal, 0, 300).back() != record(1499))
            return 4;
        return records(*journal, 0, 300).size() == 1200 ? 0 : 5;
    });
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

TEST_CASE("a full disk refuses records, and takes them again when there is room", "[journal]") {
    const Folder folder;
    const auto child = in_child([&]() -> int {
        ::signal(SIGXFSZ, SIG_IGN);
        auto journal = open_small(folder).value();
        auto* lane = journal->lane(0).value();
        for (std::uint64_t i = 0; i < 4; ++i)
            if (!lane->append(record(i)))
                return 1;
        rlimit limit{.rlim_cur = 16, .rlim_max = RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        if (lane->append(record(4)) || lane->append(record(4)))
            return 2;
        if (!journal->sync() || !journal->release(0, 1) || folder.names().size() != 1)
            return 3;
        limit.rlim_cur = RLIM_INFINITY;
        ::setrlimit(RLIMIT_FSIZE, &limit);
        if (lane->append(record(4)))
            return 4; // not asked again so soon
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        return lane->append(record(4)) ? 0 : 5;
    });
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(records(*open_small(folder).value(), 0).size() == 5);
}

TEST_CASE("a full disk takes as many records as its reserve has room for, over a restart too", "[journal]") {
    const Folder folder;
    {
        auto journal = open_small(folder, 4, 3).value();
        auto* lane = journal->lane(0).value();
        for (std::uint64_t i = 0; i < 4; ++i)
            REQUIRE(lane->append(record(i)));
        REQUIRE(journal->sync().has_value());
    }
    CHECK(folder.names() == std::vector<std::string>{"0000-00000000000000000000.segment",
                                                     "0000-00000000000000000004.segment", "00000000.reserve",
                                                     "00000001.reserve", "00000002.reserve"});
    std::filesystem::remove(folder.file("0000-00000000000000000004.segment")); // made ahead
    const auto child = in_child([&]() -> int {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{.rlim_cur = 100, .rlim_max = RLIM_INFINITY}; // less than a segment
        ::setrlimit(RLIMIT_FSIZE, &limit);
        for (std::uint64_t number = 4; number < 16; number += 6) {
            auto journal = open_small(folder, 4, 3).value();
            auto* lane = journal->lane(0).value();
            if (journal->end(0) != number)
                return 1;
            for (std::uint64_t i = 0; i < 6; ++i)
                if (!lane->append(record(number + i)))
                    return 2;
        }
        return 0;
    });
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    const auto journal = open_small(folder, 4, 3).value();
    CHECK(records(*journal, 0).size() == 16);
}

TEST_CASE("a journal can be opened, and its lanes had, while the disk is full", "[journal]") {
    const Folder folder;
    fill(folder, 4);
    const auto child = in_child([&]() -> int {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{.rlim_cur = 100, .rlim_max = RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        auto journal = open_small(folder);
        if (!journal.has_value() || (*journal)->end(0) != 4)
            return 1;
        auto lane = (*journal)->lane(0);
        auto other = (*journal)->lane(1);
        if (!lane.has_value() || !other.has_value())
            return 2;
        return (*lane)->append(record(4)) || (*other)->append(record(0)) ? 3 : 0;
    });
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

TEST_CASE("a segment of a newer format is refused, and nothing is changed", "[journal]") {
    const Folder folder;
    fill(folder, 7);
    overwrite(folder.file(first_segment), slot_at(3), "torn"); // would be mended
    auto header = bytes_of(folder.file("0000-00000000000000000004.segment")).substr(0, 60);
    header[8] = '\x03';
    const auto sum = storage::crc32c(0, header);
    header.append(reinterpret_cast<const char*>(&sum), 4);
    overwrite(folder.file("0000-00000000000000000004.segment"), 0, header);
    const auto before = bytes_of(folder.file(first_segment));
    const auto opened = open_small(folder);
    REQUIRE_FALSE(opened.has_value());
    CHECK(opened.error().message.find("has format 3; this build reads up to 2") != std::string::npos);
    CHECK(bytes_of(folder.file(first_segment)) == before);
    CHECK(folder.names().size() == 2);
}

TEST_CASE("a damaged header is refused by name", "[journal]") {
    const Folder folder;
    fill(folder, 1);
    const auto [at, bytes] = GENERATE(table<std::size_t, std::string>({
        {0, "X"},         // magic
        {12, "\x01"},     // lane, while the name says another
        {28, "\xff\xff"}, // slots
        {60, "\x01\x02"}, // checksum
    }));
    overwrite(folder.file(first_segment), at, bytes);
    const auto opened = open_small(folder);
    REQUIRE_FALSE(opened.has_value());
    CHECK(opened.error().message.find(first_segment) != std::string::npos);
}

TEST_CASE("a file that was made but never begun is cleared away, a foreign one is left alone", "[journal]") {
    const Folder folder;
    fill(folder, 1);
    std::ofstream(folder.file("0001-00000000000000000000.segment")) << std::string(64 + 4 * slot_bytes, '\0');
    const std::ofstream never_allocated(folder.file("0002-00000000000000000000.segment"));
    std::ofstream(folder.file("notes.txt")) << "hello";
    const auto journal = open_small(folder).value();
    CHECK(folder.names() == std::vector{first_segment, "notes.txt"s});
    CHECK(journal->end(0) == 1);
}

TEST_CASE("a file that lost its tail is filled up with room again", "[journal]") {
    const Folder folder;
    fill(folder, 3);
    std::filesystem::resize_file(folder.file(first_segment), slot_at(1) + 3);
    auto journal = open_small(folder).value();
    CHECK(records(*journal, 0) == std::vector{record(0)});
    auto* lane = journal->lane(0).value();
    for (std::uint64_t i = 1; i < 6; ++i)
        REQUIRE(lane->append(record(i)));
    CHECK(records(*journal, 0).size() == 6);
}
