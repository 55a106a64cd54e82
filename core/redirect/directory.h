#pragma once
// The domains of the store and the workspaces that are out of service, held in memory for the redirect path:
// what belongs to them is not copied into targets, so changing it touches no link.
//
// A reader takes the table as it is, without waiting for anybody: while nothing changes it costs the reading
// of one number. Writers replace the table as a whole. Safe to use from any thread.
#include "core/base/id.h"
#include "core/data/engine.h"
#include "core/redirect/address.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace slashpost {
struct Domain;
}

namespace slashpost::redirect {

// What a visitor's request needs to know of a domain.
struct DomainFacts {
    DomainId id;
    std::string host; // in normal form, with a port other than 80 and 443
    unsigned redirect_type = 302;
    std::string custom_homepage; // empty: a plain page
    std::string not_found_url;   // empty: a plain page
    Case letters = Case::ignored;
    bool serves = false; // active and not revoked
    // Documents below /.well-known/, shared with the answers that carry them; null: nothing there.
    std::shared_ptr<const std::string> apple_app_site_association;
    std::shared_ptr<const std::string> asset_links;
};

class DirectoryTable {
  public:
    // Nothing when there is no verified domain of that name.
    [[nodiscard]] const DomainFacts* find(std::string_view host) const;
    // Its links do not redirect.
    [[nodiscard]] bool suspended(WorkspaceId workspace) const { return suspended_.contains(workspace); }

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
    void set_suspended(WorkspaceId workspace, bool suspended);

    // Shared with the tables before and after, which makes replacing a large table cheap.
    std::unordered_map<std::string, std::shared_ptr<const DomainFacts>, HashText, std::equal_to<>> by_host_;
    std::unordered_map<DomainId, std::shared_ptr<const DomainFacts>, HashId> by_id_;
    std::unordered_set<WorkspaceId, HashId> suspended_;
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
