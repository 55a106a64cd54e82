#include "core/work/retire.h"

#include "core/access/link_rows.h"
#include "core/schema/schema.h"
#include "core/schema/target.h"
#include "core/work/jobs.h"

namespace slashpost {

namespace {

constexpr std::size_t links_max = 200;       // deleted in a batch
constexpr std::size_t addresses_max = 5'000; // looked at in a batch; most may be of other workspaces

struct Found {
    std::vector<data::Bytes> links; // primary keys
    data::Bytes last;               // key of the last address; empty: there was none
    bool more = false;
};

// The next addresses of the domain behind `after`, and which of them are the workspace's.
Result<Found> next_links(data::View& view, DomainId domain, WorkspaceId workspace, const data::Bytes& after) {
    Found found;
    std::size_t seen = 0;
    bool readable = true;
    const auto range = data::Range::of_prefix(data::key(domain));
    TRY(view.scan(space::redirects, after.empty() ? range : range.behind(after), data::Order::forward,
                  [&](data::BytesView key, data::BytesView entry) {
                      const auto target = redirect::TargetView::decode(entry);
                      readable = target.has_value();
                      if (readable && target->workspace == workspace)
                          found.links.emplace_back(target->link.view());
                      found.last = key;
                      found.more = ++seen == addresses_max || found.links.size() == links_max;
                      return readable && !found.more;
                  }));
    if (!readable)
        return fault("a short address cannot be read");
    return found;
}

Result<void> write_retiring(SystemContext& system, const Workspace& was, std::vector<DomainId> domains) {
    auto workspace = was;
    workspace.retiring_domains = std::move(domains);
    system.changes.workspaces.push_back(was.id);
    return schema().workspaces.update(system.txn, was, workspace);
}

} // namespace

Result<void> begin_to_retire(SystemContext& system, DomainId domain, WorkspaceId workspace) {
    const auto row = TRY(schema().workspaces.find(system.txn, workspace.view()));
    if (!row || row->is_retiring(domain))
        return {};
    auto domains = row->retiring_domains;
    domains.push_back(domain);
    TRY(write_retiring(system, *row, std::move(domains)));
    return enqueue_job(system.txn, {.id = system.tools.ids.next<JobId>(),
                                    .kind = JobKind::retire_links,
                                    .workspace = workspace,
                                    .subject = domain,
                                    .created_at = system.now,
                                    .done = {},
                                    .unknown = {}});
}

Result<bool> retire_links(SystemContext& system, const Job& job) {
    const DomainId domain(job.subject);
    const auto found = TRY(next_links(system.txn, domain, job.workspace, job.done));
    for (const auto& primary : found.links)
        if (const auto link = TRY(schema().links.find(system.txn, primary));
            link && link->holds_slashtag() && link->domain == domain)
            TRY(retire_link(system, *link));
    if (found.more) {
        auto further = job;
        further.done = found.last;
        TRY(schema().jobs.update(system.txn, job, further));
        return false;
    }
    if (const auto row = TRY(schema().workspaces.find(system.txn, job.workspace.view()))) {
        auto domains = row->retiring_domains;
        std::erase(domains, domain);
        TRY(write_retiring(system, *row, std::move(domains)));
    }
    return true;
}

} // namespace slashpost
