#pragma once
// QR codes of short addresses, as pictures.
#include "http/server/message.h"

#include <string_view>

namespace slashpost::http {

// The picture that a visitor's query asks for:
//
//   format       svg (default), png
//   size         64 to 2048: pixels along each edge; 256 by default
//   ecc          L, M (default), Q, H: how much of it may be damaged, 7 to 30 %
//   margin       0 to 16: light modules around the code; 4 by default, as readers expect
//   color        of the dark modules, RRGGBB or #RRGGBB (%23RRGGBB in an address); 000000 by default
//   background   of all else; ffffff by default. `transparent`: what the picture is put upon shows through
//   space        0 to 24: percent of the code's edge, its margin left out, that stay free in the middle, for
//                a logo that is laid over the picture; 0 by default. A code with a space has ecc H, whatever
//                was asked for: the space is damage, five eighths at most of what H restores
//
// `color` must be darker than `background`, by a contrast of 3:1 at least (WCAG 2.2, "contrast ratio"): many
// readers take no code that is light on dark. What is transparent is judged as white, which a code without a
// background has to be put upon, or nearly.
//
// There is no logo: the server fetches no pictures, and a picture in an <img> loads none.
//
// Any other name, a value that is none of these, colours that cannot be told apart, or a size in which the
// code has no room, which is two and a half pixels a module for a PNG: 400 and a sentence. What is empty
// counts as not given. `text` is short enough for a code: at most 1,200 bytes.
Reply qr_code_reply(std::string_view text, std::string_view query);

} // namespace slashpost::http
