#include "app/hooks/http_posts.h"

#include "core/base/host.h"
#include "core/base/text.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <map>
#include <sys/socket.h>
#include <unistd.h>

namespace slashpost::app {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using List = std::unique_ptr<curl_slist, FreeList>;

void append(List& list, const std::string& text) {
    auto* longer = curl_slist_append(list.get(), text.c_str());
    if (longer == nullptr)
        throw std::bad_alloc();
    static_cast<void>(list.release());
    list.reset(longer);
}

// As far as it is UTF-8 when it is cut off there; otherwise its ASCII.
std::string readable(std::string text) {
    constexpr std::size_t character_bytes_max = 4;
    for (std::size_t cut = 0; cut < character_bytes_max && cut <= text.size(); ++cut)
        if (is_utf8(std::string_view(text).substr(0, text.size() - cut))) {
            text.resize(text.size() - cut);
            break;
        }
    if (!is_utf8(text))
        std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
    std::ranges::replace(text, '\0', ' ');
    return text;
}

// One post on its way.
struct Transfer {
    Transfer(const Reachable& where, const PostOptions& bounds, const Post& given)
        : reachable(where),
          options(bounds),
          post(given),
          curl(curl_easy_init(), &curl_easy_cleanup) {
        if (!curl)
            throw std::bad_alloc();
        configure();
    }
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    PostOutcome outcome(CURLcode code);

    const Reachable& reachable;
    const PostOptions& options;
    const Post post; // its body is read from here
    List headers, addresses;
    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl;
    std::array<char, CURL_ERROR_SIZE> details{};
    std::string text;
    std::size_t header_bytes = 0, body_bytes = 0;
    bool refused = false; // an address that is not reachable
    const Clock::time_point begun = Clock::now();

  private:
    // Fails only for options that this libcurl does not know, or without memory.
    template <class V>
    void set(CURLoption option, V value) {
        if (curl_easy_setopt(curl.get(), option, value) != CURLE_OK)
            throw std::bad_alloc();
    }
    void configure();
    void pin_address();
};

// The last moment before a connection: libcurl connects to this very address.
curl_socket_t open_socket(void* user, curlsocktype purpose, curl_sockaddr* address) {
    auto& transfer = *static_cast<Transfer*>(user);
    if (purpose != CURLSOCKTYPE_IPCXN || !transfer.reachable.covers(&address->addr)) {
        transfer.refused = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

std::size_t take_header(char*, std::size_t size, std::size_t count, void* user) {
    auto& transfer = *static_cast<Transfer*>(user);
    transfer.header_bytes += size * count;
    return transfer.header_bytes <= transfer.options.answer_bytes_max ? size * count : 0;
}

std::size_t take_body(char* data, std::size_t size, std::size_t count, void* user) {
    auto& transfer = *static_cast<Transfer*>(user);
    const auto bytes = size * count;
    const auto room = transfer.options.text_bytes_max - transfer.text.size();
    transfer.text.append(data, std::min(bytes, room));
    transfer.body_bytes += bytes;
    return transfer.body_bytes <= transfer.options.answer_bytes_max ? bytes : 0;
}

void Transfer::configure() {
    for (const auto& header : post.headers)
        append(headers, header);
    append(headers, "Expect:"); // or a large body would wait for a word
    set(CURLOPT_PRIVATE, this);
    set(CURLOPT_ERRORBUFFER, details.data());
    set(CURLOPT_URL, post.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, options.plain ? "https,http" : "https");
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_HTTPHEADER, headers.get());
    set(CURLOPT_USERAGENT, "Slashpost-Webhooks");
    set(CURLOPT_POSTFIELDS, post.body.data());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(post.body.size()));
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_PROXY, "");
    set(CURLOPT_NOPROXY, "*");
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_DNS_CACHE_TIMEOUT, 0L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_max.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(options.whole_max.count()));
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    if (!options.ca_file.empty())
        set(CURLOPT_CAINFO, options.ca_file.c_str());
    set(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    set(CURLOPT_OPENSOCKETDATA, this);
    set(CURLOPT_HEADERFUNCTION, take_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_WRITEFUNCTION, take_body);
    set(CURLOPT_WRITEDATA, this);
    if (options.look_up)
        pin_address();
}

