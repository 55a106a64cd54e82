#pragma once
// Domains that a path names, as parameters of handlers: one type for each door (core/access/domain_doors.h).
#include "core/access/domain_doors.h"
#include "core/ops/account_domains.h"
#include "http/api/route.h"

namespace slashpost::api {

template <Result<Domain> (*door)(Context&, std::string_view)>
struct DomainThrough {
    Domain domain;
    const Domain& operator*() const { return domain; }
};
using SeenDomain = DomainThrough<find_seen_domain>;
using SharedDomain = DomainThrough<find_shared_domain>;
using ManagedDomain = DomainThrough<find_managed_domain>;
using ShareableDomain = DomainThrough<find_shareable_domain>;

template <Result<Domain> (*door)(Context&, std::string_view)>
struct Argument<DomainThrough<door>> {
    static Result<DomainThrough<door>> take(Context& ctx, const Input& input) {
        return DomainThrough<door>{TRY(door(ctx, input.at("domain_id")))};
    }
    static void describe(Operation&) {}
};

// The TXT records found where the domain of the path is to be proved.
struct TxtRecords {
    std::vector<std::string> texts;
};

template <>
struct Argument<TxtRecords> {
    static Result<TxtRecords> take(Context&, const Input& input) { return TxtRecords{input.txt_records}; }
    static void describe(Operation& operation) {
        operation.txt_name = [](Context& ctx, const Input& input) -> Result<std::string> {
            const auto domain = TRY(find_managed_domain(ctx, input.at("domain_id")));
            return domain.verified ? std::string() : verification_record(domain).name;
        };
    }
};

} // namespace slashpost::api
