#include "dns/txt_answer.h"

#include <algorithm>
#include <ares.h>
#include <arpa/nameser.h>
#include <cstdint>
#include <memory>
#include <utility>

namespace slashpost::dns {

namespace {

constexpr std::size_t head_bytes = 12, records_max = 1'000;
constexpr int aliases_max = 16;

std::string lower(std::string_view name) {
    std::string out(name);
    std::ranges::transform(out, out.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
}

struct Record {
    std::string owner; // in lower case, as all names here
    unsigned type = 0, of_class = 0;
    std::size_t begin = 0, size = 0; // of its data
};

// Reads an answer from its beginning. What goes beyond its end is nothing, and so is all that follows.
class Reader {
  public:
    explicit Reader(std::span<const unsigned char> answer) : answer_(answer) {}

    [[nodiscard]] bool at(std::size_t place) {
        at_ = place;
        return place <= answer_.size();
    }
    std::optional<unsigned> number() { // of two bytes
        if (answer_.size() - at_ < 2)
            return std::nullopt;
        const unsigned value = answer_[at_] * 256U + answer_[at_ + 1];
        at_ += 2;
        return value;
    }
    std::optional<std::string> name() {
        char* text = nullptr;
        long size = 0;
        if (at_ >= answer_.size() ||
            ares_expand_name(&answer_[at_], answer_.data(), static_cast<int>(answer_.size()), &text, &size) !=
                ARES_SUCCESS)
            return std::nullopt;
        const std::unique_ptr<char, decltype(&ares_free_string)> owner(text, &ares_free_string);
        at_ += static_cast<std::size_t>(size);
        return at_ <= answer_.size() ? std::optional(lower(text)) : std::nullopt;
    }
    std::optional<Record> record() {
        Record out;
        auto owner = name();
        const auto type = owner ? number() : std::nullopt;
        const auto of_class = type ? number() : std::nullopt;
        if (!of_class || !number() || !number()) // for how long it holds
            return std::nullopt;
        const auto size = number();
        if (!size || answer_.size() - at_ < *size)
            return std::nullopt;
        out = {.owner = std::move(*owner), .type = *type, .of_class = *of_class, .begin = at_, .size = *size};
        at_ += *size;
        return out;
    }
    // The strings of a TXT record; nothing when one of them is longer than the record.
    [[nodiscard]] std::optional<std::string> text(const Record& record) const {
        std::string out;
        for (auto left = answer_.subspan(record.begin, record.size); !left.empty();) {
            const std::size_t size = left.front();
            if (size >= left.size())
                return std::nullopt;
            out.append(left.begin() + 1, left.begin() + 1 + static_cast<std::ptrdiff_t>(size));
            left = left.subspan(1 + size);
        }
        return out;
    }

  private:
    std::span<const unsigned char> answer_;
    std::size_t at_ = 0;
};

// Of each name in an answer.
struct Said {
    std::vector<std::pair<std::string, std::string>> aliases, texts;
};

std::optional<Said> read(std::span<const unsigned char> answer) {
    Reader reader(answer);
    if (!reader.at(4))
        return std::nullopt;
    const auto questions = reader.number(), records = questions ? reader.number() : std::nullopt;
    if (!records || *questions != 1 || !reader.at(head_bytes) || !reader.name() || !reader.number() ||
        !reader.number())
        return std::nullopt;
    Said said;
    for (std::size_t i = 0; i < std::min<std::size_t>(*records, records_max); ++i) {
        const auto record = reader.record();
        if (!record)
            return std::nullopt;
        if (record->of_class != ns_c_in)
            continue;
        if (record->type == ns_t_txt) {
            auto text = reader.text(*record);
            if (!text)
                return std::nullopt;
            said.texts.emplace_back(record->owner, std::move(*text));
        } else if (record->type == ns_t_cname) {
            Reader inside(answer);
            auto target = inside.at(record->begin) ? inside.name() : std::nullopt;
            if (!target)
                return std::nullopt;
            said.aliases.emplace_back(record->owner, std::move(*target));
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
    auto about = lower(name);
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
