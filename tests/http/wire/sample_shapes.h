#pragma once
// Shapes that use every kind of field once; not the service's own.
#include "http/wire/fields.h"
#include "http/wire/formats.h"

#include <array>

namespace slashpost::wire {

enum class Size { small, large };
template <>
struct EnumNames<Size> {
    static constexpr std::array<std::pair<std::string_view, Size>, 2> all{
        {{"small", Size::small}, {"large", Size::large}}};
};

struct Owner {
    std::optional<WorkspaceId> id;
    std::optional<std::string> name;
    static constexpr std::string_view wire_name = "Owner";
    static Fields fields() { return {field("id", &Owner::id), field("name", &Owner::name, length(2, 5))}; }
};

// A text in its place is a name, too.
struct Makers {
    std::vector<WorkspaceId> id;
    std::vector<std::string> name;
    static constexpr std::string_view wire_name = "Makers";
    static Fields fields() {
        return {field("id", &Makers::id, comma_list), field("fullName", &Makers::name, comma_list),
                field("", &Makers::name, comma_list)};
    }
};

struct Thing {
    std::string name;
    std::optional<std::string> color;
    std::optional<bool> heavy;
    std::optional<std::int64_t> count;
    std::uint32_t limit = 25;
    std::optional<Size> size;
    std::optional<Timestamp> at;
    std::optional<Timestamp> day;
    std::optional<std::string> order;
    std::optional<Owner> owner;
    std::optional<Makers> makers;
    std::vector<LinkId> ids;
    Change<std::string> note_text;
    static constexpr std::string_view wire_name = "Thing";
    static Fields fields() {
        static constexpr std::array<std::string_view, 2> orders{"name", "count"};
        return {field("name", &Thing::name, required, length(1, 4), example("cup")),
                field("color", &Thing::color, formats::hex_color),
                field("heavy", &Thing::heavy, absent_when("none")),
                field("count", &Thing::count, range(-5, 10)),
                field("limit", &Thing::limit, clamped(1, 100)),
                field("size", &Thing::size),
                field("at", &Thing::at),
                field("day", &Thing::day, formats::date),
                field("order", &Thing::order, one_of(orders), note("What to sort by.")),
                field("owner", &Thing::owner),
                field("makers", &Thing::makers),
                field("ids", &Thing::ids, items_max(3)),
                field("note", &Thing::note_text)};
    }
};

} // namespace slashpost::wire
