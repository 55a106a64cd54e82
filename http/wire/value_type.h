#pragma once
// How values of one C++ type go to and from the wire, with the type erased; and the rules a field may carry.
//
// fields.h makes these from C++ types; decode.h, encode.h and the OpenAPI document use them. The functions
// take void pointers: each ValueType is only ever handed the type that type_of() made it for.
#include "core/base/errors.h"

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::wire {

// Where an input came from. JSON has types of its own; text (forms, query strings) is typed by the field.
enum class Source { json, text };

// What a schema describes: an input needs its required fields, a reply always has its plain members, and a
// parameter of a query is text.
enum class Use { input, query, reply };

// A named form of text: `check` decides, `pattern` and `name` go into the document.
struct Format {
    std::string_view name;    // OpenAPI "format"; may be empty
    std::string_view pattern; // may be empty
    std::string_view message; // "must be a hex colour such as ff8800"
    bool (*check)(std::string_view) = nullptr;
};

struct Rules {
    bool required = false;
    std::size_t length_min = 0; // in Unicode code points
    std::size_t length_max = std::numeric_limits<std::size_t>::max();
    std::int64_t range_min = std::numeric_limits<std::int64_t>::min();
    std::int64_t range_max = std::numeric_limits<std::int64_t>::max();
    bool clamp_above = false;     // a number above range_max becomes range_max
    std::size_t items_max = 1000; // of an array
    // These two for the schema alone; the operation says what is missing, as it knows what else was sent.
    bool not_empty = false;   // an array with one item at least
    bool alternative = false; // of all fields of a shape that are, one at least must be given
    bool comma_list = false;  // JSON, too, may give the array as a text with commas
    const Format* format = nullptr;
    std::vector<std::string_view> one_of; // a text must be one of these, unless empty
    bool trimmed = false;                 // a text is read without white space around it
    std::string_view absent_word;         // a text that means "not given", besides the empty one
    bool empty_clears = false;            // the empty text is what null is, instead
    std::string_view note;                // these two for the document only: what the field means
    std::string_view example;
};

struct Rule {
    std::function<void(Rules&)> apply;
};
extern const Rule required;
extern const Rule comma_list;
extern const Rule trimmed;
extern const Rule not_empty;
extern const Rule alternative;
extern const Rule empty_clears;
Rule length(std::size_t min, std::size_t max);
Rule range(std::int64_t min, std::int64_t max);
Rule at_least(std::int64_t min);
Rule clamped(std::int64_t min, std::int64_t max); // below is refused, above becomes max
Rule items_max(std::size_t count);
Rule one_of(std::span<const std::string_view> words);
Rule absent_when(std::string_view word);
Rule note(std::string_view text);
Rule example(std::string_view text);

// One pass over an input: collects what is wrong, under the name of the place.
class Reading {
  public:
    Reading(Source source, Problems& problems) : source_(source), problems_(problems) {}
    [[nodiscard]] bool is_text() const { return source_ == Source::text; }
    [[nodiscard]] const std::string& property() const { return property_; }
    // Notes a problem; false, so that `return reading.refuse(...)` says "not read".
    bool refuse(FieldError problem);

    // Goes into a member "name" or an item [i] for its own lifetime.
    class Step {
      public:
        Step(Reading& reading, std::string_view name);
        Step(Reading& reading, std::size_t index);
        ~Step() { reading_.property_.resize(length_before_); }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;

      private:
        Reading& reading_;
        std::size_t length_before_;
    };

  private:
    const Source source_;
    Problems& problems_;
    std::string property_;
};

// Appends the text as a JSON string.
void write_text(std::string_view text, std::string& out);

class ValueType {
  public:
    virtual ~ValueType() = default;
    // Reads `in` into `*out`; false after noting why not.
    virtual bool read(Reading& reading, const boost::json::value& in, const Rules& rules,
                      void* out) const = 0;
    // Appends its JSON text.
    virtual void write(const void* in, std::string& out) const = 0;
    // Its JSON schema, without what a field of it means; named shapes go into `components` and are referred
    // to.
    virtual boost::json::value schema(const Rules& rules, Use use, boost::json::object& components) const = 0;
    // The fields of a shape, nothing for all other types.
    [[nodiscard]] virtual std::span<const struct Field> fields() const { return {}; }
    // Whether what could be read of a value stays beside what could not, for the sake of the problems that
    // it may have besides.
    [[nodiscard]] virtual bool has_parts() const { return !fields().empty(); }
    // Whether all values of a parameter that comes several times count; of others the last one does.
    [[nodiscard]] virtual bool takes_several() const { return false; }
};

struct Slot {
    void* (*make)(void* member) = nullptr;             // the place for a value, made if need be
    const void* (*look)(const void* member) = nullptr; // the value, or nullptr when there is none
    void (*drop)(void* member) = nullptr;              // back to nothing after a value that was no good
    void (*clear)(void* member) = nullptr;             // what JSON null does
    bool always = false;                               // is always written
    bool clearable = false;                            // null means something other than "not given"
    bool nullable = false;                             // is written as null when there is no value
};

// One key of a shape. One without a name is no key, but what a text means that stands where the object would:
// "domain=go.example.com" for "domain.fullName=go.example.com".
struct Field {
    std::string_view name;
    const ValueType* type;
    const Slot* slot;
    std::function<void*(void* shape)> locate;
    Rules rules;
};
using Fields = std::vector<Field>;
Fields joined(std::initializer_list<Fields> parts);

// A thing named by its id alone or by an object with an "id". What the id is worth is not looked at here.
struct Reference {
    std::string id;
};

// A value of a reply whose type depends on what it is the value of: one text, number or boolean, or a list of
// texts.
struct AnyValue {
    enum class Kind : std::uint8_t { text, number, boolean, list };
    Kind kind = Kind::text;
    std::vector<std::string> texts; // numbers and booleans as JSON has them; one, unless it is a list
};

struct IntegerAccess {
    std::int64_t min, max; // of the C++ type
    void (*set)(void* out, std::int64_t number);
    std::int64_t (*get)(const void* in);
};
struct EnumAccess {
    std::vector<std::string_view> names;
    void (*set)(void* out, std::size_t index);
    std::size_t (*get)(const void* in);
};
struct ArrayAccess {
    const ValueType* item;
    void* (*append)(void* out);
    std::size_t (*size)(const void* in);
    const void* (*at)(const void* in, std::size_t index);
};

const ValueType& text_type();      // std::string
const ValueType& boolean_type();   // bool
const ValueType& time_type();      // Timestamp
const ValueType& id_type();        // RawId and the Ids made of it
const ValueType& reference_type(); // Reference
const ValueType& amount_type();    // Amount
const ValueType& any_type();       // AnyValue; of replies only
std::unique_ptr<const ValueType> make_integer_type(IntegerAccess access);
std::unique_ptr<const ValueType> make_enum_type(EnumAccess access);
std::unique_ptr<const ValueType> make_array_type(ArrayAccess access);
std::unique_ptr<const ValueType> make_object_type(std::string_view name, Fields fields);

} // namespace slashpost::wire
