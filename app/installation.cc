#include "app/installation.h"

#include "app/background.h"
#include "app/countries.h"
#include "app/oidc/settings.h"
#include "app/options.h"
#include "core/access/changes_elsewhere.h"
#include "core/base/errors.h"
#include "core/base/guarded.h"
#include "core/base/host.h"
#include "core/base/pause.h"
#include "core/ops/conversions.h"
#include "core/ops/cursors.h"
#include "core/ops/events.h"
#include "core/ops/grants.h"
#include "core/ops/kept_answers.h"
#include "core/ops/sessions.h"
#include "core/schema/store.h"
#include "core/work/close_hours.h"
#include "core/work/deliveries.h"
#include "core/work/retention.h"

#include <algorithm>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>

namespace slashpost::app {

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20U;
constexpr std::size_t write_buffers_bytes = 20 * mebibyte; // a million links are to take 160 MB with all else
constexpr std::size_t store_reserve_bytes = 48 * mebibyte; // the log, sorted into files
constexpr std::chrono::seconds background_every{1};
constexpr std::chrono::seconds lost_told_every{60};
constexpr int fill_steps = 400; // of the cache of redirects, before the other work has its turn again

// `log` and `health` outlive the store.
storage::Options store_options(const Config& config, Log& log, StoreHealth& health) {
    storage::Options options{
        .durability = config.durability,
        .cache_bytes = config.cache_mb * mebibyte,
        .write_buffers_bytes = write_buffers_bytes,
        .merges_at_low_priority = true,
        .accepts_loss = config.accepts_loss,
        .reserve_bytes = store_reserve_bytes,
        .others_wrote = [&health](StoreHealth::Written written) { health.others_wrote(written); },
        .missed = [&health] { health.others_wrote({}); },
        .notice = [&log](std::string_view sentence) { log.warn("store", {{"notice", sentence}}); },
        .trouble = [&health](std::string_view words) { health.set_trouble(words); },
        .opened_again = [&health] { health.opened_again = true; },
        .gives_up = {}};
    if (config.leaves_on_store_error)
        options.gives_up = [&health] {
            health.gave_up = true;
            ::kill(::getpid(), SIGTERM); // as whoever stops the server does
        };
    return options;
}

redirect::ClickAggregatorOptions aggregator_options(const Config& config, Log& log, std::uint32_t first_lane,
                                                    redirect::ClickListener& listener) {
    return {.fold_every = std::chrono::milliseconds(config.fold_interval_ms),
            .first_lane = first_lane,
            .listener = &listener,
            .begin_thread =
                [] {
                    ::pthread_setname_np(::pthread_self(), "fold");
                    lower_priority();
                },
            .on_trouble =
                [&log](const Error& error) {
                    log.warn("clicks wait in the journal until they can be folded",
                             {{"reason", error.message}});
                }};
}

// A name without a port is visited at the usual ones; at another port there is what it names.
std::function<bool(std::string_view)> public_https(const Config& config,
                                                   std::function<bool(std::string_view)> has_certificate) {
    if (config.public_scheme == PublicScheme::https)
        return [](std::string_view) { return true; };
    if (!has_certificate)
        return {};
    return [has = std::move(has_certificate)](std::string_view host) {
        const auto authority = split_authority(host);
        return authority && authority->host == host && has(host);
    };
}

} // namespace

