// `slashpost-admin verify`: everything that the store says twice must agree.
#include "app/admin/commands.h"
#include "app/admin/dump_rollups.h"
#include "app/admin/row_check.h"
#include "app/admin/verify_rollups.h"
#include "app/admin/walks.h"
#include "core/base/errors.h"
#include "core/schema/click_orders.h"
#include "core/schema/compiled.h"
#include "core/schema/schema.h"
#include "core/search/index_check.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace slashpost::admin {

namespace {

using data::Findings;
using data::key;
using data::Order;
using data::Range;

// Collects what the parts find and prints it: one line each, the first hundred of every part.
class Report {
  public:
    Report(Console& console, Meter& meter) : console_(console), meter_(meter) {}

    Result<void> add(std::string_view part, const Findings& findings) {
        rows_ += findings.rows;
        count_ += findings.count;
        for (const auto& sentence : findings.sentences)
            TRY(console_.write(sentence + "\n"));
        if (findings.count > findings.sentences.size())
            TRY(console_.write(
                fmt::format("{}: {} more of this kind\n", part, findings.count - findings.sentences.size())));
        if (console_.stopped())
            return unavailable("verify was stopped");
        meter_.next();
        console_.note(fmt::format("verify: {}: {} rows, {} findings", part, findings.rows, findings.count));
        return {};
    }
    Result<int> end() {
        TRY(console_.write(count_ == 0 ? fmt::format("verify: {} rows, all good\n", rows_)
                                       : fmt::format("verify: {} rows, {} findings\n", rows_, count_)));
        return count_ == 0 ? exit_good : exit_findings;
    }

  private:
    Console& console_;
    Meter& meter_;
    std::uint64_t rows_ = 0;
    std::uint64_t count_ = 0;
};

// Rows that name other rows name rows that exist.
class References {
  public:
    explicit References(data::View& view) : view_(view) {}

    template <class Table, class I>
    Result<void> needs(std::string_view whose, const RawId& owner, const Table& table, const I& id) {
        if (!TRY(view_.get(table.rows(), Table::row_key(id.view()))))
            findings_.add(fmt::format("{} {} names {} {}, which does not exist", whose, owner.hex(),
                                      table.resource(), id.hex()));
        return {};
    }

    Result<Findings> run() {
        TRY(check_people());
        TRY(check_links());
        return std::move(findings_);
    }

  private:
    // Rows that cannot be read were found by their table's own check.
    template <class Table, class Check>
    Result<void> each(const Table& table, const Check& check) {
        Result<void> outcome;
        TRY(view_.scan(table.rows(), Range::of_prefix(data::BytesView("\0", 1)), Order::forward,
                       [&](data::BytesView, data::BytesView bytes) {
                           const auto row = data::decode<typename Table::Row>(bytes);
                           if (row.has_value())
                               outcome = check(*row);
                           return outcome.has_value();
                       }));
        return outcome;
    }

    Result<void> check_people() {
        const auto& s = schema();
        TRY(each(s.accounts, [&](const Account& a) -> Result<void> {
            if (!a.plan.empty() && !TRY(view_.get(s.plans.rows(), PlanTable::row_key(key(a.plan)))))
                findings_.add(
                    fmt::format("account {} has plan {}, which does not exist", a.id.hex(), a.plan));
            return needs("account", a.id, s.workspaces, a.default_workspace);
        }));
        TRY(each(s.api_keys, [&](const ApiKey& k) -> Result<void> {
            if (!k.workspace.empty())
                TRY(needs("key", k.id, s.workspaces, k.workspace));
            return needs("key", k.id, s.accounts, k.account);
        }));
        TRY(each(s.credentials, [&](const Credentials& c) {
            return needs("password of", c.account, s.accounts, c.account);
        }));
        TRY(each(s.identities,
                 [&](const Identity& i) { return needs("identity of", i.account, s.accounts, i.account); }));
        TRY(each(s.sessions,
                 [&](const Session& o) { return needs("session", o.id, s.accounts, o.account); }));
        TRY(each(s.sign_in_tokens,
                 [&](const SignInToken& t) { return needs("token", t.id, s.accounts, t.account); }));
        TRY(each(s.applications,
                 [&](const Application& a) { return needs("application", a.id, s.accounts, a.account); }));
        TRY(each(s.grants, [&](const Grant& g) { return needs("grant", g.id, s.accounts, g.account); }));
        TRY(each(s.workspaces,
                 [&](const Workspace& w) { return needs("workspace", w.id, s.accounts, w.owner); }));
        TRY(each(s.invites, [&](const Invite& i) -> Result<void> {
            TRY(needs("invite", i.id, s.workspaces, i.workspace));
            if (i.accepted_by)
                TRY(needs("invite", i.id, s.accounts, *i.accepted_by));
            if (!i.invitee.empty())
                TRY(needs("invite", i.id, s.accounts, i.invitee));
            return needs("invite", i.id, s.accounts, i.sender);
        }));
        TRY(each(s.mails, [&](const Mail& m) {
            if (m.kind == MailKind::invite)
                return needs("mail", m.id, s.invites, m.subject);
            if (m.kind == MailKind::webhook_disabled)
                return needs("mail", m.id, s.webhooks, m.subject);
            return needs("mail", m.id, s.accounts, m.subject);
        }));
        return each(s.members, [&](const Member& m) -> Result<void> {
            TRY(needs("member of workspace", m.workspace, s.workspaces, m.workspace));
            return needs("member of workspace", m.workspace, s.accounts, m.account);
        });
    }

