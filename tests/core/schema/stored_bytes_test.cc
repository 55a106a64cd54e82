// What is on disk: these bytes may never change, or older stores could not be read.
#include "core/schema/recent_links.h"
#include "core/schema/recent_rollups.h"
#include "core/schema/schema.h"
#include "tests/core/schema/bytes.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using data::Bytes;

namespace {

Link sample_link() {
    return {.id = id<LinkId>('1'),
            .workspace = id<WorkspaceId>('2'),
            .domain = id<DomainId>('3'),
            .creator = id<AccountId>('4'),
            .slashtag = "Ab",
            .slashtag_key = "ab",
            .destination = "http://x/",
            .title = "T",
            .description = "D",
            .type = LinkType::rotator,
            .status = LinkStatus::expired,
            .favourite = true,
            .forward_parameters = false,
            .created_at = {1},
            .updated_at = {2},
            .expires_at = Timestamp{3},
            .tags = {id<TagId>('5'), id<TagId>('6')},
            .scripts = {id<ScriptId>('7')},
            .on_conflict = OnConflict::both,
            .expired_url = "E"};
}

} // namespace

TEST_CASE("a link is stored as these bytes", "[schema]") {
    const auto expected = from_hex("01 0110" + std::string(zeros) + "01 0210" + std::string(zeros) +
                                   "02 0310" + std::string(zeros) + "03 0410" + std::string(zeros) +
                                   "04 05024162 06026162 0709687474703a2f2f782f 080154 090144 0a0104 0b0104 "
                                   "0c0102 0d0100 0e0102 0f0104 100106 " +
                                   "1122 10" + std::string(zeros) + "05 10" + std::string(zeros) +
                                   "06 1211 10" + std::string(zeros) + "07 140106 150145");
    CHECK(data::encode(sample_link()) == expected);
    CHECK(data::encode(*data::decode<Link>(expected)) == expected);
    // As it was stored before there were the last two.
    const auto older = data::decode<Link>(data::BytesView(expected).substr(0, expected.size() - 6));
    REQUIRE(older.has_value());
    CHECK(older->own_forwarding() == OwnForwarding{.parameters = false});
    CHECK(older->expired_url.empty());
}

TEST_CASE("what a link asks of its visitors is stored behind all else", "[schema]") {
    auto link = sample_link();
    const auto before = data::encode(link);
    link.password_hash = "H";
    link.password_set_at = Timestamp{4};
    link.clicks_max = 3;
    link.clicks_used = 1;
    CHECK(data::encode(link) == before + from_hex("1b0148 1c0108 1d0106 1e0102"));
    CHECK(data::decode<Link>(data::encode(link))->is_guarded());
    CHECK_FALSE(data::decode<Link>(before)->is_guarded());
}

TEST_CASE("other slashtags of a link are stored behind the rest of it", "[schema]") {
    auto link = sample_link();
    link.aliases = {{.slashtag = "S", .key = "s"}};
    const auto bytes = data::encode(link);
    CHECK(bytes == data::encode(sample_link()) + from_hex("1f0706 010153 020173"));
    CHECK(data::decode<Link>(bytes)->slashtag_keys() == std::vector<std::string>{"ab", "s"});
}

TEST_CASE("what a system of others calls a link is stored behind the rest of it", "[schema]") {
    auto link = sample_link();
    link.external_id = "X";
    const auto bytes = data::encode(link);
    CHECK(bytes == data::encode(sample_link()) + from_hex("1a0158"));
    CHECK(data::decode<Link>(bytes)->external_id == "X");
}

TEST_CASE("a link that passes paths on is stored with one field more", "[schema]") {
    auto link = sample_link();
    link.pass_path = true;
    CHECK(data::encode(link) == data::encode(sample_link()) + from_hex("190102"));
    CHECK(data::decode<Link>(data::encode(link))->pass_path);
    CHECK_FALSE(data::decode<Link>(data::encode(sample_link()))->pass_path);
}

TEST_CASE("a tag is stored as these bytes", "[schema]") {
    const Tag tag{.id = id<TagId>('1'),
                  .workspace = id<WorkspaceId>('2'),
                  .name = "N",
                  .color = "ff8800",
                  .active = false,
                  .created_at = {1},
                  .updated_at = {2}};
    const auto expected = from_hex("01 0110" + std::string(zeros) + "01 0210" + std::string(zeros) +
                                   "02 03014e 0406666638383030 050100 060102 070104");
    CHECK(data::encode(tag) == expected);
    CHECK(data::encode(*data::decode<Tag>(expected)) == expected);
}

