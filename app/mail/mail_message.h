#pragma once
// A letter as the bytes that a mail server is given: RFC 5322 with MIME. Whatever the letter says, its words
// stay inside the subject and the text: headers are encoded, the text is base64, so no line of it is ours.
#include "core/work/mails.h"

#include <string>
#include <string_view>

namespace slashpost::app {

// The value of a header: as it is when it is plain, else as encoded words of RFC 2047, in lines of at most 76
// characters whose later ones begin with a space. `name` is the header's, for the length of the first line.
std::string header_value(std::string_view name, std::string_view text);

// "Fri, 15 Jan 2027 08:00:00 +0000"
std::string mail_date(Timestamp time);

// The whole message with lines that end in CR LF. `from` is an address; the receiver's is the letter's.
std::string render_mail(const Letter& letter, std::string_view from);

} // namespace slashpost::app
