#include "app/hooks/page_reader.h"

#include "app/hooks/guarded_handle.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace slashpost::app {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// What comes of one transfer.
struct PageTransfer {
    const PageReader::Options& options;
    std::string body;
    std::size_t header_bytes = 0;
};

std::size_t take_page_header(char*, std::size_t size, std::size_t count, void* user) {
    auto& transfer = *static_cast<PageTransfer*>(user);
    transfer.header_bytes += size * count;
    return transfer.header_bytes <= transfer.options.header_bytes_max ? size * count : 0;
}

// Ends the transfer behind the bytes that are wanted.
std::size_t take_page_bytes(char* data, std::size_t size, std::size_t count, void* user) {
    auto& transfer = *static_cast<PageTransfer*>(user);
    const auto bytes = size * count;
    const auto taken = std::min(bytes, transfer.options.page_bytes_max - transfer.body.size());
    transfer.body.append(data, taken);
    return taken == bytes ? bytes : 0;
}

CurlList page_headers() {
    CurlList out;
    append(out, "Accept: text/html,application/xhtml+xml");
    return out;
}

// Where the answer leads on; nothing when it is not a redirect.
std::optional<std::string> next_address(const GuardedHandle& handle, long status) {
    const auto* const next = handle.info<const char*>(CURLINFO_REDIRECT_URL);
    if (status < 300 || status > 399 || next == nullptr)
        return std::nullopt;
    return next;
}

} // namespace

// For as long as it lives, a page is being read for the account; nothing when that may not be.
class PageReader::Place {
  public:
    Place(PageReader& reader, const AccountId& account) : reader_(reader), account_(account) {
        const std::lock_guard lock(reader_.mutex_);
        auto& under_way = reader_.under_way_;
        if (std::ranges::find(under_way, account) != under_way.end())
            problem_ = WebPageProblem::account_is_busy;
        else if (under_way.size() >= reader_.options_.pages_max)
            problem_ = WebPageProblem::server_is_busy;
        else
            under_way.push_back(account);
    }
    ~Place() {
        if (problem_)
            return;
        const std::lock_guard lock(reader_.mutex_);
        std::erase(reader_.under_way_, account_);
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    [[nodiscard]] const std::optional<WebPageProblem>& problem() const { return problem_; }

  private:
    PageReader& reader_;
    const AccountId account_;
    std::optional<WebPageProblem> problem_;
};

PageReader::PageReader(const Reachable& reachable, Options options)
    : reachable_(reachable),
      options_(std::move(options)) {}

WebPageAnswer PageReader::read(std::string_view address, const AccountId& account) {
    const Place place(*this, account);
    if (place.problem())
        return std::unexpected(*place.problem());
    return follow(std::string(address));
}

WebPageAnswer PageReader::follow(std::string address) {
    PageTransfer transfer{.options = options_, .body = {}};
    const auto headers = page_headers();
    GuardedHandle handle(reachable_, {.plain = true,
                                      .ca_file = options_.ca_file,
                                      .connect_max = options_.whole_max,
                                      .look_up = options_.look_up});
    handle.set(CURLOPT_HTTPHEADER, headers.get());
    handle.set(CURLOPT_USERAGENT, "Slashpost-Titles");
    handle.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    handle.set(CURLOPT_QUICK_EXIT, 1L); // a name that is still being looked up is not waited for
    handle.set(CURLOPT_HEADERFUNCTION, take_page_header);
    handle.set(CURLOPT_HEADERDATA, &transfer);
    handle.set(CURLOPT_WRITEFUNCTION, take_page_bytes);
    handle.set(CURLOPT_WRITEDATA, &transfer);

    const auto end = Clock::now() + options_.whole_max;
    for (int redirects = 0; redirects <= options_.redirects_max; ++redirects) {
        const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
        if (left.count() <= 0)
            return std::unexpected(WebPageProblem::no_answer);
        transfer.body.clear();
        transfer.header_bytes = 0;
        handle.aim(address, left);
        const auto code = curl_easy_perform(handle.get());
        // A final status is an answer, whatever became of what stands behind it.
        const auto status = handle.info<long>(CURLINFO_RESPONSE_CODE);
        if (transfer.header_bytes == 0 || status < 200) {
            const bool never_is = code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_URL_MALFORMAT ||
                                  code == CURLE_LOGIN_DENIED;
            return std::unexpected(handle.was_refused() ? WebPageProblem::not_public
                                   : never_is           ? WebPageProblem::no_page
                                                        : WebPageProblem::no_answer);
        }
        if (status >= 200 && status <= 299) {
            const auto* const type = handle.info<const char*>(CURLINFO_CONTENT_TYPE);
            return WebPage{.content_type = type == nullptr ? "" : type, .bytes = std::move(transfer.body)};
        }
        auto next = next_address(handle, status);
        if (!next)
            break;
        address = *std::move(next);
    }
    return std::unexpected(WebPageProblem::no_page);
}

} // namespace slashpost::app
