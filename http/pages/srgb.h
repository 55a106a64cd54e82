#pragma once
// How light colours are, by which it is decided what can be read on what.
#include <cmath>
#include <cstdint>

namespace slashpost::http {

// WCAG 2.2, "relative luminance", of 0xRRGGBB: 0 for black, 1 for white.
[[nodiscard]] inline double relative_luminance(std::uint32_t rgb) {
    const auto linear = [rgb](unsigned shift) {
        const auto part = ((rgb >> shift) & 0xffU) / 255.0;
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
}

// WCAG 2.2, "contrast ratio", of something light beside something dark: 21 for white beside black. Below 1
// when they are the other way round.
[[nodiscard]] inline double contrast(std::uint32_t light, std::uint32_t dark) {
    return (relative_luminance(light) + 0.05) / (relative_luminance(dark) + 0.05);
}

} // namespace slashpost::http
