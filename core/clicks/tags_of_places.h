#pragma once
// Which tags the clicks of a batch count for. Most clicks say it themselves (core/schema/tag_marks.h); of
// the others the rows of their links are read.
#include "core/clicks/click_batch.h"
#include "core/data/engine.h"

#include <map>
#include <span>
#include <unordered_map>

namespace slashpost::redirect {

// The tags by number, and the numbers of each place. Tags that are gone are in neither.
class TagsOfPlaces {
  public:
    [[nodiscard]] const std::vector<TagId>& tags() const { return tags_; }
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t place) const {
        const std::size_t begin = place == 0 ? 0 : ends_[place - 1];
        return std::span(numbers_).subspan(begin, ends_[place] - begin);
    }

  private:
    friend class TagFinder;
    std::vector<TagId> tags_;
    std::vector<std::uint32_t> numbers_; // of tags, one place after the other
    std::vector<std::uint32_t> ends_;    // of places among the numbers
};

class TagFinder {
  public:
    TagFinder(data::View& view, const ClickBatch& batch) : view_(view), batch_(batch) {}
    Result<TagsOfPlaces> find();

  private:
    // By mark, the tag's number; nothing where two tags of the workspace have the mark.
    using Marked = std::unordered_map<TagMarks::Mark, std::optional<std::uint32_t>>;
    // In a workspace with more tags it costs less to ask the rows of links.
    static constexpr std::int64_t marked_tags_max = 5000;

    Result<const Marked*> marked(WorkspaceId workspace); // null: too many tags
    // False when the marks do not tell.
    Result<bool> add_by_marks(const ClickBatch::Source& place);
    Result<void> add_by_row(const ClickBatch::Source& place);
    std::uint32_t new_number(const TagId& tag);

    data::View& view_;
    const ClickBatch& batch_;
    TagsOfPlaces found_;
    std::map<WorkspaceId, std::optional<Marked>> marked_;
    std::map<TagId, std::optional<std::uint32_t>> numbers_; // nothing: there is no such tag
};

} // namespace slashpost::redirect
