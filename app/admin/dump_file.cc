#include "app/admin/dump_file.h"

#include "app/admin/dump_json.h"
#include "core/base/errors.h"
#include "core/schema/store.h"

#include <array>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <vector>

namespace slashpost::admin {

namespace {

constexpr std::string_view dump_format = "slashpost-dump";
constexpr std::size_t lines_bytes_max = std::size_t{8} << 20U; // of one DumpLines, and a line more
constexpr auto advice = "check that the file was copied whole, or take a new dump";

std::unexpected<Error> broken(std::uint64_t line, std::string_view what) {
    return malformed(fmt::format("line {}: {}; {}", line, what, advice));
}

std::string_view text_of(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

std::int64_t number_of(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    return value && value->is_int64() ? value->get_int64() : -1;
}

struct Header {
    std::int64_t version = 0;
    std::uint64_t schema = 0;
};

Result<Header> check_header(const json::object& header) {
    if (text_of(header, "format") != dump_format)
        return malformed("line 1: this is not a dump made by slashpost-admin");
    const auto version = number_of(header, "version");
    const auto schema = number_of(header, "schema");
    if (version > dump_version || schema > static_cast<std::int64_t>(store_format))
        return refused(
            "NewerDump", "dump",
            fmt::format("this dump was made by a newer slashpost (version {}, schema {}; this program "
                        "reads up to version {}, schema {}); restore it with that one or a later one",
                        version, schema, dump_version, store_format));
    if (version < 1 || schema < 1)
        return broken(1, "the header names no version");
    return Header{.version = version, .schema = static_cast<std::uint64_t>(schema)};
}

// Calls `use` with the object that the line is.
template <class Use>
Result<void> with_object(std::string_view text, std::uint64_t line, const Use& use) {
    std::array<unsigned char, 16'384> first; // NOLINT: written before it is read
    json::monotonic_resource memory(first.data(), first.size());
    json::error_code error;
    const auto value = json::parse(json::string_view(text.data(), text.size()), error, &memory);
    if (error || !value.is_object())
        return broken(line, "this is not a JSON object");
    return use(value.get_object());
}

} // namespace

std::string dump_header(Timestamp date) {
    return fmt::format("{{\"format\":\"{}\",\"version\":{},\"schema\":{},\"date\":\"{}\"}}\n", dump_format,
                       dump_version, store_format, to_iso(date));
}

std::string dump_footer(std::uint64_t rows, std::string_view sha256_hex) {
    return fmt::format("{{\"rows\":{},\"sha256\":\"{}\"}}\n", rows, sha256_hex);
}

Digest::Digest() : context_(EVP_MD_CTX_new()) {
    EVP_DigestInit_ex(static_cast<EVP_MD_CTX*>(context_), EVP_sha256(), nullptr);
}

Digest::~Digest() { EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context_)); }

void Digest::add(std::string_view bytes) {
    EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context_), bytes.data(), bytes.size());
}

std::string Digest::hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
    unsigned length = 0;
    EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(context_), sum.data(), &length);
    return to_hex({reinterpret_cast<const char*>(sum.data()), length});
}

Result<std::string_view> DumpReader::next_line() {
    in_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    const auto count = static_cast<std::size_t>(in_.gcount());
    ++line_;
    read_ += count;
    if (in_.bad())
        return unavailable("the dump cannot be read; check the disk");
    if (in_.eof())
        return broken(line_, "the dump is cut off here, before its last line");
    if (in_.fail())
        return broken(line_, "the line is too long");
    return std::string_view(buffer_.data(), count - 1);
}

Result<void> DumpReader::read_header() {
    const auto text = TRY(next_line());
    return with_object(text, line_, [&](const json::object& object) -> Result<void> {
        const auto header = TRY(check_header(object));
        schema_ = header.schema;
        if (header.version > 1) {
            digest_.add(text);
            digest_.add("\n");
        }
        return {};
    });
}

std::optional<double> DumpReader::fraction() const {
    return bytes_ == 0 ? std::nullopt
                       : std::optional(static_cast<double>(read_) / static_cast<double>(bytes_));
}

Result<std::optional<DumpLines>> DumpReader::next(std::size_t max) {
    if (schema_ == 0)
        TRY(read_header());
    DumpLines lines{.first = line_ + 1, .text = {}, .ends = {}};
    while (!ended_ && lines.ends.size() < max && lines.text.size() < lines_bytes_max) {
        const auto text = TRY(next_line());
        if (text.find(R"("sha256")") != text.npos) // a row may hold that, too
            TRY(with_object(text, line_, [&](const json::object& line) -> Result<void> {
                ended_ = line.contains("sha256");
                return ended_ ? check_footer(line) : Result<void>();
            }));
        if (ended_)
            break;
        const auto begin = lines.text.size();
        (lines.text += text) += '\n';
        lines.ends.push_back(lines.text.size());
        digest_.add(std::string_view(lines.text).substr(begin));
        ++rows_;
    }
    return lines.ends.empty() ? std::optional<DumpLines>() : std::optional(std::move(lines));
}

Result<void> DumpReader::check_footer(const json::object& footer) {
    if (number_of(footer, "rows") != static_cast<std::int64_t>(rows_))
        return broken(
            line_, fmt::format("the dump should have {} rows but has {}", number_of(footer, "rows"), rows_));
    if (text_of(footer, "sha256") != digest_.hex())
        return broken(line_, "the checksum does not match: the dump was changed or damaged");
    if (in_.peek() != std::istream::traits_type::eof())
        return broken(line_ + 1, "the dump goes on after its last line");
    return {};
}

Result<void> each_dump_row(const DumpLines& lines, const TakeDumpRow& take) {
    auto number = lines.first;
    std::size_t begin = 0;
    for (const auto end : lines.ends) {
        const auto text = std::string_view(lines.text).substr(begin, end - begin);
        TRY(with_object(text, number, [&](const json::object& line) -> Result<void> {
            const auto* row = line.if_contains("row");
            if (!row || !row->is_object() || line.size() != 2 || text_of(line, "table").empty())
                return broken(number, "this is neither a row nor the end of the dump");
            auto taken = take(text_of(line, "table"), row->get_object());
            if (!taken.has_value()) {
                auto error = std::move(taken).error();
                error.message = fmt::format("line {}: {}", number, error.message);
                return std::unexpected(std::move(error));
            }
            return {};
        }));
        begin = end;
        ++number;
    }
    return {};
}

} // namespace slashpost::admin
