#pragma once
// Headers that nothing in this server reads, such as the cookies that other pages of a domain have set. A
// request may bring more of them than is kept of it: a big cookie is no reason to refuse a visitor.
#include <cstddef>
#include <span>
#include <string_view>

namespace slashpost::http {

// Whether the value of this header means nothing here and is long enough to be worth passing over. Of headers
// that are read only those are named in here whose values are sometimes as long.
[[nodiscard]] bool is_passed_over(std::string_view name, std::string_view value);

// Takes such values out of the front part of a head whose end has not arrived, and moves the rest together.
// What is not allowed in a head stays, to be refused by whoever parses it. Returns how many bytes are left.
std::size_t drop_unread_values(std::span<char> head);

} // namespace slashpost::http
