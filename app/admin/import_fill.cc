#include "app/admin/import_fill.h"

#include "core/schema/click_orders.h"
#include "core/search/index_fill.h"

#include <utility>

namespace slashpost::admin {

namespace {

constexpr std::size_t waiting_max = 4;            // batches
constexpr std::size_t index_batch_links = 65'536; // the more links share a batch, the less a link costs

std::vector<data::FillRuleOf> all_rules() {
    std::vector<data::FillRuleOf> rules(search::index_fill_rules.begin(), search::index_fill_rules.end());
    const auto links = import_fill_rules();
    rules.insert(rules.end(), links.begin(), links.end());
    return rules;
}

} // namespace

Result<std::unique_ptr<ImportFill>> ImportFill::begin(House& house, WorkspaceId workspace) {
    if (!TRY(house.engine.read([&](data::View& view) { return search::takes_more(view, workspace); })))
        return nullptr;
    return std::unique_ptr<ImportFill>(new ImportFill(house, workspace, TRY(data::begin_fill(house.engine))));
}

ImportFill::ImportFill(House& house, WorkspaceId workspace, std::unique_ptr<data::Fill> fill)
    : house_(house),
      workspace_(workspace),
      fill_(std::move(fill)),
      filling_(*fill_, all_rules()),
      thread_([this] {
          auto done = make_index();
          const std::lock_guard lock(mutex_);
          indexed_ = std::move(done);
          ended_ = true;
          changed_.notify_all();
      }) {}

ImportFill::~ImportFill() { end_index(); }

void ImportFill::end_index() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        changed_.notify_all();
    }
    if (thread_.joinable())
        thread_.join();
}

std::vector<ImportOutcome> ImportFill::next_made() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !made_.empty() || ended_; });
    if (made_.empty())
        return {};
    auto next = std::move(made_.front());
    made_.pop_front();
    changed_.notify_all();
    return next;
}

Result<void> ImportFill::make_index() {
    return house_.engine.read([this](data::View& view) {
        return filling_.write(view, [this](data::Txn& txn) -> Result<void> {
            search::IndexFill index(txn, workspace_, index_batch_links);
            for (auto made = next_made(); !made.empty(); made = next_made())
                for (const auto& outcome : made)
                    TRY(index.take(outcome.link));
            return index.finish();
        });
    });
}

Result<std::vector<ImportOutcome>> ImportFill::make(Context& ctx, std::span<const ImportedLink> links) {
    std::vector<ImportOutcome> made;
    TRY(filling_.write(ctx.txn(), [&](data::Txn& txn) -> Result<void> {
        {
            const std::lock_guard lock(making_tags_);
            TRY(make_import_tags(ctx, txn, links, tags_));
        }
        made = TRY(import_links(ctx, txn, links));
        return {};
    }));
    return made;
}

Result<void> ImportFill::index(std::vector<ImportOutcome> made) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return made_.size() < waiting_max || ended_; });
    if (ended_)
        return indexed_.has_value() ? Result<void>(unavailable("the search index was ended")) : indexed_;
    made_.push_back(std::move(made));
    changed_.notify_all();
    return {};
}

Result<void> ImportFill::check_limits(Context& ctx, std::int64_t links) {
    return check_import_limits(ctx, links, std::vector<std::string>(tags_.begin(), tags_.end()));
}

Result<void> ImportFill::finish(data::BytesView import, const ImportState& state) {
    end_index();
    TRY(indexed_);
    TRY(house_.engine.read([&](data::View& view) {
        return filling_.write(view, [&](data::Txn& txn) -> Result<void> {
            TRY(forget_click_orders(txn));
            return put_import_state(txn, import, state);
        });
    }));
    TRY(filling_.finish());
    return remake_click_orders(house_.engine, Remake::if_forgotten);
}

} // namespace slashpost::admin
