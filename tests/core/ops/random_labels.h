#pragma once
// The part of the random-operations model that knows tags and scripts, and the jobs that take them off links.
#include "tests/core/ops/random_model.h"

namespace slashpost::test {

class RandomLabels {
  public:
    RandomLabels(World& world, Dice& dice) : world_(world), dice_(dice), jobs_(world.service) {}

    // One operation, compared with the model.
    void step(std::vector<ModelLink>& links) {
        switch (dice_.below(8)) {
        case 0:
            create();
            break;
        case 1:
            rename();
            break;
        case 2:
            if (dice_.chance(3))
                remove(links, tags_, &Link::tags);
            else if (dice_.chance(3))
                remove(links, scripts_, &Link::scripts);
            break;
        case 3:
        case 4:
            label(dice_.one_of(links), tags_, attach_tag, detach_tag, &Link::tags);
            break;
        case 5:
            label(dice_.one_of(links), scripts_, attach_script, detach_script, &Link::scripts);
            break;
        case 6:
            static_cast<void>(must(jobs_.run_batch()));
            break;
        default:
            list();
            break;
        }
    }

    // Up to three that are there, one of them perhaps twice.
    std::vector<TagId> some_tags() { return some(tags_); }
    std::vector<ScriptId> some_scripts() { return some(scripts_); }
    // For a filter: also ones that are gone.
    std::vector<TagId> any_tags() {
        auto out = some_tags();
        if (const auto* gone = dice_.one_of(gone_); gone && dice_.chance(2))
            out.push_back(*gone);
        return out;
    }

    template <class I>
    static std::vector<I> each_once(const std::vector<I>& ids) {
        std::vector<I> out;
        for (const auto& id : ids)
            if (std::ranges::find(out, id) == out.end())
                out.push_back(id);
        return out;
    }
    static bool has_one_of(const Link& link, const std::vector<TagId>& tags) {
        return std::ranges::any_of(
            tags, [&](const TagId& tag) { return std::ranges::find(link.tags, tag) != link.tags.end(); });
    }

  private:
    std::string some_name() {
        static constexpr std::array<const char*, 8> names{"red", "RED", "blue", "Green", "x", "y", "z", "Y"};
        return names[dice_.below(names.size())];
    }
    template <class T>
    std::vector<decltype(T::id)> some(std::vector<T>& rows) {
        std::vector<decltype(T::id)> out;
        for (auto n = rows.empty() ? 0 : dice_.below(4); n > 0; --n)
            out.push_back(dice_.one_of(rows)->id);
        return out;
    }
    bool taken(const std::string& name, const TagId* but = nullptr) {
        return std::ranges::any_of(
            tags_, [&](const Tag& t) { return lower(t.name) == lower(name) && (!but || t.id != *but); });
    }

    void create() {
        const auto name = some_name();
        if (dice_.chance(4)) {
            scripts_.push_back(make_script(world_, name));
            return;
        }
        const auto made =
            world_.write([&](Context& ctx) { return create_tag(ctx, {.name = name, .color = "123456"}); });
        REQUIRE(made.has_value() == !taken(name));
        if (made.has_value())
            tags_.push_back(*made);
    }

    void rename() {
        auto* tag = dice_.one_of(tags_);
        if (!tag)
            return;
        const auto name = some_name();
        const auto done = world_.write([&](Context& ctx) -> Result<Tag> {
            return update_tag(ctx, TRY(find_tag(ctx, tag->id.hex())),
                              {.name = Change<std::string>::set(name)});
        });
        REQUIRE(done.has_value() == !taken(name, &tag->id));
        if (done.has_value())
            *tag = *done;
    }

    template <class T, class I>
    void remove(std::vector<ModelLink>& links, std::vector<T>& rows, std::vector<I> Link::* on_link) {
        const auto* found = dice_.one_of(rows);
        if (!found)
            return;
        const auto row = *found;
        erase(world_, row);
        std::erase_if(rows, [&](const T& one) { return one.id == row.id; });
        for (auto& model : links)
            std::erase(model.link.*on_link, row.id);
        if constexpr (std::is_same_v<T, Tag>)
            gone_.push_back(row.id);
    }

    template <class T, class I>
    void label(ModelLink* model, std::vector<T>& rows,
               Result<void> (*attach)(Context&, const Link&, const T&),
               Result<void> (*detach)(Context&, const Link&, const T&), std::vector<I> Link::* on_link) {
        const auto* row = dice_.one_of(rows);
        if (!model || !row)
            return;
        const bool attaching = dice_.chance(2);
        const auto done = change_label(world_, attaching ? attach : detach, model->link.id, *row);
        REQUIRE(done.has_value() == (model->link.status != LinkStatus::deleted));
        auto& ids = model->link.*on_link;
        const bool has = std::ranges::find(ids, row->id) != ids.end();
        if (!done.has_value() || has == attaching)
            return;
        if (attaching)
            ids.push_back(row->id);
        else
            std::erase(ids, row->id);
        model->link.updated_at = world_.clock.time;
    }

    void list() {
        auto expected = tags_;
        const bool ascending = dice_.chance(2);
        std::ranges::sort(expected, [&](const Tag& a, const Tag& b) {
            return ascending ? lower(a.name) < lower(b.name) : lower(b.name) < lower(a.name);
        });
        const auto listed = must(world_.read([&](Context& ctx) {
            return list_tags(ctx, {},
                             {.direction = ascending ? Direction::ascending : Direction::descending});
        }));
        REQUIRE(names(listed) == names(expected));
        REQUIRE(must(world_.read([](Context& ctx) { return count_tags(ctx, {}); })) == std::ssize(expected));
    }

    World& world_;
    Dice& dice_;
    JobRunner jobs_;
    std::vector<Tag> tags_; // those that are there
    std::vector<Script> scripts_;
    std::vector<TagId> gone_;
};

} // namespace slashpost::test