void Transfer::pin_address() {
    const auto from = post.url.find("//") + 2;
    const auto place = std::string_view(post.url).substr(from, post.url.find_first_of("/?#", from) - from);
    const auto authority = split_authority(place);
    if (!authority)
        return;
    append(addresses, fmt::format("{}:{}:{}", authority->host,
                                  authority->port_number().value_or(post.url.starts_with("https") ? 443 : 80),
                                  options.look_up(authority->host)));
    set(CURLOPT_RESOLVE, addresses.get());
    set(CURLOPT_FRESH_CONNECT, 1L);
    set(CURLOPT_FORBID_REUSE, 1L);
}

PostOutcome Transfer::outcome(CURLcode code) {
    PostOutcome out{.id = post.id,
                    .text = {},
                    .took = std::chrono::duration_cast<milliseconds>(Clock::now() - begun),
                    .retry_after_seconds = {}};
    long status = 0;
    curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
    // A final status is an answer, whatever became of what stands behind it.
    if (status >= 200 && status <= 999) {
        out.answered = static_cast<std::uint16_t>(status);
        out.text = readable(std::move(text));
        curl_off_t seconds = 0;
        if (curl_easy_getinfo(curl.get(), CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK && seconds > 0)
            out.retry_after_seconds = seconds;
        return out;
    }
    if (refused)
        out.text = "The address is none that is sent to: it lies in a private or special network.";
    else if (code == CURLE_OPERATION_TIMEDOUT)
        out.text = "It took too long.";
    else
        out.text = readable(details[0] != '\0' ? details.data() : curl_easy_strerror(code));
    return out;
}

class HttpPoster final : public Poster {
  public:
    HttpPoster(const Reachable& reachable, PostOptions options)
        : reachable_(reachable),
          options_(std::move(options)),
          multi_(curl_multi_init(), &curl_multi_cleanup) {
        if (!multi_)
            throw std::bad_alloc();
        curl_multi_setopt(multi_.get(), CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
        curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, connections_kept);
    }
    ~HttpPoster() override {
        for (const auto& [handle, transfer] : transfers_)
            curl_multi_remove_handle(multi_.get(), handle);
        transfers_.clear();
    }
    HttpPoster(const HttpPoster&) = delete;
    HttpPoster& operator=(const HttpPoster&) = delete;

    void begin(const Post& post) override {
        auto transfer = std::make_unique<Transfer>(reachable_, options_, post);
        auto* const handle = transfer->curl.get();
        transfers_.emplace(handle, std::move(transfer));
        if (curl_multi_add_handle(multi_.get(), handle) != CURLM_OK) {
            transfers_.erase(handle);
            throw std::bad_alloc();
        }
    }

    std::vector<PostOutcome> wait(milliseconds longest) override {
        const auto end = Clock::now() + longest;
        for (;;) {
            int running = 0;
            curl_multi_perform(multi_.get(), &running);
            auto out = take_done();
            const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
            if (!out.empty() || left.count() <= 0)
                return out;
            curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(left.count()), nullptr);
        }
    }

    [[nodiscard]] std::size_t under_way() const override { return transfers_.size(); }

  private:
    static constexpr long connections_kept = 16;

    std::vector<PostOutcome> take_done() {
        std::vector<PostOutcome> out;
        int left = 0;
        while (const auto* message = curl_multi_info_read(multi_.get(), &left)) {
            if (message->msg != CURLMSG_DONE)
                continue;
            auto* const handle = message->easy_handle;
            const auto code = message->data.result; // gone with the handle
            out.push_back(transfers_.at(handle)->outcome(code));
            curl_multi_remove_handle(multi_.get(), handle);
            transfers_.erase(handle);
        }
        return out;
    }

    const Reachable& reachable_;
    const PostOptions options_;
    std::unique_ptr<CURLM, decltype(&curl_multi_cleanup)> multi_;
    std::map<CURL*, std::unique_ptr<Transfer>> transfers_;
};

} // namespace

std::unique_ptr<Poster> make_http_poster(const Reachable& reachable, PostOptions options) {
    static const auto ready = curl_global_init(CURL_GLOBAL_DEFAULT); // once, before any other use
    if (ready != CURLE_OK)
        throw std::bad_alloc();
    return std::make_unique<HttpPoster>(reachable, std::move(options));
}

} // namespace slashpost::app
