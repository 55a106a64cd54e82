#include "core/ops/domain_lists.h"

#include "core/access/domain_doors.h"
#include "core/access/limits.h"
#include "core/base/host.h"
#include "core/base/text.h"
#include "core/ops/row_lists.h"
#include "core/schema/click_totals.h"
#include "core/schema/rollups.h"
#include "core/schema/schema.h"

#include <functional>
#include <set>

namespace slashpost {

namespace {

constexpr std::array<std::string_view, 3> domain_order_names{"createdAt", "updatedAt", "fullName"};
enum class Order : std::uint8_t { created, updated, name };

// What domains are sorted by; unique, as it ends in the id.
data::Bytes place_of(const Domain& domain, Order order) {
    switch (order) {
    case Order::created:
        return data::key(domain.created_at, domain.id);
    case Order::updated:
        return data::key(domain.updated_at, domain.id);
    case Order::name:
        return data::key(domain.full_name, domain.id);
    }
    return {};
}

class Test {
  public:
    explicit Test(const DomainFilter& filter) : filter_(filter), term_(filter.term) {}
    bool operator()(const Domain& domain) const {
        const auto fits = [](const auto& wanted, const auto& value) { return !wanted || *wanted == value; };
        return fits(filter_.active, status_of(domain) == DomainStatus::active) &&
               fits(filter_.verified, domain.verified) && fits(filter_.type, domain.type) &&
               fits(filter_.status, status_of(domain)) && term_.in(domain.full_name);
    }

