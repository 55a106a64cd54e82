#pragma once
// A browser's URL parser in a process of its own: node's, told of addresses a line each.
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace slashpost::fuzz {

class Browser {
  public:
    Browser(); // without node it answers nothing and agrees with everybody
    ~Browser();
    Browser(const Browser&) = delete;
    Browser& operator=(const Browser&) = delete;

    // Ends the process when the browser opens another page for `stored` than for `given`, or refuses what was
    // stored. `stored` is nothing for a refused address; the browser may open some of those, as a destination
    // has further rules.
    void compare(std::string_view given, const std::optional<std::string>& stored);

  private:
    FILE* to_ = nullptr;
    FILE* from_ = nullptr;
    int process_ = 0;
    bool greeted_ = false; // by a line when it has begun
};

} // namespace slashpost::fuzz
