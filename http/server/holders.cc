#include "http/server/holders.h"

#include "core/base/percent.h"
#include "core/base/random.h"
#include "core/base/siphash.h"

#include <boost/beast/core/string.hpp>
#include <span>

namespace slashpost::http {

namespace {

constexpr std::string_view key_name = "apikey";

SipKey make_key() {
    SipKey made;
    SystemRandom random;
    random.fill({reinterpret_cast<std::uint8_t*>(&made), sizeof made});
    return made;
}

// Made when the program starts: no connection waits for the system's randomness.
const SipKey key_of_numbers = make_key();

Holder number_of(std::string_view bytes) { return siphash(key_of_numbers, bytes); }

} // namespace

std::string shown_key(const RequestHead& head) {
    const auto fields = std::span(head.fields).first(head.field_count);
    for (const auto& field : fields)
        if (boost::beast::iequals(field.name, key_name) && !field.value.empty())
            return std::string(field.value);
    for (const auto& field : fields)
        if (boost::beast::iequals(field.name, "authorization") && !bearer_key(field.value).empty())
            return std::string(bearer_key(field.value));
    for (auto rest = head.query; !rest.empty();) {
        const auto begin = rest.rfind('&') + 1; // npos + 1 is 0
        const auto parameter = rest.substr(begin);
        const auto name = parameter.substr(0, parameter.find('='));
        if (percent_decoded(name) == key_name)
            return percent_decoded(parameter.substr(std::min(name.size() + 1, parameter.size())));
        rest = rest.substr(0, begin == 0 ? 0 : begin - 1);
    }
    return {};
}

Holder holder_of_key(std::string_view key) { return number_of(key); }

Holder holder_of(const redirect::Address& address) {
    const auto network = address.network();
    return number_of({reinterpret_cast<const char*>(network.bytes.data()), network.bytes.size()});
}

} // namespace slashpost::http
