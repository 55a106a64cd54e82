#include "app/mail/mail_message.h"

#include "tests/support/must.h"

using namespace slashpost;
using namespace slashpost::app;

namespace {

Letter letter_with(std::string subject, std::string text) {
    return {.mail = *MailId::parse("01a1f87b88f0000064f0b596520b1965"),
            .to = "ann@example.com",
            .subject = std::move(subject),
            .text = std::move(text),
            .date = {1'800'000'000'000}};
}

// "x" repeated.
std::string many(std::string_view what, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i)
        out += what;
    return out;
}

} // namespace

TEST_CASE("a mail is rendered as these bytes", "[mail]") {
    CHECK(render_mail(letter_with("Invitation to the workspace \"Läden\"", "Hi Ann,\nü\n"),
                      "post@go.example.com") ==
          "Date: Fri, 15 Jan 2027 08:00:00 +0000\r\n"
          "From: Slashpost <post@go.example.com>\r\n"
          "To: <ann@example.com>\r\n"
          "Subject: =?UTF-8?B?SW52aXRhdGlvbiB0byB0aGUgd29ya3NwYWNlICJMw6RkZW4i?=\r\n"
          "Message-ID: <01a1f87b88f0000064f0b596520b1965@go.example.com>\r\n"
          "Auto-Submitted: auto-generated\r\n"
          "MIME-Version: 1.0\r\n"
          "Content-Type: text/plain; charset=UTF-8\r\n"
          "Content-Transfer-Encoding: base64\r\n"
          "\r\n"
          "SGkgQW5uLA0Kw7wNCg==\r\n");
}

TEST_CASE("a plain header stays readable, any other is encoded whole", "[mail]") {
    CHECK(header_value("Subject", "A \"plain\" one") == "A \"plain\" one");
    CHECK(header_value("Subject", "").empty());
    CHECK(header_value("Subject", "=?x") == "=?UTF-8?B?PT94?="); // not taken for an encoded one
    CHECK(header_value("Subject", "a\r\nBcc: x@y.co") == "=?UTF-8?B?YQ0KQmNjOiB4QHkuY28=?=");
    CHECK(header_value("Subject", " a") == "=?UTF-8?B?IGE=?=");
}

TEST_CASE("a long header is folded between characters into lines of at most 76", "[mail]") {
    CHECK(header_value("Subject", many("ä", 40)) ==
          "=?UTF-8?B?w6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOkw6Q=?=\r\n"
          " =?UTF-8?B?w6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOkw6TDpMOk?=");
    auto rest = "Subject: " + header_value("Subject", many("€uro ", 200));
    for (std::size_t end = rest.find("\r\n"); end != rest.npos; end = rest.find("\r\n")) {
        CHECK(end <= 76);
        rest.erase(0, end + 2);
        CHECK(rest.starts_with(" =?UTF-8?B?"));
    }
}

TEST_CASE("no word of a letter becomes a header or a line of its own", "[mail]") {
    const auto mail =
        render_mail(letter_with("a\r\nBcc: x@y.co", ".\r\n.\n\nBcc: x@y.co\n"), "post@go.example.com");
    CHECK(mail.find("Bcc") == mail.npos);
    CHECK(mail.find("\r\n.\r\n") == mail.npos);
    for (std::size_t at = mail.find('\n'); at != mail.npos; at = mail.find('\n', at + 1))
        CHECK(mail[at - 1] == '\r');
}

TEST_CASE("a long text is cut into lines of 76 characters", "[mail]") {
    const auto mail = render_mail(letter_with("s", many("x", 58)), "post@go.example.com");
    CHECK_THAT(mail, Catch::EndsWith(
                         "\r\n\r\n"
                         "eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4\r\n"
                         "eA==\r\n"));
}
