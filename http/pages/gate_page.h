#pragma once
// The page of a guarded link (core/redirect/gate.h): a form for its password, or why it leads nowhere. It
// never says where the link leads, nor what it is called.
#include "core/redirect/page.h"
#include "http/pages/page_frame.h"

#include <string>
#include <string_view>

namespace slashpost::http {

// Of the page; 401 has no place here, as a browser would ask in a way of its own.
[[nodiscard]] unsigned gate_status(redirect::GateNote note);
[[nodiscard]] std::string gate_body(const redirect::Page& page, const PageFrame& frame);

// The password in what a browser sends of the form (application/x-www-form-urlencoded); empty when there is
// none.
[[nodiscard]] std::string password_of_form(std::string_view body);

} // namespace slashpost::http
