#include "core/base/zeroes.h"

#include <sys/mman.h>
#include <utility>

namespace slashpost {

namespace {
constexpr std::size_t large_page = std::size_t{2} << 20;
} // namespace

std::optional<Zeroes> Zeroes::take(std::size_t bytes, Pages pages) {
    void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return std::nullopt;
    if (pages == Pages::large)
        (void)::madvise(at, bytes, MADV_HUGEPAGE);
    return Zeroes({static_cast<std::byte*>(at), bytes});
}

Zeroes::~Zeroes() {
    if (!bytes_.empty())
        (void)::munmap(bytes_.data(), bytes_.size());
}

Zeroes::Zeroes(Zeroes&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})),
      given_back_(std::exchange(other.given_back_, 0)) {}

Zeroes& Zeroes::operator=(Zeroes&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(given_back_, other.given_back_);
    return *this;
}

void Zeroes::give_back_before(std::size_t offset) {
    const auto end = offset / large_page * large_page;
    if (end <= given_back_)
        return;
    (void)::madvise(bytes_.data() + given_back_, end - given_back_, MADV_DONTNEED);
    given_back_ = end;
}

} // namespace slashpost
