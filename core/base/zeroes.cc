#include "core/base/zeroes.h"

#include <sys/mman.h>
#include <utility>

namespace slashpost {

std::optional<Zeroes> Zeroes::take(std::size_t bytes) {
    void* const at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return std::nullopt;
    return Zeroes({static_cast<std::byte*>(at), bytes});
}

Zeroes::~Zeroes() {
    if (!bytes_.empty())
        (void)::munmap(bytes_.data(), bytes_.size());
}

Zeroes::Zeroes(Zeroes&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

Zeroes& Zeroes::operator=(Zeroes&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
}

} // namespace slashpost
