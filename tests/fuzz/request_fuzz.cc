// A request's head and the framing of its body: the bytes as they come off a socket.
#include "http/server/body_reader.h"
#include "http/server/parser.h"
#include "tests/fuzz/fuzz.h"

#include <string>

using namespace slashpost::http;
using namespace slashpost::fuzz;

namespace {

bool inside(std::string_view part, std::string_view whole) {
    return part.empty() ||
           (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

struct ReadBody {
    BodyReader::Progress progress = BodyReader::Progress::more;
    std::size_t consumed = 0;
    std::string body;
    bool operator==(const ReadBody&) const = default;
};

// Gives the bytes `step` at a time.
ReadBody read_body(const RequestHead& head, std::string_view bytes, std::size_t step) {
    constexpr std::size_t body_bytes_max = 4096;
    BodyReader reader(head, body_bytes_max);
    ReadBody out;
    for (std::size_t given = 0; out.progress == BodyReader::Progress::more && given < bytes.size();) {
        given = std::min(given + step, bytes.size());
        const auto taken = reader.feed(bytes.substr(out.consumed, given - out.consumed), out.body);
        must(out.consumed + taken.consumed <= given, "a body takes no more than it is given");
        out.consumed += taken.consumed;
        out.progress = taken.progress;
    }
    must(out.body.size() <= body_bytes_max || out.progress == BodyReader::Progress::too_large,
         "a body stays within its bound");
    return out;
}

} // namespace

void slashpost::fuzz::try_input(std::string_view bytes) {
    const Limits limits;
    RequestHead head;
    const auto status = parse_head(bytes, limits, head);
    if (status == HeadStatus::refused) {
        must(head.refusal.status >= 400 && head.refusal.status < 600, "a refusal has a status of an error");
        must(!head.refusal.message.empty(), "a refusal says why");
        return;
    }
    if (status == HeadStatus::partial)
        return;

    must(head.bytes <= bytes.size(), "a head ends within the bytes");
    const auto read = bytes.substr(0, head.bytes);
    for (const auto part :
         {head.path, head.query, head.host, head.user_agent, head.accept_language, head.referrer})
        must(inside(part, read), "what is read of a head lies in its bytes");
    for (std::size_t i = 0; i < head.field_count; ++i)
        must(inside(head.fields[i].name, read) && inside(head.fields[i].value, read),
             "a header lies in the head");
    RequestHead again;
    must(parse_head(read, limits, again) == HeadStatus::complete && again.bytes == head.bytes,
         "a head does not depend on what comes behind it");
    must(parse_head(read.substr(0, head.bytes - 1), limits, again) != HeadStatus::complete,
         "a head without its last byte is not whole");

    if (head.body == BodyKind::none)
        return;
    const auto behind = bytes.substr(head.bytes);
    const auto whole = read_body(head, behind, std::max<std::size_t>(behind.size(), 1));
    const auto in_bytes = read_body(head, behind, 1);
    must(whole.progress == in_bytes.progress,
         "how a body is cut into packets does not change whether it is whole");
    must(whole.progress == BodyReader::Progress::broken ||
             whole.progress == BodyReader::Progress::too_large || whole.body == in_bytes.body,
         "how a body is cut into packets does not change what it is");
}
