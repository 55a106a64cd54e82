#pragma once
// Reads the head of a request (request line and headers) without copying it.
//
// The grammar is Beast's (http::basic_parser); what Beast lets pass and a server behind a proxy must not is
// refused here: folded headers, a second Host or Content-Length, any Transfer-Encoding but a lone "chunked",
// control characters. Nothing is allocated. Bodies are read by body_reader.h.
#include "http/server/limits.h"
#include "http/server/message.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace slashpost::http {

// Why a request is not served: the status of the answer, and a sentence that is safe to show.
struct Refusal {
    unsigned status = 0;
    std::string_view message;
};

inline constexpr Refusal headers_too_large{431, "The headers are too large."};

enum class BodyKind : std::uint8_t { none, sized, chunked };

// Views into the bytes given to `parse_head`, valid as long as those are.
struct RequestHead {
    struct Field {
        std::string_view name;
        std::string_view value;
    };

    Method method = Method::other;
    std::string_view method_text;
    std::string_view path;       // begins with '/', or is "*"; still percent-encoded
    std::string_view query;      // without '?'
    std::string_view host;       // of an absolute target, else the Host header; as sent
    std::string_view user_agent; // this and the next two as sent, whatever that is
    std::string_view accept_language;
    std::string_view referrer;
    BodyKind body = BodyKind::none;
    std::uint64_t body_bytes = 0; // of a sized body
    bool keep_alive = true;
    bool http10 = false;
    bool expects_continue = false;
    bool objects = false;  // a header says that the visitor is not to be tracked: Sec-GPC or DNT
    bool prefetch = false; // a header says that nobody has clicked: Purpose, Sec-Purpose, X-Purpose or X-Moz
    std::size_t bytes = 0; // length of the head, the empty line included

    std::array<Field, Limits::header_count_max> fields; // the first `field_count` are set
    std::size_t field_count = 0;

    // Set when the head is refused. Of the rest only what was read before the fault is there.
    Refusal refusal;
};

enum class HeadStatus { complete, partial, refused };

// Reads one head from the front of `bytes`. `partial`: not all of it has arrived, and it may still be fine.
// `passed_over` bytes of it were dropped already (http/server/unread_headers.h).
HeadStatus parse_head(std::string_view bytes, const Limits& limits, RequestHead& head,
                      std::size_t passed_over = 0);

// Whether an empty line ends at or behind position `from`, so that parsing again is worth the while.
bool has_empty_line(std::string_view bytes, std::size_t from);

// The request as the API takes it, body and remote address still empty.
Request to_request(const RequestHead& head);

} // namespace slashpost::http
