#include "app/geo/country_file.h"

#include "tests/support/temp_folder.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <thread>
#include <vector>

using namespace slashpost;
using namespace slashpost::geo;
using redirect::Address;
using slashpost::test::TempFolder;

namespace {

using Kind = CountryFileNews::Kind;

// What tests/data/mmdb.py has written.
std::string data(const std::string& name) {
    std::ifstream in(std::string(SLASHPOST_TEST_DATA "/") + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

struct Watched {
    explicit Watched(const std::string& bytes = {},
                     std::chrono::milliseconds look_every = std::chrono::hours(1)) {
        if (!bytes.empty())
            write(path, bytes);
        countries = std::make_unique<CountryFile>(
            CountryFile::Options{.file = path, .look_every = look_every, .report = [this](const auto& told) {
                                     const std::lock_guard lock(mutex);
                                     news.push_back(told);
                                 }});
    }
    // As a careful hand does it: all at once.
    void replace(std::string_view bytes) const {
        write(folder.path() / "new", bytes);
        std::filesystem::rename(folder.path() / "new", path);
    }
    std::string find(std::string_view address) const {
        return std::string(countries->find(Address::of(address)).view());
    }
    std::vector<Kind> kinds() {
        const std::lock_guard lock(mutex);
        std::vector<Kind> out;
        out.reserve(news.size());
        for (const auto& each : news)
            out.push_back(each.kind);
        return out;
    }

    TempFolder folder;
    std::filesystem::path path = folder.path() / "countries.mmdb";
    std::mutex mutex;
    std::vector<CountryFileNews> news; // guarded by mutex
    std::unique_ptr<CountryFile> countries;
};

} // namespace

TEST_CASE("an address has the country of its network", "[geo]") {
    Watched watched(data("countries.mmdb"));
    for (int i = 0; i < 2; ++i) { // looked up, and remembered
        CHECK(watched.find("192.0.2.1") == "de");
        CHECK(watched.find("192.0.2.255") == "de");
        CHECK(watched.find("192.0.3.0").empty());
        CHECK(watched.find("198.51.100.127") == "fr");
        CHECK(watched.find("198.51.100.128").empty());
        CHECK(watched.find("10.1.255.1") == "us");
        CHECK(watched.find("2001:db8:1:ffff::") == "de");
        CHECK(watched.find("2001:db8:2::1") == "fr");
        CHECK(watched.find("2001:db8:3::1").empty());
        CHECK(watched.find("no address").empty());
    }
    CHECK(watched.kinds() == std::vector{Kind::loaded});
    CHECK(watched.countries->figures().loaded);
    CHECK(watched.countries->figures().built_at == 1'700'000'000);
}

TEST_CASE("the schema of GeoLite2 is understood as well, and files of IPv4 alone", "[geo]") {
    Watched watched(data("countries-geolite.mmdb"));
    CHECK(watched.find("192.0.2.1") == "at");
    CHECK(watched.find("198.51.100.1").empty()); // a record without a country
    CHECK(watched.find("2001:db8:1::1").empty());
}

TEST_CASE("without a file no country is known, and one that comes later is taken", "[geo]") {
    Watched watched;
    CHECK(watched.find("192.0.2.1").empty());
    CHECK_FALSE(watched.countries->figures().loaded);
    CHECK(watched.countries->figures().built_at == 0);
    watched.replace(data("countries.mmdb"));
    watched.countries->reload();
    CHECK(watched.find("192.0.2.1") == "de");
    CHECK(watched.kinds() == std::vector{Kind::missing, Kind::loaded});
}

TEST_CASE("a file that is cut off anywhere, damaged or of another kind is refused", "[geo]") {
    const auto whole = data("countries.mmdb");
    Watched watched(whole);
    std::vector<std::string> bad{"", "x", "not a database at all", std::string(100'000, '\0'),
                                 data("no-countries.mmdb")};
    for (std::size_t size = 1; size < whole.size(); size += 97)
        bad.push_back(whole.substr(0, size));
    // The front is missing: the metadata at the end is whole and speaks of a tree that is not there.
    bad.push_back(whole.substr(whole.size() / 2));
    // A tree that leads beyond the end.
    auto damaged = whole;
    damaged.replace(0, 3, "\xff\xff\xff");
    bad.push_back(damaged);
    for (const auto& bytes : bad) {
        INFO(bytes.size());
        watched.replace(bytes);
        watched.countries->reload();
        CHECK(watched.kinds().back() == Kind::broken);
        CHECK(watched.find("192.0.2.1") == "de"); // the one before
        CHECK(watched.countries->figures().loaded);
    }
    std::filesystem::remove(watched.path);
    watched.countries->reload();
    CHECK(watched.kinds().back() == Kind::missing);
    CHECK(watched.find("192.0.2.1") == "de");
    std::filesystem::create_directory(watched.path);
    watched.countries->reload();
    CHECK(watched.kinds().back() == Kind::broken);
    CHECK(watched.find("198.51.100.1") == "fr");
}

TEST_CASE("a file that is written over in place does not reach who reads the one before", "[geo]") {
    Watched watched(data("countries.mmdb"));
    std::filesystem::resize_file(watched.path, 0);
    CHECK(watched.find("192.0.2.1") == "de");
    CHECK(watched.find("10.1.0.1") == "us");
    watched.countries->reload();
    CHECK(watched.find("2001:db8:2::1") == "fr");
}

TEST_CASE("any damage to a file leaves answers, if only empty ones", "[geo]") {
    const auto whole = data("countries.mmdb");
    Watched watched(whole);
    for (std::size_t at = 0; at < whole.size(); at += 7) {
        auto damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
        watched.replace(damaged);
        watched.countries->reload();
        for (const auto* address :
             {"192.0.2.1", "198.51.100.1", "10.1.2.3", "2001:db8:1::1", "255.255.255.255"})
            CHECK(watched.find(address).size() <= 2);
    }
}

TEST_CASE("what is still broken is told once by the watch, and again on request", "[geo]") {
    using namespace std::chrono_literals;
    Watched watched(data("countries.mmdb"), 1ms);
    watched.replace("broken");
    while (watched.kinds().size() < 2)
        std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(20ms);
    CHECK(watched.kinds() == std::vector{Kind::loaded, Kind::broken});
    watched.countries->reload();
    CHECK(watched.kinds() == std::vector{Kind::loaded, Kind::broken, Kind::broken});
    watched.replace(data("countries-geolite.mmdb"));
    while (watched.find("192.0.2.1") != "at")
        std::this_thread::sleep_for(1ms);
    CHECK(watched.kinds().back() == Kind::loaded);
}

TEST_CASE("threads read on while the file is replaced", "[geo]") {
    const auto first = data("countries.mmdb");
    const auto second = data("countries-geolite.mmdb");
    Watched watched(first);
    std::atomic<bool> wrong = false;
    {
        std::vector<std::jthread> readers;
        readers.reserve(3);
        for (int i = 0; i < 3; ++i)
            readers.emplace_back([&](const std::stop_token& stopping) {
                while (!stopping.stop_requested()) {
                    const auto found = watched.find("192.0.2.1");
                    if (found != "de" && found != "at")
                        wrong = true;
                }
            });
        for (int i = 0; i < 50; ++i) {
            watched.replace(i % 2 == 0 ? second : first);
            watched.countries->reload();
        }
    }
    CHECK_FALSE(wrong);
    CHECK(watched.kinds().size() == 51);
    CHECK(watched.find("192.0.2.1") == "de");
}

TEST_CASE("one thread may ask two files in turn", "[geo]") {
    Watched one(data("countries.mmdb"));
    Watched other(data("countries-geolite.mmdb"));
    for (int i = 0; i < 3; ++i) {
        CHECK(one.find("192.0.2.1") == "de");
        CHECK(other.find("192.0.2.1") == "at");
    }
}
