#pragma once
// What becomes of visitors' parameters, on the wire: of a domain, of a link, and of a visit that is supposed.
#include "core/model/forwarding.h"
#include "http/wire/fields.h"

namespace slashpost::api {

inline constexpr std::string_view forwarding_note =
    "What becomes of the parameters that visitors bring along.";
inline constexpr std::string_view on_conflict_note =
    "Whose parameter the visitor is sent on with where both have one of that name: the destination's, the "
    "visitor's, or both.";

// Of a domain, and what holds for a visit.
struct ForwardingReply {
    bool parameters = true;
    OnConflict on_conflict = OnConflict::destination;
    static constexpr std::string_view wire_name = "Forwarding";
    static wire::Fields fields() {
        return {wire::field("parameters", &ForwardingReply::parameters,
                            wire::note("Whether the visitor's query is added to the destination's.")),
                wire::field("onConflict", &ForwardingReply::on_conflict, wire::note(on_conflict_note))};
    }
    static ForwardingReply of(const Forwarding& in) {
        return {.parameters = in.parameters, .on_conflict = in.on_conflict};
    }
};

struct ForwardingChangeInput {
    std::optional<bool> parameters;
    std::optional<OnConflict> on_conflict;
    static constexpr std::string_view wire_name = "ForwardingChange";
    static wire::Fields fields() {
        return {wire::field(
                    "parameters", &ForwardingChangeInput::parameters,
                    wire::note("Whether the visitor's query goes along to customHomepage, notFoundUrl and "
                               "expiredUrl, and to where links lead that say nothing of it.")),
                wire::field("onConflict", &ForwardingChangeInput::on_conflict, wire::note(on_conflict_note),
                            wire::example("destination"))};
    }
};

// Of a link: what it says itself.
struct LinkForwardingReply {
    std::optional<bool> parameters;
    std::optional<OnConflict> on_conflict;
    static constexpr std::string_view wire_name = "LinkForwarding";
    static wire::Fields fields() {
        return {
            wire::field("parameters", &LinkForwardingReply::parameters,
                        wire::note("The same as forwardParameters; absent when it is as the domain says.")),
            wire::field("onConflict", &LinkForwardingReply::on_conflict,
                        wire::note("Whose parameter the visitor is sent on with where both have one of that "
                                   "name; absent when it is as the domain says."))};
    }
    static std::optional<LinkForwardingReply> of(const OwnForwarding& in) {
        if (in == OwnForwarding())
            return std::nullopt;
        LinkForwardingReply out{.parameters = in.parameters, .on_conflict = {}};
        if (in.on_conflict != OnConflict::as_domain)
            out.on_conflict = in.on_conflict;
        return out;
    }
};

struct LinkForwardingInput {
    Change<bool> parameters;
    Change<OnConflict> on_conflict;
    static constexpr std::string_view wire_name = "LinkForwardingInput";
    static wire::Fields fields() {
        return {
            wire::field("parameters", &LinkForwardingInput::parameters,
                        wire::note("The same as forwardParameters; null: as the domain says.")),
            wire::field("onConflict", &LinkForwardingInput::on_conflict,
                        wire::note("Whose parameter the visitor is sent on with where both have one of that "
                                   "name: the destination's, the visitor's, or both. Null: as the domain "
                                   "says."),
                        wire::example("visitor"))};
    }
};

} // namespace slashpost::api

namespace slashpost::wire {

template <>
struct EnumNames<OnConflict> {
    static constexpr std::array<std::pair<std::string_view, OnConflict>, 3> all{
        {{"destination", OnConflict::destination},
         {"visitor", OnConflict::visitor},
         {"both", OnConflict::both}}};
};

} // namespace slashpost::wire
