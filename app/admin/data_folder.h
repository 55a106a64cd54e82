#pragma once
// What lies in a data folder, and how it is opened, by the server and by the admin tool alike:
//
//   DATA/lock         held by whoever uses the folder (folder_lock.h)
//   DATA/store/       the engine's files
//   DATA/store.new/   those of a store that a restore makes, until it is whole
//   DATA/node         the server's name, when its store lies elsewhere instead of in DATA/store
//   DATA/moved/       what store and journal were before a move
//   DATA/journal/     clicks that are not folded yet
//   DATA/admin.sock   the admin tool's door into a running server
#include "app/admin/admin_context.h"
#include "app/admin/folder_lock.h"
#include "core/data/journal.h"
#include "core/schema/store.h"
#include "storage/options.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace slashpost::admin {

// Whether somebody has started a server or restored a dump here. Fails when that may not be seen.
Result<bool> has_store(const std::filesystem::path& folder);
// Whether a server of this user may work on the folder: not root on what belongs to somebody else, as the
// files that it would make there could not be read by their server. NotTheOwner, with a sentence for the
// operator.
Result<void> check_owner(const std::filesystem::path& folder);
// The folder itself, for its owner only, when it is missing.
Result<void> make_folder(const std::filesystem::path& folder);
// Where a restore makes its store.
std::filesystem::path new_store_folder(const std::filesystem::path& folder);
// It becomes the folder's store, in place of an empty one. Nobody has either of them open.
Result<void> put_new_store_in_place(const std::filesystem::path& folder);
// What a start of this program would do to the folder's store, in sentences, without doing it. Fails when it
// would be refused, and while somebody uses the store.
Result<std::vector<std::string>> planned_upgrade_of(const std::filesystem::path& folder);
// A store of a newer format is refused before a byte of it is touched; one with an unfinished restore too.
// One of an older format is upgraded first, which `options.notice` hears of. What a restore that was killed
// has left beside it goes. The caller holds the folder's lock.
Result<std::unique_ptr<data::Engine>> open_store(const std::filesystem::path& folder,
                                                 const storage::Options& options = {});
// The name of the server whose folder this is, for a store that lies elsewhere: chosen once, when the folder
// is new.
Result<std::string> name_of_node(const std::filesystem::path& folder);
// The same of a store that lies elsewhere (storage/open.h), for the server whose folder this is. Refused when
// the folder has a store of its own, as open_store is when the folder's store lies elsewhere.
Result<std::unique_ptr<data::Engine>>
open_store_elsewhere(const std::filesystem::path& folder, const std::string& where, storage::Options options);
// The journal of clicks, with lanes for redirect::Click. Of the options those count that are about damage.
Result<std::unique_ptr<data::Journal>> open_click_journal(const std::filesystem::path& folder,
                                                          const storage::Options& options);

// An admin context on a folder that no server uses. Clicks that a killed server left are in the store
// already.
class OfflineContext {
  public:
    // `lock` is the folder's. `notice` and `accepts_loss` are those of open_store; the first outlives the
    // context.
    static Result<std::unique_ptr<OfflineContext>> open(const std::filesystem::path& folder, FolderLock lock,
                                                        const StoreNotice& notice, bool accepts_loss = false);
    // On a new store that is not the folder's yet (put_new_store_in_place). The caller holds the folder's
    // lock.
    static Result<std::unique_ptr<OfflineContext>> on_new_store(const std::filesystem::path& folder,
                                                                const StoreNotice& notice);
    // On any store. It lies where nobody else uses it.
    static std::unique_ptr<OfflineContext> on(std::unique_ptr<data::Engine> engine);
    [[nodiscard]] AdminContext& context() { return context_; }
    // For who goes on with the folder when the store is closed.
    [[nodiscard]] std::optional<FolderLock> take_lock() { return std::exchange(lock_, std::nullopt); }

  private:
    struct NobodyListens final : ChangeListener {
        void changed(const Changes&) override {}
    };
    OfflineContext(std::optional<FolderLock> lock, std::unique_ptr<data::Engine> engine);

    std::optional<FolderLock> lock_; // nothing: the caller has it
    std::unique_ptr<data::Engine> engine_;
    SystemClock clock_;
    SystemRandom random_;
    IdSource ids_{clock_, random_};
    Settings settings_;
    NobodyListens listener_;
    Service service_;
    AdminContext context_;
};

} // namespace slashpost::admin
