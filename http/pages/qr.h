#pragma once
// QR codes of short addresses, as pictures.
#include "http/server/message.h"

#include <string_view>

namespace slashpost::http {

// The picture that a visitor's query asks for:
//
//   format   svg (default), png
//   size     64 to 2048: pixels along each edge; 256 by default
//   ecc      L, M (default), Q, H: how much of it may be damaged, 7 to 30 %
//   margin   0 to 16: white modules around the code; 4 by default, as readers expect
//
// Any other name, a value that is none of these, or a size in which the code has no room, which is two and a
// half pixels a module for a PNG: 400 and a sentence.
// What is empty counts as not given. `text` is short enough for a code: at most 1,200 bytes.
Reply qr_code_reply(std::string_view text, std::string_view query);

} // namespace slashpost::http
