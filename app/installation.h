#pragma once
// The installation in memory: the store with everything that works on it, but no socket. Opened from a data
// folder, it keeps what the redirect path remembers in step with commits, folds clicks, lets links expire on
// time, does the work that commits leave behind, keeps the search index and sends mails. serve.cc puts HTTP
// in front of it.
#include "app/admin/admin_context.h"
#include "app/admin/data_folder.h"
#include "app/backup_thread.h"
#include "app/config.h"
#include "app/geo/country_file.h"
#include "app/hooks/hook_sender.h"
#include "app/index_thread.h"
#include "app/log.h"
#include "app/mail/mailer.h"
#include "core/access/service.h"
#include "core/clicks/click_aggregator.h"
#include "core/clicks/click_ids.h"
#include "core/ops/visitor_gate.h"
#include "core/redirect/directory.h"
#include "core/redirect/redirector.h"
#include "core/redirect/resolver.h"
#include "core/redirect/unknown_hosts.h"
#include "core/work/backlog.h"
#include "core/work/click_events.h"
#include "core/work/duty.h"
#include "core/work/jobs.h"

#include <filesystem>
#include <memory>
#include <span>
#include <thread>

namespace slashpost::app {

// What the store tells of itself, from any of its threads.
class StoreHealth {
  public:
    // What is wrong and what to do, in words for the operator; empty while nothing is.
    [[nodiscard]] std::string trouble() const {
        const std::lock_guard lock(mutex_);
        return trouble_;
    }
    void set_trouble(std::string_view words) {
        const std::lock_guard lock(mutex_);
        trouble_ = words;
    }
    std::atomic<bool> opened_again = false; // since it was asked last
    std::atomic<bool> gave_up = false;      // the process is to end

    // What other servers on the store wrote (storage/options.h); nothing: all may have changed.
    using Written = std::span<const storage::Options::Written>;
    void others_wrote(Written written) {
        const std::lock_guard lock(listening_);
        if (listener_)
            listener_(written);
    }
    // Who is told that; an empty one: nobody is any more once this returns.
    void listen(std::function<void(Written)> listener) {
        const std::lock_guard lock(listening_);
        listener_ = std::move(listener);
    }

  private:
    mutable std::mutex mutex_;
    std::string trouble_; // guarded by mutex_
    std::mutex listening_;
    std::function<void(Written)> listener_; // guarded by listening_
};

class Installation {
  public:
    // Makes the folder and the store when they are missing. Fails when another process uses the folder, or
    // the store is of a newer format, which is then as it was; an older one is upgraded, as the log tells.
    // `log` and what `has_certificate` (see Settings) looks at outlive the installation.
    static Result<std::unique_ptr<Installation>>
    open(const Config& config, Log& log, std::function<bool(std::string_view)> has_certificate = {});
    ~Installation();
    Installation(const Installation&) = delete;
    Installation& operator=(const Installation&) = delete;

    // Folds the last clicks. To be called when nobody uses the redirector any more. Once.
    Result<void> stop();
    [[nodiscard]] const StoreHealth& store_health() const { return *health_; }
    // Whether visitors are to be sent to other servers: somebody is about to take this one away.
    [[nodiscard]] bool is_leaving() const { return is_leaving_; }

    [[nodiscard]] const Clock& clock() const { return clock_; }
    [[nodiscard]] Service& service() { return service_; }
    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] data::Engine& engine() const { return *engine_; }
    [[nodiscard]] redirect::Redirector& redirector() { return *redirector_; }
    // Where the clicks of one I/O thread go.
    Result<data::JournalLane*> lane(std::uint32_t number) { return journal_->lane(number); }
    // Looks at the file of countries at once. From any thread.
    void reload_countries();
    [[nodiscard]] admin::AdminContext& admin_context() { return context_; }
    // Another number after each commit that changed a domain.
    [[nodiscard]] std::uint64_t domain_changes() const { return domain_changes_; }

    struct Figures {
        data::Engine::Figures store;
        redirect::Cache::Figures cache;
        redirect::ClickAggregator::Figures clicks;
        std::uint64_t clicks_lost = 0;
        std::uint64_t redirect_failures = 0;
        geo::CountryFile::Figures countries;
        IndexThread::Figures index;
        HookQueue::Figures webhooks;
        std::uint64_t clicks_untold = 0;              // of which somebody wanted to hear
        std::optional<BackupThread::Figures> backups; // nothing when none are made
        std::optional<Backlog> backlog;               // nothing when the store could not be read
        std::filesystem::space_info disk{};           // of the data folder; zeroes when it could not be asked
    };
    [[nodiscard]] Figures figures() const;

  private:
    // Makes the redirect path forget what a commit has changed.
    class Follower final : public ChangeListener {
      public:
        explicit Follower(Installation& installation) : installation_(installation) {}
        void changed(const Changes& changes) override;

      private:
        Installation& installation_;
    };

    Installation(const Config& config, Log& log, std::shared_ptr<StoreHealth> health, admin::FolderLock lock,
                 std::unique_ptr<data::Engine> engine, std::unique_ptr<data::Journal> journal,
                 std::uint32_t first_lane, std::string click_id_key,
                 std::function<bool(std::string_view)> has_certificate);
    void run_background(const std::stop_token& stopping);
    void tick(const std::stop_token& stopping, bool& in_trouble);
    Result<void> work_off(const std::stop_token& stopping);
    Result<void> work_for_all(const std::stop_token& stopping);
    void hear(StoreHealth::Written written);
    Result<void> load_stale_directory();
    Result<admin::AdminContext::Drained> drain(bool leaves);
    void tell_of_lost_clicks();
    void tell_of_unknown_hosts();

    Log& log_;
    const std::filesystem::path data_;
    const std::shared_ptr<StoreHealth> health_;
    admin::FolderLock lock_;
    std::unique_ptr<data::Engine> engine_;
    std::unique_ptr<data::Journal> journal_;
    SystemClock clock_;
    SystemRandom random_;
    IdSource ids_{clock_, random_};
    const Reachable reachable_; // for webhooks
    Settings settings_;
    const std::string click_id_parameter_;
    const std::vector<std::string> api_hosts_;
    redirect::RedirectFigures redirect_figures_;
    redirect::UnknownHosts unknown_hosts_;
    redirect::Directory directory_;
    std::atomic<std::uint64_t> domain_changes_ = 1;
    std::atomic<bool> directory_is_stale_ = false; // a refresh failed; the background loads it anew
    redirect::Resolver resolver_;
    redirect::ClickIds click_ids_;
    std::unique_ptr<geo::CountryFile> countries_; // when a file is set
    Follower follower_{*this};
    Service service_;
    VisitorGate gate_{service_, *engine_, clock_};
    ClickEvents click_events_{service_, *engine_};
    redirect::ClickAggregator aggregator_;
    std::atomic<bool> is_leaving_ = false;
    // Of the background thread.
    Duty duty_{*engine_, "background"};
    JobRunner jobs_{service_};
    std::unique_ptr<redirect::Redirector> redirector_;
    admin::AdminContext context_;
    // Of the background thread.
    std::chrono::steady_clock::time_point told_of_lost_at_;
    std::uint64_t lost_clicks_told_ = 0;
    std::jthread background_;
    std::unique_ptr<IndexThread> index_thread_;
    std::unique_ptr<Mailer> mailer_;        // when a mail server is set
    std::unique_ptr<BackupThread> backups_; // when they are made
    std::unique_ptr<HookSender> hook_sender_;
};

} // namespace slashpost::app
