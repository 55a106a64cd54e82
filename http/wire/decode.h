#pragma once
// From the bytes of a request to a typed shape.
//
// A Tree is an input before it has a type: parsed JSON, or the nested names of a form or query string
// ("domain[id]=…" and "domain.id=…" both mean id inside domain). There, a name that comes several times has
// an array of its values, which means all of them to a list and the last one to everything else; and what a
// name has besides names within it stands at the key "" ("domain=…&domain.id=…"). decode() reads a Tree into
// a shape and notes every problem, so a caller learns all of them at once.
#include "http/wire/fields.h"

#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>

namespace slashpost::wire {

class Tree {
  public:
    Tree(Source source, boost::json::value value);
    [[nodiscard]] Source source() const { return source_; }
    [[nodiscard]] const boost::json::value& value() const { return *value_; }

  private:
    Source source_;
    std::shared_ptr<const boost::json::value> value_;
};

inline constexpr std::size_t json_depth_max = 32;
inline constexpr std::size_t form_fields_max = 1000;
inline constexpr std::size_t form_depth_max = 8;

// An object or array of strict JSON; fails with `malformed` for anything else, bad UTF-8 and lone surrogates
// included. A UTF-8 byte order mark in front is skipped. Of a repeated key the last one counts.
Result<Tree> parse_json(std::string_view text);
// A form body or the part of a target after "?". Fails with `malformed` above form_fields_max.
Result<Tree> parse_form(std::string_view text);
// A body that begins with "{" or "[" is JSON whatever its media type says: curl and many others call what
// they send a form unless told otherwise. Any other goes by its media type: JSON (also without one) or a
// form; fails with media_type_refused() for others. An empty body is an empty object.
Result<Tree> parse_body(std::optional<std::string_view> content_type, std::string_view body);

// The texts at the end of `path` in a tree that are not empty: of a name that comes several times all of
// them.
std::vector<std::string_view> texts_at(const Tree& tree, std::initializer_list<std::string_view> path);

// Reads the tree into `*out` and adds what is wrong to `problems`; fails with `malformed` if the tree is not
// even of the right kind (an array where an object is expected).
Result<void> read_tree(const Tree& tree, const ValueType& type, void* out, Problems& problems);

template <class T>
Result<T> decode(const Tree& tree, Problems& problems) {
    T out;
    TRY(read_tree(tree, type_of<T>(), &out, problems));
    return out;
}

} // namespace slashpost::wire
