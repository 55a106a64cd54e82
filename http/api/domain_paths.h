#pragma once
// Domains that a path names, as parameters of handlers: one type for each door (core/access/domain_doors.h).
#include "core/access/domain_doors.h"
#include "core/base/errors.h"
#include "core/ops/domain_aliases.h"
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

// A further name that the path has, of the domain that it has.
struct NamedAlias {
    DomainAlias alias;
    const DomainAlias& operator*() const { return alias; }

    static Result<NamedAlias> find(Context& ctx, const Input& input) {
        const auto domain = TRY(find_managed_domain(ctx, input.at("domain_id")));
        const auto name = input.at("alias_name");
        const auto* const alias = find_alias(domain, name);
        if (alias == nullptr)
            return not_found("alias", name);
        return NamedAlias{*alias};
    }
};

template <>
struct Argument<NamedAlias> {
    static Result<NamedAlias> take(Context& ctx, const Input& input) { return NamedAlias::find(ctx, input); }
    static void describe(Operation&) {}
};

// The TXT records found where the domain of the path, or its further name there, is to be proved.
struct TxtRecords {
    std::vector<std::string> texts;
};

template <>
struct Argument<TxtRecords> {
    static Result<TxtRecords> take(Context&, const Input& input) { return TxtRecords{input.txt_records}; }
    static void describe(Operation& operation) {
        operation.txt_name = [](Context& ctx, const Input& input) -> Result<std::string> {
            const auto domain = TRY(find_managed_domain(ctx, input.at("domain_id")));
            if (input.at("alias_name").empty())
                return domain.verified ? std::string() : verification_record(domain).name;
            const auto alias = TRY(NamedAlias::find(ctx, input)).alias;
            return alias.verified ? std::string() : verification_record(domain, alias.full_name).name;
        };
    }
};

} // namespace slashpost::api
