// bare_commit FOLDER BYTES THREADS SECONDS: what RocksDB alone can do. Each thread commits one value of so
// many bytes after the other, with a synced log; prints how many there were and in how many seconds, as JSON.
#include <rocksdb/db.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using Time = std::chrono::steady_clock;

// Bytes that do not compress, as ids and texts of all kinds hardly do.
std::string random_value(std::size_t bytes) {
    std::mt19937_64 random(1);
    std::string value(bytes, '\0');
    for (char& byte : value)
        byte = static_cast<char>(random());
    return value;
}

std::uint64_t commit_until(rocksdb::DB& db, const std::string& value, std::uint64_t first,
                           Time::time_point end) {
    rocksdb::WriteOptions synced;
    synced.sync = true;
    std::uint64_t commits = 0;
    for (; Time::now() < end; ++commits) {
        const auto key = std::to_string(first + commits);
        if (const auto status = db.Put(synced, key, value); !status.ok()) {
            std::cerr << "bare_commit: " << status.ToString() << '\n';
            std::exit(1);
        }
    }
    return commits;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 5) {
        std::cerr << "bare_commit FOLDER BYTES THREADS SECONDS\n";
        return 2;
    }
    const auto value = random_value(std::stoul(arguments[2]));
    const auto threads = std::stoul(arguments[3]);
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* opened = nullptr;
    if (const auto status = rocksdb::DB::Open(options, arguments[1], &opened); !status.ok()) {
        std::cerr << "bare_commit: " << status.ToString() << '\n';
        return 1;
    }
    const std::unique_ptr<rocksdb::DB> db(opened);

    constexpr std::uint64_t keys_per_thread = 1'000'000'000;
    std::atomic<std::uint64_t> commits = 0;
    const auto begun = Time::now();
    const auto end = begun + std::chrono::seconds(std::stoi(arguments[4]));
    {
        std::vector<std::jthread> running;
        running.reserve(threads);
        for (std::size_t i = 0; i < threads; ++i)
            running.emplace_back(
                [&, i] { commits += commit_until(*db, value, (i + 1) * keys_per_thread, end); });
    }
    const auto seconds = std::chrono::duration<double>(Time::now() - begun).count();
    std::cout << R"({"commits": )" << commits << R"(, "seconds": )" << seconds << "}\n";
    return 0;
}
