#include "http/server/parser.h"

#include "core/base/ascii.h"
#include "core/base/host.h"
#include "http/server/unread_headers.h"

#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <functional>
#include <span>

namespace slashpost::http {

namespace {

namespace beast = boost::beast;
using beast::http::field;
using beast::http::verb;

constexpr Refusal bad_request{400, "The request is not valid HTTP/1.1."};
constexpr Refusal bad_host{400, "The request needs exactly one valid Host header."};
constexpr Refusal bad_framing{400, "The length of the body is not stated clearly."};
constexpr Refusal bad_target{400, "The request target is not valid."};
constexpr Refusal target_too_long{414, "The request target is too long."};
constexpr Refusal unknown_expectation{417, "Only '100-continue' can be expected."};

// "GET " and " HTTP/1.1" around a target, generously.
constexpr std::size_t request_line_extra_bytes = 64;

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

using boost::beast::iequals;

bool is_host_char(char c) { return ascii::is_letter_or_digit(c) || c == '-' || c == '.' || c == '_'; }

bool is_port(std::string_view text) { return text.size() <= 5 && std::ranges::all_of(text, ascii::is_digit); }

// A name, an IPv4 address or a bracketed IPv6 address, and perhaps a port. An empty one is valid.
bool valid_host(std::string_view host) {
    constexpr std::size_t host_bytes_max = 255 + 6;
    if (host.size() > host_bytes_max)
        return false;
    std::string_view after;
    if (host.starts_with('[')) {
        const std::size_t close = host.find(']');
        if (close == std::string_view::npos || close < 3)
            return false;
        const auto is_ipv6_char = [](char c) { return is_host_char(c) || c == ':'; };
        if (!std::ranges::all_of(host.substr(1, close - 1), is_ipv6_char))
            return false;
        after = host.substr(close + 1);
    } else {
        const auto end = std::ranges::find_if_not(host, is_host_char);
        after = host.substr(static_cast<std::size_t>(end - host.begin()));
    }
    return after.empty() || (after.front() == ':' && is_port(after.substr(1)));
}

Method to_method(verb value) {
    switch (value) {
    case verb::get:
        return Method::get;
    case verb::head:
        return Method::head;
    case verb::post:
        return Method::post;
    case verb::put:
        return Method::put;
    case verb::patch:
        return Method::patch;
    case verb::delete_:
        return Method::del;
    case verb::options:
        return Method::options;
    default:
        return Method::other;
    }
}

bool has_prefix(std::string_view text, std::string_view prefix) {
    return text.size() >= prefix.size() && iequals(text.substr(0, prefix.size()), prefix);
}

// Browsers have said in all of these that they only look, before anybody has clicked.
bool tells_purpose(std::string_view name) {
    switch (name.size()) {
    case std::string_view("X-Moz").size():
        return iequals(name, "X-Moz");
    case std::string_view("Purpose").size():
        return iequals(name, "Purpose");
    case std::string_view("X-Purpose").size():
        return iequals(name, "X-Purpose");
    case std::string_view("Sec-Purpose").size():
        return iequals(name, "Sec-Purpose");
    default:
        return false;
    }
}

// Browsers say in these, with 1, that their user does not want to be tracked.
bool tells_objection(std::string_view name) { return iequals(name, "Sec-GPC") || iequals(name, "DNT"); }

class HeadParser final : public beast::http::basic_parser<true> {
  public:
    HeadParser(std::string_view bytes, const Limits& limits, RequestHead& head)
        : bytes_(bytes),
          limits_(limits),
          head_(head) {
        header_limit(UINT32_MAX); // the caller cuts the input
        body_limit(boost::none);  // the session compares
    }

    // What can only be judged when all headers are known.
    void finish() {
        if (!head_.http10 && !host_seen_)
            refuse(bad_host);
        if (chunked() != transfer_encoding_seen_ || (transfer_encoding_seen_ && head_.http10))
            refuse(bad_framing);
        if (chunked()) {
            head_.body = BodyKind::chunked;
        } else if (const auto length = content_length(); length && *length > 0) {
            head_.body = BodyKind::sized;
            head_.body_bytes = *length;
        }
        head_.keep_alive = keep_alive();
        if (!absolute_host_.empty())
            head_.host = absolute_host_;
        if (head_.http10)
            head_.expects_continue = false;
        else if (unknown_expectation_)
            refuse(unknown_expectation);
    }

