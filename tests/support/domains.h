#pragma once
// Domains of a World, by the operations that a caller would use, with a DNS that says what it is told to.
#include "core/access/domain_doors.h"
#include "core/ops/account_domains.h"
#include "core/ops/domain_lists.h"
#include "tests/support/workspaces.h"

namespace slashpost::test {

// As a caller in a workspace; the world's caller in its default workspace unless told otherwise.
struct Seat {
    World& world;
    Caller caller;
    std::string workspace;
    explicit Seat(World& in) : world(in), caller(in.caller) {}
    Seat(World& in, const Caller& who, std::string where = {})
        : world(in),
          caller(who),
          workspace(std::move(where)) {}

    template <class Work>
    auto write(Work&& work, Guard guard = {}) const {
        guard.access = Access::write;
        return world.service.run(caller, workspace, guard, std::forward<Work>(work));
    }
    template <class Work>
    auto read(Work&& work) const {
        return world.service.run(caller, workspace, Guard{}, std::forward<Work>(work));
    }

    Result<Domain> add(std::string_view name) const {
        return write([&](Context& ctx) { return register_domain(ctx, name); });
    }
    // When the DNS says these texts where the domain is to be proved.
    Result<Domain> verify(DomainId id, const std::vector<std::string>& texts) const {
        return write([&](Context& ctx) -> Result<Domain> {
            return verify_domain(ctx, TRY(find_managed_domain(ctx, id.hex())), texts);
        });
    }
    // When the DNS says what it should.
    Result<Domain> prove(const Domain& domain) const {
        return verify(domain.id, {"v=spf1 -all", verification_record(domain).value});
    }
    Result<Domain> set(DomainId id, const DomainChange& change) const {
        return write([&](Context& ctx) -> Result<Domain> {
            return update_domain(ctx, TRY(find_managed_domain(ctx, id.hex())), change);
        });
    }
    Result<Domain> remove(DomainId id) const {
        return write([&](Context& ctx) -> Result<Domain> {
            return delete_domain(ctx, TRY(find_managed_domain(ctx, id.hex())));
        });
    }
    Result<void> share(DomainId id) const {
        return write([&](Context& ctx) -> Result<void> {
            return share_domain_here(ctx, TRY(find_shareable_domain(ctx, id.hex())));
        });
    }
    Result<void> unshare(DomainId id) const {
        return write([&](Context& ctx) -> Result<void> {
            return unshare_domain_here(ctx, TRY(find_shared_domain(ctx, id.hex())));
        });
    }
    Result<LinkDetails> link(DomainId domain, std::string slashtag = {}) const {
        return write([&](Context& ctx) {
            return create_link(ctx, {.destination = "https://example.com/",
                                     .domain = {.id = domain, .full_name = {}},
                                     .slashtag = slashtag});
        });
    }
    // Full names, joined with spaces, in the order of the list.
    std::string list(const DomainFilter& filter = {}, const PageRequest& page = {}) const {
        std::string out;
        for (const auto& details : must(read([&](Context& ctx) { return list_domains(ctx, filter, page); })))
            out += (out.empty() ? "" : " ") + details.domain.full_name;
        return out;
    }
    std::int64_t count(const DomainFilter& filter = {}) const {
        return must(read([&](Context& ctx) { return count_domains(ctx, filter); }));
    }
};

// "NotFound domain", "InvalidFormat domain: AlreadyExists fullName"; "none" for a success.
template <class T>
std::string refusal_of(const Result<T>& result) {
    if (result.has_value())
        return "none";
    auto out = result.error().code + " " + result.error().source;
    for (const auto& field : result.error().fields)
        out += (&field == result.error().fields.data() ? ": " : ", ") + field.code + " " + field.property;
    return out;
}

} // namespace slashpost::test
