#include "app/admin/import_file.h"

#include "core/base/errors.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <system_error>
#include <unistd.h>

namespace slashpost::admin {

namespace {

constexpr std::size_t piece_bytes = 1 << 20;

bool same_time(const timespec& a, const timespec& b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

} // namespace

Result<std::unique_ptr<ImportFile>> ImportFile::open(const std::filesystem::path& path) {
    std::unique_ptr<ImportFile> file(
        new ImportFile(path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)));
    const auto cannot = [&](std::string_view why) {
        return refused(
            "NoFile", "import",
            fmt::format("cannot read {}: {}. A running server reads the file itself, so its user has to "
                        "be able to",
                        path.string(), why));
    };
    if (file->descriptor_ < 0 || ::fstat(file->descriptor_, &file->opened_) != 0)
        return cannot(std::generic_category().message(errno));
    if (!S_ISREG(file->opened_.st_mode)) // it is read more than once
        return cannot("it is no regular file");
    return file;
}

ImportFile::~ImportFile() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

std::uint64_t ImportFile::bytes() const { return static_cast<std::uint64_t>(opened_.st_size); }

Result<std::size_t> ImportFile::read(std::uint64_t offset, std::span<char> into) const {
    for (;;) {
        const auto got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return unavailable(
                fmt::format("cannot read {}: {}", path_.string(), std::generic_category().message(errno)));
        struct stat now{};
        if (::fstat(descriptor_, &now) != 0 || now.st_size != opened_.st_size ||
            !same_time(now.st_mtim, opened_.st_mtim))
            return unavailable(fmt::format("{} was changed while it was read", path_.string()));
        return static_cast<std::size_t>(got);
    }
}

Result<std::string> ImportFile::hash(const std::function<Result<void>()>& go_on) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    bool good = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
    std::vector<char> piece(piece_bytes);
    for (std::uint64_t offset = 0; good;) {
        const auto got = TRY(read(offset, piece));
        if (got == 0)
            break;
        good = EVP_DigestUpdate(context.get(), piece.data(), got) == 1;
        offset += got;
        TRY(go_on());
    }
    std::string digest(EVP_MAX_MD_SIZE, '\0');
    unsigned length = 0;
    if (!good ||
        EVP_DigestFinal_ex(context.get(), reinterpret_cast<unsigned char*>(digest.data()), &length) != 1)
        return fault("SHA-256 does not work");
    digest.resize(length);
    return digest;
}

CsvReader::Source ImportFile::from(std::uint64_t offset) const {
    return [this, offset](std::span<char> into) mutable -> Result<std::size_t> {
        const auto got = TRY(read(offset, into));
        offset += got;
        return got;
    };
}

} // namespace slashpost::admin
