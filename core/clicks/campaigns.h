#pragma once
// What the query of a visited address says of how its visitor came by it: the parameters utm_source,
// utm_medium and utm_campaign that many put behind their addresses, and the mark that QR codes carry.
#include "core/clicks/clicks.h"

#include <array>
#include <optional>

namespace slashpost::redirect {

// The parameter that addresses in QR codes have. It is not passed on to destinations.
inline constexpr std::string_view scan_parameter = "sp_scan";

// What a query says of its campaign, read in one pass; valid as long as the query.
class CampaignQuery {
  public:
    explicit CampaignQuery(std::string_view query);

    // Whether the query names scan_parameter.
    [[nodiscard]] bool scanned() const { return scanned_; }

    // The value of the first parameter of that name, undone of escapes, without control characters and white
    // space around it, and cut off between characters when it is too long. Empty when there is none, or it is
    // no UTF-8.
    [[nodiscard]] CampaignValue value(CampaignPart part) const noexcept;

  private:
    bool scanned_ = false;
    std::array<std::optional<std::string_view>, 3> sent_; // by the number of the part, less one
};

} // namespace slashpost::redirect
