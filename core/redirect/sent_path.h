#pragma once
// What a browser asks a host for, when it goes to an address of ours: with core/redirect/address.h the way
// from such an address to what a visitor finds there.
#include <string>
#include <string_view>

namespace slashpost::redirect {

// The path as it is sent, of the path of a stored web address (core/base/url.h), without its query: a browser
// follows "." and ".." by itself, escaped ones too (URL Standard, "path state").
[[nodiscard]] std::string sent_path(std::string_view path);

} // namespace slashpost::redirect
