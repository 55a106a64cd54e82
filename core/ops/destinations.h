#pragma once
// Destinations of links: what core/base/url.h says of any address, and that none of this server's own short
// addresses leads back to itself (wire "Link").
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/model/domain.h"
#include "core/model/link.h"

#include <map>
#include <set>
#include <span>

namespace slashpost {

// Where an address of one of our domains leads a visitor.
enum class DomainPage : std::uint8_t {
    link,
    home,    // "/", which has the domain's customHomepage
    nowhere, // no such link, or not any more: the domain's notFoundUrl or expiredUrl
};

// Checks the destinations that one call gives a link: its own, those of its rules and of its rotator; or one
// of the addresses that a domain leads to by itself. They are followed from place to place within this
// server, as browsers and redirects would. However many there are, and however often they meet, each address
// is looked at once, and all of them together are at most addresses_max.
class DestinationCheck {
  public:
    // What leads over more of our own short links, one behind the other, is taken for a loop.
    static constexpr std::size_t hops_max = 10;
    // As is what branches to more addresses than these, of other hosts too.
    static constexpr std::size_t addresses_max = 1'000;

    // `link` need not be stored yet but has its domain, and its slashtag unless that will be made. Both
    // outlive the check.
    DestinationCheck(Context& ctx, const Link& link)
        : view_(ctx.view()),
          schemes_(ctx.settings.destination_schemes),
          link_(&link) {}
    // Of what the domain does for its home or for nowhere.
    DestinationCheck(data::View& view, DomainId domain, DomainPage place)
        : view_(view),
          domain_(domain),
          place_(place) {}

    // Whether what visitors ask for below the link goes on below the address. It does for links that pass
    // paths on, wherever they lead while they have not ended.
    enum class Path : std::uint8_t { goes_on, stays };

    // The stored form of `given`. Adds a problem on `property` and answers an empty text when it is no valid
    // destination of the link. A path can only go on below an address that names a host, and one that is none
    // of ours: of visitors' paths nobody can tell beforehand which lead in a circle.
    Result<std::string> read(std::string_view given, Problems& problems,
                             std::string_view property = "destination", Path path = Path::goes_on);
    // The same for one that is stored already. False when a problem was added.
    Result<bool> admit(const std::string& stored, Problems& problems, std::string_view property,
                       Path path = Path::goes_on);

  private:
    enum class End : std::uint8_t { elsewhere, back, too_far };
    Result<End> follow(const std::string& stored);
    Result<End> step(const std::string& address, std::vector<std::string>& further);
    struct Place;
    Result<Place> place_at(const Domain& domain, std::string_view path);
    [[nodiscard]] bool is_own(const Domain& domain, std::string_view slashtag_key) const {
        return link_ != nullptr && domain.id == link_->domain && link_->has_key(slashtag_key);
    }
    Result<bool> admit_path(const std::string& stored, Problems& problems, std::string_view property);
    Result<const std::optional<Domain>*> domain_of(std::string_view address);
    bool notes(std::string_view stored, std::vector<std::string>& out);

    data::View& view_;
    std::span<const std::string> schemes_;
    // What nothing may lead back to.
    const Link* link_ = nullptr;
    DomainId domain_; // unless it is a link
    DomainPage place_ = DomainPage::link;
    // What was looked at and leads elsewhere, or is being looked at.
    std::set<std::string, std::less<>> addresses_;
    std::set<std::pair<DomainId, std::string>> places_;
    // By what stands before the path; nothing: the host is none of ours.
    std::map<std::string, std::optional<Domain>, std::less<>> domains_;
    std::size_t noted_ = 0; // addresses, of those before a loop was found too
};

// Adds a problem when a stored address has "{path}" or "{domain}" in front of or in its host: who asks for
// something does not choose whom it is asked of.
void check_places(std::string_view property, std::string_view stored, Problems& problems);

// For a call that gives only one.
Result<std::string> check_destination(Context& ctx, const Link& link, std::string_view given,
                                      Problems& problems, std::string_view property = "destination");

} // namespace slashpost
