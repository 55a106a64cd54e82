#include "core/base/hostless.h"

#include "core/base/ascii.h"
#include "core/base/percent.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace slashpost {

namespace {

// What stands behind the scheme. mailbox: RFC 6068, 3261 and 6120; number: RFC 3966 and 5724; place: RFC
// 5870; name: whatever the app takes it for.
enum class Form : std::uint8_t { mailbox, mailbox_or_number, number, place, magnet, name };

constexpr std::array<std::pair<std::string_view, Form>, 21> forms{{
    {"bitcoin", Form::name},
    {"callto", Form::mailbox_or_number},
    {"ethereum", Form::name},
    {"facetime", Form::mailbox_or_number},
    {"facetime-audio", Form::mailbox_or_number},
    {"geo", Form::place},
    {"im", Form::mailbox},
    {"lightning", Form::name},
    {"magnet", Form::magnet},
    {"mailto", Form::mailbox},
    {"mms", Form::number},
    {"mmsto", Form::number},
    {"sip", Form::mailbox_or_number},
    {"sips", Form::mailbox_or_number},
    {"skype", Form::name},
    {"sms", Form::number},
    {"smsto", Form::number},
    {"spotify", Form::name},
    {"tel", Form::number},
    {"whatsapp", Form::name},
    {"xmpp", Form::mailbox},
}};

const Form* form_of(std::string_view scheme) {
    const auto* const found = std::ranges::find(forms, scheme, &std::pair<std::string_view, Form>::first);
    return found == forms.end() ? nullptr : &found->second;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// "ann@example.com", undone of escapes.
bool is_mailbox(std::string_view text) {
    const auto at = text.rfind('@');
    return at != text.npos && at > 0 && at + 1 < text.size() && text.front() != '/' &&
           std::ranges::none_of(text,
                                [](char c) { return is_control(c) || c == ' ' || c == '<' || c == '>'; });
}

// "+49 (30) 1234", with parameters such as ";ext=5" behind it, undone of escapes.
bool is_number(std::string_view text) {
    auto parameters = text;
    const auto number = take_until(parameters, ';');
    const auto in_number = [](char c) {
        return ascii::is_digit(c) || std::string_view("+-.() *#,").contains(c);
    };
    return std::ranges::any_of(number, ascii::is_digit) && std::ranges::all_of(number, in_number) &&
           number.find('+', 1) == number.npos &&
           std::ranges::all_of(parameters, [](char c) { return c > ' ' && c < '\x7f'; });
}

bool is_degrees(std::string_view text, double max) {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    return error == std::errc() && end == text.data() + text.size() && value >= -max && value <= max;
}

// "52.5,13.4", perhaps with a height and ";u=35" behind it.
bool is_place(std::string_view text) {
    auto places = take_until(text, ';');
    const auto latitude = take_until(places, ',');
    const auto longitude = take_until(places, ',');
    return is_degrees(latitude, 90) && is_degrees(longitude, 180) &&
           (places.empty() || is_degrees(places, 1e6));
}

bool is_magnet(std::string_view query) {
    while (!query.empty()) {
        const auto parameter = take_until(query, '&');
        const auto equals = parameter.find('=');
        const auto name = parameter.substr(0, equals);
        if ((name == "xt" || name.starts_with("xt.")) && equals != parameter.npos &&
            percent_decoded(parameter.substr(equals + 1)).starts_with("urn:"))
            return true;
    }
    return false;
}

template <class Is>
bool all_of_list(std::string_view list, Is&& is) {
    bool any = false;
    while (!list.empty()) {
        if (!is(percent_decoded(take_until(list, ','))))
            return false;
        any = true;
    }
    return any;
}

bool has_recipient(std::string_view query) {
    while (!query.empty())
        if (take_until(query, '&').starts_with("to="))
            return true;
    return false;
}

// An empty text: it is fine.
std::string_view fault_of(Form form, std::string_view path, std::string_view query) {
    const auto is_either = [](std::string_view text) { return is_mailbox(text) || is_number(text); };
    switch (form) {
    case Form::mailbox:
        return all_of_list(path, is_mailbox) || (path.empty() && has_recipient(query))
                   ? ""
                   : "it must name an address such as ann@example.com";
    case Form::mailbox_or_number:
        return all_of_list(path, is_either) ? "" : "it must name an address or a telephone number";
    case Form::number:
        return all_of_list(path, is_number) ? "" : "it must name a telephone number such as +49301234";
    case Form::place:
        return is_place(path) ? "" : "it must name a latitude and a longitude such as 52.5,13.4";
    case Form::magnet:
        return path.empty() && is_magnet(query) ? "" : "it must have a parameter xt that begins with urn:";
    case Form::name:
        break;
    }
    const auto plain = percent_decoded(path.substr(path.starts_with("//") ? 2 : 0)); // some apps take both
    const bool is_name = !plain.empty() && plain.front() != '/' && plain.front() != '\\' &&
                         std::ranges::none_of(plain, [](char c) { return is_control(c) || c == ' '; });
    return is_name ? "" : "it must name something behind its scheme";
}

} // namespace

bool names_no_host(std::string_view scheme) { return form_of(scheme) != nullptr; }

std::expected<void, std::string> check_hostless(std::string_view scheme, std::string_view rest) {
    rest = rest.substr(0, rest.find('#'));
    auto query = rest;
    const auto path = take_until(query, '?');
    const auto* const form = form_of(scheme);
    if (form == nullptr)
        return std::unexpected("its scheme names a host");
    if (const auto fault = fault_of(*form, path, query); !fault.empty())
        return std::unexpected(std::string(fault));
    return {};
}

} // namespace slashpost
