#pragma once
// What the parts of the random-operations model share.
#include "tests/support/labels.h"

#include <catch2/catch.hpp>

#include <random>

namespace slashpost::test {

class Dice {
  public:
    explicit Dice(unsigned seed) : random_(seed) {}
    std::size_t below(std::size_t bound) { return random_() % bound; }
    bool chance(std::size_t one_in) { return below(one_in) == 0; }
    // One of them; nothing when there are none.
    template <class T>
    T* one_of(std::vector<T>& items) {
        return items.empty() ? nullptr : &items[below(items.size())];
    }

  private:
    std::mt19937 random_;
};

// A link as everybody sees it: its tags and scripts are those that are there.
struct ModelLink {
    Link link;
    std::int64_t clicks = 0;
    std::optional<Timestamp> last_click_at;
};

inline Link as_shown(const LinkDetails& details) {
    auto link = details.link;
    link.tags.clear();
    for (const auto& tag : details.tags)
        link.tags.push_back(tag.id);
    link.scripts.clear();
    for (const auto& script : details.scripts)
        link.scripts.push_back(script.id);
    link.routing.clear(); // compiled of the link's parts, as World::inconsistency() compares
    return link;
}

inline std::string lower(std::string text) {
    for (auto& c : text)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return text;
}

} // namespace slashpost::test
