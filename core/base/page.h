#pragma once
// What a list request asks for, and what it gets (wire "Lists").
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slashpost {

enum class Direction { ascending, descending };

inline constexpr std::uint32_t page_limit_default = 25;
inline constexpr std::uint32_t page_limit_max = 100;
inline constexpr std::uint32_t page_offset_max = 10'000;

struct PageRequest {
    std::uint32_t limit = page_limit_default; // 1 to page_limit_max
    std::uint32_t offset = 0;                 // 0 to page_offset_max, counted after `last`
    std::string order_by;                     // empty: the resource's default order
    Direction direction = Direction::descending;
    std::string last; // id of the last item of the page before, exclusive; empty: from the start
};

// Counts what a list walks over: `offset` of it are skipped, `limit` are the page.
class PageCount {
  public:
    explicit PageCount(const PageRequest& page) : to_skip_(page.offset), to_take_(page.limit) {}

    // Whether the next one is on the page.
    bool takes() {
        if (to_skip_ > 0) {
            --to_skip_;
            return false;
        }
        return to_take_ > 0 && to_take_-- > 0;
    }
    [[nodiscard]] bool is_full() const { return to_take_ == 0; }

  private:
    std::uint32_t to_skip_;
    std::uint32_t to_take_;
};

} // namespace slashpost
