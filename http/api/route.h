#pragma once
// A route: what a caller may ask for, what it takes to be let in, and what answers (architecture section 6).
//
// on(handler) looks at the handler's parameters and erases them at once:
//     const Link&            the link that the path names, through its door (path_resource.h)
//     const Query<T>&        the query string, read as shape T, free of problems
//     const Body<T>&         the body, likewise
//     const Draft<Query<T>>& and Draft<Body<T>>: with the problems so far, for operations that add their own
//     const Update<T>&       the body of an update, of which only what differs from what is stored counts
// They are made from left to right and the first that fails ends the call, so what a path names comes first:
// the wire's order of checks is existence, state, body. That a query or a body cannot be read at all is found
// before, and told in that place.
#include "core/access/context.h"
#include "http/api/input.h"
#include "http/api/published.h"
#include "http/server/message.h"
#include "http/wire/encode.h"
#include "http/wire/unchanged.h"

#include <functional>
#include <tuple>
#include <vector>

namespace slashpost::api {

template <class T>
struct Query {
    T value;
    const T* operator->() const { return &value; }
    const T& operator*() const { return value; }
};
template <class T>
struct Body {
    T value;
    const T* operator->() const { return &value; }
    const T& operator*() const { return value; }
};
template <class Part>
struct Draft : Part {
    Problems problems;
};

// Exactly so: there are clients that accept nothing else (wire "Transport").
inline constexpr std::string_view json_media_type = "application/json; charset=utf-8";

inline constexpr std::string_view csv_media_type = "text/csv; charset=utf-8";
inline constexpr std::string_view jsonl_media_type = "application/jsonl";

// Of an answer that comes in parts, each read in a transaction of its own.
struct Part {
    std::string bytes;
    std::string next; // what the next one is asked for with; empty: this is the last
    std::string_view media_type;
    std::chrono::milliseconds pause{0}; // before the next; only of a stream, where all there is was told
};

// What answers a route, with the handler's types erased.
struct Operation {
    std::function<Result<std::string>(Context&, const Input&)> run = {}; // the reply's JSON
    // Instead of run: open to everyone. Told what addresses of the dashboard begin with; empty: there is
    // none.
    const Published& (*document)(std::string_view dashboard_url) = nullptr;
    // Instead of run, for answers that may be long. The first part is asked for with an empty text.
    std::function<Result<Part>(Context&, const Input&, std::string_view place)> part = {};
    // The parts are server-sent events, and go on until the reader is gone (http/api/streams.h).
    bool is_stream = false;
    std::string_view media_type = json_media_type; // of the answer
    std::vector<http::Header> headers = {};        // besides those that every answer has
    // The name whose TXT records are looked up for `run`, or the page of the web that is read for it; empty:
    // none. No transaction waits for others' servers, so it is asked for in one of its own before, which only
    // reads but under the same guard. An operation has one of them at most.
    std::function<Result<std::string>(Context&, const Input&)> txt_name = {};
    std::function<Result<std::string>(Context&, const Input&)> page_address = {};
    const wire::ValueType* query = nullptr;
    const wire::ValueType* body = nullptr;
    const wire::ValueType* reply = nullptr;
};

struct Route {
    http::Method method;
    // Below /v1, parameters in braces: "/links/{link_id}". A path with {workspace_id} is entered there; any
    // other in the workspace that the header names, unless the guard's scope is the account.
    std::string_view path;
    std::string_view operation_id;
    Guard guard;
    Operation operation;
    std::string_view summary;
    // Of 403 and 404, besides what guard and path lead to (http/api/error_codes.h): "LimitReached",
    // "NotFound domain".
    std::vector<std::string_view> further_codes{};
};

// The routes of one resource, by its name on the wire ("link").
struct RouteList {
    std::string_view resource;
    std::vector<Route> routes;
};

// How a parameter of a handler is made from a request; what it adds to the document.
template <class Parameter>
struct Argument; // path_resource.h has more of these

template <class T>
struct Argument<Draft<Query<T>>> {
    static Result<Draft<Query<T>>> take(Context&, const Input& input) {
        Draft<Query<T>> out;
        out.value = TRY(wire::decode<T>(TRY(input.query), out.problems));
        return out;
    }
    static void describe(Operation& operation) { operation.query = &wire::type_of<T>(); }
};
template <class T>
struct Argument<Draft<Body<T>>> {
    static Result<Draft<Body<T>>> take(Context&, const Input& input) {
        Draft<Body<T>> out;
        out.value = TRY(wire::decode<T>(TRY(input.body), out.problems));
        return out;
    }
    static void describe(Operation& operation) { operation.body = &wire::type_of<T>(); }
};
// The body of an update, before it is read.
template <class T>
struct Update {
    wire::Tree body;

    // Reads of it what is not as `now`, which is what the resource's GET answers.
    template <class Reply>
    Result<Draft<Body<T>>> differing_from(const Reply& now) const {
        Draft<Body<T>> out;
        const auto changes = wire::without_unchanged(body, wire::type_of<T>(), wire::encode(now));
        out.value = TRY(wire::decode<T>(changes, out.problems));
        return out;
    }
    // Whether all of it is as `now`.
    template <class Reply>
    [[nodiscard]] bool is_as(const Reply& now) const {
        return wire::is_unchanged(body, wire::type_of<T>(), wire::encode(now));
    }
};

template <class T>
struct Argument<Update<T>> {
    static Result<Update<T>> take(Context&, const Input& input) { return Update<T>{.body = TRY(input.body)}; }
    static void describe(Operation& operation) { operation.body = &wire::type_of<T>(); }
};
template <class Part>
    requires requires { typename Argument<Draft<Part>>; }
struct CheckedArgument {
    static Result<Part> take(Context& ctx, const Input& input) {
        auto draft = TRY(Argument<Draft<Part>>::take(ctx, input));
        TRY(draft.problems.result(input.resource));
        return Part(std::move(draft));
    }
    static void describe(Operation& operation) { Argument<Draft<Part>>::describe(operation); }
};
template <class T>
struct Argument<Query<T>> : CheckedArgument<Query<T>> {};
template <class T>
struct Argument<Body<T>> : CheckedArgument<Body<T>> {};

// The operation that calls `handler`; its name for one without parameters reads the same.
template <class Reply, class... Parameters>
Operation on(Result<Reply> (*handler)(Context&, const Parameters&...)) {
    Operation operation;
    (Argument<Parameters>::describe(operation), ...);
    operation.reply = &wire::type_of<Reply>();
    operation.run = [handler](Context& ctx, const Input& input) -> Result<std::string> {
        std::tuple<std::optional<Parameters>...> arguments;
        Result<void> taken;
        const auto take = [&]<class P>(std::optional<P>& slot) {
            auto made = Argument<P>::take(ctx, input);
            const bool usable = made.has_value();
            if (usable)
                slot.emplace(*std::move(made));
            else
                taken = std::unexpected(std::move(made).error());
            return usable;
        };
        std::apply([&](auto&... slots) { (void)(take(slots) && ...); }, arguments);
        TRY(std::move(taken));
        TRY(input.query); // also where nothing is taken from it
        TRY(input.body);
        return wire::encode(
            TRY(std::apply([&](auto&... slots) { return handler(ctx, *slots...); }, arguments)));
    };
    return operation;
}

} // namespace slashpost::api
