#pragma once
// The frame of every page that is for people: one look, in a light and a dark theme, which a domain makes its
// own by a name, a colour and a picture (`branding`). What stands between its beginning and its end is the
// page's own business.
//
// A page works under a policy that allows its styles, the picture, and what it names itself, nothing else.
#include "core/redirect/page.h"

#include <string>
#include <string_view>

namespace slashpost::http {

struct PageFrame {
    const redirect::PageBrand* brand = nullptr; // null: of no domain
    std::string_view nonce;                     // of its styles; empty: they are known by their hashes
    bool is_found = false;                      // search engines may keep it
    bool has_form = false; // which may lead anywhere: browsers ask that of its answer, too
};

// Everything up to the page's own text. `title` is escaped; `head` is markup to stand behind the title.
void append_beginning(std::string& out, const PageFrame& frame, std::string_view title,
                      std::string_view head = {});
void append_end(std::string& out, const PageFrame& frame);

// The policy, as far as it is the frame's, without the picture.
[[nodiscard]] std::string frame_policy(const PageFrame& frame);
// What is to be added to it for the picture: "; img-src https://cdn.example", or nothing.
[[nodiscard]] std::string picture_policy(const PageFrame& frame);

} // namespace slashpost::http