TEST_CASE("a script is stored as these bytes", "[schema]") {
    const Script script{.id = id<ScriptId>('1'),
                        .workspace = id<WorkspaceId>('2'),
                        .name = "N",
                        .value = "V",
                        .uri = "U",
                        .created_at = {1},
                        .updated_at = {2}};
    const auto expected = from_hex("01 0110" + std::string(zeros) + "01 0210" + std::string(zeros) +
                                   "02 03014e 040156 050155 060102 070104");
    CHECK(data::encode(script) == expected);
    CHECK(data::encode(*data::decode<Script>(expected)) == expected);
}

TEST_CASE("the parts of a link are stored as these bytes", "[schema]") {
    const LinkParts parts{
        .link = id<LinkId>('1'),
        .workspace = id<WorkspaceId>('2'),
        .rules = {{.id = id<RuleId>('3'),
                   .destination = "A",
                   .rank = -1,
                   .conditions = {{.property = RuleProperty::query,
                                   .name = "n",
                                   .op = RuleOperator::before,
                                   .values = {"5"}},
                                  {.property = RuleProperty::country, .values = {"de", "at"}}}}},
        .rotator = {{.id = id<RotatorRuleId>('4'), .destination = "B", .weight = 0},
                    {.id = id<RotatorRuleId>('5'), .destination = "C"}},
        .open_graph = OpenGraph{.title = "T", .description = "D", .image = "I", .type = "Y", .locale = "L"},
        .deep_links = {{.app = "x", .path = "p", .active = false}}};
    const auto expected =
        from_hex("01 0110" + std::string(zeros) + "01 0210" + std::string(zeros) + "02 " +
                 // rules: one of 49 bytes, its conditions of 13 and 8
                 "0332 31 0110" + std::string(zeros) + "03 020141 030101 " +
                 "0417 0d 01010e 02016e 030106 04020135 08 0406 02 6465 02 6174 " +
                 // rotator
                 "042f 18 0110" + std::string(zeros) + "04 020142 030100 15 0110" + std::string(zeros) +
                 "05 020143 " + "050f 010154 020144 030149 040159 05014c 060a 09 010178 020170 030100");
    CHECK(data::encode(parts) == expected);
    CHECK(data::encode(*data::decode<LinkParts>(expected)) == expected);
}

TEST_CASE("a preview of empty texts is stored, and is not the same as none", "[schema]") {
    LinkParts parts{.link = id<LinkId>('1'), .workspace = id<WorkspaceId>('2'), .open_graph = OpenGraph{}};
    const auto bytes = data::encode(parts);
    CHECK(bytes == from_hex("01 0110" + std::string(zeros) + "01 0210" + std::string(zeros) + "02 0500"));
    CHECK(data::decode<LinkParts>(bytes)->open_graph.has_value());
}

TEST_CASE("a job and a tombstone are stored as these bytes", "[schema]") {
    const Job job{.id = id<JobId>('1'),
                  .kind = JobKind::detach_script,
                  .workspace = id<WorkspaceId>('2'),
                  .subject = id<ScriptId>('3'),
                  .created_at = {1},
                  .done = "D"};
    const auto job_bytes = from_hex("01 0110" + std::string(zeros) + "01 020104 0310" + std::string(zeros) +
                                    "02 0410" + std::string(zeros) + "03 050102 060144");
    CHECK(data::encode(job) == job_bytes);
    CHECK(data::encode(*data::decode<Job>(job_bytes)) == job_bytes);

    const Tombstone trace{.space = 13, .primary = "P", .row = "R", .until = {1}};
    const auto trace_bytes = from_hex("01 01011a 020150 030152 040102");
    CHECK(data::encode(trace) == trace_bytes);
    CHECK(data::encode(*data::decode<Tombstone>(trace_bytes)) == trace_bytes);
    CHECK(Tombstone::primary_of(trace) ==
          from_hex("000d 50" + std::string(zeros) + std::string(zeros) + "00"));
}

