#include "http/server/body_reader.h"

#include <algorithm>
#include <charconv>

namespace slashpost::http {

namespace {

constexpr std::size_t chunk_size_digits_max = 16;
constexpr std::size_t extension_bytes_max = 4 * 1024; // of all chunks together
constexpr std::size_t trailer_bytes_max = 4 * 1024;

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; }

// What stands behind the size of a chunk: nothing, or extensions, which begin with ';' and mean nothing to
// us.
bool is_extension(std::string_view text) {
    if (text.empty())
        return true;
    const auto begin = text.find_first_not_of(" \t");
    return begin != text.npos && text[begin] == ';' && std::ranges::none_of(text, is_control);
}

} // namespace

BodyReader::BodyReader(const RequestHead& head, std::size_t bytes_max)
    : part_(head.body == BodyKind::chunked ? Part::chunk_size : Part::content),
      remaining_(head.body_bytes),
      bytes_max_(bytes_max) {}

BodyReader::Step BodyReader::feed(std::string_view bytes, std::string& body) {
    if (part_ != Part::content)
        return feed_chunks(bytes, body);
    if (remaining_ > bytes_max_)
        return {Progress::too_large, 0};
    const std::string_view piece = bytes.substr(0, remaining_);
    body.append(piece);
    remaining_ -= piece.size();
    bytes_max_ -= piece.size();
    return {remaining_ == 0 ? Progress::done : Progress::more, piece.size()};
}

BodyReader::Step BodyReader::feed_chunks(std::string_view bytes, std::string& body) {
    std::size_t used = 0;
    for (;;) {
        const std::string_view rest = bytes.substr(used);
        if (part_ == Part::chunk_data) {
            const std::string_view piece = rest.substr(0, remaining_);
            body.append(piece);
            remaining_ -= piece.size();
            used += piece.size();
            if (remaining_ > 0)
                return {Progress::more, used};
            part_ = Part::chunk_end;
            continue;
        }
        const std::size_t feed = rest.find('\n');
        const std::size_t line_bytes_max =
            part_ == Part::trailer ? trailer_bytes_max - trailer_bytes_
                                   : chunk_size_digits_max + 2 + (extension_bytes_max - extension_bytes_);
        if (std::min(feed, rest.size()) >= line_bytes_max)
            return {Progress::broken, used};
        if (feed == std::string_view::npos)
            return {Progress::more, used};
        if (feed == 0 || rest[feed - 1] != '\r')
            return {Progress::broken, used};
        used += feed + 1;
        const Progress progress = read_line(rest.substr(0, feed - 1), body);
        if (progress != Progress::more)
            return {progress, used};
    }
}

BodyReader::Progress BodyReader::read_line(std::string_view line, const std::string& body) {
    switch (part_) {
    case Part::chunk_end:
        part_ = Part::chunk_size;
        return line.empty() ? Progress::more : Progress::broken;
    case Part::chunk_size: {
        const auto digits = line.substr(0, chunk_size_digits_max);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), remaining_, 16);
        const auto extension = line.substr(static_cast<std::size_t>(end - line.data()));
        extension_bytes_ += extension.size();
        if (error != std::errc{} || extension_bytes_ > extension_bytes_max || !is_extension(extension))
            return Progress::broken;
        part_ = remaining_ == 0 ? Part::trailer : Part::chunk_data;
        return remaining_ > bytes_max_ - body.size() ? Progress::too_large : Progress::more;
    }
    default:
        trailer_bytes_ += line.size() + 2;
        if (line.empty())
            return Progress::done;
        return std::ranges::any_of(line, is_control) ? Progress::broken : Progress::more;
    }
}

} // namespace slashpost::http