Installation::Installation(const Config& config, Log& log, std::shared_ptr<StoreHealth> health,
                           admin::FolderLock lock, std::unique_ptr<data::Engine> engine,
                           std::unique_ptr<data::Journal> journal, std::uint32_t first_lane,
                           std::string click_id_key, std::function<bool(std::string_view)> has_certificate)
    : log_(log),
      data_(config.data),
      health_(std::move(health)),
      lock_(std::move(lock)),
      engine_(std::move(engine)),
      journal_(std::move(journal)),
      reachable_(config.webhook_networks),
      settings_{.destination_schemes = config.destination_schemes,
                .quarantine_seconds = std::int64_t{config.quarantine_days} * 24 * 3600,
                .events_kept_seconds = std::int64_t{config.event_days} * 24 * 3600,
                .hours_kept_days = config.hours_kept_days,
                .days_kept_days = config.days_kept_days,
                .deleted_links_kept_days = config.deleted_links_kept_days,
                .api_url = config.api_url(),
                .sends_mail = !config.smtp_url.empty(),
                .invites_by_token =
                    config.invites_by_token == ByToken::on ||
                    (config.invites_by_token == ByToken::automatic && config.smtp_url.empty()),
                .adds_strangers = config.add_teammates == AddTeammates::direct,
                .bulk_links_max = config.bulk_links_max,
                .webhooks_max = config.webhooks_max,
                .webhooks_plain = config.webhooks_plain,
                .may_be_sent_to = [this](std::string_view host) { return reachable_.covers_host(host); },
                .dashboard_url = config.dashboard_url(),
                .provider = oidc::rules_of(config),
                .has_certificate = std::move(has_certificate),
                .orders_certificates = config.orders_certificates()},
      click_id_parameter_(config.click_id_parameter),
      api_hosts_(config.api_hosts),
      resolver_(*engine_, random_, config.redirect_cache_mb * mebibyte),
      click_ids_(std::move(click_id_key)),
      countries_(countries_of(config, log)),
      service_(*engine_, clock_, {.ids = ids_, .random = random_, .settings = settings_}, follower_),
      aggregator_(*engine_, *journal_, aggregator_options(config, log, first_lane, click_events_)),
      redirector_(redirect::make_redirector(
          {.directory = directory_,
           .resolver = resolver_,
           .engine = *engine_,
           .clock = clock_,
           .random = random_,
           .figures = redirect_figures_,
           .countries = countries_.get(),
           .click_ids = &click_ids_,
           .unknown_hosts = &unknown_hosts_,
           .gate = &gate_,
           // The one behind those of the I/O threads.
           .lane_of_workers = [this, number = config.io_threads] { return lane(number); },
           .click_id_parameter = click_id_parameter_,
           .visitor_key_seconds = std::int64_t{config.visitor_key_hours} * 3600,
           .honours_objections = config.honours_objections,
           .ignores = ignored_visitors(config),
           .comes_by_https = public_https(config, settings_.has_certificate)})),
      context_{.engine = *engine_,
               .service = service_,
               .clock = clock_,
               .fold_clicks = [this]() -> Result<void> {
                   TRY(aggregator_.fold_now());
                   return {};
               },
               .drain = [this](bool leaves) { return drain(leaves); },
               .keeps_index = true} {
    health_->listen([this](StoreHealth::Written written) { hear(written); });
}

Installation::~Installation() { health_->listen({}); }

