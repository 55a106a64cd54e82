#pragma once
// Who is no person: search engines, monitors, and the preview fetchers of chats and networks. They get
// their answer and count no click (wire "The visitor's side").
#include <string_view>

namespace slashpost::redirect {

// Whether the header names a known one. Looks at its beginning only; allocates nothing.
[[nodiscard]] bool is_bot(std::string_view user_agent);

} // namespace slashpost::redirect
