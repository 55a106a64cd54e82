#include "http/server/render.h"

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/status.hpp>
#include <charconv>
#include <fmt/format.h>

namespace slashpost::http {

namespace {

void append_number(std::string& out, std::size_t number) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), end);
}

// "HTTP/1.1 302 Found", with its line end. Put together once, as every answer begins with one.
std::string_view status_line(unsigned status) {
    namespace beast = boost::beast::http;
    static const auto lines = [] {
        std::array<std::string, 600> all;
        for (unsigned number = 100; number < all.size(); ++number) {
            const auto reason = beast::obsolete_reason(beast::int_to_status(number));
            all[number] =
                fmt::format("HTTP/1.1 {} {}\r\n", number, std::string_view(reason.data(), reason.size()));
        }
        return all;
    }();
    return lines.at(status);
}

bool is_line(std::string_view text) { return text.find_first_of(std::string_view("\r\n\0", 3)) == text.npos; }

bool may_have_body(unsigned status) { return status >= 200 && status != 204 && status != 304; }

std::string_view code_of(unsigned status) {
    switch (status) {
    case 408:
        return "RequestTimeout";
    case 413:
        return "PayloadTooLarge";
    case 414:
        return "TargetTooLong";
    case 417:
        return "ExpectationFailed";
    case 431:
        return "HeadersTooLarge";
    case 500:
        return "InternalError";
    case 503:
        return "Unavailable";
    default:
        return "InvalidFormat";
    }
}

void append_headers(std::string& out, const Reply& reply) {
    for (const Header& header : reply.headers)
        if (is_line(header.name) && is_line(header.value))
            append_header(out, header.name, header.value);
}

void add_common_headers(Reply& reply, std::string_view media_type) {
    reply.headers = {{"Content-Type", std::string(media_type)},
                     {"Cache-Control", "no-store"},
                     {"X-Content-Type-Options", "nosniff"}};
    if (reply.status == 503)
        reply.headers.push_back({"Retry-After", "1"});
}

} // namespace

std::string_view DateLine::at(std::time_t now) {
    if (now != second_) {
        second_ = now;
        std::tm parts{};
        ::gmtime_r(&now, &parts);
        // The names are English whatever the process's locale: nobody calls setlocale.
        std::array<char, 40> date{};
        text_.assign(date.data(),
                     std::strftime(date.data(), date.size(), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts));
        text_.append(lines_behind_);
    }
    return text_;
}

void append_head(std::string& out, unsigned status, std::string_view date_line, Persistence persistence) {
    out.append(status_line(status)).append(date_line);
    if (persistence == Persistence::close)
        out.append("Connection: close\r\n");
    else if (persistence == Persistence::keep_http10)
        out.append("Connection: keep-alive\r\n");
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
}

void append_content_length(std::string& out, std::size_t bytes) {
    out.append("Content-Length: ");
    append_number(out, bytes);
    out.append("\r\n");
}

void append_reply(std::string& out, const Reply& reply, Method method, std::string_view date_line,
                  Persistence persistence) {
    append_head(out, reply.status, date_line, persistence);
    append_headers(out, reply);
    if (may_have_body(reply.status))
        append_content_length(out, reply.body.size());
    out.append("\r\n");
    if (may_have_body(reply.status) && method != Method::head)
        out.append(reply.body);
}

void append_head_of_parts(std::string& out, const Reply& reply, std::string_view date_line,
                          Persistence persistence, Framing framing) {
    append_head(out, reply.status, date_line, persistence);
    append_headers(out, reply);
    if (framing == Framing::chunks)
        append_header(out, "Transfer-Encoding", "chunked");
    out.append("\r\n");
}

void append_part(std::string& out, std::string_view bytes, Framing framing) {
    if (framing == Framing::until_close)
        out.append(bytes);
    else if (bytes.empty())
        out.append("0\r\n\r\n");
    else
        out.append(fmt::format("{:x}\r\n", bytes.size())).append(bytes).append("\r\n");
}

Reply json_refusal(const Refusal& refusal) {
    Reply reply{.status = refusal.status, .headers = {}, .body = {}};
    add_common_headers(reply, "application/json; charset=utf-8");
    reply.body = fmt::format(R"({{"code":"{}","message":"{}","httpCode":{},"source":"request","errors":[]}})",
                             code_of(refusal.status), refusal.message, refusal.status);
    return reply;
}

void set_header(Reply& reply, Header header) {
    const auto same = std::ranges::find_if(
        reply.headers, [&](const Header& other) { return boost::beast::iequals(other.name, header.name); });
    if (same == reply.headers.end())
        reply.headers.push_back(std::move(header));
    else
        same->value = std::move(header.value);
}

Reply text_refusal(const Refusal& refusal) {
    Reply reply{.status = refusal.status, .headers = {}, .body = fmt::format("{}\n", refusal.message)};
    add_common_headers(reply, "text/plain; charset=utf-8");
    return reply;
}

} // namespace slashpost::http
