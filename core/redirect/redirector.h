#pragma once
// The redirect path: what a visitor of a short address gets (wire "The visitor's side").
//
// One look-up, one click record, one answer. No JSON, no authentication, no transaction, and in the steady
// state no allocation: the answer is put together in a buffer that the caller reuses.
#include "core/base/random.h"
#include "core/base/result.h"
#include "core/base/time.h"
#include "core/redirect/page.h"
#include "core/visitors/visitor.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace slashpost::data {
class Engine;
class JournalLane;
} // namespace slashpost::data

namespace slashpost::redirect {

// No Location is longer: as it is by itself, and with what visitors bring along. Whatever stands before
// servers and clients takes as much. What older stores hold may be longer (core/base/url.h).
inline constexpr std::size_t own_location_bytes_max = 4 * 1024;
inline constexpr std::size_t location_bytes_max = 8 * 1024;

// One request by a visitor, as views into the read buffer.
struct Visit {
    std::string_view host;  // as sent in the Host header, any case, with port if it had one
    std::string_view path;  // as sent, begins with '/', without the query, still percent-encoded
    std::string_view query; // without '?', empty when there is none
    std::string_view user_agent;
    std::string_view accept_language; // this and the referrer as sent, whatever that is
    std::string_view referrer;
    Address address;       // of the visitor, behind trusted proxies theirs
    bool secure = false;   // came by HTTPS
    bool objects = false;  // asks not to be tracked: Sec-GPC or DNT
    bool counts = true;    // false for HEAD and prefetches: answered, but no click (bots are found out here)
    bool posts = false;    // sends the form of a guarded link's page
    bool admitted = false; // has come through the gate of a guarded link (core/redirect/gate.h)
};

enum class Outcome : std::uint8_t {
    forward,      // to `location` with the code `redirect_type`, a click was recorded if it counted
    home,         // "/" on a domain: to `location` (302) or, when that is empty, the plain page
    missing,      // unknown or deleted: to `location` (302) or, when empty, the plain 404 page
    expired,      // the same for a link that has ended, with a page that says so
    unknown_host, // no such domain here, or not verified, inactive, revoked
    robots,       // /robots.txt
    favicon,      // /favicon.ico
    well_known,   // below /.well-known/: nothing there
    unavailable,  // the store could not be read
    page,         // `page` stands in front of `location`
    ordered,      // `order` says what is to be made for this visitor
};

struct Answer {
    Outcome outcome = Outcome::missing;
    unsigned redirect_type = 302;           // 301, 302, 307 or 308; 303 behind a form
    std::string location;                   // reused from visit to visit
    std::shared_ptr<const PageBrand> brand; // of the domain's plain page, when there is one
    std::unique_ptr<Page> page;             // with Outcome::page only
    std::unique_ptr<PageOrder> order;       // with Outcome::ordered only
};

class Redirector {
  public:
    virtual ~Redirector() = default;
    // Fills `answer`. Thread-safe; `lane` belongs to the calling thread. Never blocks on a lock that an API
    // call may hold while it waits for the disk.
    virtual void answer(const Visit& visit, data::JournalLane& lane, Answer& answer) = 0;
    // Whether visitors of this address are redirected so that their method and body go along (307, 308).
    // Thread-safe.
    [[nodiscard]] virtual bool keeps_method(std::string_view host, std::string_view path) = 0;
    // Whether the link at this address is guarded, so that a form may be posted to it. Thread-safe.
    [[nodiscard]] virtual bool is_guarded(std::string_view host, std::string_view path) = 0;
    // Makes what `answer` ordered: a page, or whatever its visitor gets when there is none after all, never
    // another order. Thread-safe; reads the store, so on a thread for which nobody waits.
    virtual void make(const PageOrder& order, Answer& answer) = 0;
};

// What went wrong, since the start; counted from many threads.
struct RedirectFigures {
    std::atomic<std::uint64_t> clicks_lost = 0;    // there was no room for them; their visitors went on
    std::atomic<std::uint64_t> store_failures = 0; // visits that could not be answered
};

class ClickIds;
class Directory;
class Gate;
class Resolver;
class UnknownHosts;

inline constexpr std::string_view default_click_id_parameter = "sp_click";

// What the one that serves works with. All of it outlives the redirector.
struct RedirectorTools {
    const Directory& directory; // domains
    Resolver& resolver;         // links
    data::Engine& engine;       // what a link has besides, read when it is needed
    const Clock& clock;
    Random& random;
    RedirectFigures& figures;
    const CountryFinder* countries = nullptr; // null: nobody's country is known
    const ClickIds* click_ids = nullptr;      // null: no visitor carries one
    UnknownHosts* unknown_hosts = nullptr;    // null: nobody wants to hear of them
    Gate* gate = nullptr;                     // null: nobody gets through one
    // Where clicks go of visits that are answered on other threads than those of the sockets. It may be
    // called, and what it answers written to, by one of them at a time. Empty: they are lost.
    std::function<Result<data::JournalLane*>()> lane_of_workers = {};
    // What it is carried in where the workspace names nothing else.
    std::string_view click_id_parameter = default_click_id_parameter;
    std::int64_t visitor_key_seconds =
        VisitorHasher::day_seconds; // of the key by which visitors are told apart
    // Whether nothing is kept of visitors who ask not to be tracked, but that they came.
    bool honours_objections = false;
    // Whose visits are no clicks; from any thread, at once. Empty: nobody's.
    std::function<bool(const Address&)> ignores = {};
    // Whether visitors should come to a domain by HTTPS, by its name, with its port if it has one; from any
    // thread, at once. Empty, or false: as the visit came that asks.
    std::function<bool(std::string_view host)> comes_by_https;
};

// The lanes given to it take records of click_record_bytes (core/clicks/clicks.h).
std::unique_ptr<Redirector> make_redirector(const RedirectorTools& tools);

} // namespace slashpost::redirect
