#include "core/redirect/resolver.h"

#include "core/data/key.h"
#include "core/redirect/address.h"
#include "core/schema/spaces.h"

#include <algorithm>

namespace slashpost::redirect {

namespace {

constexpr std::size_t fill_rows = 500;  // in a step
constexpr std::size_t keys_min = 65536; // there is room for so many more soon
constexpr std::size_t sample_rows = 40;
constexpr std::size_t sample_prefix_bytes = 17; // of a key: the domain and the first byte of the slashtag
constexpr std::size_t key_end_bytes = 2;        // behind the slashtag in a key of the store

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
    if (!stored)
        return false;
    cache_.keep(key.view(), *stored, known.ticket);
    target.swap(*stored);
    return true;
}

Result<void> Resolver::scan(const std::function<bool(data::BytesView key, data::BytesView value)>& visit) {
    return engine_.read([&](data::View& view) {
        return view.scan(space::redirects, {.from = fill_from_, .until = {}}, data::Order::forward,
                         [&](data::BytesView at, data::BytesView stored) {
                             fill_from_.assign(at).push_back('\0');
                             ++filled_;
                             return visit(at.substr(0, at.size() - key_end_bytes), stored);
                         });
    });
}

void Resolver::go_on_with(Fill fill) {
    fill_ = fill;
    fill_from_.clear();
    filled_ = 0;
}

Result<void> Resolver::fill_with_entries() {
    const auto rows_max = fill_ == Fill::sample ? sample_rows : fill_rows;
    const auto tickets = cache_.tickets();
    std::size_t rows = 0;
    TRY(scan([&](data::BytesView key, data::BytesView stored) {
        cache_.keep(key, std::string(stored), tickets);
        return ++rows < rows_max;
    }));
    if (fill_ == Fill::sample) // on to the domain's next letter, or the next domain
        fill_from_ = data::Range::of_prefix(fill_from_.substr(0, sample_prefix_bytes)).until;
    if (rows == rows_max && (cache_.has_room() || cache_.grow()))
        return {};
    if (fill_ == Fill::sample)
        go_on_with(Fill::entries);
    else
        begin_keys(filled_);
    return {};
}

// With room for a quarter more.
bool Resolver::begin_keys(std::size_t count) {
    keys_expected_ = std::max(count + count / 4, keys_min);
    const bool begun = cache_.begin_keys(keys_expected_);
    go_on_with(begun ? Fill::keys : Fill::done);
    return begun;
}

// When there are so many that there would soon be too many, all are noted once more, now that they are
// counted, or none.
Result<void> Resolver::fill_with_keys() {
    std::size_t rows = 0;
    TRY(scan([&](data::BytesView key, data::BytesView) {
        cache_.note_key(key);
        return ++rows < fill_rows;
    }));
    if (rows == fill_rows && filled_ <= cache_.keys_max())
        return {};
    if (filled_ > keys_expected_ / 10 * 9) {
        begin_keys(filled_);
        return {};
    }
    cache_.end_keys();
    go_on_with(Fill::done);
    return {};
}

Result<bool> Resolver::fill() {
    if (fill_ != Fill::sample && cache_.learn()) // and is empty now
        go_on_with(Fill::entries);
    if (fill_ == Fill::done) {
        if (!cache_.has_room()) // visits bring more than there was
            cache_.grow();
        // In as much memory as before: many may be gone.
        if (!cache_.has_too_many_keys() || !begin_keys(keys_expected_ / 5 * 4))
            return false;
    }
    TRY(fill_ == Fill::keys ? fill_with_keys() : fill_with_entries());
    return true;
}

void Resolver::forget(DomainId domain, std::string_view slashtag_key) {
    if (slashtag_key.size() <= slashtag_bytes_max)
        cache_.forget(CacheKey(domain, slashtag_key).view());
}

void Resolver::forget_all() {
    cache_.forget_all();
    go_on_with(Fill::entries);
}

} // namespace slashpost::redirect
