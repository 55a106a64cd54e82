#include "app/installation.h"

#include "core/data/journal.h"
#include "core/ops/install.h"
#include "core/ops/link_batches.h"
#include "core/ops/links.h"
#include "core/ops/tags.h"
#include "core/ops/workspaces.h"
#include "core/schema/click_totals.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"
#include "storage/open.h"
#include "tests/support/must.h"
#include "tests/support/temp_folder.h"

#include <fstream>
#include <map>

using namespace slashpost;
using namespace slashpost::app;
using slashpost::test::must;
using slashpost::test::TempFolder;

namespace {

Config config_for(const std::filesystem::path& data) {
    return must(make_config(
        {.file = {}, .environment = {}, .flags = {{"data", data.string()}, {"domain", "go.example.com"}}}));
}

// Everything in a folder but the lock, which says who looked last.
std::map<std::string, std::string> files_of(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file() || entry.path().filename() == "lock")
            continue;
        auto& bytes = files[entry.path().string()];
        bytes.resize(entry.file_size());
        std::ifstream(entry.path(), std::ios::binary)
            .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    return files;
}

class OpenSite {
  public:
    explicit OpenSite(const std::filesystem::path& data)
        : installation(must(Installation::open(config_for(data), log_))) {
        if (must(installation->engine().read([](data::View& view) { return store_is_empty(view); })))
            must(installation->service().run_as_operator(
                [](SystemContext& system) { return install(system, "go.example.com"); }));
        const auto account =
            must(installation->engine().read([](data::View& view) { return find_account(view, "admin"); }));
        caller = {.account = account.id, .key = {}};
    }
    template <class Work>
    auto operate(Work work) {
        return installation->service().run_as_operator(work);
    }
    template <class Work>
    auto write(Work work) {
        return installation->service().run(caller, {}, Guard{.access = Access::write}, work);
    }
    LinkDetails create(const NewLink& in) {
        return must(write([&](Context& ctx) { return create_link(ctx, in); }));
    }
    redirect::Outcome visit(std::string_view path) {
        redirect::Answer answer;
        installation->redirector().answer(
            {.host = "go.example.com", .path = path, .query = {}, .user_agent = "Lynx/2.9.0"},
            *must(installation->lane(0)), answer);
        return answer.outcome;
    }
    std::int64_t clicks(const Link& link) {
        return must(installation->engine().read(
                        [&](data::View& view) { return clicks_of_link(view, link.workspace, link.id); }))
            .clicks;
    }

  private:
    Log log_{LogLevel::error, LogFormat::text};

  public:
    std::unique_ptr<Installation> installation;
    Caller caller;
};

} // namespace

TEST_CASE("a data folder is one server's at a time, and the refusal says what to do", "[installation]") {
    const TempFolder folder;
    const OpenSite first(folder.path() / "data");
    Log log(LogLevel::error, LogFormat::text);
    const auto second = Installation::open(config_for(folder.path() / "data"), log);
    REQUIRE_FALSE(second.has_value());
    CHECK_THAT(second.error().message, Catch::Contains((folder.path() / "data").string()) &&
                                           Catch::Contains("--data") && Catch::Contains("process "));
}

TEST_CASE("a data folder is its owner's only", "[installation]") {
    const TempFolder folder;
    const OpenSite open(folder.path() / "a" / "data");
    const auto rights = std::filesystem::status(folder.path() / "a" / "data").permissions();
    CHECK((rights & std::filesystem::perms::mask) == std::filesystem::perms::owner_all);
}

TEST_CASE("a store of a newer format is refused and stays byte for byte as it was", "[installation]") {
    const TempFolder folder;
    {
        must(OpenSite(folder.path()).installation->stop());
    }
    {
        const auto engine = must(storage::open("rocksdb:" + (folder.path() / "store").string(), space::all));
        must(engine->transact([](data::Txn& txn) { return txn.put(space::meta, meta_key::format, "99"); }));
    }
    const auto before = files_of(folder.path());
    Log log(LogLevel::error, LogFormat::text);
    const auto refused = Installation::open(config_for(folder.path()), log);
    REQUIRE_FALSE(refused.has_value());
    CHECK_THAT(refused.error().message, Catch::Contains("newer"));
    CHECK(files_of(folder.path()) == before);
}

TEST_CASE("a store of an older format is upgraded when its folder is opened, which is told",
          "[installation]") {
    const TempFolder folder;
    std::vector<data::Entry> entries;
    {
        OpenSite open(folder.path());
        const auto link = open.create({.destination = "https://example.com/", .slashtag = "sale"}).link;
        schema().links.short_url.append_entries(link, entries);
        must(open.installation->engine().transact([&](data::Txn& txn) -> Result<void> {
            TRY(txn.erase(*entries.front().space, entries.front().key));
            return txn.put(space::meta, meta_key::format, "1");
        }));
    }
    std::vector<std::string> told;
    {
        auto lock = must(admin::FolderLock::take(folder.path()));
        const auto context = must(admin::OfflineContext::open(
            folder.path(), std::move(lock.value()), [&](auto sentence) { told.emplace_back(sentence); }));
        CHECK(must(context->context().engine.get_now(space::meta, meta_key::format)) == "17");
    }
    CHECK(std::ranges::find(told, "upgrading the store: links: 1 entries renewed") != told.end());
    OpenSite again(folder.path());
    CHECK(again.visit("/sale") == redirect::Outcome::forward);
}

