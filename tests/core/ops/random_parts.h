#pragma once
// The part of the random-operations model that knows rules, rotators, previews and deep links.
#include "tests/core/ops/random_model.h"
#include "tests/support/parts.h"

#include <map>

namespace slashpost::test {

class RandomParts {
  public:
    RandomParts(World& world, Dice& dice) : world_(world), dice_(dice) {}

    // One operation, compared with the model.
    void step(ModelLink* model) {
        if (!model)
            return;
        switch (dice_.below(6)) {
        case 0:
            add_rule(*model);
            break;
        case 1:
            rank_or_delete_rule(*model);
            break;
        case 2:
            replace_arms(*model);
            break;
        case 3:
            preview(*model);
            break;
        case 4:
            deep_link(*model);
            break;
        default:
            compare(model->link.id);
            break;
        }
    }

    // To be called when a link was deleted.
    void forget(LinkId link) { parts_.erase(link); }

    void compare(LinkId link) {
        const auto stored = stored_parts(world_, link);
        const auto found = parts_.find(link);
        const bool something = found != parts_.end() && !found->second.nothing();
        REQUIRE(stored.has_value() == something);
        if (something)
            REQUIRE(data::encode(*stored) == data::encode(found->second));
    }
    // Rows of links that the model never heard of would be too many.
    void compare_all(const std::vector<ModelLink>& links) {
        std::size_t expected = 0, rows = 0;
        for (const auto& model : links) {
            compare(model.link.id);
            expected += parts_.contains(model.link.id) && !parts_.at(model.link.id).nothing() ? 1 : 0;
        }
        must(world_.engine->read([&](data::View& view) {
            return schema().link_parts.each(view,
                                            [&](const LinkParts&) -> Result<bool> { return ++rows > 0; });
        }));
        REQUIRE(rows == expected);
    }

  private:
    LinkParts& parts_of_model(const ModelLink& model) {
        auto& parts = parts_[model.link.id];
        parts.link = model.link.id;
        parts.workspace = model.link.workspace;
        return parts;
    }

    // Runs the operation; true when it was allowed, and then the link was changed with it.
    template <class Operation>
    auto change(ModelLink& model, const Operation& operation, bool changes = true) {
        auto done = change_parts(world_, model.link.id, operation);
        REQUIRE(done.has_value() == (model.link.status != LinkStatus::deleted));
        if (done.has_value() && changes)
            model.link.updated_at = world_.clock.time;
        return done;
    }

    static void sort(std::vector<LinkRule>& rules) {
        std::ranges::sort(rules, [](const LinkRule& a, const LinkRule& b) {
            return a.rank != b.rank ? a.rank < b.rank : a.id < b.id;
        });
    }

    void add_rule(ModelLink& model) {
        const auto rank = static_cast<std::int64_t>(dice_.below(4));
        const auto made = change(
            model, [&](Context& ctx, const Link& link) { return create_rule(ctx, link, rule_input(rank)); });
        if (!made.has_value())
            return;
        REQUIRE(made->rank == rank);
        auto& rules = parts_of_model(model).rules;
        rules.push_back(*made);
        sort(rules);
    }

    void rank_or_delete_rule(ModelLink& model) {
        auto& rules = parts_of_model(model).rules;
        auto* rule = dice_.one_of(rules);
        if (!rule)
            return;
        if (dice_.chance(2)) {
            const auto rank = static_cast<std::int64_t>(dice_.below(4));
            static_cast<void>(change(model, [&](Context& ctx, const Link& link) {
                return update_rule(ctx, link, *rule, {.destination = {}, .rank = rank, .conditions = {}});
            }));
            rule->rank = rank;
            sort(rules);
        } else {
            static_cast<void>(
                change(model, [&](Context& ctx, const Link& link) { return delete_rule(ctx, link, *rule); }));
            rules.erase(rules.begin() + (rule - rules.data()));
        }
    }

    void replace_arms(ModelLink& model) {
        if (model.link.type != LinkType::rotator)
            return;
        std::vector<RotatorRuleInput> in;
        for (const auto& old : parts_of_model(model).rotator)
            if (dice_.chance(2))
                in.push_back({.destination = old.destination, .weight = {}, .id = old.id});
        for (auto n = dice_.below(3); n > 0; --n)
            in.push_back({.destination = "https://example.com/" + std::to_string(dice_.below(9)),
                          .weight = Change<std::int64_t>::set(static_cast<std::int64_t>(n)),
                          .id = {}});
        const auto done =
            change(model, [&](Context& ctx, const Link& link) { return replace_rotator(ctx, link, in); });
        if (!done.has_value())
            return;
        REQUIRE(done->size() == in.size());
        for (std::size_t i = 0; i < in.size(); ++i) {
            REQUIRE((*done)[i].destination == in[i].destination);
            REQUIRE((!in[i].id || (*done)[i].id == *in[i].id));
        }
        parts_of_model(model).rotator = *done;
    }

    void preview(ModelLink& model) {
        auto& graph = parts_of_model(model).open_graph;
        if (dice_.chance(3)) {
            if (change(model, delete_open_graph, graph.has_value()).has_value())
                graph.reset();
            return;
        }
        OpenGraph wanted;
        wanted.title = dice_.chance(3) ? "" : "Title " + std::to_string(dice_.below(5));
        const auto done = change(model, [&](Context& ctx, const Link& link) {
            return change_open_graph(ctx, link, {.title = Change<std::string>::set(wanted.title)});
        });
        if (done.has_value())
            graph = wanted;
    }

    void deep_link(ModelLink& model) {
        const auto& app = known_apps()[dice_.below(3)];
        auto& deep = parts_of_model(model).deep_links;
        const auto old = std::ranges::find(deep, app.id, &DeepLink::app);
        if (dice_.chance(3)) {
            const bool there = old != deep.end();
            const auto done = change(
                model, [&](Context& ctx, const Link& link) { return delete_deep_link(ctx, link, app); },
                there);
            if (done.has_value() && there)
                deep.erase(old);
            return;
        }
        const auto done = change(model, [&](Context& ctx, const Link& link) {
            return set_deep_link(ctx, link, app, {.path = "p" + std::to_string(dice_.below(5))});
        });
        if (!done.has_value())
            return;
        if (old != deep.end())
            *old = *done;
        else
            deep.push_back(*done);
    }

    World& world_;
    Dice& dice_;
    std::map<LinkId, LinkParts> parts_;
};

} // namespace slashpost::test
