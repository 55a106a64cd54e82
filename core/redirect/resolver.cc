#include "core/redirect/resolver.h"

#include "core/data/key.h"
#include "core/redirect/address.h"
#include "core/schema/spaces.h"

#include <algorithm>
#include <array>

namespace slashpost::redirect {

namespace {

// The cache's key: domain and slashtag, put together without allocating.
class CacheKey {
  public:
    // NOLINTNEXTLINE(*-member-init): the bytes are written before they are read
    CacheKey(DomainId domain, std::string_view slashtag_key) {
        auto* end = std::ranges::copy(domain.view(), bytes_.data()).out;
        end = std::ranges::copy(slashtag_key, end).out;
        size_ = static_cast<std::size_t>(end - bytes_.data());
    }
    [[nodiscard]] std::string_view view() const { return {bytes_.data(), size_}; }

  private:
    std::array<char, 16 + slashtag_bytes_max> bytes_;
    std::size_t size_ = 0;
};

} // namespace

Result<bool> Resolver::find(DomainId domain, std::string_view slashtag_key, std::string& target) {
    if (slashtag_key.size() > slashtag_bytes_max)
        return false;
    const CacheKey key(domain, slashtag_key);
    const auto known = cache_.find(key.view(), target);
    if (known.known != Cache::Known::nothing)
        return known.known == Cache::Known::present;

    auto stored = TRY(engine_.get_now(space::redirects, data::key(domain, slashtag_key)));
    cache_.keep(key.view(), stored, known.ticket);
    if (!stored)
        return false;
    target.swap(*stored);
    return true;
}

void Resolver::forget(DomainId domain, std::string_view slashtag_key) {
    if (slashtag_key.size() <= slashtag_bytes_max)
        cache_.forget(CacheKey(domain, slashtag_key).view());
}

} // namespace slashpost::redirect