  private:
    const DomainFilter& filter_;
    FoldedTerm term_;
};

using Visit = std::function<Result<void>(const Domain&)>;

// A workspace shares so few domains that they are sorted when they are listed, rather than indexed.
Result<void> each_shared(data::View& view, WorkspaceId workspace, const Visit& visit) {
    const auto& shares = schema().domain_shares; // their primary keys begin with the workspace
    return shares.each(
        view,
        [&](const DomainShare& share) -> Result<bool> {
            if (share.workspace != workspace)
                return false;
            const auto domain = share.in_force() ? TRY(schema().domains.find(view, share.domain.view()))
                                                 : std::optional<Domain>();
            if (domain)
                TRY(visit(*domain));
            return true;
        },
        workspace.view());
}

// What find_shareable_domain would find but each_shared does not.
Result<void> each_shareable(Context& ctx, const Visit& visit) {
    std::set<DomainId> seen;
    TRY(each_shared(ctx.view(), ctx.workspace.id, [&](const Domain& domain) -> Result<void> {
        seen.insert(domain.id);
        return {};
    }));
    const auto visit_once = [&](const Domain& domain) -> Result<void> {
        return seen.insert(domain.id).second ? visit(domain) : Result<void>();
    };
    const auto& table = schema().domains;
    TRY(table.by_owner.walk(ctx.view(), {.scope = data::key(ctx.account.id)},
                            [&](data::BytesView primary) -> Result<bool> {
                                if (const auto domain = TRY(table.find(ctx.view(), primary)))
                                    TRY(visit_once(*domain));
                                return true;
                            }));
    return each_owned_workspace(ctx.view(), ctx.account.id, [&](const Workspace& own) {
        return each_shared(ctx.view(), own.id, [&](const Domain& domain) -> Result<void> {
            return domain.type == DomainType::service ? visit_once(domain) : Result<void>();
        });
    });
}

Result<void> each_passing(Context& ctx, const DomainFilter& filter,
                          const std::function<void(const Domain&)>& visit) {
    const auto test = [passes = Test(filter), &visit](const Domain& domain) -> Result<void> {
        if (passes(domain))
            visit(domain);
        return {};
    };
    return filter.scope == DomainScope::shared ? each_shared(ctx.view(), ctx.workspace.id, test)
                                               : each_shareable(ctx, test);
}

// The domain that `last` names, if the workspace shares it, did so less than a day ago, or might.
Result<std::optional<Domain>> read_last(Context& ctx, std::string_view last, Problems& problems) {
    if (last.empty())
        return std::optional<Domain>();
    std::optional<Domain> found;
    if (const auto id = DomainId::parse(last)) {
        found = TRY(find_place(ctx.view(), schema().domains, id->view(), ctx.now));
        const auto share =
            DomainShare::primary_of({.workspace = ctx.workspace.id, .domain = *id, .ended_at = {}});
        if (found && !TRY(find_place(ctx.view(), schema().domain_shares, share, ctx.now)) &&
            !TRY(is_shareable(ctx, *found)))
            found.reset();
    }
    if (!found)
        problems.add(invalid_format("last", "is not the id of a domain of this workspace"));
    return found;
}

Result<void> tell_encryption(Context& ctx, DomainDetails& out) {
    const auto& domain = out.domain;
    const auto authority = split_authority(domain.full_name);
    if (!domain.verified || !authority)
        return {};
    if (!ctx.settings.has_certificate || ctx.settings.has_certificate(authority->host)) {
        out.encryption = Encryption::active;
        return {};
    }
    if (!ctx.settings.orders_certificates || !domain.active || domain.revoked)
        return {};
    out.encryption = Encryption::pending;
    const auto row =
        TRY(schema().host_certificates.find(ctx.view(), HostCertificate::primary_for(authority->host)));
    if (row && row->state == CertificateState::failed) {
        out.encryption = Encryption::failed;
        out.encryption_error = row->error;
    }
    return {};
}

Result<DomainDetails> describe(Context& ctx, RollupReader& rollups, const Domain& domain) {
    const auto clicks = TRY(clicks_of_domain(ctx.view(), domain.id, ctx.workspace.id));
    const auto here = Subject::of(domain.id, ctx.workspace.id);
    const auto counts = TRY(rollups.lifetime(here));
    const auto last_click_at = TRY(last_click_of(ctx.view(), here));
    DomainDetails out{.domain = domain,
                      .clicks = clicks,
                      .sessions = counts.sum(group::sessions),
                      .last_click_at = last_click_at,
                      .encryption_error = {}};
    TRY(tell_encryption(ctx, out));
    return out;
}

} // namespace

DomainStatus status_of(const Domain& domain) {
    if (domain.revoked)
        return DomainStatus::revoked;
    if (!domain.verified)
        return DomainStatus::pending;
    return domain.active ? DomainStatus::active : DomainStatus::inactive;
}

std::span<const std::string_view> domain_orders() { return domain_order_names; }

Result<std::vector<DomainDetails>> list_domains(Context& ctx, const DomainFilter& filter,
                                                const PageRequest& page, Problems problems) {
    const auto order = static_cast<Order>(read_order_name(domain_order_names, page.order_by, problems));
    const auto last = TRY(read_last(ctx, page.last, problems));
    TRY(problems.result("domain"));

    std::vector<Domain> all;
    TRY(each_passing(ctx, filter, [&](const Domain& domain) { all.push_back(domain); }));
    std::vector<DomainDetails> out;
    RollupReader rollups(ctx.view());
    for (const auto& domain : page_of(
             std::move(all), [&](const Domain& one) { return place_of(one, order); }, page,
             last ? place_of(*last, order) : data::Bytes()))
        out.push_back(TRY(describe(ctx, rollups, domain)));
    return out;
}

Result<std::int64_t> count_domains(Context& ctx, const DomainFilter& filter, const Problems& problems) {
    TRY(problems.result("domain"));
    std::int64_t count = 0;
    TRY(each_passing(ctx, filter, [&](const Domain&) { ++count; }));
    return count;
}

Result<DomainDetails> describe_domain(Context& ctx, const Domain& domain) {
    RollupReader rollups(ctx.view());
    return describe(ctx, rollups, domain);
}

} // namespace slashpost
