#include "core/base/html_title.h"

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/base/text_encodings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace slashpost {

namespace {

constexpr std::size_t declaration_bytes = 1'024; // among which a <meta> says the encoding (HTML, 13.2.3.2)

bool is_html_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }

bool ends_name(char c) { return is_html_blank(c) || c == '/' || c == '>'; }

// "<name ...>" or "</name>", with the attributes that are asked for here; of two of a name the first counts.
struct HtmlTag {
    enum Attribute : std::uint8_t { property, named, content, charset, http_equiv };
    static constexpr std::array<std::string_view, 5> names{"property", "name", "content", "charset",
                                                           "http-equiv"};

    std::string name; // in lower case
    bool is_end = false;
    bool closes_itself = false;
    std::array<std::optional<std::string_view>, names.size()> values; // with their character references

    void add(std::string_view attribute, std::string_view value) {
        const auto* const found = std::ranges::find(names, lower_ascii(attribute));
        if (found == names.end())
            return;
        auto& slot = values.at(static_cast<std::size_t>(found - names.begin()));
        if (!slot)
            slot = value;
    }
    [[nodiscard]] std::string_view value(Attribute attribute) const {
        return values.at(attribute).value_or(std::string_view());
    }
};

// Goes from tag to tag. Each byte is looked at a bounded number of times: what has no end is the end.
class HtmlTags {
  public:
    explicit HtmlTags(std::string_view text) : rest_(text) {}

    // Nothing at the end of the text, or where a tag or a comment has none.
    std::optional<HtmlTag> next() {
        while (pass("<")) {
            if (rest_.starts_with("!--")) {
                rest_.remove_prefix(1); // "<!-->" is a whole one
                pass("-->");
            } else if (rest_.starts_with('!') || rest_.starts_with('?')) {
                pass(">");
            } else if (const auto letter = rest_.substr(rest_.starts_with('/') ? 1 : 0, 1);
                       !letter.empty() && ascii::is_letter(letter.front())) {
                return read_tag();
            }
        }
        return std::nullopt;
    }

    // What stands before "</name", which is passed. Nothing without one, and then this is the end.
    std::optional<std::string_view> until_end_of(std::string_view name) {
        for (std::size_t at = rest_.find("</"); at != rest_.npos; at = rest_.find("</", at + 2)) {
            const auto behind = rest_.substr(at + 2);
            if (behind.size() <= name.size() || lower_ascii(behind.substr(0, name.size())) != name ||
                !ends_name(behind[name.size()]))
                continue;
            const auto out = rest_.substr(0, at);
            rest_ = behind;
            pass(">");
            return out;
        }
        rest_ = {};
        return std::nullopt;
    }

  private:
    bool pass(std::string_view mark) {
        const auto at = rest_.find(mark);
        rest_.remove_prefix(at == rest_.npos ? rest_.size() : at + mark.size());
        return at != rest_.npos;
    }
    template <class Holds>
    std::string_view take_while(Holds holds) {
        const auto out =
            rest_.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(rest_, holds) - rest_.begin()));
        rest_.remove_prefix(out.size());
        return out;
    }

    std::optional<HtmlTag> read_tag() {
        HtmlTag tag;
        tag.is_end = rest_.front() == '/';
        if (tag.is_end)
            rest_.remove_prefix(1);
        tag.name = lower_ascii(take_while([](char c) { return !ends_name(c); }));
        while (!rest_.empty()) {
            const auto between = take_while([](char c) { return is_html_blank(c) || c == '/'; });
            if (rest_.starts_with('>')) {
                rest_.remove_prefix(1);
                tag.closes_itself = between.ends_with('/');
                return tag;
            }
            read_attribute(tag);
        }
        return std::nullopt;
    }
    void read_attribute(HtmlTag& tag) {
        if (rest_.empty())
            return;
        const auto begin = rest_;
        rest_.remove_prefix(1); // also a '=', which is a name's then
        take_while([](char c) { return !ends_name(c) && c != '='; });
        const auto name = begin.substr(0, begin.size() - rest_.size());
        take_while(is_html_blank);
        if (!rest_.starts_with('=')) {
            tag.add(name, {});
            return;
        }
        rest_.remove_prefix(1);
        take_while(is_html_blank);
        if (rest_.starts_with('"') || rest_.starts_with('\'')) {
            const auto quote = rest_.substr(0, 1);
            rest_.remove_prefix(1);
            const auto value = rest_;
            if (pass(quote))
                tag.add(name, value.substr(0, value.size() - rest_.size() - 1));
        } else {
            tag.add(name, take_while([](char c) { return !is_html_blank(c) && c != '>'; }));
        }
    }

    std::string_view rest_;
};

