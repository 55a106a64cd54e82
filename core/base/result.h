#pragma once
// How a function says that it could not do what was asked.
//
// Result<T> is a T or an Error; TRY(expression) is the value, or leaves the function with the error.
// An Error says *what* is wrong in the words of the domain; which status number that becomes is decided
// in http/wire/error_body.cc and nowhere else.
#include <expected>
#include <string>
#include <utility>
#include <vector>

namespace slashpost {

// One broken field of an input. `property` is its wire name, for example "domain.id" or "[3].slashtag".
struct FieldError {
    std::string code;     // RequiredField, InvalidFormat, InvalidLength, OutOfRange, PatternMismatch, ...
    std::string property; //
    std::string message;  // "cannot be empty": completes the sentence that starts with the property
    bool operator==(const FieldError&) const = default;
};

enum class ErrorKind {
    malformed,       // the input could not be read at all (broken JSON, broken form)
    invalid,         // read, but one or more fields break a rule; `fields` lists all of them
    unauthenticated, // no key, or not a valid one
    refused,         // known caller, known thing, not allowed; `code` says why
    not_found,       // absent, or not the caller's to know about; `source` and `id` name it
    conflict,        // kept losing against concurrent writers, or the state forbids it
    limited,         // too many requests
    unavailable,     // the store takes no writes now (disk full) or is shutting down
    fault,           // a bug or a broken disk; the message is for the log, never for a caller
};

struct Error {
    ErrorKind kind = ErrorKind::fault;
    std::string code;               // top-level wire code: NotFound, DeletedLink, FeatureNotIncluded, ...
    std::string message;            // a full sentence
    std::string source;             // resource kind ("link") or feature ("links.rules")
    std::string id;                 // what was not found, else empty
    std::vector<FieldError> fields; // only for `invalid`
};

template <class T>
struct [[nodiscard]] Result : std::expected<T, Error> {
    using std::expected<T, Error>::expected;
};

#define SLASHPOST_JOIN_(a, b) a##b
#define SLASHPOST_JOIN(a, b) SLASHPOST_JOIN_(a, b)

// The value of a Result, or leave the function (the nearest lambda) with its error. Works for
// Result<void> too. Not usable inside coroutines; and not in the braces of an aggregate behind a member that
// owns memory: g++ forgets to destroy the members made so far when the statement leaves from there.
#define TRY_(name, ...)                                                                                      \
    __extension__({                                                                                          \
        auto&& name = (__VA_ARGS__);                                                                         \
        if (!name.has_value()) [[unlikely]]                                                                  \
            return std::unexpected(std::move(name).error());                                                 \
        *std::move(name);                                                                                    \
    })
#define TRY(...) TRY_(SLASHPOST_JOIN(try_, __COUNTER__), __VA_ARGS__)

} // namespace slashpost