    [[nodiscard]] bool request_line_seen() const { return request_line_seen_; }

  private:
    void refuse(Refusal why) {
        if (head_.refusal.status == 0)
            head_.refusal = why;
    }

    void refuse(Refusal why, beast::error_code& ec) {
        refuse(why);
        ec = beast::http::error::bad_field;
    }

    void on_request_impl(verb method, beast::string_view method_text, beast::string_view target, int version,
                         beast::error_code& ec) override {
        request_line_seen_ = true;
        head_.method = to_method(method);
        head_.method_text = view(method_text);
        head_.http10 = version == 10;
        if (target.size() > limits_.target_bytes_max)
            return refuse(target_too_long, ec);
        if (!read_target(view(target)))
            return refuse(bad_target, ec);
    }

    // Origin form "/a?b", absolute form "http://host/a?b" (RFC 9112, 3.2.2), or "*".
    bool read_target(std::string_view target) {
        if (target.find('#') != std::string_view::npos)
            return false;
        if (target == "*") {
            head_.path = target;
            return true;
        }
        if (!target.starts_with('/')) {
            if (has_prefix(target, "http://"))
                target.remove_prefix(7);
            else if (has_prefix(target, "https://"))
                target.remove_prefix(8);
            else
                return false;
            absolute_host_ = target.substr(0, target.find_first_of("/?"));
            if (absolute_host_.empty() || !valid_host(absolute_host_))
                return false;
            target.remove_prefix(absolute_host_.size());
        }
        const std::size_t question = target.find('?');
        head_.path = target.substr(0, question);
        if (question != std::string_view::npos)
            head_.query = target.substr(question + 1);
        if (head_.path.empty())
            head_.path = "/";
        return true;
    }

    void on_field_impl(field name, beast::string_view name_string, beast::string_view value_string,
                       beast::error_code& ec) override {
        const std::string_view name_text = view(name_string);
        const std::string_view value = view(value_string);
        if (is_folded(name_text, value))
            return refuse(bad_request, ec);
        if (head_.field_count == head_.fields.size())
            return refuse(headers_too_large, ec);
        head_.fields[head_.field_count++] = {name_text, value};
        switch (name) {
        case field::host:
            if (host_seen_ || !valid_host(value))
                return refuse(bad_host, ec);
            host_seen_ = true;
            head_.host = value;
            return;
        case field::content_length:
            if (length_seen_ || !ascii::are_digits(value))
                return refuse(bad_framing, ec);
            length_seen_ = true;
            return;
        case field::transfer_encoding:
            if (transfer_encoding_seen_ || !iequals(value, "chunked"))
                return refuse(bad_framing, ec);
            transfer_encoding_seen_ = true;
            return;
        case field::user_agent:
            head_.user_agent = value;
            return;
        case field::accept_language:
            head_.accept_language = value;
            return;
        case field::referer:
            head_.referrer = value;
            return;
        case field::expect:
            head_.expects_continue = iequals(value, "100-continue");
            unknown_expectation_ = !head_.expects_continue;
            return;
        case field::unknown:
            if (tells_purpose(name_text))
                head_.prefetch =
                    head_.prefetch || has_prefix(value, "prefetch") || has_prefix(value, "preview");
            else if (value == "1" && tells_objection(name_text))
                head_.objects = true;
            return;
        default:
            return;
        }
    }

    // A value that went on in a second line was copied elsewhere by Beast, or has a line end before it.
    [[nodiscard]] bool is_folded(std::string_view name, std::string_view value) const {
        const std::less_equal<const char*> not_behind;
        const char* after_name = name.data() + name.size();
        if (!not_behind(after_name, value.data()) || !not_behind(value.data(), bytes_.data() + bytes_.size()))
            return true;
        return std::string_view(after_name, value.data()).find('\r') != std::string_view::npos;
    }

