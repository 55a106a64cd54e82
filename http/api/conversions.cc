// Conversions (interface 3.5): shapes, the route, and its handler of one core call.
#include "core/ops/conversions.h"
#include "http/api/routes.h"
#include "http/wire/fields.h"
#include "http/wire/formats.h"

namespace slashpost::api {

using wire::example, wire::field, wire::length, wire::note, wire::required;
using wire::Fields;
namespace formats = wire::formats;

namespace {

constexpr std::size_t reference_length_max = 255;
constexpr std::string_view example_click_id = "3q2-7wEBAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJic";

struct ConversionInput {
    std::string click_id;
    std::optional<LinkId> link_id;
    std::string event;
    std::optional<Amount> value;
    std::string currency;
    std::string reference;
    static constexpr std::string_view wire_name = "ConversionInput";
    static Fields fields() {
        return {
            field("clickId", &ConversionInput::click_id,
                  note("What the visitor carried in the destination's query: the conversion counts for its "
                       "link, within the attribution window. This or linkId, not both."),
                  example(example_click_id)),
            field("linkId", &ConversionInput::link_id,
                  note("Id of the link, for a conversion without a click id; no window applies.")),
            field("event", &ConversionInput::event, required, formats::event_name,
                  note("What happened, in your words. The same event counts once for a click."),
                  example("purchase")),
            field("value", &ConversionInput::value,
                  note("What it was worth, with at most three decimals; needs a currency. A text such as "
                       "\"19.99\" is fine as well."),
                  example("49")),
            field("currency", &ConversionInput::currency, note("The currency of the value, ISO 4217."),
                  example("EUR")),
            field("reference", &ConversionInput::reference, length(1, reference_length_max),
                  note("Yours, like an order's number. What is reported again with the same click or link, "
                       "event and reference counts once."))};
    }
    [[nodiscard]] NewConversion to_new_conversion() const {
        return {.click_id = click_id,
                .link = link_id,
                .event = event,
                .value = value,
                .currency = currency,
                .reference = reference};
    }
};

struct ConversionReply {
    ConversionId id;
    LinkId link_id;
    std::string event;
    std::optional<Amount> value;
    std::optional<std::string> currency;
    Timestamp created_at;
    std::optional<Timestamp> clicked_at;
    static constexpr std::string_view wire_name = "Conversion";
    static Fields fields() {
        return {field("id", &ConversionReply::id, note("Id of the conversion.")),
                field("linkId", &ConversionReply::link_id, note("Id of the link for which it counts.")),
                field("event", &ConversionReply::event,
                      note("What happened, in the words of whoever reported it."), example("purchase")),
                field("value", &ConversionReply::value, note("What it was worth; absent when nobody said."),
                      example("49")),
                field("currency", &ConversionReply::currency,
                      note("The currency of the value, ISO 4217; absent without a value."), example("EUR")),
                field("createdAt", &ConversionReply::created_at, note("When it was reported.")),
                field("clickedAt", &ConversionReply::clicked_at,
                      note("When the visitor came; absent without a click id."))};
    }

    static ConversionReply of(const Conversion& c) {
        ConversionReply out{.id = c.id,
                            .link_id = c.link,
                            .event = c.event,
                            .value = {},
                            .currency = {},
                            .created_at = c.created_at,
                            .clicked_at = c.clicked_at};
        if (c.value_thousandths) {
            out.value = Amount{*c.value_thousandths};
            out.currency = c.currency;
        }
        return out;
    }
};

Result<ConversionReply> record(Context& ctx, const Draft<Body<ConversionInput>>& body) {
    return ConversionReply::of(TRY(record_conversion(ctx, body->to_new_conversion(), body.problems)));
}

} // namespace

const RouteList& conversion_routes() {
    static const RouteList routes{
        "conversion",
        {{http::Method::post,
          "/conversions",
          "createConversion",
          {.access = Access::write,
           .role = Role::user,
           .feature = Feature::extra_conversion_tracking,
           .link = LinkState::live,
           .place = LinkDomain::any_domain},
          on(record),
          "Report what a visitor did after a click.",
          {"ConversionTrackingDisabled", "DeletedLink", "ExpiredClick", "NotFound click", "NotFound link"}}}};
    return routes;
}

} // namespace slashpost::api
