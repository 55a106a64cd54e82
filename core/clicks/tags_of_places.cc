#include "core/clicks/tags_of_places.h"

#include "core/schema/schema.h"

namespace slashpost::redirect {

Result<TagsOfPlaces> TagFinder::find() {
    for (const auto& place : batch_.places()) {
        if (place.tagged && !TRY(add_by_marks(place)))
            TRY(add_by_row(place));
        found_.ends_.push_back(static_cast<std::uint32_t>(found_.numbers_.size()));
    }
    return std::move(found_);
}

std::uint32_t TagFinder::new_number(const TagId& tag) {
    found_.tags_.push_back(tag);
    return static_cast<std::uint32_t>(found_.tags_.size() - 1);
}

Result<const TagFinder::Marked*> TagFinder::marked(WorkspaceId workspace) {
    const auto [known, is_new] = marked_.try_emplace(workspace);
    auto& marks = known->second;
    const auto& tags = schema().tags;
    if (is_new && TRY(tags.per_workspace.count(view_, workspace)) <= marked_tags_max) {
        marks.emplace();
        TRY(tags.by_created.walk(view_, {.scope = data::key(workspace)},
                                 [&](data::BytesView primary) -> Result<bool> {
                                     const auto tag = *TagId::from_bytes(primary);
                                     const auto [at, is_first] = marks->try_emplace(TagMarks::mark_of(tag));
                                     at->second = is_first ? std::optional(new_number(tag)) : std::nullopt;
                                     numbers_[tag] = is_first ? at->second : new_number(tag);
                                     return true;
                                 }));
    }
    return marks ? &*marks : nullptr;
}

Result<bool> TagFinder::add_by_marks(const ClickBatch::Source& place) {
    const auto* const marks = place.tags.told() ? TRY(marked(batch_.sites()[place.site].workspace)) : nullptr;
    if (marks == nullptr)
        return false;
    const auto begin = found_.numbers_.size();
    for (std::size_t i = 0; i < place.tags.count(); ++i) {
        const auto known = marks->find(place.tags.at(i));
        if (known == marks->end())
            continue; // the tag is gone
        if (!known->second) {
            found_.numbers_.resize(begin);
            return false;
        }
        found_.numbers_.push_back(*known->second);
    }
    return true;
}

Result<void> TagFinder::add_by_row(const ClickBatch::Source& place) {
    const auto link = TRY(schema().links.find(view_, place.link.view()));
    for (const auto& tag : link ? link->tags : std::vector<TagId>()) {
        auto known = numbers_.find(tag);
        if (known == numbers_.end()) {
            const bool there = TRY(schema().tags.find(view_, tag.view())).has_value();
            known = numbers_.emplace(tag, there ? std::optional(new_number(tag)) : std::nullopt).first;
        }
        if (known->second)
            found_.numbers_.push_back(*known->second);
    }
    return {};
}

} // namespace slashpost::redirect