Result<std::unique_ptr<Installation>>
Installation::open(const Config& config, Log& log, std::function<bool(std::string_view)> has_certificate) {
    if (!config.backup_to.empty() && !config.store.empty())
        return refused(
            "StoreElsewhere", "store",
            "backup-to: the store lies on another server; back it up with the tools of that one, and "
            "take backup-to away");
    TRY(admin::make_folder(config.data));
    TRY(admin::check_owner(config.data));
    auto lock = TRY(admin::FolderLock::take(config.data));
    if (!lock)
        return refused("InUse", "store",
                       fmt::format("the data folder {} is in use by {}; stop it, or give another folder with "
                                   "--data",
                                   config.data.string(), admin::lock_holder(config.data)));
    const auto health = std::make_shared<StoreHealth>();
    const auto options = store_options(config, log, *health);
    auto engine = TRY(config.store.empty() ? admin::open_store(config.data, options)
                                           : admin::open_store_elsewhere(config.data, config.store, options));
    auto journal = TRY(admin::open_click_journal(config.data, options));
    // Of its own where other servers may have been before.
    const auto first_lane =
        config.store.empty() ? 0
                             : TRY(redirect::first_lane_of(*engine, TRY(admin::name_of_node(config.data))));
    SystemRandom random;
    auto click_id_key = TRY(ensure_click_id_key(*engine, random));
    std::unique_ptr<Installation> installation(
        new Installation(config, log, health, std::move(*lock), std::move(engine), std::move(journal),
                         first_lane, std::move(click_id_key), std::move(has_certificate)));
    TRY(installation->aggregator_.start());
    TRY(installation->directory_.load(*installation->engine_));
    installation->background_ = std::jthread(
        [&installation = *installation](const std::stop_token& s) { installation.run_background(s); });
    installation->index_thread_ = std::make_unique<IndexThread>(*installation->engine_, log);
    if (!config.backup_to.empty())
        installation->backups_ = std::make_unique<BackupThread>(
            installation->context_, log,
            BackupThread::Options{.folder = config.backup_to,
                                  .every = std::chrono::seconds(config.backup_every_seconds),
                                  .keep = config.backup_keep});
    if (!config.smtp_url.empty())
        installation->mailer_ = std::make_unique<Mailer>(
            installation->service_, *installation->engine_, installation->clock_, log,
            make_smtp_carrier({.url = config.smtp_url,
                               .from = config.smtp_from,
                               .user = config.smtp_user,
                               .password = config.smtp_password,
                               .ca_file = config.smtp_ca.string(),
                               .insecure = config.smtp_insecure}));
    installation->hook_sender_ = std::make_unique<HookSender>(
        installation->service_, *installation->engine_, installation->clock_, log,
        make_http_poster(installation->reachable_, {.plain = config.webhooks_plain}));
    return installation;
}

Result<void> Installation::stop() {
    backups_.reset();
    hook_sender_.reset();
    mailer_.reset();
    index_thread_.reset();
    background_ = {};
    return aggregator_.stop();
}

Installation::Figures Installation::figures() const {
    std::error_code error;
    auto disk = std::filesystem::space(data_, error);
    if (error)
        disk = {};
    const auto backlog = engine_->read([](data::View& view) { return count_backlog(view); });
    return {.store = engine_->figures(),
            .cache = resolver_.cache_figures(),
            .clicks = aggregator_.figures(),
            .clicks_lost = redirect_figures_.clicks_lost,
            .redirect_failures = redirect_figures_.store_failures,
            .countries = countries_ ? countries_->figures() : geo::CountryFile::Figures{},
            .index = index_thread_ ? index_thread_->figures() : IndexThread::Figures{},
            .webhooks = hook_sender_ ? hook_sender_->figures() : HookQueue::Figures{},
            .clicks_untold = click_events_.missed(),
            .backups = backups_ ? std::optional(backups_->figures()) : std::nullopt,
            .backlog = backlog.has_value() ? std::optional(*backlog) : std::nullopt,
            .disk = disk};
}

void Installation::reload_countries() {
    if (countries_)
        countries_->reload();
}

void Installation::Follower::changed(const Changes& changes) {
    for (const auto& address : changes.addresses)
        installation_.resolver_.forget(address.domain, address.slashtag_key);
    if (!changes.domains.empty())
        ++installation_.domain_changes_;
    if (changes.domains.empty() && changes.workspaces.empty())
        return;
    const auto done = guarded([&] {
        return installation_.directory_.refresh(*installation_.engine_, changes.domains, changes.workspaces);
    });
    if (!done.has_value())
        installation_.directory_is_stale_ = true;
}

// Of the store's thread.
void Installation::hear(StoreHealth::Written written) {
    Changes changes;
    for (const auto& [space, key] : written)
        note_change(changes, space, key);
    if (written.empty()) {
        resolver_.forget_all();
        directory_is_stale_ = true;
        (void)load_stale_directory();
    }
    follower_.changed(changes);
    if (written.empty() || !changes.addresses.empty())
        service_.expiries_changed();
}