TEST_CASE("the redirect path follows every commit at once", "[installation]") {
    const TempFolder folder;
    OpenSite open(folder.path());
    CHECK(open.visit("/sale") == redirect::Outcome::missing);
    const auto link = open.create({.destination = "https://example.com/", .slashtag = "sale"}).link;
    CHECK(open.visit("/sale") == redirect::Outcome::forward);
    const auto revoke = [&](bool revoked) {
        must(open.operate([&](SystemContext& system) -> Result<void> {
            const auto domain = TRY(find_any_domain(system.txn, "go.example.com"));
            TRY(change_domain(system, domain, {.revoked = Change<bool>::set(revoked)}));
            return {};
        }));
    };
    revoke(true);
    CHECK(open.visit("/sale") == redirect::Outcome::unknown_host);
    revoke(false);
    CHECK(open.visit("/sale") == redirect::Outcome::forward);
    must(open.write([&](Context& ctx) { return delete_link(ctx, link); }));
    CHECK(open.visit("/sale") == redirect::Outcome::missing);
}

TEST_CASE("visitors carry click ids as soon as conversions are tracked, also after a restart",
          "[installation]") {
    const TempFolder folder;
    const auto location = [](OpenSite& open) {
        redirect::Answer answer;
        open.installation->redirector().answer({.host = "go.example.com",
                                                .path = "/sale",
                                                .query = {},
                                                .user_agent = "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) "
                                                              "Gecko/20100101 Firefox/121.0"},
                                               *must(open.installation->lane(0)), answer);
        return answer.location;
    };
    std::string before;
    Link link;
    {
        OpenSite open(folder.path());
        link = open.create({.destination = "https://example.com/", .slashtag = "sale"}).link;
        CHECK(location(open) == "https://example.com/");
        must(open.write([](Context& ctx) {
            return set_conversion_tracking(
                ctx, {.enabled = true, .attribution_window_days = {}, .click_id_parameter = {}});
        }));
        before = location(open);
        must(open.installation->stop());
    }
    OpenSite open(folder.path());
    const std::string prefix = "https://example.com/?sp_click=";
    const auto key =
        must(open.installation->engine().read([](data::View& view) { return click_id_key(view); }));
    REQUIRE(key);
    for (const auto& where : {before, location(open)}) {
        CHECK_THAT(where, Catch::StartsWith(prefix));
        const auto click = redirect::ClickIds(*key).open(link.workspace, where.substr(prefix.size()));
        REQUIRE(click);
        CHECK(click->link == link.id);
    }
}

TEST_CASE("the redirect path follows every link of a batch", "[installation]") {
    const TempFolder folder;
    OpenSite open(folder.path());
    const std::vector<std::string> paths{"/a", "/b", "/c"};
    const auto all_are = [&](redirect::Outcome outcome) {
        return std::ranges::all_of(paths, [&](const auto& path) { return open.visit(path) == outcome; });
    };
    CHECK(all_are(redirect::Outcome::missing)); // which is remembered until the links are there
    std::vector<LinkDraft> drafts;
    drafts.reserve(paths.size());
    for (const auto& path : paths)
        drafts.push_back(
            {.link = {.destination = "https://example.com/", .slashtag = path.substr(1)}, .problems = {}});
    std::vector<std::string> ids;
    ids.reserve(paths.size());
    for (const auto& details :
         must(open.write([&](Context& ctx) { return create_links(ctx, drafts, drafts.size()); })))
        ids.push_back(details.link.id.hex());
    CHECK(all_are(redirect::Outcome::forward));
    must(open.write([&](Context& ctx) { return delete_links(ctx, ids); }));
    CHECK(all_are(redirect::Outcome::missing));
}

TEST_CASE("clicks are in the store after a stop, and once only after the next start", "[installation]") {
    const TempFolder folder;
    Link link;
    {
        OpenSite open(folder.path());
        link = open.create({.destination = "https://example.com/", .slashtag = "sale"}).link;
        for (int i = 0; i < 5; ++i)
            open.visit("/sale");
        must(open.installation->stop());
        CHECK(open.clicks(link) == 5);
    }
    OpenSite again(folder.path());
    CHECK(again.clicks(link) == 5);
    again.visit("/sale");
    must(again.installation->admin_context().fold_clicks());
    CHECK(again.clicks(link) == 6);
}

TEST_CASE("a link expires on time without anybody asking for it", "[installation]") {
    const TempFolder folder;
    OpenSite open(folder.path());
    const auto soon = Timestamp{open.installation->clock().now().ms + 300};
    const auto link =
        open.create({.destination = "https://example.com/", .slashtag = "sale", .expires_at = soon}).link;
    auto status = LinkStatus::active;
    for (int i = 0; i < 500 && status == LinkStatus::active; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        status = must(open.installation->engine().read([&](data::View& view) {
                     return schema().links.find(view, link.id.view());
                 }))->status;
    }
    CHECK(status == LinkStatus::expired);
}

TEST_CASE("what an erased tag leaves behind is done in the background", "[installation]") {
    const TempFolder folder;
    OpenSite open(folder.path());
    const auto tag =
        must(open.write([](Context& ctx) { return create_tag(ctx, {.name = "a", .color = "ff8800"}); }));
    const auto link = open.create({.destination = "https://example.com/", .tags = {tag.id}}).link;
    must(open.write([&](Context& ctx) { return delete_tag(ctx, tag); }));
    bool carries = true;
    for (int i = 0; i < 500 && carries; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        carries = !must(open.installation->engine().read([&](data::View& view) {
                       return schema().links.find(view, link.id.view());
                   }))->tags.empty();
    }
    CHECK_FALSE(carries);
}
