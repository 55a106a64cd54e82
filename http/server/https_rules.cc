#include "http/server/https_rules.h"

#include "core/base/ascii.h"
#include "core/base/host.h"
#include "core/base/local_host.h"
#include "core/base/text.h"
#include "core/redirect/redirector.h"
#include "http/server/fd.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace slashpost::http {

namespace {

constexpr std::string_view challenge_path = "/.well-known/acme-challenge/";
constexpr std::size_t token_length_max = 128;
constexpr std::size_t challenge_bytes_max = 4096; // a token, a dot and a thumbprint: some 90 in practice

// Base64url, as RFC 8555 (8.3) has it. So no dot, no slash, no escape gets near a file name.
bool is_token(std::string_view text) {
    return !text.empty() && text.size() <= token_length_max && std::ranges::all_of(text, [](char c) {
        return ascii::is_letter_or_digit(c) || c == '-' || c == '_';
    });
}

// The whole of a small ordinary file.
std::optional<std::string> read_small_file(const std::filesystem::path& path) {
    // Not waiting keeps a pipe from holding the thread.
    const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    struct stat status{};
    if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode))
        return std::nullopt;
    std::array<char, challenge_bytes_max + 1> bytes{};
    std::size_t size = 0;
    while (size < bytes.size()) {
        const ssize_t count = ::read(fd.get(), bytes.data() + size, bytes.size() - size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return std::nullopt;
        if (count == 0)
            return std::string(bytes.data(), size);
        size += static_cast<std::size_t>(count);
    }
    return std::nullopt;
}

Reply text_reply(unsigned status, std::string body) {
    return {.status = status,
            .headers = {{"Content-Type", "text/plain; charset=utf-8"},
                        {"Cache-Control", "no-store"},
                        {"X-Content-Type-Options", "nosniff"}},
            .body = std::move(body)};
}

} // namespace

bool HttpsRules::any() const {
    return !acme_webroot.empty() || find_challenge || (redirect != Redirect::off && certificates != nullptr);
}

std::optional<unsigned> HttpsRules::answer(const RequestHead& head, bool secure, std::string_view date_line,
                                           Persistence persistence, std::string& out) const {
    if (head.path.starts_with(challenge_path)) {
        if (acme_webroot.empty() && !find_challenge)
            return std::nullopt;
        return answer_challenge(head, date_line, persistence, out);
    }
    if (secure || redirect == Redirect::off || certificates == nullptr)
        return std::nullopt;
    auto address = secure_address(head);
    if (!address)
        return std::nullopt;
    if (address->size() > redirect::location_bytes_max ||
        std::min(address->find('?'), address->size()) > redirect::own_location_bytes_max) {
        append_reply(out, text_reply(414, "The address is too long.\n"), head.method, date_line, persistence);
        return 414;
    }
    // 308 keeps method and body; of the old status everybody knows what to do with a GET.
    const bool reads = head.method == Method::get || head.method == Method::head;
    const Reply reply{
        .status = reads ? 301U : 308U,
        .headers = {{"Location", std::move(*address)}, {"Cache-Control", "private, max-age=90"}},
        .body = {}};
    append_reply(out, reply, head.method, date_line, persistence);
    return reply.status;
}

unsigned HttpsRules::answer_challenge(const RequestHead& head, std::string_view date_line,
                                      Persistence persistence, std::string& out) const {
    const std::string_view token = head.path.substr(challenge_path.size());
    Reply reply = text_reply(404, "Not found.\n");
    if (head.method != Method::get && head.method != Method::head) {
        reply = text_reply(405, "Only GET and HEAD.\n");
        reply.headers.push_back({"Allow", "GET, HEAD"});
    } else if (is_token(token)) {
        auto text = acme_webroot.empty() ? std::nullopt
                                         : read_small_file(acme_webroot / challenge_path.substr(1) / token);
        if (!text && find_challenge)
            text = find_challenge(token);
        if (text)
            reply = text_reply(200, std::move(*text));
    }
    append_reply(out, reply, head.method, date_line, persistence);
    return reply.status;
}

// Where the request should have gone; nothing when plain HTTP is right for it.
std::optional<std::string> HttpsRules::secure_address(const RequestHead& head) const {
    const auto authority = split_authority(head.host);
    const auto host = authority ? normal_host(authority->host) : std::nullopt;
    if (!host || (redirect != Redirect::on_loopback_too && is_local_host(*host)) || head.path == "*" ||
        !certificates->current()->covers(*host) || !is_visible_ascii(head.path) ||
        !is_visible_ascii(head.query))
        return std::nullopt;
    std::string address = "https://" + *host;
    if (https_port != 443)
        address.append(":").append(std::to_string(https_port));
    address.append(head.path);
    if (!head.query.empty())
        address.append("?").append(head.query);
    return address;
}

} // namespace slashpost::http