Result<void> Installation::load_stale_directory() {
    if (!directory_is_stale_.exchange(false))
        return {};
    auto loaded = guarded([&] { return directory_.load(*engine_); });
    if (!loaded.has_value())
        directory_is_stale_ = true;
    return loaded;
}

Result<admin::AdminContext::Drained> Installation::drain(bool leaves) {
    if (leaves)
        is_leaving_ = true;
    TRY(aggregator_.fold_now());
    const auto figures = aggregator_.figures();
    return admin::AdminContext::Drained{.counted = figures.folded, .waiting = figures.waiting};
}

void Installation::run_background(const std::stop_token& stopping) {
    ::pthread_setname_np(::pthread_self(), "background");
    lower_priority();
    bool in_trouble = false;
    while (!stopping.stop_requested()) {
        tick(stopping, in_trouble);
        pause(stopping, background_every);
    }
}

// All batches of what commits and time left behind.
Result<void> Installation::work_for_all(const std::stop_token& stopping) {
    for (const auto step :
         {close_hours, prune_places, prune_conversions, prune_statistics, prune_deleted_links, prune_sign_ins,
          prune_events, prune_kept_answers, prune_deliveries, prune_grants})
        while (!stopping.stop_requested() && TRY(service_.run_as_operator(step))) {
        }
    while (!stopping.stop_requested() && TRY(jobs_.run_batch())) {
    }
    return {};
}

Result<void> Installation::work_off(const std::stop_token& stopping) {
    if (TRY(duty_.is_mine()))
        TRY(work_for_all(stopping));
    while (!stopping.stop_requested() && TRY(service_.book_uses())) {
    }
    for (int step = 0; step < fill_steps && !stopping.stop_requested() && TRY(resolver_.fill()); ++step) {
    }
    return {};
}

void Installation::tell_of_lost_clicks() {
    const auto now = std::chrono::steady_clock::now();
    const std::uint64_t lost = redirect_figures_.clicks_lost;
    if (lost == lost_clicks_told_ || now < told_of_lost_at_ + lost_told_every)
        return;
    log_.error("clicks are lost: there is no room on the disk to keep them, and they are counted nowhere",
               {{"lost", static_cast<std::int64_t>(lost - lost_clicks_told_)},
                {"lost_since_start", static_cast<std::int64_t>(lost)}});
    lost_clicks_told_ = lost;
    told_of_lost_at_ = now;
}

void Installation::tell_of_unknown_hosts() {
    for (const auto& [host, what, visits] : unknown_hosts_.take(clock_.now())) {
        if (std::ranges::find(api_hosts_, host) != api_hosts_.end()) // who opens it gets the way to the API
            continue;
        const std::string_view remedy =
            what == redirect::HostIs::out_of_service
                ? "slashpost-admin domain show tells whether it is not active or revoked"
                : "make it a domain (slashpost-admin domain add) and verify it, or have the proxy send on "
                  "the "
                  "Host that it was asked for";
        log_.warn("visitors ask for a host that no domain here answers",
                  {{"host", host.empty() ? std::string_view("further ones") : std::string_view(host)},
                   {"visits", static_cast<std::int64_t>(visits)},
                   {"remedy", remedy}});
    }
}

// One round of what happens without anybody asking. Trouble ends nothing: the next round tries again.
void Installation::tick(const std::stop_token& stopping, bool& in_trouble) {
    const auto done = guarded([&]() -> Result<void> {
        const auto settled = service_.expire_links(clock_.now());
        if (health_->opened_again.exchange(false)) {
            resolver_.forget_all();
            directory_is_stale_ = true;
        }
        tell_of_lost_clicks();
        tell_of_unknown_hosts();
        TRY(settled);
        TRY(load_stale_directory());
        TRY(service_.keep_up());
        return work_off(stopping);
    });
    if (!done.has_value() && !in_trouble)
        log_.warn("background work has to wait", {{"reason", done.error().message}});
    in_trouble = !done.has_value();
}

} // namespace slashpost::app
