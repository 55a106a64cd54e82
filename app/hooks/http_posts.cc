#include "app/hooks/http_posts.h"

#include "app/hooks/guarded_handle.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace slashpost::app {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

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

GuardOptions guard_of(const PostOptions& options) {
    return {.plain = options.plain,
            .ca_file = options.ca_file,
            .connect_max = options.connect_max,
            .look_up = options.look_up};
}

// One post on its way.
struct Transfer {
    Transfer(const Reachable& reachable, const PostOptions& bounds, const Post& given)
        : options(bounds),
          post(given),
          handle(reachable, guard_of(bounds)) {
        configure();
    }
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    PostOutcome outcome(CURLcode code);

    const PostOptions& options;
    const Post post; // its body is read from here
    CurlList headers;
    GuardedHandle handle;
    std::string text;
    std::size_t header_bytes = 0, body_bytes = 0;
    const Clock::time_point begun = Clock::now();

  private:
    void configure();
};

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
    handle.aim(post.url, options.whole_max);
    handle.set(CURLOPT_PRIVATE, this);
    handle.set(CURLOPT_HTTPHEADER, headers.get());
    handle.set(CURLOPT_USERAGENT, "Slashpost-Webhooks");
    handle.set(CURLOPT_POSTFIELDS, post.body.data());
    handle.set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(post.body.size()));
    handle.set(CURLOPT_HEADERFUNCTION, take_header);
    handle.set(CURLOPT_HEADERDATA, this);
    handle.set(CURLOPT_WRITEFUNCTION, take_body);
    handle.set(CURLOPT_WRITEDATA, this);
}

PostOutcome Transfer::outcome(CURLcode code) {
    PostOutcome out{.id = post.id,
                    .text = {},
                    .took = std::chrono::duration_cast<milliseconds>(Clock::now() - begun),
                    .retry_after_seconds = {}};
    const auto status = handle.info<long>(CURLINFO_RESPONSE_CODE);
    // A final status is an answer, whatever became of what stands behind it.
    if (status >= 200 && status <= 999) {
        out.answered = static_cast<std::uint16_t>(status);
        out.text = readable(std::move(text));
        curl_off_t seconds = 0;
        if (curl_easy_getinfo(handle.get(), CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK && seconds > 0)
            out.retry_after_seconds = seconds;
        return out;
    }
    if (handle.was_refused())
        out.text = "The address is none that is sent to: it lies in a private or special network.";
    else if (code == CURLE_OPERATION_TIMEDOUT)
        out.text = "It took too long.";
    else
        out.text =
            readable(std::string(handle.details().empty() ? curl_easy_strerror(code) : handle.details()));
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
        auto* const handle = transfer->handle.get();
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
    return std::make_unique<HttpPoster>(reachable, std::move(options));
}

} // namespace slashpost::app