TEST_CASE("a conversion is stored as these bytes, with those that end at one time together", "[schema]") {
    const Conversion conversion{.workspace = id<WorkspaceId>('1'),
                                .report = id<LinkId>('2'),
                                .id = id<ConversionId>('3'),
                                .link = id<LinkId>('4'),
                                .event = "e",
                                .value_thousandths = 5,
                                .currency = "EUR",
                                .created_at = {1},
                                .clicked_at = Timestamp{2},
                                .until = {3}};
    const auto expected = from_hex("01 0110" + std::string(zeros) + "01 0210" + std::string(zeros) +
                                   "02 0310" + std::string(zeros) + "03 0410" + std::string(zeros) +
                                   "04 050165 06010a 0703455552 080102 090104 0a0106");
    CHECK(data::encode(conversion) == expected);
    CHECK(data::encode(*data::decode<Conversion>(expected)) == expected);
    const auto primary = from_hex(std::string(zeros) + "01" + std::string(zeros) + "02");
    CHECK(Conversion::primary_of(conversion) == primary);
    std::vector<data::Entry> entries;
    schema().conversions.by_end.append_entries(conversion, entries);
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].key == from_hex("01 8000000000000003") + primary);
}

TEST_CASE("a plan is stored as these bytes", "[schema]") {
    const Plan plan{.name = "p",
                    .category = "C",
                    .everything = false,
                    .features = {"links.tags"},
                    .limits = {.links = 1},
                    .rate_requests = 2,
                    .rate_period_seconds = 3,
                    .created_at = {1},
                    .updated_at = {2}};
    const auto expected = from_hex("01 010170 020143 030100 040b0a6c696e6b732e74616773 0503010102 060104 "
                                   "070106 080102 090104");
    CHECK(data::encode(plan) == expected);
    CHECK(data::encode(*data::decode<Plan>(expected)) == expected);
    CHECK(Plan::primary_of(plan) == from_hex("70 0000"));
}

TEST_CASE("a domain is stored as these bytes, and its name once it is verified", "[schema]") {
    Domain domain{.id = id<DomainId>('1'),
                  .full_name = "a.b",
                  .type = DomainType::service,
                  .owner = id<AccountId>('2'),
                  .verified = true,
                  .active = false,
                  .revoked = true,
                  .created_at = {1},
                  .updated_at = {2},
                  .redirect_type = 301,
                  .custom_homepage = "H",
                  .not_found_url = "N",
                  .slashtag = {.length_min = 2, .length_max = 3, .case_sensitive = true},
                  .apple_app_site_association = "{}",
                  .asset_links = "[]",
                  .registered_in = id<WorkspaceId>('3'),
                  .forwarding = {.parameters = false, .on_conflict = OnConflict::visitor},
                  .expired_url = "E",
                  .branding = {.name = "N", .color = "ff8800", .logo_url = "L", .home_text = "T"},
                  .aliases = {{.full_name = "w", .verified = true}, {.full_name = "v"}}};
    const auto expected =
        from_hex("01 0110" + std::string(zeros) + "01 0203612e62 030104 0410" + std::string(zeros) +
                 "02 050102 060100 070102 080102 090104 0a02da04 0b0148 0c014e 0d09 010104 020106 030102 "
                 "0e027b7d 0f025b5d 1010" +
                 std::string(zeros) +
                 "03 1106 010100 020104 120145 1311 01014e 0206666638383030 03014c 040154 140b 06 010177 "
                 "020102 03 010176");
    CHECK(data::encode(domain) == expected);
    CHECK(data::encode(*data::decode<Domain>(expected)) == expected);
    // As it was stored before there were forwarding, expiredUrl, a branding and further names.
    const auto older = data::decode<Domain>(data::BytesView(expected).substr(0, expected.size() - 43));
    REQUIRE(older.has_value());
    CHECK(older->registered_in == id<WorkspaceId>('3'));
    CHECK(older->forwarding == Forwarding{.parameters = true, .on_conflict = OnConflict::destination});
    CHECK(older->expired_url.empty());
    CHECK(older->branding == Branding{});
    CHECK(older->aliases.empty());

    const auto entries_of = [&](const data::EntrySet<Domain>& set) {
        std::vector<data::Entry> entries;
        set.append_entries(domain, entries);
        return entries;
    };
    REQUIRE(entries_of(schema().domains.by_name).size() == 2);
    CHECK(entries_of(schema().domains.by_name)[1].key == from_hex("01 77 0000"));
    CHECK(entries_of(schema().domains.by_name)[1].value == from_hex(std::string(zeros) + "01"));
    CHECK(entries_of(schema().domains.by_name)[0].key == from_hex("01 612e62 0000"));
    CHECK(entries_of(schema().domains.by_name)[0].value == from_hex(std::string(zeros) + "01"));
    CHECK(entries_of(schema().domains.own_name)[0].key ==
          from_hex("03" + std::string(zeros) + "02 612e62 0000"));
    CHECK(entries_of(schema().domains.by_owner).empty());
    domain.verified = false;
    domain.type = DomainType::user;
    CHECK(entries_of(schema().domains.by_name).empty());
    CHECK(entries_of(schema().domains.own_name).size() == 1);
    CHECK(entries_of(schema().domains.by_owner)[0].key ==
          from_hex("04" + std::string(zeros) + "02" + std::string(zeros) + "01"));
}

