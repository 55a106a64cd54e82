#include "core/redirect/directory.h"

#include "core/base/local_host.h"
#include "core/schema/schema.h"

namespace slashpost::redirect {

namespace {

std::uint64_t next_version() {
    static std::atomic<std::uint64_t> last = 0;
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::shared_ptr<const std::string> document(const std::string& text) {
    return text.empty() ? nullptr : std::make_shared<const std::string>(text);
}

std::shared_ptr<const PageBrand> brand_of(const Domain& domain) {
    const auto& given = domain.branding;
    return std::make_shared<const PageBrand>(PageBrand{.domain = domain.full_name,
                                                       .name = given.name,
                                                       .color = given.color,
                                                       .logo_url = given.logo_url,
                                                       .home_text = given.home_text});
}

std::vector<std::string> verified_aliases(const Domain& domain) {
    std::vector<std::string> out;
    for (const auto& alias : domain.aliases)
        if (alias.verified)
            out.push_back(alias.full_name);
    return out;
}

} // namespace

const DomainFacts* DirectoryTable::find(std::string_view host) const {
    if (const auto found = by_host_.find(host); found != by_host_.end()) [[likely]]
        return found->second.get();
    const auto name = localhost_for(host);
    return name ? find(*name) : nullptr;
}

void DirectoryTable::put(const Domain& domain) {
    erase(domain.id);
    if (!domain.verified) // it may share its name with others, and answers nobody
        return;
    const auto facts = std::make_shared<const DomainFacts>(
        DomainFacts{.id = domain.id,
                    .host = domain.full_name,
                    .aliases = verified_aliases(domain),
                    .redirect_type = domain.redirect_type,
                    .custom_homepage = domain.custom_homepage,
                    .not_found_url = domain.not_found_url,
                    .expired_url = domain.expired_url,
                    .forwarding = domain.forwarding,
                    .slashtag = SlashtagForm::of(domain.slashtag),
                    .serves = domain.active && !domain.revoked,
                    .apple_app_site_association = document(domain.apple_app_site_association),
                    .asset_links = document(domain.asset_links),
                    .brand = brand_of(domain)});
    by_host_.insert_or_assign(facts->host, facts);
    for (const auto& alias : facts->aliases)
        by_host_.insert_or_assign(alias, facts);
    by_id_.insert_or_assign(facts->id, facts);
}

void DirectoryTable::erase(DomainId domain) {
    const auto known = by_id_.find(domain);
    if (known == by_id_.end())
        return;
    const auto forget = [&](const std::string& host) {
        // It may belong to another domain by now.
        if (const auto named = by_host_.find(host); named != by_host_.end() && named->second->id == domain)
            by_host_.erase(named);
    };
    forget(known->second->host);
    std::ranges::for_each(known->second->aliases, forget);
    by_id_.erase(known);
}

const WorkspaceFacts* DirectoryTable::unusual(WorkspaceId workspace) const {
    const auto found = unusual_.find(workspace);
    return found == unusual_.end() ? nullptr : &found->second;
}

void DirectoryTable::put(const Workspace& workspace) {
    WorkspaceFacts facts{.suspended = workspace.hidden(),
                         .tracks_conversions = workspace.conversion_enabled.value_or(false),
                         .click_id_parameter = workspace.click_id_parameter,
                         .retiring = workspace.retiring_domains};
    if (facts.suspended || facts.tracks_conversions || !facts.retiring.empty())
        unusual_.insert_or_assign(workspace.id, std::move(facts));
    else
        unusual_.erase(workspace.id);
}

Directory::Directory() : table_(std::make_shared<DirectoryTable>()), version_(next_version()) {}

const DirectoryTable& Directory::now() const {
    thread_local Table held;
    thread_local std::uint64_t held_version = 0;
    if (version_.load(std::memory_order_acquire) != held_version) [[unlikely]] {
        const std::lock_guard lock(publishing_);
        held = table_;
        held_version = version_.load(std::memory_order_relaxed);
    }
    return *held;
}

void Directory::publish(Table table) {
    const std::lock_guard lock(publishing_);
    table_.swap(table);
    version_.store(next_version(), std::memory_order_release);
}

Result<void> Directory::load(data::Engine& engine) {
    const std::lock_guard lock(writing_);
    auto table = std::make_shared<DirectoryTable>();
    TRY(engine.read([&](data::View& view) -> Result<void> {
        TRY(schema().domains.each(view, [&](const Domain& domain) -> Result<bool> {
            table->put(domain);
            return true;
        }));
        return schema().workspaces.each(view, [&](const Workspace& workspace) -> Result<bool> {
            table->put(workspace);
            return true;
        });
    }));
    publish(std::move(table));
    return {};
}

Result<void> Directory::refresh(data::Engine& engine, std::span<const DomainId> domains,
                                std::span<const WorkspaceId> workspaces) {
    if (domains.empty() && workspaces.empty())
        return {};
    const std::lock_guard lock(writing_);
    auto table = std::make_shared<DirectoryTable>(now());
    TRY(engine.read([&](data::View& view) -> Result<void> {
        for (const auto id : domains)
            table->erase(id);
        for (const auto id : domains)
            if (const auto domain = TRY(schema().domains.find(view, id.view())))
                table->put(*domain);
        for (const auto id : workspaces) {
            if (const auto workspace = TRY(schema().workspaces.find(view, id.view())))
                table->put(*workspace);
            else
                table->unusual_.erase(id);
        }
        return {};
    }));
    publish(std::move(table));
    return {};
}

} // namespace slashpost::redirect
