#include "core/redirect/resolver.h"

#include "core/data/key.h"
#include "core/redirect/address.h"
#include "core/schema/spaces.h"

#include <algorithm>
#include <array>

namespace slashpost::redirect {

namespace {

constexpr std::size_t fill_rows = 500;   // in a step
constexpr std::size_t key_end_bytes = 2; // behind the slashtag in a key of the store

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

Result<bool> Resolver::fill() {
    if (fills_anew_.exchange(false)) {
        fill_from_.clear();
        is_filled_ = false;
    }
    if (is_filled_)
        return false;
    const auto tickets = cache_.tickets();
    std::size_t rows = 0;
    TRY(engine_.read([&](data::View& view) {
        return view.scan(space::redirects, {.from = fill_from_, .until = {}}, data::Order::forward,
                         [&](data::BytesView key, data::BytesView stored) {
                             cache_.keep(key.substr(0, key.size() - key_end_bytes), stored, tickets);
                             fill_from_.assign(key).push_back('\0');
                             return ++rows < fill_rows;
                         });
    }));
    is_filled_ = rows < fill_rows || cache_.is_nearly_full();
    return !is_filled_;
}

void Resolver::forget_all() {
    cache_.forget_all();
    fills_anew_ = true;
}

void Resolver::forget(DomainId domain, std::string_view slashtag_key) {
    if (slashtag_key.size() <= slashtag_bytes_max)
        cache_.forget(CacheKey(domain, slashtag_key).view());
}

} // namespace slashpost::redirect