TEST_CASE("a domain of all scripts is stored with one field more in its rules of slashtags", "[schema]") {
    Domain domain{.id = id<DomainId>('1'), .full_name = "a.b"};
    domain.slashtag.charset = SlashtagCharset::unicode;
    CHECK(data::encode(domain) == from_hex("01 0110" + std::string(zeros) + "01 0203612e62 0d03 040104"));
    CHECK(data::decode<Domain>(data::encode(domain))->slashtag.charset == SlashtagCharset::unicode);
    domain.slashtag.charset = SlashtagCharset::ascii;
    CHECK(data::encode(domain) == from_hex("01 0110" + std::string(zeros) + "01 0203612e62"));
}

TEST_CASE("a workspace is stored as these bytes", "[schema]") {
    const Workspace workspace{.id = id<WorkspaceId>('1'),
                              .name = "N",
                              .type = WorkspaceType::gallery,
                              .owner = id<AccountId>('2'),
                              .is_default = true,
                              .revoked = true,
                              .trashed = true,
                              .created_at = {1},
                              .updated_at = {2},
                              .default_ttl_seconds = 3,
                              .notes = "O",
                              .avatar_url = "A",
                              .conversion_enabled = false,
                              .attribution_window_days = 30,
                              .click_id_parameter = "P",
                              .deleted_at = Timestamp{4},
                              .retiring_domains = {id<DomainId>('3')},
                              .utm_templates = {{.name = "T", .source = "s"}}};
    const auto expected =
        from_hex("01 0110" + std::string(zeros) + "01 02014e 030108 0410" + std::string(zeros) +
                 "02 050102 060102 070102 080102 090104 0a0106 0b014f "
                 "0c0141 0d0100 0e013c 0f0108 100150 1111 10" +
                 std::string(zeros) + "03 1307 06 010154 020173");
    CHECK(data::encode(workspace) == expected);
    CHECK(data::encode(*data::decode<Workspace>(expected)) == expected);
}

TEST_CASE("an account is stored as these bytes", "[schema]") {
    const Account account{.id = id<AccountId>('1'),
                          .username = "U",
                          .email = "E",
                          .full_name = "F",
                          .avatar_url = "A",
                          .created_at = {1},
                          .default_workspace = id<WorkspaceId>('2'),
                          .plan = "p",
                          .granted_features = {"g"},
                          .revoked_features = {"r"},
                          .plan_since = Timestamp{2},
                          .invites_day = 3,
                          .invites_sent = 4,
                          .is_operator = true,
                          .suspended_at = Timestamp{5}};
    const auto expected =
        from_hex("01 0110" + std::string(zeros) + "01 020155 030145 040146 050141 060102 0710" +
                 std::string(zeros) + "02 080170 09020167 0a020172 0b0104 0c0106 0d0108 0e0102 0f010a");
    CHECK(data::encode(account) == expected);
    CHECK(data::encode(*data::decode<Account>(expected)) == expected);
}

TEST_CASE("a key and its limits are stored as these bytes", "[schema]") {
    const ApiKey key{.id = id<ApiKeyId>('1'),
                     .account = id<AccountId>('2'),
                     .name = "N",
                     .hash = "H",
                     .hint = "h",
                     .created_at = {1},
                     .last_used_at = Timestamp{2},
                     .read_only = true,
                     .links_only = true,
                     .workspace = id<WorkspaceId>('3'),
                     .expires_at = Timestamp{4}};
    const auto expected = from_hex("01 0110" + std::string(zeros) + "01 0210" + std::string(zeros) +
                                   "02 03014e 040148 050168 060102 070104 080102 090102 0a10" +
                                   std::string(zeros) + "03 0b0108");
    CHECK(data::encode(key) == expected);
    CHECK(data::encode(*data::decode<ApiKey>(expected)) == expected);
}

