#pragma once
// Tables of webhooks and of what they are told.
#include "core/data/table.h"
#include "core/model/webhook.h"
#include "core/schema/people.h"

namespace slashpost {

struct WebhookTable : Table<Webhook> {
    WebhookTable() : Table(space::webhooks, "webhook") {}

    Ordered<Webhook> by_created{this, 1, "by_created", [](const Webhook& w) { return always(w.workspace); },
                                [](const Webhook& w) { return key(w.created_at); }};
    // For which events are to be looked at.
    Ordered<Webhook> behind{
        this, 2, "behind",
        [](const Webhook& w) { return when(w.behind && w.status == WebhookStatus::enabled); },
        [](const Webhook&) { return data::Bytes(); }};
    // That hear of clicks, also while they are paused.
    Ordered<Webhook> of_clicks{this, 3, "of_clicks",
                               [](const Webhook& w) {
                                   return when(w.hears_of(EventType::link_clicked) && !w.is_disabled(),
                                               w.workspace);
                               },
                               [](const Webhook&) { return data::Bytes(); }};
    Tally<Webhook> per_workspace{this, 1, "per_workspace",
                                 [](const Webhook& w) { return always(w.workspace); }};
};

struct DeliveryTable : Table<Delivery> {
    DeliveryTable() : Table(space::deliveries, "delivery") {}

    Ordered<Delivery> by_webhook{this, 1, "by_webhook", [](const Delivery& d) { return always(d.webhook); },
                                 [](const Delivery&) { return data::Bytes(); }};
    // Tests apart, which go out whatever the webhook's state is.
    Ordered<Delivery> by_due{
        this, 2, "by_due",
        [](const Delivery& d) { return when(d.status == DeliveryStatus::waiting && !d.is_test, d.webhook); },
        [](const Delivery& d) { return key(d.due_at); }};
    Ordered<Delivery> tests_by_due{
        this, 3, "tests_by_due",
        [](const Delivery& d) { return when(d.status == DeliveryStatus::waiting && d.is_test); },
        [](const Delivery& d) { return key(d.due_at); }};
    // Of one thing, in the order in which it happened.
    Ordered<Delivery> by_subject{this, 4, "by_subject",
                                 [](const Delivery& d) { return when(d.is_open(), d.webhook, d.subject); },
                                 [](const Delivery&) { return data::Bytes(); }};
    Ordered<Delivery> by_end{this, 5, "by_end", [](const Delivery& d) { return when(!d.is_open()); },
                             [](const Delivery& d) { return key(d.log_ends_at()); }};
    Ordered<Delivery> ended_of{this, 6, "ended_of",
                               [](const Delivery& d) { return when(!d.is_open(), d.webhook); },
                               [](const Delivery& d) { return key(d.ended_at.value_or(Timestamp{})); }};
    Tally<Delivery> per_webhook{this, 1, "per_webhook",
                                [](const Delivery& d) { return always(d.webhook, d.is_open()); }};
};

} // namespace slashpost
