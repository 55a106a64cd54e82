#pragma once
// What the query of a visited address says of how its visitor came by it: the parameters utm_source,
// utm_medium and utm_campaign that many put behind their addresses, and the mark that QR codes carry.
#include "core/clicks/clicks.h"

namespace slashpost::redirect {

// The parameter that addresses in QR codes have. It is not passed on to destinations.
inline constexpr std::string_view scan_parameter = "sp_scan";

// Whether the query names scan_parameter.
[[nodiscard]] bool was_scanned(std::string_view query) noexcept;

// The value of the first parameter of that name, undone of escapes, without control characters and white
// space around it, and cut off between characters when it is too long. Empty when there is none, or it is no
// UTF-8.
[[nodiscard]] CampaignValue campaign_value(std::string_view query, CampaignPart part) noexcept;

} // namespace slashpost::redirect
