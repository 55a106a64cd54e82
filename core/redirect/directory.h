#pragma once
// The domains of the store and the workspaces that are not like most, held in memory for the redirect path:
// what belongs to them is not copied into targets, so changing it touches no link.
//
// A reader takes the table as it is, without waiting for anybody: while nothing changes it costs the reading
// of one number. Writers replace the table as a whole. Safe to use from any thread.
#include "core/base/id.h"
#include "core/data/engine.h"
#include "core/model/forwarding.h"
#include "core/redirect/address.h"
#include "core/redirect/page.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace slashpost {
struct Domain;
struct Workspace;
} // namespace slashpost

namespace slashpost::redirect {

// What a visitor's request needs to know of a domain.
struct DomainFacts {
    DomainId id;
    std::string host;                 // in normal form, with a port other than 80 and 443
    std::vector<std::string> aliases; // further ones, as far as they are verified
    unsigned redirect_type = 302;
    std::string custom_homepage; // empty: a plain page
    std::string not_found_url;   // empty: a plain page
    std::string expired_url;     // empty: as not_found_url
    Forwarding forwarding;
    SlashtagForm slashtag;
    bool serves = false; // active and not revoked
    // Documents below /.well-known/, shared with the answers that carry them; null: nothing there.
    std::shared_ptr<const std::string> apple_app_site_association;
    std::shared_ptr<const std::string> asset_links;
    std::shared_ptr<const PageBrand> brand; // of its pages, shared with them; never null
};

// What it needs to know of a workspace, when there is anything to know.
struct WorkspaceFacts {
    bool suspended = false;          // its links do not redirect
    bool tracks_conversions = false; // its visitors carry click ids
    std::string click_id_parameter;  // empty: the installation's
    std::vector<DomainId> retiring;  // domains on which its links are as good as deleted
    [[nodiscard]] bool is_closed(DomainId domain) const {
        return suspended || std::ranges::find(retiring, domain) != retiring.end();
    }
};

class DirectoryTable {
  public:
    // Nothing when there is no verified domain of that name, nor one of localhost's that the host is an
    // address of (core/base/local_host.h).
    [[nodiscard]] const DomainFacts* find(std::string_view host) const;
    // Null for a workspace like most: its links redirect, and that is all.
    [[nodiscard]] const WorkspaceFacts* unusual(WorkspaceId workspace) const;

  private:
    friend class Directory;
    struct HashText {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    struct HashId {
        std::size_t operator()(const RawId& id) const { return std::hash<std::string_view>{}(id.view()); }
    };
    void put(const Domain& domain);
    void erase(DomainId domain);
    void put(const Workspace& workspace);

    // Shared with the tables before and after, which makes replacing a large table cheap.
    std::unordered_map<std::string, std::shared_ptr<const DomainFacts>, HashText, std::equal_to<>> by_host_;
    std::unordered_map<DomainId, std::shared_ptr<const DomainFacts>, HashId> by_id_;
    std::unordered_map<WorkspaceId, WorkspaceFacts, HashId> unusual_;
};

class Directory {
  public:
    Directory();

    // The table as it is now; stays as it is until this thread calls `now` again, on whatever directory.
    [[nodiscard]] const DirectoryTable& now() const;

    // Reads all domains and workspaces.
    Result<void> load(data::Engine& engine);
    // Reads these again, after a commit that changed, made or removed them and before anybody is told so.
    Result<void> refresh(data::Engine& engine, std::span<const DomainId> domains,
                         std::span<const WorkspaceId> workspaces);

  private:
    using Table = std::shared_ptr<const DirectoryTable>;
    void publish(Table table);

    std::mutex writing_; // held while the store is read, so that the last to publish has read last
    mutable std::mutex publishing_;
    Table table_;                        // guarded by publishing_
    std::atomic<std::uint64_t> version_; // of table_; no two tables of the process have the same
};

} // namespace slashpost::redirect
