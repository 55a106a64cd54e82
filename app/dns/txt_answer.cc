#include "app/dns/txt_answer.h"

#include "core/base/text.h"

#include <algorithm>
#include <arpa/nameser.h>
#include <array>
#include <utility>

namespace slashpost::dns {

namespace {

constexpr int records_max = 1'000, aliases_max = 16;

// The strings of a TXT record; nothing when one of them is longer than the record.
std::optional<std::string> text_in(std::span<const unsigned char> data) {
    std::string out;
    while (!data.empty()) {
        const std::size_t size = data.front();
        if (size >= data.size())
            return std::nullopt;
        out.append(data.begin() + 1, data.begin() + 1 + static_cast<std::ptrdiff_t>(size));
        data = data.subspan(1 + size);
    }
    return out;
}

// Names here are in lower case.
std::optional<std::string> name_in(const ns_msg& answer, const ns_rr& record) {
    std::array<char, NS_MAXDNAME> name{};
    if (::ns_name_uncompress(ns_msg_base(answer), ns_msg_end(answer), ns_rr_rdata(record), name.data(),
                             name.size()) < 0)
        return std::nullopt;
    return lower_ascii(name.data());
}

// Of each name in an answer.
struct Said {
    std::vector<std::pair<std::string, std::string>> aliases, texts;
};

std::optional<Said> read(std::span<const unsigned char> bytes) {
    ns_msg answer{};
    if (::ns_initparse(bytes.data(), static_cast<int>(bytes.size()), &answer) != 0 ||
        ns_msg_count(answer, ns_s_qd) != 1)
        return std::nullopt;
    Said said;
    const int records = std::min<int>(ns_msg_count(answer, ns_s_an), records_max);
    for (int i = 0; i < records; ++i) {
        ns_rr record{};
        if (::ns_parserr(&answer, ns_s_an, i, &record) != 0)
            return std::nullopt;
        if (ns_rr_class(record) != ns_c_in)
            continue;
        if (ns_rr_type(record) == ns_t_txt) {
            auto text = text_in({ns_rr_rdata(record), std::size_t{record.rdlength}});
            if (!text)
                return std::nullopt;
            said.texts.emplace_back(lower_ascii(ns_rr_name(record)), *std::move(text));
        } else if (ns_rr_type(record) == ns_t_cname) {
            auto target = name_in(answer, record);
            if (!target)
                return std::nullopt;
            said.aliases.emplace_back(lower_ascii(ns_rr_name(record)), *std::move(target));
        }
    }
    return said;
}

} // namespace

std::optional<std::vector<std::string>> texts_of(std::span<const unsigned char> answer,
                                                 std::string_view name) {
    const auto said = read(answer);
    if (!said)
        return std::nullopt;
    auto about = lower_ascii(name);
    for (int i = 0; i < aliases_max; ++i) {
        const auto alias =
            std::ranges::find(said->aliases, about, &std::pair<std::string, std::string>::first);
        if (alias == said->aliases.end())
            break;
        about = alias->second;
    }
    std::vector<std::string> texts;
    for (const auto& [owner, text] : said->texts)
        if (owner == about)
            texts.push_back(text);
    return texts;
}

} // namespace slashpost::dns