// The names of U+00C0 to U+00FF (HTML, 13.5), in order.
constexpr auto latin_letters = std::to_array<std::string_view>(
    {"Agrave", "Aacute", "Acirc",  "Atilde", "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute",
     "Ecirc",  "Euml",   "Igrave", "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute",
     "Ocirc",  "Otilde", "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute",
     "THORN",  "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
     "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",    "ntilde",
     "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave", "uacute", "ucirc",
     "uuml",   "yacute", "thorn",  "yuml"});
static_assert(latin_letters.size() == 0x40);

struct NamedCharacter {
    std::string_view name;
    std::uint32_t code_point = 0;
};
constexpr auto named_characters = std::to_array<NamedCharacter>(
    {{"amp", '&'},      {"lt", '<'},        {"gt", '>'},        {"quot", '"'},      {"apos", '\''},
     {"nbsp", 0xa0},    {"iexcl", 0xa1},    {"cent", 0xa2},     {"pound", 0xa3},    {"yen", 0xa5},
     {"sect", 0xa7},    {"copy", 0xa9},     {"laquo", 0xab},    {"shy", 0xad},      {"reg", 0xae},
     {"deg", 0xb0},     {"plusmn", 0xb1},   {"sup2", 0xb2},     {"sup3", 0xb3},     {"acute", 0xb4},
     {"micro", 0xb5},   {"para", 0xb6},     {"middot", 0xb7},   {"sup1", 0xb9},     {"ordm", 0xba},
     {"raquo", 0xbb},   {"frac14", 0xbc},   {"frac12", 0xbd},   {"frac34", 0xbe},   {"iquest", 0xbf},
     {"OElig", 0x152},  {"oelig", 0x153},   {"Scaron", 0x160},  {"scaron", 0x161},  {"ensp", 0x2002},
     {"emsp", 0x2003},  {"thinsp", 0x2009}, {"ndash", 0x2013},  {"mdash", 0x2014},  {"lsquo", 0x2018},
     {"rsquo", 0x2019}, {"sbquo", 0x201a},  {"ldquo", 0x201c},  {"rdquo", 0x201d},  {"bdquo", 0x201e},
     {"bull", 0x2022},  {"hellip", 0x2026}, {"lsaquo", 0x2039}, {"rsaquo", 0x203a}, {"euro", 0x20ac},
     {"trade", 0x2122}, {"larr", 0x2190},   {"rarr", 0x2192},   {"minus", 0x2212},  {"ne", 0x2260}});

// What the numbers 128 to 159 mean to browsers: characters of windows-1252; 0 for those that stay.
constexpr std::array<std::uint16_t, 32> old_numbers{
    0x20ac, 0,      0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
    0x2039, 0x152,  0,      0x17d,  0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0,      0x17e,  0x178};

// Of what stands between '&' and ';'.
std::optional<std::uint32_t> character_named(std::string_view name) {
    if (name.starts_with('#')) {
        name.remove_prefix(1);
        const bool is_hex = name.starts_with('x') || name.starts_with('X');
        name.remove_prefix(is_hex ? 1 : 0);
        std::uint32_t number = 0;
        const auto [end, error] =
            std::from_chars(name.data(), name.data() + name.size(), number, is_hex ? 16 : 10);
        if (error != std::errc() || end != name.data() + name.size())
            return std::nullopt;
        if (number >= 0x80 && number < 0xa0 && old_numbers.at(number - 0x80) != 0)
            return old_numbers.at(number - 0x80);
        return number == 0 ? 0xfffd : number;
    }
    if (const auto* const found = std::ranges::find(latin_letters, name); found != latin_letters.end())
        return 0xc0 + static_cast<std::uint32_t>(found - latin_letters.begin());
    const auto* const found = std::ranges::find(named_characters, name, &NamedCharacter::name);
    return found == named_characters.end() ? std::nullopt : std::optional(found->code_point);
}

// With each reference replaced by its character; what is none, or has no ';', stays.
std::string without_references(std::string_view text) {
    constexpr std::size_t reference_bytes_max = 12;
    std::string out;
    while (!text.empty()) {
        const auto plain = text.substr(0, text.find('&'));
        out += plain;
        text.remove_prefix(plain.size());
        const auto end = text.substr(0, reference_bytes_max).find(';');
        const auto character = end == text.npos ? std::nullopt : character_named(text.substr(1, end - 1));
        if (character) {
            append_character(out, *character);
            text.remove_prefix(end + 1);
        } else if (!text.empty()) {
            out += '&';
            text.remove_prefix(1);
        }
    }
    return out;
}

