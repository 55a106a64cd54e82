#include "app/mail/smtp.h"

#include "app/mail/mail_message.h"
#include "core/base/email.h"
#include "core/base/host.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace slashpost::app {

namespace {

constexpr long connect_seconds_max = 15;
constexpr long whole_seconds_max = 120;
constexpr std::string_view plain_scheme = "smtp://";

struct Source {
    std::string bytes;
    std::size_t given = 0;
};

std::size_t read_source(char* out, std::size_t size, std::size_t count, void* user) {
    auto& source = *static_cast<Source*>(user);
    const auto bytes = std::min(size * count, source.bytes.size() - source.given);
    source.bytes.copy(out, bytes, source.given);
    source.given += bytes;
    return bytes;
}

int end_when_stopping(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<const std::stop_token*>(user)->stop_requested() ? 1 : 0;
}

bool is_this_machine(std::string_view url) {
    auto rest = url.substr(std::min(url.size(), url.find("//") + 2));
    const auto authority = split_authority(rest);
    static constexpr std::array<std::string_view, 3> names{"localhost", "127.0.0.1", "[::1]"};
    return authority && std::ranges::find(names, authority->host) != names.end();
}

// What an operator can do about a connection that is not safe enough.
std::string_view advice_about(CURLcode code) {
    if (code == CURLE_USE_SSL_FAILED)
        return "; the server offers no STARTTLS, and without it nothing is sent unless smtp-insecure is on";
    if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE)
        return "; nothing is sent to a server whose certificate is not good for its name: name it in "
               "smtp-url as the "
               "certificate does, give smtp-ca, or set smtp-insecure to on";
    return "";
}

// A server's "no" for good is a code of 500 and above to the receiver or to the mail itself, whose sending
// had begun. Anything else may be otherwise another time: a refused login or sender is for the operator to
// mend, and must not cost all mails.
MailOutcome outcome_of(CURLcode code, long answered, std::string_view details, bool begun) {
    if (code == CURLE_OK)
        return {.kind = MailOutcome::Kind::sent, .reason = {}};
    const bool about_the_mail =
        begun || details.starts_with("RCPT failed") || details.starts_with("DATA failed");
    const bool for_good = about_the_mail && answered >= 500 && answered < 600;
    return {.kind = for_good ? MailOutcome::Kind::refused : MailOutcome::Kind::later,
            .reason = fmt::format(
                "{}{}{}", details.empty() ? curl_easy_strerror(code) : details, advice_about(code),
                answered > 0 ? fmt::format(" (the server's last answer: {})", answered) : std::string())};
}

class SmtpCarrier final : public MailCarrier {
  public:
    explicit SmtpCarrier(const SmtpOptions& options)
        : options_(options),
          curl_(curl_easy_init(), &curl_easy_cleanup) {
        if (!curl_)
            throw std::bad_alloc();
        const bool plain = options_.url.starts_with(plain_scheme);
        const bool unsafe_will_do = options_.insecure || (plain && is_this_machine(options_.url));
        set(CURLOPT_URL, options_.url.c_str());
        set(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
        set(CURLOPT_PROXY, "");
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_CONNECTTIMEOUT, connect_seconds_max);
        set(CURLOPT_TIMEOUT, whole_seconds_max);
        set(CURLOPT_USE_SSL, static_cast<long>(unsafe_will_do ? CURLUSESSL_TRY : CURLUSESSL_ALL));
        // Where an unsafe connection would do as well, a certificate of nobody's must not stop the mail.
        set(CURLOPT_SSL_VERIFYPEER, unsafe_will_do ? 0L : 1L);
        set(CURLOPT_SSL_VERIFYHOST, unsafe_will_do ? 0L : 2L);
        if (!options_.ca_file.empty())
            set(CURLOPT_CAINFO, options_.ca_file.c_str());
        set(CURLOPT_MAIL_FROM, sender_.c_str());
        if (!options_.user.empty()) {
            set(CURLOPT_USERNAME, options_.user.c_str());
            set(CURLOPT_PASSWORD, options_.password.c_str());
        }
        set(CURLOPT_UPLOAD, 1L);
        set(CURLOPT_READFUNCTION, read_source);
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFOFUNCTION, end_when_stopping);
        set(CURLOPT_ERRORBUFFER, details_.data());
    }

    MailOutcome carry(const Letter& letter, const std::stop_token& stopping) override {
        if (!is_email(letter.to)) // it would be part of a command and of a header
            return {.kind = MailOutcome::Kind::refused, .reason = "the address is not one"};
        const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> receivers(
            curl_slist_append(nullptr, fmt::format("<{}>", letter.to).c_str()), &curl_slist_free_all);
        Source source{.bytes = render_mail(letter, options_.from)};
        set(CURLOPT_MAIL_RCPT, receivers.get());
        set(CURLOPT_READDATA, &source);
        set(CURLOPT_XFERINFODATA, &stopping);
        details_[0] = '\0';
        const auto code = curl_easy_perform(curl_.get());
        long answered = 0;
        curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &answered);
        return outcome_of(code, answered, details_.data(), source.given > 0);
    }

  private:
    // Fails only for options that this libcurl does not know, or without memory.
    template <class V>
    void set(CURLoption option, V value) {
        if (curl_easy_setopt(curl_.get(), option, value) != CURLE_OK)
            throw std::bad_alloc();
    }

    const SmtpOptions options_;
    const std::string sender_ = fmt::format("<{}>", options_.from);
    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
    std::array<char, CURL_ERROR_SIZE> details_{};
};

} // namespace

std::unique_ptr<MailCarrier> make_smtp_carrier(const SmtpOptions& options) {
    static const auto ready = curl_global_init(CURL_GLOBAL_DEFAULT); // once, before any other use
    if (ready != CURLE_OK)
        throw std::bad_alloc();
    return std::make_unique<SmtpCarrier>(options);
}

} // namespace slashpost::app
