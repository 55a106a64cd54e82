// Answers of the API that come in parts, each from a transaction of its own: long ones, and streams, which
// end when their reader does or may read no longer.
#include "http/api/dispatch.h"

#include <fmt/format.h>

namespace slashpost::api {

struct Api::InParts {
    Caller caller;
    const Route& route;
    Input input;
    std::string workspace, place;
    bool is_over = false;
    // Of a stream.
    Streams::Place among_streams;
    std::uint64_t horizon = 0; // up to which it has told all
    Timestamp looked_at, told_at;
};

Result<Part> Api::next_part(InParts& answer) {
    auto part =
        TRY(parts_.service.run(answer.caller, answer.workspace, answer.route.guard, [&](Context& ctx) {
            return answer.route.operation.part(ctx, answer.input, answer.place);
        }));
    answer.place = part.next;
    answer.is_over = part.next.empty();
    return part;
}

// Looks into the store when there may be something new, and once in a while whether the caller may still
// read.
Result<Part> Api::next_of_stream(InParts& answer) {
    const auto now = parts_.clock.now();
    const auto horizon = parts_.service.event_horizon();
    const auto is_over = [&](Timestamp since) { return now.ms - since.ms >= stream_ping_ms || now < since; };
    Part part{.bytes = {}, .next = {}, .media_type = event_stream_media_type, .pause = stream_look_every};
    if (horizon != answer.horizon || is_over(answer.looked_at)) {
        TRY(parts_.service.check_in_force(answer.caller));
        part = TRY(next_part(answer));
        answer.horizon = part.pause.count() > 0 ? horizon : 0;
        answer.looked_at = now;
    }
    if (part.bytes.empty() && is_over(answer.told_at))
        part.bytes = fmt::format(":\nid: {}\n\n", answer.place); // a comment, and where to go on
    if (!part.bytes.empty())
        answer.told_at = now;
    return part;
}

Api::Answer Api::begin_parts(const Caller& caller, const Route& route, Input input,
                             const std::string& workspace, const RateLimiter::Verdict& rate) {
    const bool is_stream = route.operation.is_stream;
    const auto answer = std::make_shared<InParts>(InParts{.caller = caller,
                                                          .route = route,
                                                          .input = std::move(input),
                                                          .workspace = workspace,
                                                          .place = {},
                                                          .among_streams = {},
                                                          .looked_at = {},
                                                          .told_at = {}});
    answer->caller.call = route.operation_id;
    const auto first = [&]() -> Result<Part> {
        if (!is_stream)
            return next_part(*answer);
        answer->among_streams = TRY(streams_.take(caller.account));
        TRY(parts_.service.keep_up()); // so that it is known from where on something is new
        return next_of_stream(*answer);
    };
    auto part = first();
    if (!part.has_value())
        return {.body = std::unexpected(part.error()), .rate = rate, .headers = {}};
    Answer out{.body = std::move(part->bytes),
               .rate = rate,
               .headers = route.operation.headers,
               .media_type = part->media_type,
               .pause = part->pause};
    if (!answer->is_over)
        out.next_part = [this, answer, is_stream]() -> std::optional<http::ReplyPart> {
            if (answer->is_over)
                return http::ReplyPart{};
            auto next = is_stream ? next_of_stream(*answer) : next_part(*answer);
            if (next.has_value())
                return http::ReplyPart{.bytes = std::move(next->bytes), .pause = next->pause};
            // Whoever may not read a stream any more is told so when it asks again.
            if (is_stream && next.error().kind != ErrorKind::fault)
                return http::ReplyPart{};
            on_fault_(next.error());
            return std::nullopt;
        };
    return out;
}

} // namespace slashpost::api