TEST_CASE("an invite and a mail are stored as these bytes", "[schema]") {
    const Invite invite{.id = id<InviteId>('1'),
                        .workspace = id<WorkspaceId>('2'),
                        .email = "E",
                        .role = Role::admin,
                        .message = "M",
                        .sender = id<AccountId>('3'),
                        .token_hash = "H",
                        .created_at = {1},
                        .accepted_at = Timestamp{2},
                        .accepted_by = id<AccountId>('4'),
                        .mailed_at = Timestamp{3},
                        .mail_error = "R",
                        .invitee = id<AccountId>('5')};
    const auto expected =
        from_hex("01 0110" + std::string(zeros) + "01 0210" + std::string(zeros) +
                 "02 030145 040108 05014d 0610" + std::string(zeros) + "03 070148 080102 090104 0a10" +
                 std::string(zeros) + "04 0b0106 0c0152 0d10" + std::string(zeros) + "05");
    CHECK(data::encode(invite) == expected);
    CHECK(data::encode(*data::decode<Invite>(expected)) == expected);

    const Mail mail{.id = id<MailId>('1'),
                    .kind = MailKind::invite,
                    .subject = id<InviteId>('2'),
                    .created_at = {1},
                    .due_at = {2},
                    .attempts = 3,
                    .last_error = "R"};
    const auto mail_bytes = from_hex("01 0110" + std::string(zeros) + "01 0310" + std::string(zeros) +
                                     "02 040102 050104 060106 070152");
    CHECK(data::encode(mail) == mail_bytes);
    CHECK(data::encode(*data::decode<Mail>(mail_bytes)) == mail_bytes);
}

TEST_CASE("a target is stored as these bytes", "[schema]") {
    std::vector<data::Entry> entries;
    schema().links.short_url.append_entries(sample_link(), entries);
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].space->name == "redirects");
    CHECK(entries[0].key == from_hex(std::string(zeros) + "03 6162 0000"));
    CHECK(entries[0].value == from_hex(std::string(zeros) + "01" + std::string(zeros) +
                                       "02 01ee 0000000000000000 09 687474703a2f2f782f 10" +
                                       std::string(zeros) + "07 0b 02 0000000005 0000000006 0145"));
}

TEST_CASE("spaces, indexes and tallies have their permanent numbers", "[schema]") {
    std::string list;
    schema().each_table([&](const auto& table) {
        list += std::to_string(table.rows().number) + " " + std::string(table.rows().name) + ":";
        for (const auto* set : table.sets())
            list += " " + std::to_string(set->number()) + "=" + std::string(set->name());
        for (const auto* tally : table.tallies())
            list += " +" + std::to_string(static_cast<unsigned char>(tally->prefix().at(2))) + "=" +
                    std::string(tally->name());
        list += "\n";
    });
    CHECK(list == "17 plans:\n"
                  "4 accounts: 1=username 2=by_created 3=by_email\n"
                  "5 api_keys: 1=key 2=by_account\n"
                  "6 workspaces: 1=by_owner +1=per_owner\n"
                  "7 members: 1=by_account +1=per_workspace\n"
                  "16 invites: 1=token 2=email 4=by_receiver 3=by_created +1=per_workspace\n"
                  "30 credentials:\n"
                  "29 sessions: 1=token 2=by_account 3=by_end\n"
                  "31 sign_in_tokens: 1=token 2=by_account 3=by_end\n"
                  "32 sign_in_tries: 1=by_end\n"
                  "8 domains: 1=fullName 2=by_created 3=fullName 4=by_owner +1=per_owner\n"
                  "9 domain_shares: 1=by_domain +1=per_workspace\n"
                  "13 tags: 1=name 2=by_name 3=by_created +1=per_workspace\n"
                  "14 scripts: 1=by_name 2=by_created +1=per_workspace\n"
                  "2 links: 1=slashtag 2=by_created 3=by_updated 4=by_title 5=by_slashtag 9=by_expiry "
                  "10=by_tag 11=by_script 12=externalId +1=per_workspace +2=per_creator "
                  "+3=per_domain +4=per_tag +5=kept\n"
                  "15 link_parts:\n"
                  "12 released_slashtags:\n"
                  "22 conversions: 1=by_end\n"
                  "19 jobs:\n"
                  "18 mails: 1=subject 2=by_due\n"
                  "20 tombstones: 1=by_end\n"
                  "36 kept_answers: 1=by_account 2=by_end +1=per_account\n"
                  "33 events: 1=by_workspace 2=by_subject 3=by_type 4=clicks\n"
                  "37 webhooks: 1=by_created 2=behind 3=of_clicks +1=per_workspace\n"
                  "38 deliveries: 1=by_webhook 2=by_due 3=tests_by_due 4=by_subject 5=by_end 6=ended_of "
                  "+1=per_webhook\n"
                  "40 acme_accounts:\n"
                  "41 host_certificates: 1=by_due\n"
                  "42 certificate_files:\n"
                  "43 acme_challenges: 1=by_end\n"
                  "44 applications: 1=by_account\n"
                  "45 grants: 1=by_account 2=by_end +1=per_application\n"
                  "46 identities: 1=identity\n");
}