    void on_header_impl(beast::error_code&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>&, beast::error_code&) override {}
    std::size_t on_body_impl(beast::string_view body, beast::error_code&) override { return body.size(); }
    void on_chunk_header_impl(std::uint64_t, beast::string_view, beast::error_code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view body, beast::error_code&) override {
        return body.size();
    }
    void on_response_impl(int, beast::string_view, int, beast::error_code&) override {}
    void on_finish_impl(beast::error_code&) override {}

    const std::string_view bytes_;
    const Limits& limits_;
    RequestHead& head_;
    std::string_view absolute_host_;
    bool request_line_seen_ = false;
    bool host_seen_ = false;
    bool length_seen_ = false;
    bool transfer_encoding_seen_ = false;
    bool unknown_expectation_ = false;
};

bool is_about_framing(const beast::error_code& ec) {
    using beast::http::error;
    return ec == error::bad_content_length || ec == error::multiple_content_length ||
           ec == error::bad_transfer_encoding;
}

void reset(RequestHead& head) {
    head.method = Method::other;
    head.method_text = head.path = head.query = head.host = {};
    head.user_agent = head.accept_language = head.referrer = {};
    head.body = BodyKind::none;
    head.body_bytes = 0;
    head.keep_alive = true;
    head.http10 = head.expects_continue = head.objects = head.prefetch = false;
    head.bytes = head.field_count = 0;
    head.refusal = {};
}

// How much of a whole head somebody reads.
std::size_t read_bytes(const RequestHead& head) {
    std::size_t bytes = head.bytes;
    for (const auto& [name, value] : std::span(head.fields).first(head.field_count))
        bytes -= is_passed_over(name, value) ? value.size() : 0;
    return bytes;
}

} // namespace

HeadStatus parse_head(std::string_view bytes, const Limits& limits, RequestHead& head,
                      std::size_t passed_over) {
    reset(head);
    const auto bytes_max = limits.header_bytes_max - std::min(passed_over, limits.header_bytes_max);
    const std::string_view allowed = bytes.substr(0, bytes_max);
    HeadParser parser(allowed, limits, head);
    beast::error_code ec;
    head.bytes = parser.put(boost::asio::const_buffer(allowed.data(), allowed.size()), ec);
    if (ec == beast::http::error::need_more) {
        if (!parser.request_line_seen() &&
            allowed.size() > limits.target_bytes_max + request_line_extra_bytes)
            head.refusal = target_too_long;
        else if (allowed.size() == bytes_max)
            head.refusal = parser.request_line_seen() ? headers_too_large : target_too_long;
        else
            return HeadStatus::partial;
        return HeadStatus::refused;
    }
    if (!ec)
        parser.finish();
    else if (head.refusal.status == 0)
        head.refusal = is_about_framing(ec) ? bad_framing : bad_request;
    if (head.refusal.status == 0 && head.bytes > limits.header_bytes_read_max &&
        read_bytes(head) > limits.header_bytes_read_max)
        head.refusal = headers_too_large;
    return head.refusal.status == 0 ? HeadStatus::complete : HeadStatus::refused;
}

bool has_empty_line(std::string_view bytes, std::size_t from) {
    for (std::size_t at = bytes.find('\n', from < 3 ? 0 : from - 3); at != std::string_view::npos;
         at = bytes.find('\n', at + 1)) {
        const std::string_view next = bytes.substr(at + 1, 2);
        if (next.starts_with('\n') || next == "\r\n")
            return true;
    }
    return false;
}

Request to_request(const RequestHead& head) {
    Request request;
    request.method = head.method;
    request.method_text = head.method_text;
    request.target = head.path;
    if (!head.query.empty())
        request.target.append("?").append(head.query);
    // A host that is no name at all belongs to no domain either; the API may still say so.
    request.host = normal_host(head.host).value_or(std::string(head.host));
    request.headers.reserve(head.field_count);
    for (std::size_t i = 0; i < head.field_count; ++i)
        request.headers.push_back({std::string(head.fields[i].name), std::string(head.fields[i].value)});
    return request;
}

} // namespace slashpost::http
