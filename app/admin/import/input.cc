#include "app/admin/import/input.h"

#include "app/admin/import/config_file.h"
#include "app/admin/import_columns.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>

namespace slashpost::admin {

namespace {

constexpr std::size_t beginning_bytes = 1 << 16;
constexpr std::size_t piece_bytes = 1 << 16;
constexpr std::uint32_t replacement = 0xfffd; // half of a pair of surrogates has no character

CsvReader::Source of_memory(std::string_view text) {
    return [text](std::span<char> into) mutable -> Result<std::size_t> {
        const auto count = std::min(text.size(), into.size());
        text.copy(into.data(), count);
        text.remove_prefix(count);
        return count;
    };
}

void append_utf8(std::string& out, std::uint32_t c) {
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xc0 | (c >> 6));
        tail(0);
    } else if (c < 0x10000) {
        out += static_cast<char>(0xe0 | (c >> 12));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xf0 | (c >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

// UTF-16 on its way to UTF-8.
class Utf16 {
  public:
    explicit Utf16(bool is_big) : is_big_(is_big) {}
    void add(std::string_view bytes, std::string& out) {
        for (const char c : bytes) {
            const auto byte = static_cast<unsigned char>(c);
            if (!half_) {
                half_ = byte;
                continue;
            }
            const auto unit = is_big_ ? (unsigned{*half_} << 8) | byte : (unsigned{byte} << 8) | *half_;
            half_.reset();
            add_unit(unit, out);
        }
    }

  private:
    void add_unit(std::uint32_t unit, std::string& out) {
        const bool ends_pair = unit >= 0xdc00 && unit < 0xe000;
        if (high_ != 0 && !ends_pair)
            append_utf8(out, replacement);
        if (unit >= 0xd800 && unit < 0xdc00) {
            high_ = unit;
            return;
        }
        append_utf8(out, !ends_pair   ? unit
                         : high_ != 0 ? 0x10000 + ((high_ - 0xd800) << 10) + (unit - 0xdc00)
                                      : replacement);
        high_ = 0;
    }

    bool is_big_;
    std::optional<unsigned char> half_;
    std::uint32_t high_ = 0;
};

// Other sources of text begin where they are asked to; this one has to read what is before, too.
CsvReader::Source of_utf16(CsvReader::Source bytes, bool is_big, std::uint64_t offset) {
    struct State {
        CsvReader::Source bytes;
        Utf16 decoder;
        std::uint64_t to_skip;
        std::string text = {};
        std::size_t given = 0;
    };
    auto state = std::make_shared<State>(
        State{.bytes = std::move(bytes), .decoder = Utf16(is_big), .to_skip = offset});
    return [state](std::span<char> into) -> Result<std::size_t> {
        std::string piece(piece_bytes, '\0');
        while (state->given == state->text.size()) {
            const auto got = TRY(state->bytes(piece));
            if (got == 0)
                return std::size_t{0};
            state->text.clear();
            state->decoder.add(std::string_view(piece).substr(0, got), state->text);
            state->given =
                static_cast<std::size_t>(std::min<std::uint64_t>(state->to_skip, state->text.size()));
            state->to_skip -= state->given;
        }
        const auto count = state->text.copy(into.data(), into.size(), state->given);
        state->given += count;
        return count;
    };
}

} // namespace

CsvReader::Source ImportInput::text_from(std::uint64_t offset) const {
    if (rewritten_)
        return of_memory(
            std::string_view(*rewritten_)
                .substr(static_cast<std::size_t>(std::min<std::uint64_t>(offset, rewritten_->size()))));
    if (encoding_ == Encoding::utf8)
        return file_->from(offset);
    return of_utf16(file_->from(0), encoding_ == Encoding::utf16_big, offset);
}

CsvReader ImportInput::reader(CsvPosition place) const {
    return CsvReader(text_from(place.offset), place, dialect_);
}

std::uint64_t ImportInput::bytes() const { return rewritten_ ? rewritten_->size() : file_->bytes(); }

Result<void> ImportInput::find_encoding() {
    std::array<char, 2> first{};
    if (TRY(file_->from(0)(first)) < first.size())
        return {};
    const std::string_view mark(first.data(), first.size());
    // Without a mark: what begins with a letter of ASCII has one byte of zero there.
    if (mark == "\xff\xfe" || (first[0] != '\0' && first[1] == '\0'))
        encoding_ = Encoding::utf16_little;
    else if (mark == "\xfe\xff" || (first[0] == '\0' && first[1] != '\0'))
        encoding_ = Encoding::utf16_big;
    return {};
}

Result<std::string> ImportInput::read_text(std::size_t bytes_max) const {
    const auto source = text_from(0);
    std::string out, piece(piece_bytes, '\0');
    while (out.size() < bytes_max) {
        const auto got = TRY(source(piece));
        if (got == 0)
            break;
        out.append(piece, 0, got);
    }
    out.resize(std::min(out.size(), bytes_max));
    return out;
}

Result<CsvRow> ImportInput::first_row(std::string_view beginning, CsvDialect dialect) const {
    CsvRow row;
    CsvReader reader(of_memory(beginning), {}, dialect);
    TRY(reader.next(row));
    return row;
}

Result<void> ImportInput::find_source_and_separator(std::string_view from) {
    const auto beginning = TRY(read_text(beginning_bytes));
    CsvRow header;
    for (const char separator : {',', ';', '\t'})
        if (auto row = TRY(first_row(beginning, {.separator = separator})); row.size() > header.size()) {
            header = std::move(row);
            dialect_.separator = separator;
        }
    source_ = from.empty() ? &source_of_header(header) : find_source(from);
    if (source_ == nullptr)
        return malformed(fmt::format("'{}' is no source of links; there are {}", from,
                                     fmt::join(sources() | std::views::transform(&Source::name), ", ")));
    if (from.empty() && !has_destination(header, *source_)) {
        const auto found = std::ranges::find_if(sources(), [&](const Source& source) {
            return source.recognises != nullptr && source.recognises(beginning);
        });
        source_ = found == sources().end() ? source_ : &*found;
    }
    // What a database writes with tabs has their escapes; what a spreadsheet does, quotation marks.
    if (dialect_.separator == '\t' && source_->name != "csv")
        dialect_.escape = CsvDialect::Escape::backslashes;
    return {};
}

Result<ImportInput> ImportInput::open(const ImportFile& file, std::string_view from) {
    ImportInput input(file);
    TRY(input.find_encoding());
    TRY(input.find_source_and_separator(from));
    if (input.source_->rewrite == nullptr)
        return input;
    const auto text = TRY(input.read_text(config_bytes_max + 1));
    if (text.size() > config_bytes_max)
        return refused("LimitReached", "import",
                       fmt::format("a file of {} may have {} MiB; split it", input.source_->name,
                                   config_bytes_max >> 20));
    input.rewritten_ = std::make_shared<const std::string>(input.source_->rewrite(text));
    input.encoding_ = Encoding::utf8;
    input.dialect_ = {};
    return input;
}

} // namespace slashpost::admin
