#include "core/ops/link_batches.h"

#include "core/access/doors.h"
#include "core/ops/link_details.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost {

namespace {

// What is wrong with the items of a call, to become the one error that the call fails with.
class ItemErrors {
  public:
    // Fails at once with what is not about the item.
    Result<void> add(const std::string& item, Error error) {
        if (rank(error) == 0)
            return std::unexpected(std::move(error));
        if (error.kind == ErrorKind::invalid)
            for (auto& field : error.fields)
                fields_.push_back({.code = std::move(field.code),
                                   .property = joined(item, field.property),
                                   .message = std::move(field.message)});
        else
            fields_.push_back(
                {.code = error.code,
                 .property = joined(item, error.source == "domain" ? "domain" : ""),
                 .message = error.kind == ErrorKind::not_found ? "does not exist" : "is refused"});
        if (!worst_ || rank(error) > rank(*worst_))
            worst_ = std::move(error);
        return {};
    }

    Result<void> result() && {
        if (!worst_)
            return {};
        worst_->fields = std::move(fields_);
        return std::unexpected(std::move(*worst_));
    }

  private:
    // The higher, the earlier in the wire's order of checks; 0: not about an item.
    static int rank(const Error& error) {
        switch (error.kind) {
        case ErrorKind::not_found:
            return 3;
        case ErrorKind::refused:
            return 2;
        case ErrorKind::invalid:
            return 1;
        default:
            return 0;
        }
    }
    static std::string joined(const std::string& item, const std::string& property) {
        return property.empty() ? item : fmt::format("{}.{}", item, property);
    }

    std::optional<Error> worst_;
    std::vector<FieldError> fields_;
};

Result<void> check_count(std::string_view property, std::size_t count, std::size_t count_max) {
    if (count == 0)
        return invalid("link", {required_field(property)});
    if (count > count_max)
        return invalid("link",
                       {out_of_range(property, fmt::format("must have at most {} items", count_max))});
    return {};
}

} // namespace

Result<std::vector<LinkDetails>> create_links(Context& ctx, const std::vector<LinkDraft>& drafts,
                                              std::size_t count_max) {
    TRY(check_count("", drafts.size(), count_max));
    ItemErrors errors;
    std::vector<Link> made;
    made.reserve(drafts.size());
    for (std::size_t i = 0; i < drafts.size(); ++i) {
        auto link = make_link(ctx, drafts[i].link, drafts[i].problems);
        if (link.has_value())
            made.push_back(*std::move(link));
        else
            TRY(errors.add(fmt::format("[{}]", i), std::move(link).error()));
    }
    TRY(std::move(errors).result());
    TRY(admit_made_links(ctx, std::ssize(made)));

    LinkNeighbours neighbours(ctx);
    std::vector<LinkDetails> out;
    out.reserve(made.size());
    for (auto& link : made)
        out.push_back(TRY(neighbours.details_of_new(std::move(link))));
    return out;
}

Result<std::int64_t> delete_links(Context& ctx, const std::vector<std::string>& ids) {
    TRY(check_count("links", ids.size(), batch_links_max));
    const auto remove = [&](std::string_view id) -> Result<bool> {
        const auto link = find_link(ctx, id);
        if (!link.has_value() && link.error().code == "DeletedLink")
            return false;
        TRY(delete_link(ctx, TRY(link)));
        return true;
    };
    ItemErrors errors;
    std::int64_t deleted = 0;
    for (auto id = ids.begin(); id != ids.end(); ++id) {
        if (std::find(ids.begin(), id, *id) != id)
            continue;
        if (auto done = remove(*id); done.has_value())
            deleted += *done ? 1 : 0;
        else
            TRY(errors.add(fmt::format("links[{}]", id - ids.begin()), std::move(done).error()));
    }
    TRY(std::move(errors).result());
    return deleted;
}

} // namespace slashpost
