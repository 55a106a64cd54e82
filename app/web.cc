#include "app/web.h"

#include "core/base/errors.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <fmt/format.h>

namespace slashpost::app {

namespace {

constexpr long connect_seconds_max = 10;
constexpr std::int64_t retry_seconds_max = 7LL * 24 * 3600;

std::size_t keep_body(char* data, std::size_t size, std::size_t count, void* user) {
    auto& body = *static_cast<std::string*>(user);
    if (body.size() + size * count > answer_bytes_max)
        return 0; // ends the transfer
    body.append(data, size * count);
    return size * count;
}

int end_when_stopping(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<const std::stop_token*>(user)->stop_requested() ? 1 : 0;
}

class CurlWeb final : public Web {
  public:
    explicit CurlWeb(WebOptions options)
        : options_(std::move(options)),
          curl_(curl_easy_init(), &curl_easy_cleanup),
          headers_(nullptr, &curl_slist_free_all) {
        if (!curl_)
            throw std::bad_alloc();
    }

    Result<WebAnswer> send(const WebRequest& request, const std::stop_token& stopping) override {
        WebAnswer answer;
        prepare(request, answer, stopping);
        details_[0] = '\0';
        const auto code = curl_easy_perform(curl_.get());
        if (code != CURLE_OK)
            return unavailable(
                fmt::format("{} does not answer at {}: {}", options_.whom, request.url,
                            code == CURLE_WRITE_ERROR
                                ? "it sends too much"
                                : (details_[0] != '\0' ? details_.data() : curl_easy_strerror(code))));
        curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &answer.status);
        answer.nonce = header("Replay-Nonce");
        answer.location = header("Location");
        answer.retry_after = retry_after();
        return answer;
    }

  private:
    void prepare(const WebRequest& request, WebAnswer& answer, const std::stop_token& stopping) {
        curl_easy_reset(curl_.get()); // connections stay
        set(CURLOPT_URL, request.url.c_str());
        set(CURLOPT_PROTOCOLS_STR, options_.plain ? "https,http" : "https");
        set(CURLOPT_PROXY, "");
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_CONNECTTIMEOUT, connect_seconds_max);
        set(CURLOPT_TIMEOUT, options_.whole_max);
        set(CURLOPT_USERAGENT, "slashpost/" SLASHPOST_VERSION);
        if (!options_.ca_file.empty())
            set(CURLOPT_CAINFO, options_.ca_file.c_str());
        if (request.method == WebRequest::Method::head)
            set(CURLOPT_NOBODY, 1L);
        if (request.method == WebRequest::Method::post) {
            set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
            set(CURLOPT_POSTFIELDS, request.body.c_str());
        }
        headers_.reset();
        add_header("Content-Type", request.content_type);
        add_header("Authorization", request.authorization);
        set(CURLOPT_HTTPHEADER, headers_.get());
        set(CURLOPT_WRITEFUNCTION, keep_body);
        set(CURLOPT_WRITEDATA, &answer.body);
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFOFUNCTION, end_when_stopping);
        set(CURLOPT_XFERINFODATA, &stopping);
        set(CURLOPT_ERRORBUFFER, details_.data());
    }
    // Fails only for options that this libcurl does not know, or without memory.
    template <class V>
    void set(CURLoption option, V value) {
        if (curl_easy_setopt(curl_.get(), option, value) != CURLE_OK)
            throw std::bad_alloc();
    }
    // Nothing for an empty value.
    void add_header(std::string_view name, const std::string& value) {
        if (value.empty())
            return;
        auto* const longer = curl_slist_append(headers_.get(), fmt::format("{}: {}", name, value).c_str());
        if (longer == nullptr)
            throw std::bad_alloc();
        static_cast<void>(headers_.release());
        headers_.reset(longer);
    }
    std::string header(const char* name) {
        curl_header* found = nullptr;
        return curl_easy_header(curl_.get(), name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK ? found->value
                                                                                             : "";
    }
    // Seconds, or a date (RFC 9110, 10.2.3).
    std::optional<std::int64_t> retry_after() {
        const auto text = header("Retry-After");
        std::int64_t seconds = 0;
        if (text.empty())
            return std::nullopt;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
        if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
            const auto at = curl_getdate(text.c_str(), nullptr);
            if (at < 0)
                return std::nullopt;
            seconds = at - std::time(nullptr);
        }
        return std::clamp<std::int64_t>(seconds, 0, retry_seconds_max);
    }

    const WebOptions options_;
    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
    std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers_;
    std::array<char, CURL_ERROR_SIZE> details_{};
};

} // namespace

std::unique_ptr<Web> make_web(WebOptions options) {
    static const auto ready = curl_global_init(CURL_GLOBAL_DEFAULT); // once, before any other use
    if (ready != CURLE_OK)
        throw std::bad_alloc();
    return std::make_unique<CurlWeb>(std::move(options));
}

} // namespace slashpost::app
