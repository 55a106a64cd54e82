#pragma once
// Which fields a row of a dump cannot lack: those with numbers up to the one given here, which every build
// that wrote such rows has written. A field with a higher number may be missing; it came later and has its
// default value then.
#include "core/schema/schema.h"

namespace slashpost::admin {

template <class Row>
inline constexpr std::uint32_t fields_from_the_beginning = 0; // of parts that are not rows of a table

template <>
inline constexpr std::uint32_t fields_from_the_beginning<Account> = 7;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<AcmeAccount> = 5;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<ApiKey> = 6;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Application> = 9;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Branding> = 4;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<CertificateFiles> = 3;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Conversion> = 10;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Credentials> = 7;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<DeepLink> = 3;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Delivery> = 16;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Domain> = 13;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<DomainAlias> = 2;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<DomainShare> = 3;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Event> = 13;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<FieldChange> = 4;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Grant> = 19;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<HostCertificate> = 15;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Identity> = 6;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Invite> = 12;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Job> = 5;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Link> = 16;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<LinkParts> = 6;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<LinkRule> = 4;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Mail> = 7;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Member> = 4;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<OpenGraph> = 5;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Plan> = 9;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<PlanLimits> = 7;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<ReleasedSlashtag> = 4;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<RotatorRule> = 3;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<RuleCondition> = 4;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Script> = 7;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<SlashtagRules> = 3;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Tag> = 7;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Tombstone> = 4;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Webhook> = 18;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<WebhookReplay> = 4;
template <>
inline constexpr std::uint32_t fields_from_the_beginning<Workspace> = 10;

} // namespace slashpost::admin
