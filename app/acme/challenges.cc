#include "app/acme/challenges.h"

#include "core/base/guarded.h"

namespace slashpost::acme {

std::optional<std::string> Challenges::find(ChallengeKind kind, std::string_view subject) const {
    data::Engine* const engine = engine_;
    if (engine == nullptr)
        return std::nullopt;
    auto found = guarded([&] {
        return engine->read(
            [&](data::View& view) { return find_challenge(view, kind, subject, clock_->now()); });
    });
    return found.has_value() ? std::move(*found) : std::nullopt;
}

} // namespace slashpost::acme
