// What a visitor's headers say: user agent, Accept-Language, Referer.
#include "core/visitors/agents.h"
#include "core/visitors/visitor.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <string>

using namespace slashpost;
using namespace slashpost::fuzz;

constexpr auto host_bytes_max = ReferrerHost{}.bytes.size(); // a longer one loses labels in front

void slashpost::fuzz::try_input(std::string_view bytes) {
    auto left = bytes;
    const auto agent = take_line(left);
    const auto language = take_line(left);
    const auto first = redirect::know_agent(agent);
    const auto second = redirect::know_agent(std::string(agent)); // remembered by now
    must(first.mark == second.mark, "a header is told by its text");
    must(first.agent == second.agent, "what is remembered of a header is what was read");
    must((first.mark == 0) == agent.empty(), "only a missing header has no mark");

    const auto code = redirect::first_language(language);
    const auto liked = code.view();
    must(liked.size() <= 3, "a language is two or three letters");
    for (const char c : liked)
        must(c >= 'a' && c <= 'z', "a language is in lower case");

    const auto referrer = redirect::referrer_host(left, "go.example.com");
    const auto host = referrer.view();
    must(host.find_first_of("/@:?# \"<>") == std::string_view::npos, "a referrer is a host and nothing else");
    const auto begin = left.find("//");
    const auto authority = left.substr(begin == left.npos ? 0 : begin + 2);
    const bool is_cut = std::min(authority.find_first_of("/?#\\"), authority.size()) > host_bytes_max;
    must(host != "go.example.com" || is_cut, "one's own pages are no referrer, only what ends like them is");
}
