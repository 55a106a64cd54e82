#include "app/geo/country_database.h"

#include "core/base/ascii.h"
#include "core/base/errors.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <maxminddb.h>
#include <netinet/in.h>
#include <optional>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <unordered_set>

namespace slashpost::geo {

namespace {

constexpr off_t file_bytes_max = off_t{512} << 20U; // the largest that are sold have about half of it

struct Descriptor {
    explicit Descriptor(int fd) : number(fd) {}
    ~Descriptor() {
        if (number >= 0)
            ::close(number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    const int number;
};

std::unexpected<Error> unreadable(const std::filesystem::path& file, std::string_view why) {
    return unavailable(fmt::format("cannot read {}: {}", file.string(), why));
}
std::unexpected<Error> unusable(const std::filesystem::path& file, std::string_view why) {
    return unavailable(fmt::format("{} is no whole file of countries: {}", file.string(), why));
}
std::string system_message() { return std::system_category().message(errno); }

// Copies the file's bytes as they are at this moment into memory that has no name.
Result<void> copy(const std::filesystem::path& file, int memory) {
    const Descriptor source(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status{};
    if (source.number < 0 || ::fstat(source.number, &status) != 0)
        return unreadable(file, system_message());
    if (!S_ISREG(status.st_mode))
        return unreadable(file, "it is no plain file");
    if (status.st_size > file_bytes_max)
        return unreadable(file, "it is larger than 512 MiB");
    for (off_t left = status.st_size; left > 0;) {
        const auto copied = ::sendfile(memory, source.number, nullptr, static_cast<std::size_t>(left));
        if (copied < 0 && errno == EINTR)
            continue;
        if (copied < 0)
            return unreadable(file, system_message());
        if (copied == 0)
            return unreadable(file, "it became shorter meanwhile");
        left -= copied;
    }
    return {};
}

std::optional<CountryCode> code_at(MMDB_entry_s& entry, const char* const* path) {
    MMDB_entry_data_s data{};
    if (MMDB_aget_value(&entry, &data, path) != MMDB_SUCCESS || !data.has_data ||
        data.type != MMDB_DATA_TYPE_UTF8_STRING || data.data_size != 2)
        return std::nullopt;
    const std::array<char, 2> letters{static_cast<char>(data.utf8_string[0] | 0x20),
                                      static_cast<char>(data.utf8_string[1] | 0x20)};
    if (!std::ranges::all_of(letters, ascii::is_lower))
        return std::nullopt;
    return CountryCode::of({letters.data(), letters.size()});
}

CountryCode country_of(MMDB_entry_s entry) {
    constexpr std::array<const char*, 2> plain{"country_code", nullptr};
    constexpr std::array<const char*, 3> nested{"country", "iso_code", nullptr};
    const auto code = code_at(entry, plain.data());
    return code ? *code : code_at(entry, nested.data()).value_or(CountryCode{});
}

// Whether a whole value can be read there.
bool is_readable(MMDB_entry_s entry) {
    MMDB_entry_data_list_s* list = nullptr;
    const int status = MMDB_get_entry_data_list(&entry, &list);
    MMDB_free_entry_data_list(list);
    return status == MMDB_SUCCESS;
}

} // namespace

struct CountryDatabase::Opened {
    Opened() = default;
    ~Opened() {
        if (open)
            MMDB_close(&mmdb);
    }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

    // Looks at every node of the tree and every record that it leads to. Answers what is wrong; else nothing.
    std::optional<std::string_view> fault() const {
        std::unordered_set<std::uint32_t> seen;
        std::size_t countries = 0;
        for (std::uint32_t number = 0; number < mmdb.metadata.node_count; ++number) {
            MMDB_search_node_s node{};
            if (MMDB_read_node(&mmdb, number, &node) != MMDB_SUCCESS)
                return "its tree is damaged";
            for (const auto& [type, entry] : {std::pair{node.left_record_type, node.left_record_entry},
                                              {node.right_record_type, node.right_record_entry}}) {
                if (type == MMDB_RECORD_TYPE_INVALID)
                    return "its tree is damaged";
                if (type != MMDB_RECORD_TYPE_DATA || !seen.insert(entry.offset).second)
                    continue;
                if (!is_readable(entry))
                    return "its records are damaged";
                countries += country_of(entry).view().empty() ? 0 : 1;
            }
        }
        return countries > 0 ? std::nullopt : std::optional<std::string_view>("it names no country");
    }

    MMDB_s mmdb{};
    bool open = false;
};

CountryDatabase::CountryDatabase(std::unique_ptr<Opened> opened) : opened_(std::move(opened)) {}
CountryDatabase::~CountryDatabase() = default;

Result<std::shared_ptr<const CountryDatabase>> CountryDatabase::read(const std::filesystem::path& file) {
    const Descriptor memory(::memfd_create("countries", MFD_CLOEXEC));
    if (memory.number < 0)
        return unreadable(file, system_message());
    TRY(copy(file, memory.number));
    auto opened = std::make_unique<Opened>();
    // The library opens files by name and maps them; this name is of our copy.
    const auto name = fmt::format("/proc/self/fd/{}", memory.number);
    if (const int status = MMDB_open(name.c_str(), MMDB_MODE_MMAP, &opened->mmdb); status != MMDB_SUCCESS)
        return unusable(file, MMDB_strerror(status));
    opened->open = true;
    if (const auto fault = opened->fault())
        return unusable(file, *fault);
    return std::shared_ptr<const CountryDatabase>(new CountryDatabase(std::move(opened)));
}

CountryCode CountryDatabase::find(const redirect::Address& address) const noexcept {
    if (!address.known)
        return {};
    sockaddr_in6 v6{};
    sockaddr_in v4{};
    const sockaddr* sought = reinterpret_cast<const sockaddr*>(&v6);
    if (address.is_v4()) {
        v4.sin_family = AF_INET;
        std::copy_n(address.bytes.data() + 12, 4, reinterpret_cast<std::uint8_t*>(&v4.sin_addr));
        sought = reinterpret_cast<const sockaddr*>(&v4);
    } else {
        v6.sin6_family = AF_INET6;
        std::ranges::copy(address.bytes, v6.sin6_addr.s6_addr);
    }
    int error = MMDB_SUCCESS;
    const auto found = MMDB_lookup_sockaddr(&opened_->mmdb, sought, &error);
    return error == MMDB_SUCCESS && found.found_entry ? country_of(found.entry) : CountryCode{};
}

std::uint64_t CountryDatabase::built_at() const noexcept { return opened_->mmdb.metadata.build_epoch; }

} // namespace slashpost::geo
