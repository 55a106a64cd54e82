#pragma once
// One description of a wire shape, used three ways: to read it (collecting every problem), to write it, and
// to document it.
//
//     struct TagInput {
//         std::string name;
//         std::optional<std::string> color;
//         static constexpr std::string_view wire_name = "TagInput";
//         static wire::Fields fields() {
//             return {field("name", &TagInput::name, required, length(1, 255)),
//                     field("color", &TagInput::color, formats::hex_color)};
//         }
//     };
//
// A plain member is always written; std::optional and Change are absent when they hold nothing, Nullable is
// null then. In an input null and the empty string mean "not given", except that null clears a Change.
// Unknown keys are ignored. Types are erased here at once: behind fields() everything is run-time lists of
// ValueType.
#include "core/base/amount.h"
#include "core/base/change.h"
#include "core/base/id.h"
#include "core/base/time.h"
#include "http/wire/value_type.h"

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace slashpost::wire {

template <class T>
concept Shape = requires {
    { T::fields() } -> std::same_as<Fields>;
    { T::wire_name } -> std::convertible_to<std::string_view>;
};

// An enumeration goes by its names on the wire: specialise with a static array `all` of {name, value}.
template <class E>
struct EnumNames;

template <class T>
struct VectorItem {};
template <class T>
struct VectorItem<std::vector<T>> {
    using type = T;
};
template <class T>
concept Vector = requires { typename VectorItem<T>::type; };

template <class V>
const ValueType& type_of();

// A value that a reply always has, if only as null.
template <class T>
struct Nullable {
    std::optional<T> value;
};

namespace detail {

template <class I>
std::unique_ptr<const ValueType> integer_type_of() {
    return make_integer_type(
        {.min = static_cast<std::int64_t>(std::numeric_limits<I>::min()),
         .max = std::in_range<std::int64_t>(std::numeric_limits<I>::max())
                    ? static_cast<std::int64_t>(std::numeric_limits<I>::max())
                    : std::numeric_limits<std::int64_t>::max(),
         .set = [](void* out, std::int64_t number) { *static_cast<I*>(out) = static_cast<I>(number); },
         .get = [](const void* in) { return static_cast<std::int64_t>(*static_cast<const I*>(in)); }});
}

template <class E>
std::unique_ptr<const ValueType> enum_type_of() {
    EnumAccess access{
        .names = {},
        .set = [](void* out, std::size_t i) { *static_cast<E*>(out) = EnumNames<E>::all[i].second; },
        .get =
            [](const void* in) {
                std::size_t i = 0;
                while (EnumNames<E>::all[i].second != *static_cast<const E*>(in))
                    ++i;
                return i;
            }};
    for (const auto& [name, value] : EnumNames<E>::all)
        access.names.push_back(name);
    return make_enum_type(std::move(access));
}

template <class T>
std::unique_ptr<const ValueType> array_type_of() {
    using Items = std::vector<T>;
    return make_array_type(
        {.item = &type_of<T>(),
         .append = [](void* out) -> void* { return &static_cast<Items*>(out)->emplace_back(); },
         .size = [](const void* in) { return static_cast<const Items*>(in)->size(); },
         .at = [](const void* in, std::size_t i) -> const void* {
             return &(*static_cast<const Items*>(in))[i];
         }});
}

// How a member holds "nothing": Slot<M>::value_type is what it holds otherwise.
template <class M>
struct SlotOf {
    using value_type = M;
    static constexpr Slot slot{.make = [](void* member) { return member; },
                               .look = [](const void* member) { return member; },
                               .drop = [](void*) {},
                               .clear = [](void*) {},
                               .always = true,
                               .clearable = false};
};
template <class T>
struct SlotOf<std::optional<T>> {
    using value_type = T;
    using M = std::optional<T>;
    static constexpr Slot slot{
        .make = [](void* member) -> void* { return &static_cast<M*>(member)->emplace(); },
        .look = [](const void* member) -> const void* {
            const auto& held = *static_cast<const M*>(member);
            return held ? &*held : nullptr;
        },
        .drop = [](void* member) { static_cast<M*>(member)->reset(); },
        .clear = [](void*) {},
        .always = false,
        .clearable = false};
};
template <class T>
struct SlotOf<Nullable<T>> {
    using value_type = T;
    using M = Nullable<T>;
    static constexpr Slot slot{
        .make = [](void* member) -> void* { return &static_cast<M*>(member)->value.emplace(); },
        .look = [](const void* member) -> const void* {
            const auto& held = static_cast<const M*>(member)->value;
            return held ? &*held : nullptr;
        },
        .drop = [](void* member) { static_cast<M*>(member)->value.reset(); },
        .clear = [](void*) {},
        .always = true,
        .clearable = false,
        .nullable = true};
};
template <class T>
struct SlotOf<Change<T>> {
    using value_type = T;
    using M = Change<T>;
    static constexpr Slot slot{.make = [](void* member) -> void* {
                                   auto& change = *static_cast<M*>(member);
                                   change = M::set(T{});
                                   return const_cast<T*>(&change.value()); // the change itself is not const
                               },
                               .look = [](const void* member) -> const void* {
                                   const auto& change = *static_cast<const M*>(member);
                                   return change.is_set() ? &change.value() : nullptr;
                               },
                               .drop = [](void* member) { *static_cast<M*>(member) = M::keep(); },
                               .clear = [](void* member) { *static_cast<M*>(member) = M::clear(); },
                               .always = false,
                               .clearable = true};
};

} // namespace detail

// The one ValueType of a C++ type.
template <class V>
const ValueType& type_of() {
    if constexpr (std::same_as<V, std::string>) {
        return text_type();
    } else if constexpr (std::same_as<V, bool>) {
        return boolean_type();
    } else if constexpr (std::same_as<V, Timestamp>) {
        return time_type();
    } else if constexpr (std::same_as<V, Reference>) {
        return reference_type();
    } else if constexpr (std::same_as<V, Amount>) {
        return amount_type();
    } else if constexpr (std::same_as<V, AnyValue>) {
        return any_type();
    } else if constexpr (std::derived_from<V, RawId>) {
        static_assert(std::is_standard_layout_v<V>, "an id is read and written as its RawId");
        return id_type();
    } else {
        static const std::unique_ptr<const ValueType> type = [] {
            if constexpr (std::integral<V>) {
                return detail::integer_type_of<V>();
            } else if constexpr (std::is_enum_v<V>) {
                return detail::enum_type_of<V>();
            } else if constexpr (Vector<V>) {
                return detail::array_type_of<typename VectorItem<V>::type>();
            } else {
                static_assert(Shape<V>,
                              "a wire type is a leaf, a vector, an enum, or a struct with fields()");
                return make_object_type(V::wire_name, V::fields());
            }
        }();
        return *type;
    }
}

// One key of a shape; rules are those of value_type.h and formats.h.
template <class T, class M, std::same_as<Rule>... R>
Field field(std::string_view name, M T::* member, const R&... rules) {
    Field out{.name = name,
              .type = &type_of<typename detail::SlotOf<M>::value_type>(),
              .slot = &detail::SlotOf<M>::slot,
              .locate = [member](void* shape) -> void* { return &(static_cast<T*>(shape)->*member); },
              .rules = {}};
    (rules.apply(out.rules), ...);
    return out;
}

// The keys of a member that is a shape itself, as keys of the shape around it.
template <class T, Shape M>
Fields part(M T::* member) {
    auto fields = M::fields();
    for (auto& one : fields)
        one.locate = [member, inner = std::move(one.locate)](void* shape) {
            return inner(&(static_cast<T*>(shape)->*member));
        };
    return fields;
}

} // namespace slashpost::wire
