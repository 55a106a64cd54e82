#pragma once
// Takes the body of a request off the bytes behind its head, in whatever pieces they arrive.
//
// Strict where looseness lets two servers disagree about where a request ends: bare line feeds and control
// characters are refused. Chunk extensions are passed over (RFC 9112, 7.1.1), trailers dropped; of each at
// most 4 KiB in a body.
#include "http/server/parser.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace slashpost::http {

class BodyReader {
  public:
    enum class Progress : std::uint8_t { more, done, broken, too_large };
    struct Step {
        Progress progress = Progress::more;
        std::size_t consumed =
            0; // bytes taken off the front; the rest is to be given again, with more behind
    };

    // `head.body` is not none. `bytes_max` bounds the body.
    BodyReader(const RequestHead& head, std::size_t bytes_max);

    // Appends what belongs to the body to `body`. Not to be called again once it did not answer `more`.
    Step feed(std::string_view bytes, std::string& body);

  private:
    enum class Part : std::uint8_t { content, chunk_size, chunk_data, chunk_end, trailer };

    Step feed_chunks(std::string_view bytes, std::string& body);
    Progress read_line(std::string_view line, const std::string& body);

    Part part_;
    std::uint64_t remaining_; // of the content or of the chunk
    std::size_t bytes_max_;
    std::size_t extension_bytes_ = 0; // passed over so far
    std::size_t trailer_bytes_ = 0;
};

} // namespace slashpost::http