// What stands behind "charset=" in a header's value, without quotation marks; empty: nothing does.
std::string_view charset_in(std::string_view value) {
    constexpr std::string_view mark = "charset=";
    const auto at = lower_ascii(value).find(mark);
    if (at == std::string::npos)
        return {};
    value.remove_prefix(at + mark.size());
    if (value.starts_with('"') || value.starts_with('\''))
        value.remove_prefix(1);
    return value.substr(0, value.find_first_of("\"'; \t"));
}

std::string_view declared_encoding(std::string_view bytes) {
    HtmlTags tags(bytes.substr(0, declaration_bytes));
    while (const auto tag = tags.next()) {
        if (tag->name != "meta" || tag->is_end)
            continue;
        auto label = trim(tag->value(HtmlTag::charset));
        if (label.empty() && lower_ascii(tag->value(HtmlTag::http_equiv)) == "content-type")
            label = charset_in(tag->value(HtmlTag::content));
        if (!label.empty()) // whoever could read this one is not in UTF-16
            return lower_ascii(label).starts_with("utf-16") ? "utf-8" : label;
    }
    return {};
}

// But for a character that is cut off at the end.
bool begins_as_utf8(std::string_view bytes) {
    constexpr std::size_t character_bytes_max = 4;
    for (std::size_t cut = 0; cut < character_bytes_max && cut <= bytes.size(); ++cut)
        if (is_utf8(bytes.substr(0, bytes.size() - cut)))
            return true;
    return false;
}

std::string decoded(std::string_view bytes, std::string_view content_type) {
    if (bytes.starts_with("\xef\xbb\xbf"))
        return utf8_from(bytes, "utf-8").value_or("");
    if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))
        return utf8_from(bytes, bytes.front() == '\xff' ? "utf-16le" : "utf-16be").value_or("");
    for (const auto label : {charset_in(content_type), declared_encoding(bytes)})
        if (auto text = label.empty() ? std::nullopt : utf8_from(bytes, label))
            return *std::move(text);
    return utf8_from(bytes, begins_as_utf8(bytes) ? "utf-8" : "windows-1252").value_or("");
}

// Elements whose content is text up to their end, whatever looks like a tag in it.
bool holds_only_text(std::string_view name) {
    constexpr std::array<std::string_view, 8> names{"script", "style",  "textarea", "noscript",
                                                    "xmp",    "iframe", "noembed",  "noframes"};
    return std::ranges::find(names, name) != names.end();
}

// What a page was found to say.
struct FoundTexts {
    HtmlTitleBounds bounds;
    std::string og_title, title, og_description, description;

    static void keep(std::string& slot, std::string_view raw, std::size_t characters_max) {
        if (slot.empty())
            slot = one_line(without_references(raw), characters_max);
    }
    // Pages write og: names as name, too.
    void keep_meta(const HtmlTag& tag) {
        const auto content = tag.value(HtmlTag::content);
        for (const auto attribute : {HtmlTag::property, HtmlTag::named}) {
            const auto name = lower_ascii(trim(tag.value(attribute)));
            if (name == "og:title")
                keep(og_title, content, bounds.title);
            else if (name == "og:description")
                keep(og_description, content, bounds.description);
            else if (name == "description")
                keep(description, content, bounds.description);
        }
    }
    [[nodiscard]] bool is_all() const { return !og_title.empty() && !og_description.empty(); }
};

} // namespace

HtmlTitle html_title(std::string_view bytes, std::string_view content_type, const HtmlTitleBounds& bounds) {
    const auto text = decoded(bytes, content_type);
    FoundTexts found{.bounds = bounds, .og_title = {}, .title = {}, .og_description = {}, .description = {}};
    HtmlTags tags(text);
    int drawings = 0; // that are open
    while (const auto tag = found.is_all() ? std::nullopt : tags.next()) {
        if (tag->name == "svg" || tag->name == "math") {
            drawings += tag->is_end ? (drawings > 0 ? -1 : 0) : (tag->closes_itself ? 0 : 1);
        } else if (!tag->is_end && holds_only_text(tag->name)) {
            tags.until_end_of(tag->name);
        } else if (!tag->is_end && tag->name == "title" && drawings == 0) {
            if (const auto raw = tags.until_end_of("title"))
                FoundTexts::keep(found.title, *raw, bounds.title);
        } else if (!tag->is_end && tag->name == "meta") {
            found.keep_meta(*tag);
        }
    }
    return {.title = found.og_title.empty() ? std::move(found.title) : std::move(found.og_title),
            .description = found.og_description.empty() ? std::move(found.description)
                                                        : std::move(found.og_description)};
}

} // namespace slashpost