    Result<void> check_links() {
        const auto& s = schema();
        TRY(each(s.jobs, [&](const Job& job) -> Result<void> {
            leaving_.insert(job.subject);
            return {};
        }));
        TRY(each(s.domain_shares, [&](const DomainShare& d) -> Result<void> {
            TRY(needs("share of domain", d.domain, s.workspaces, d.workspace));
            return needs("share of domain", d.domain, s.domains, d.domain);
        }));
        TRY(each(s.tags, [&](const Tag& t) { return needs("tag", t.id, s.workspaces, t.workspace); }));
        TRY(each(s.scripts,
                 [&](const Script& t) { return needs("script", t.id, s.workspaces, t.workspace); }));
        TRY(each(s.links, [&](const Link& l) -> Result<void> {
            TRY(needs("link", l.id, s.workspaces, l.workspace));
            TRY(needs("link", l.id, s.accounts, l.creator));
            if (l.holds_slashtag()) // a deleted link may have outlived its domain
                TRY(needs("link", l.id, s.domains, l.domain));
            TRY(carries(l, s.tags, l.tags));
            return carries(l, s.scripts, l.scripts);
        }));
        return each(s.link_parts, [&](const LinkParts& p) -> Result<void> {
            const auto link = s.links.find(view_, p.link.view());
            if (!link.has_value() || !*link || !(*link)->holds_slashtag() ||
                (*link)->workspace != p.workspace)
                findings_.add(fmt::format("the parts of link {} in workspace {} belong to no link",
                                          p.link.hex(), p.workspace.hex()));
            return {};
        });
    }

    // Tags and scripts that a link names are there, unless they are just being taken off their links
    // (core/work/detach.h), or went with their workspace.
    template <class Table, class I>
    Result<void> carries(const Link& link, const Table& table, const std::vector<I>& ids) {
        for (const auto& id : ids) {
            if (leaving_.contains(id))
                continue;
            const auto workspace = TRY(schema().workspaces.find(view_, link.workspace.view()));
            if (!workspace || !workspace->deleted_at)
                TRY(needs("link", link.id, table, id));
        }
        return {};
    }

    data::View& view_;
    Findings findings_;
    std::set<RawId> leaving_; // what jobs are about
};

// The accumulated click figures agree with each other and with the links.
class Clicks {
  public:
    explicit Clicks(data::View& view) : view_(view) {}

    Result<Findings> run() {
        TRY(check_links());
        TRY(data::compare_sums(
            view_, key(counter::workspace_clicks), per_workspace_,
            [&](data::BytesView tally, std::int64_t missing) {
                findings_.add(
                    fmt::format("clicks: the total of workspace {} should be {} more, going by its links",
                                data::printable(tally.substr(2)), missing));
            }));
        TRY(check_days());
        const auto of_domains = TRY(view_.sum(key(counter::domain_clicks)));
        if (of_domains != total_)
            findings_.add(
                fmt::format("clicks: the domains have {} clicks in all, the links {}", of_domains, total_));
        TRY(check_last_clicks());
        return std::move(findings_);
    }

