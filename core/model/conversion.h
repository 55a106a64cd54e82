#pragma once
// What a visitor did after a click, as somebody reported it. A row is kept as long as the same report could
// come again; what it counted for is in the rollups (core/schema/rollups.h).
#include "core/data/codec.h"

namespace slashpost {

struct Conversion {
    WorkspaceId workspace;
    RawId report; // of equal reports the same: the beginning of a SHA-256 (core/ops/conversions.cc)
    ConversionId id;
    LinkId link;
    std::string event;                             // "purchase"
    std::optional<std::int64_t> value_thousandths; // of the currency
    std::string currency;                          // ISO 4217; empty without a value
    Timestamp created_at;
    std::optional<Timestamp> clicked_at; // when a click id was reported
    Timestamp until;                     // the row goes then
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 32;
    static data::Bytes primary_of(const Conversion& c) {
        return data::Bytes(c.workspace.view()).append(c.report.view());
    }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "workspace", &Conversion::workspace),
                          stored(2, "report", &Conversion::report),
                          stored(3, "id", &Conversion::id),
                          stored(4, "link", &Conversion::link),
                          stored(5, "event", &Conversion::event),
                          stored(6, "value_thousandths", &Conversion::value_thousandths),
                          stored(7, "currency", &Conversion::currency),
                          stored(8, "created_at", &Conversion::created_at),
                          stored(9, "clicked_at", &Conversion::clicked_at),
                          stored(10, "until", &Conversion::until)};
    }
};

} // namespace slashpost
