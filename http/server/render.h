#pragma once
// Replies to bytes: status lines, the headers every answer has, and the short answers that the server gives
// by itself when a request never reaches the API or the redirects.
#include "http/server/message.h"
#include "http/server/parser.h"

#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace slashpost::http {

// What the answer says about the connection: nothing, since it stays; that it stays after all (HTTP/1.0); or
// that it ends.
enum class Persistence : std::uint8_t { keep, keep_http10, close };

// The Date header of the current second, written once per second, and whole lines that go with it.
class DateLine {
  public:
    explicit DateLine(std::string lines_behind = {}) : lines_behind_(std::move(lines_behind)) {}
    // "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
    std::string_view at(std::time_t now);

  private:
    const std::string lines_behind_;
    std::time_t second_ = -1;
    std::string text_;
};

// The head of an answer up to where its own headers go on: "HTTP/1.1 302 Found", Date, Connection.
void append_head(std::string& out, unsigned status, std::string_view date_line, Persistence persistence);
void append_header(std::string& out, std::string_view name, std::string_view value);
void append_content_length(std::string& out, std::size_t bytes);

// All of a reply. Writes Content-Length (where the status allows a body) and Connection itself; for HEAD the
// body stays away. A header whose text could end the line is left out.
void append_reply(std::string& out, const Reply& reply, Method method, std::string_view date_line,
                  Persistence persistence);

// The head of a reply whose body comes in parts: in chunks (RFC 9112, 7.1), or for HTTP/1.0 as it is, and
// then the connection has to end. For HEAD nothing follows.
enum class Framing : std::uint8_t { chunks, until_close };
void append_head_of_parts(std::string& out, const Reply& reply, std::string_view date_line,
                          Persistence persistence, Framing framing);
// Of the body; an empty one is the end.
void append_part(std::string& out, std::string_view bytes, Framing framing);

// The error body of the wire (wire "Errors") or plain text. The message goes out as it is.
Reply json_refusal(const Refusal& refusal);
Reply text_refusal(const Refusal& refusal);

// Adds the header, or puts it in the place of the one of that name.
void set_header(Reply& reply, Header header);

// The server's own answers on the API's side. Safe to call from any thread.
using RefuseApi = std::function<Reply(const Refusal&)>;

} // namespace slashpost::http