  private:
    Result<void> check_links() {
        Result<void> outcome;
        TRY(view_.scan_tallies(Range::of_prefix(key(counter::link_clicks)), Order::forward,
                               [&](data::BytesView tally, std::int64_t clicks) {
                                   outcome =
                                       clicks == 0 ? Result<void>() : check_link(tally.substr(2), clicks);
                                   return outcome.has_value();
                               }));
        return outcome;
    }
    Result<void> check_link(data::BytesView ids, std::int64_t clicks) {
        ++findings_.rows;
        total_ += clicks;
        const auto workspace = WorkspaceId::from_bytes(ids.substr(0, 16));
        const auto id = LinkId::from_bytes(ids.substr(std::min<std::size_t>(16, ids.size())));
        if (!workspace || !id) {
            findings_.add(fmt::format("clicks: the tally {} has a strange key", data::printable(ids)));
            return {};
        }
        per_workspace_[workspace_clicks_tally(*workspace)] += clicks;
        if (*id == LinkId()) // what links forgot
            return {};
        ++clicked_;
        const auto link = schema().links.find(view_, id->view());
        if (!link.has_value() || !*link || (*link)->workspace != *workspace)
            findings_.add(fmt::format("clicks: link {} has clicks in workspace {} but is not there",
                                      id->hex(), workspace->hex()));
        if (clicks < 0)
            findings_.add(fmt::format("clicks: link {} has {} clicks", id->hex(), clicks));
        if (!TRY(view_.get(space::last_clicks, ids)))
            findings_.add(fmt::format("clicks: link {} has clicks but no time of the last one", id->hex()));
        return {};
    }
    // Days were not counted from the beginning, so they may add up to less.
    Result<void> check_days() {
        data::Sums days;
        TRY(view_.scan_tallies(Range::of_prefix(key(counter::workspace_days)), Order::forward,
                               [&](data::BytesView tally, std::int64_t clicks) {
                                   const auto workspace = WorkspaceId::from_bytes(tally.substr(2, 16));
                                   if (!workspace || tally.size() != 22 || clicks < 0)
                                       findings_.add(fmt::format("clicks: the day {} has {} clicks",
                                                                 data::printable(tally), clicks));
                                   else
                                       days[workspace_clicks_tally(*workspace)] += clicks;
                                   return true;
                               }));
        for (const auto& [workspace, clicks] : days)
            if (clicks > per_workspace_[workspace])
                findings_.add(fmt::format("clicks: the days of workspace {} have {} clicks, its links {}",
                                          data::printable(workspace.substr(2)), clicks,
                                          per_workspace_[workspace]));
        return {};
    }
    Result<void> check_last_clicks() {
        std::uint64_t times = 0;
        TRY(view_.scan(
            space::last_clicks, {}, Order::forward, [&](data::BytesView at, data::BytesView value) {
                const bool of_link = !is_last_click_of_subject(at) && !at.ends_with(LinkId().view());
                times += of_link ? 1 : 0;
                if (!read_last_click(value))
                    findings_.add(
                        fmt::format("clicks: the last click {} cannot be read", data::printable(at)));
                return true;
            }));
        if (times > clicked_)
            findings_.add(fmt::format("clicks: {} links have a last click, {} have clicks", times, clicked_));
        return {};
    }

    data::View& view_;
    Findings findings_;
    data::Sums per_workspace_;
    std::int64_t total_ = 0;
    std::uint64_t clicked_ = 0;
};

Meter::Pass rows_of_all_tables() {
    Meter::Pass rows;
    schema().each_table([&](const auto& table) { rows.push_back(rows_of(table)); });
    return rows;
}

// The passes of `verify`, in their order.
std::vector<Meter::Pass> passes_of_verify() {
    std::vector<Meter::Pass> passes(1);
    for (const auto& space : space::all)
        passes.front().push_back(all_of(space));
    schema().each_table([&](const auto& table) { passes.push_back({all_of(table.rows())}); });
    passes.push_back(rows_of_all_tables());
    passes.push_back(rows_of_all_tables());
    passes.push_back({rows_of(schema().links)});
    passes.push_back({all_of(space::documents), all_of(space::postings)});
    passes.push_back({all_of(data::tallies), all_of(space::last_clicks)});
    passes.push_back({all_of(space::click_orders)});
    passes.push_back({all_of(space::rollups)});
    return passes;
}

// Fails only when the caller has gone.
Result<Findings> check_checksums(data::Engine& engine, Meter& meter, Progress& progress) {
    Result<void> going_on;
    const auto tell = [&](double fraction) {
        meter.at(fraction);
        return going_on = progress.look();
    };
    auto* const measured = dynamic_cast<data::Measured*>(&engine);
    const auto outcome = measured != nullptr ? measured->verify_files(tell) : engine.verify_checksums();
    TRY(going_on);
    Findings damage;
    if (!outcome.has_value())
        damage.add(outcome.error().message);
    return damage;
}

} // namespace

Result<int> verify(AdminContext& context, Console& console) {
    Meter meter(context.engine, passes_of_verify());
    Progress progress(console, "verify", [&] { return meter.fraction(); });
    Report report(console, meter);
    Findings damage = TRY(check_checksums(context.engine, meter, progress));
    TRY(report.add("checksums", damage));
    return read_settled(context, [&](data::View& stored) -> Result<int> {
        MeteredView view(stored, meter, &progress);
        Result<void> outcome;
        schema().each_table([&](const auto& table) {
            if (!outcome.has_value())
                return;
            const auto findings = table.check(view);
            outcome = findings.has_value() ? report.add(table.rows().name, *findings)
                                           : Result<void>(std::unexpected(findings.error()));
        });
        TRY(outcome);
        TRY(report.add("rules of rows", TRY(check_rows(view))));
        TRY(report.add("references", TRY(References(view).run())));
        TRY(report.add("rules of links", TRY(check_compiled(view))));
        TRY(report.add("search index", TRY(search::check_indexes(view))));
        TRY(report.add("clicks", TRY(Clicks(view).run())));
        TRY(report.add("orders by clicks", TRY(check_click_orders(view))));
        TRY(report.add("rollups", TRY(verify_rollups(view, context.clock.now()))));
        return report.end();
    });
}

} // namespace slashpost::admin