TEST_CASE("rollups are stored under these keys, and counts as these bytes", "[schema]") {
    CHECK(Subject::of(id<LinkId>('1')).prefix == from_hex("01" + std::string(zeros) + "01"));
    CHECK(Subject::of(id<TagId>('2')).prefix == from_hex("02" + std::string(zeros) + "02"));
    CHECK(Subject::of(id<WorkspaceId>('3')).prefix == from_hex("03" + std::string(zeros) + "03"));
    const auto domain = Subject::of(id<DomainId>('4'), id<WorkspaceId>('3'));
    CHECK(domain.prefix == from_hex("04" + std::string(zeros) + "04" + std::string(zeros) + "03"));
    CHECK(subjects_of(id<DomainId>('4')) == from_hex("04" + std::string(zeros) + "04"));

    const auto link = Subject::of(id<LinkId>('1'));
    const Timestamp noon{1'767'268'800'000}; // 2026-01-01T12:00:00Z
    CHECK(bucket_of(Grain::hour, noon) == 490'908);
    CHECK(bucket_of(Grain::day, noon) == 20'454);
    CHECK(bucket_of(Grain::all, noon) == 0);
    CHECK(begin_of(Grain::hour, 490'908) == noon);
    CHECK(begin_of(Grain::day, 20'454) == Timestamp{1'767'225'600'000});
    CHECK(rollup_key(link, Grain::all, 0) == link.prefix + from_hex("00 00000000"));
    CHECK(rollup_key(link, Grain::day, 20'454) == link.prefix + from_hex("01 00004fe6"));
    CHECK(rollup_key(link, Grain::hour, 490'908) == link.prefix + from_hex("02 00077d9c"));
    CHECK(recent_rollup_key(490'908, link) == from_hex("00077d9c") + link.prefix);
    CHECK(last_click_key(domain) == Bytes(16, '\0') + domain.prefix);

    std::string groups;
    for (const auto dimension :
         {Dimension::country, Dimension::device, Dimension::os, Dimension::browser, Dimension::language,
          Dimension::referrer, Dimension::rule, Dimension::arm, Dimension::utm_source, Dimension::utm_medium,
          Dimension::utm_campaign, Dimension::scan})
        groups += group_of(dimension);
    CHECK(groups == "CDOBLRraSMNq");
    data::Counts counts;
    counts.add("c", 2);
    counts.add("Cde", 1);
    CHECK(counts.encode() == from_hex("01 03 436465 02 01 63 04"));
}

TEST_CASE("no two spaces share a number or a name", "[schema]") {
    for (const auto& a : space::all)
        for (const auto& b : space::all)
            CHECK((&a == &b || (a.number != b.number && a.name != b.name)));
}

TEST_CASE("the sheet of a link is named by its hour, its workspace and the low twelve bits of its id",
          "[schema]") {
    const auto link = *LinkId::parse("0123456789abcdef0123456789abcdef");
    CHECK(recent_links_key(490'906, id<WorkspaceId>('2'), link) ==
          from_hex("00077d9a 00000000000000000000000000000002 0def"));
}
