// Each type of event is told by what makes it true: once, by whom it was done, and not by what fails or
// changes nothing. Here those of workspaces, people and the installation; the others:
// event_types_of_links_test.cc. What events say: event_log_test.cc.
#include "core/access/event_log.h"

#include "app/admin/link_import.h"
#include "core/work/certificates.h"
#include "tests/app/admin/stocked_world.h"
#include "tests/core/access/event_types.h"
#include "tests/support/domains.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>

#include <fstream>

using namespace slashpost;
using namespace slashpost::test;

namespace {

Types workspaces_tell() {
    Office office;
    const auto made = must(try_workspace(office, {.name = "Spring"}, office.caller));
    const auto told = [&](std::string_view type, std::string_view name, const Caller& by) {
        return Texts{line(type, made.id, name, made.id, by)};
    };
    CHECK(office.news() == told("workspace.created", "Spring", office.caller)); // and nothing of its owner
    CHECK_FALSE(try_workspace(office, {.name = "a\nb"}, office.caller).has_value());
    const auto rename = [&](std::string_view name) {
        return write_in(office, made.id, [&](Context& ctx) {
            return update_workspace(ctx, {.name = Change<std::string>::set(std::string(name))});
        });
    };
    CHECK_FALSE(rename("a\nb").has_value());
    CHECK(office.news() == Texts{});
    must(rename("Summer"));
    CHECK(office.news() == told("workspace.updated", "Summer", office.caller));
    must(rename("Summer"));
    CHECK_FALSE(remove_in(office, office.home, Removal::trashed).has_value()); // an account's default one
    CHECK(office.news() == Texts{});

    must(remove_in(office, made.id, Removal::trashed));
    CHECK(office.news() == told("workspace.deleted", "Summer", office.caller));
    CHECK_FALSE(remove_in(office, made.id, Removal::trashed).has_value());
    CHECK(office.news() == Texts{});
    set_state(office, made.id, {.trashed = Change<bool>::set(false)});
    CHECK(office.news() == told("workspace.restored", "Summer", nobody()));
    set_state(office, made.id, {.trashed = Change<bool>::set(false)});
    CHECK(office.news() == Texts{});
    set_state(office, made.id, {.revoked = Change<bool>::set(true)});
    CHECK(office.news() == told("workspace.updated", "Summer", nobody()));
    CHECK_FALSE(rename("Autumn").has_value());
    CHECK(office.news() == Texts{});

    set_state(office, made.id, {.revoked = Change<bool>::set(false)});
    office.news();
    must(remove_in(office, made.id, Removal::deleted));
    CHECK(office.news() == told("workspace.deleted", "Summer", office.caller));
    run_jobs(office);
    CHECK(office.news() == Texts{});
    CHECK(office.inconsistency().empty());
    return office.types;
}

Types teammates_tell() {
    Office office;
    office.settings.adds_strangers = true;
    const auto ann = office.colleague("ann");
    const auto id = ann.account.id.hex();
    const auto told = [&](std::string_view type) { return office.told(type, ann.account.id, "ann"); };
    const auto give = [&](Role role) {
        return office.write([&](Context& ctx) -> Result<SetTeammate> {
            return set_teammate(ctx, TRY(find_person(ctx, id)), role);
        });
    };
    must(give(Role::viewer));
    CHECK(office.news() == told("teammate.added"));
    must(give(Role::viewer));
    CHECK_FALSE(give(Role::owner).has_value());
    CHECK(office.news() == Texts{});
    must(give(Role::user));
    CHECK(office.news() == told("teammate.updated"));
    const auto remove = [&] {
        return office.write(
            [&](Context& ctx) -> Result<void> { return remove_teammate(ctx, TRY(find_teammate(ctx, id))); });
    };
    must(remove());
    CHECK(office.news() == told("teammate.removed"));
    CHECK_FALSE(remove().has_value());
    CHECK(office.news() == Texts{});

    const auto leave = [&](const Caller& who) {
        return write_as(office, who, office.home, [](Context& ctx) { return leave_workspace(ctx); });
    };
    must(give(Role::user));
    office.news();
    CHECK_FALSE(leave(office.caller).has_value()); // the owner
    CHECK(office.news() == Texts{});
    must(leave(ann.caller));
    CHECK(office.news() == Texts{line("teammate.removed", ann.account.id, "ann", office.home, ann.caller)});
    CHECK_FALSE(leave(ann.caller).has_value());
    CHECK(office.news() == Texts{});
    CHECK(office.inconsistency().empty());
    return office.types;
}

Types invites_tell() {
    Office office;
    const auto ann = office.colleague("ann"), bob = office.colleague("bob");
    const auto here = [&](std::string_view type, const RawId& what, std::string_view name, const Caller& by) {
        return line(type, what, name, office.home, by);
    };
    const auto invite = make_invite(office, "ann@example.com").details.invite;
    CHECK(office.news() == Texts{here("invite.created", invite.id, "ann@example.com", office.caller)});
    CHECK_FALSE(try_invites(office, {.emails = {"nobody"}, .message = {}}).has_value());
    const auto address =
        must(office.operate([&](SystemContext& system) { return issue_acceptance_address(system, invite); }));
    CHECK_FALSE(accept_with(office, bob.caller, token_of(address)).has_value()); // it is for ann
    CHECK(office.news() == Texts{});
    must(accept_with(office, ann.caller, token_of(address)));
    CHECK(office.news() == Texts{here("teammate.added", ann.account.id, "ann", ann.caller),
                                 here("invite.accepted", invite.id, "ann@example.com", ann.caller)});
    CHECK_FALSE(accept_with(office, ann.caller, token_of(address)).has_value());
    CHECK(office.news() == Texts{});

    const auto first = make_invite(office, "bob@example.com").details.invite;
    office.news();
    const auto second = make_invite(office, "bob@example.com").details.invite; // in its place
    CHECK(office.news() == Texts{here("invite.deleted", first.id, "bob@example.com", office.caller),
                                 here("invite.created", second.id, "bob@example.com", office.caller)});
    const auto withdraw = [&] {
        return office.write([&](Context& ctx) -> Result<InviteDetails> {
            return withdraw_invite(ctx, TRY(find_invite(ctx, second.id.hex())));
        });
    };
    must(withdraw());
    CHECK(office.news() == Texts{here("invite.deleted", second.id, "bob@example.com", office.caller)});
    CHECK_FALSE(withdraw().has_value());
    CHECK(office.news() == Texts{});

    const auto third = make_invite(office, "bob@example.com").details.invite;
    office.news();
    must(office.service.run(bob.caller, {}, accepting, [&](Context& ctx) -> Result<AcceptedInvite> {
        return decline_invite(ctx, TRY(find_received_invite(ctx, third.id.hex())));
    }));
    // Who says no does not work there, so nobody is named.
    CHECK(office.news() == Texts{here("invite.deleted", third.id, "bob@example.com", nobody())});
    CHECK(office.inconsistency().empty());
    return office.types;
}

// All that changes when a workspace gets another owner is told, each once.
Types another_owner_is_told() {
    Office office;
    const auto ann = office.colleague("ann");
    const auto room = make_workspace(office, "Room");
    const auto offer = must(invite_into(office, room.id,
                                        {.emails = {"ann@example.com"}, .role = Role::owner, .message = {}}))
                           .front();
    office.news();
    office.types.clear();
    must(accept_as(office, ann, offer));
    const auto there = [&](std::string_view type, const RawId& what, std::string_view name) {
        return line(type, what, name, room.id, ann.caller);
    };
    CHECK(office.news() == Texts{there("workspace.updated", room.id, "Room"),
                                 there("teammate.added", ann.account.id, "ann"),
                                 there("teammate.updated", office.caller.account, "admin"),
                                 there("invite.accepted", offer.details.invite.id, "ann@example.com")});
    CHECK(office.inconsistency().empty());
    return office.types;
}

Types conversions_tell() {
    Office office;
    const auto link = make_link(office, "a");
    const auto report = [&](std::string currency) {
        return try_conversion(office, {.click_id = {},
                                       .link = link.id,
                                       .event = "purchase",
                                       .value = Amount{19'990},
                                       .currency = std::move(currency),
                                       .reference = "order 1"});
    };
    office.news();
    office.types.clear();
    CHECK_FALSE(report("EUR").has_value()); // they are not tracked
    CHECK(office.news() == Texts{});
    track_conversions(office);
    const auto workspace = must(office.engine->read(
        [&](data::View& view) { return schema().workspaces.find(view, office.home.view()); }));
    CHECK(office.news() == office.told("workspace.updated", office.home, workspace.value().name));
    track_conversions(office);
    CHECK_FALSE(report("no currency").has_value());
    CHECK(office.news() == Texts{});
    const auto made = must(report("EUR"));
    CHECK(office.news() == office.told("conversion.recorded", made.id, "purchase"));
    CHECK(must(report("EUR")).id == made.id);
    CHECK(office.news() == Texts{});
    CHECK(office.inconsistency().empty());
    return office.types;
}

Types imports_tell() {
    Office office;
    PlainHouse plain(*office.engine, office.service, office.clock);
    const TempFolder folder;
    const auto import = [&](std::string_view name, std::string_view text, bool dry_run = false) {
        const auto path = folder.path() / name;
        std::ofstream(path, std::ios::binary) << text;
        RememberingConsole console;
        return must(admin::import_files(plain.context, console,
                                        {.files = {path}, .from = "csv", .dry_run = dry_run}));
    };
    constexpr auto good = "destination,slashtag,tags\n"
                          "https://example.com/1,a,Spring\n"
                          "https://example.com/2,b,Spring\n";
    CHECK(import("wrong.csv", "destination,slashtag\njavascript:1,c\n") == admin::exit_findings);
    CHECK(import("good.csv", good, true) == admin::exit_good);
    CHECK(office.news() == Texts{});
    CHECK(import("good.csv", good) == admin::exit_good);
    CHECK(must(office.count({})) == 2);
    CHECK(office.news() == Texts{line("import.finished", office.home, "", office.home, nobody())});
    CHECK(import("good.csv", good) == admin::exit_good); // it is in
    CHECK(office.news() == Texts{});
    CHECK(office.inconsistency().empty());
    return office.types;
}

Types certificates_tell() {
    Office office;
    const Seat here(office);
    const auto domain = must(here.add("mine.example"));
    must(here.prove(domain));
    office.news();
    office.types.clear();
    while (must(office.operate([](SystemContext& system) {
        return match_certificates(system, [](std::string_view) { return false; });
    }))) {
    }
    const auto fail = [&](OrderTrouble::Kind kind) {
        must(office.operate([&](SystemContext& system) {
            return book_trouble(system, "mine.example", {.kind = kind, .reason = "no", .retry_at = {}});
        }));
    };
    fail(OrderTrouble::Kind::not_reached);
    fail(OrderTrouble::Kind::stopped);
    CHECK(office.news() == Texts{});
    fail(OrderTrouble::Kind::refused);
    CHECK(office.news() ==
          Texts{line("certificate.failed", domain.id, "mine.example", office.home, nobody())});
    must(office.operate([&](SystemContext& system) {
        return book_certificate(system, "mine.example",
                                {.chain = "chain",
                                 .key = "key",
                                 .not_before = system.now,
                                 .not_after = system.now.plus_seconds(90LL * 24 * 3600),
                                 .renewal_id = {}});
    }));
    CHECK(office.news() == Texts{});
    CHECK(office.inconsistency().empty());
    return office.types;
}

} // namespace

TEST_CASE("workspaces tell when they are made, changed, deleted and restored", "[events]") {
    CHECK(workspaces_tell() ==
          Types{"workspace.created", "workspace.deleted", "workspace.restored", "workspace.updated"});
}

TEST_CASE("teammates tell when they come, get another role and go", "[events]") {
    CHECK(teammates_tell() == Types{"teammate.added", "teammate.removed", "teammate.updated"});
    CHECK(another_owner_is_told() ==
          Types{"invite.accepted", "teammate.added", "teammate.updated", "workspace.updated"});
}

TEST_CASE("invites tell when they are sent, accepted and gone", "[events]") {
    CHECK(invites_tell() == Types{"invite.accepted", "invite.created", "invite.deleted", "teammate.added"});
}

TEST_CASE("conversions, imports and certificates tell what became of them", "[events]") {
    CHECK(conversions_tell() == Types{"conversion.recorded", "workspace.updated"});
    CHECK(imports_tell() == Types{"import.finished"});
    CHECK(certificates_tell() == Types{"certificate.failed"});
}

TEST_CASE("no type of event is without a test of what makes it true", "[events]") {
    Types seen;
    for (auto* const tell :
         {links_tell, time_tells, clicks_tell, domains_tell, tags_tell, scripts_tell, workspaces_tell,
          teammates_tell, invites_tell, conversions_tell, imports_tell, certificates_tell})
        seen.merge(tell());
    Types all;
    for (const auto& [word, type] : event_types)
        all.emplace(word);
    CHECK(all.size() == event_types.size());
    CHECK(seen == all);
}
