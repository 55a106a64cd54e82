#include "tools/admin/verify_rollups.h"

#include "core/data/table_check.h"
#include "core/schema/click_totals.h"
#include "core/schema/schema.h"
#include "tools/admin/rollup_keys.h"

#include <array>
#include <fmt/format.h>
#include <map>

namespace slashpost::admin {

namespace {

constexpr std::uint32_t hours_kept_days = 88; // days before today whose hours are surely there

constexpr std::array dimensions{Dimension::country,  Dimension::device,   Dimension::os,   Dimension::browser,
                                Dimension::language, Dimension::referrer, Dimension::rule, Dimension::arm};
// The groups that all grains have, and what they count.
constexpr std::array<std::pair<char, std::string_view>, 7> for_life{{{group::clicks, "clicks"},
                                                                     {group::sessions, "sessions"},
                                                                     {group::bots, "visits of bots"},
                                                                     {group::conversions, "conversions"},
                                                                     {group::money, "thousandths of money"},
                                                                     {'r', "clicks by rules"},
                                                                     {'a', "clicks by arms"}}};

using FiguresForLife = std::array<std::int64_t, for_life.size()>;

void add_to(FiguresForLife& sums, const data::Counts& counts) {
    for (std::size_t i = 0; i < for_life.size(); ++i)
        sums.at(i) += counts.sum(for_life.at(i).first);
}

class Rollups {
  public:
    Rollups(data::View& view, Timestamp now) : view_(view), today_(bucket_of(Grain::day, now)) {}

    Result<data::Findings> run() {
        Result<void> outcome;
        TRY(view_.scan(space::rollups, {}, data::Order::forward,
                       [&](data::BytesView at, data::BytesView stored) {
                           ++findings_.rows;
                           outcome = check_row(at, stored);
                           return outcome.has_value();
                       }));
        TRY(outcome);
        TRY(end_subject());
        check_workspaces();
        return std::move(findings_);
    }

  private:
    // All rows of one subject come one after the other: since ever, days, hours.
    Result<void> check_row(data::BytesView at, data::BytesView stored) {
        const auto key = read_rollup_key(at);
        const auto counts = data::Counts::decode(stored);
        if (!key || !counts.has_value()) {
            findings_.add(fmt::format("rollups: the row {} cannot be read", data::printable(at)));
            return {};
        }
        if (subject_ != key->subject) {
            TRY(end_subject());
            subject_ = key->subject;
        }
        check_counts(*key, *counts);
        switch (key->grain) {
        case Grain::all:
            add_to(since_ever_, *counts);
            break;
        case Grain::day:
            add_to(of_days_, *counts);
            clicks_of_days_[key->bucket] += counts->sum(group::clicks);
            break;
        case Grain::hour:
            clicks_of_hours_[key->bucket / 24] += counts->sum(group::clicks);
            break;
        }
        return {};
    }

    [[nodiscard]] std::string words() const {
        auto out = fmt::format("{} {}", name_of(subject_->kind), subject_->id.hex());
        if (subject_->kind == SubjectKind::domain)
            out += " in workspace " + subject_->workspace.hex();
        return out;
    }

    void check_counts(const RollupKey& key, const data::Counts& counts) {
        const auto clicks = counts.sum(group::clicks);
        const auto complain = [&](std::string_view what) {
            findings_.add(fmt::format("rollups: {}, grain {} bucket {}: {}", words(),
                                      static_cast<int>(key.grain), key.bucket, what));
        };
        for (const auto& [name, number] : counts.all())
            if (number < 0 && name.front() != group::money)
                return complain("a number is below zero");
        if (counts.sum(group::sessions) > clicks)
            complain("there are more sessions than clicks");
        for (const auto dimension : dimensions)
            if (counts.sum(group_of(dimension)) > clicks)
                complain(fmt::format("group {} has more clicks than there are", group_of(dimension)));
        if (counts.sum(group_of(Dimension::rule)) + counts.sum(group_of(Dimension::arm)) > clicks)
            complain("rules and arms have more clicks than there are");
    }

    Result<void> end_subject() {
        if (!subject_)
            return {};
        for (std::size_t i = 0; i < for_life.size(); ++i)
            if (since_ever_.at(i) != of_days_.at(i))
                findings_.add(fmt::format("rollups: {} has {} {} since ever, its days {}", words(),
                                          since_ever_.at(i), for_life.at(i).second, of_days_.at(i)));
        for (const auto& [day, clicks] : clicks_of_hours_)
            if (clicks > clicks_of_days_[day])
                findings_.add(fmt::format("rollups: {}: the hours of day {} have {} clicks, the day {}",
                                          words(), day, clicks, clicks_of_days_[day]));
        for (const auto& [day, clicks] : clicks_of_days_)
            if (day + hours_kept_days >= today_ && clicks > clicks_of_hours_[day])
                findings_.add(fmt::format("rollups: {}: the hours of day {} have {} clicks, the day {}",
                                          words(), day, clicks_of_hours_[day], clicks));
        const auto total = TRY(total_of(*subject_));
        if (total && since_ever_.front() > *total)
            findings_.add(
                fmt::format("rollups: {} has {} clicks, its total {}", words(), since_ever_.front(), *total));
        since_ever_ = of_days_ = {};
        clicks_of_days_.clear();
        clicks_of_hours_.clear();
        subject_.reset();
        return {};
    }

    // The total of a subject's clicks, noting which workspace they are in; nothing when there is none.
    Result<std::optional<std::int64_t>> total_of(const KnownSubject& subject) {
        const auto clicks = since_ever_.front();
        switch (subject.kind) {
        case SubjectKind::link: {
            const auto link = TRY(schema().links.find(view_, subject.id.view()));
            if (!link) {
                findings_.add(fmt::format("rollups: {} is not there", words()));
                return std::nullopt;
            }
            in_links_[link->workspace] += clicks;
            return TRY(clicks_of_link(view_, link->workspace, link->id)).clicks;
        }
        case SubjectKind::workspace:
            in_workspaces_[WorkspaceId(subject.id)] += clicks;
            return TRY(clicks_of_workspace(view_, WorkspaceId(subject.id))).clicks;
        case SubjectKind::domain:
            in_domains_[subject.workspace] += clicks;
            return TRY(clicks_of_domain(view_, DomainId(subject.id), subject.workspace));
        case SubjectKind::tag:
            break;
        }
        return std::nullopt;
    }

    void check_workspaces() {
        for (const auto& [whose, parts] : {std::pair{"links", &in_links_}, {"domains", &in_domains_}})
            for (const auto& [workspace, clicks] : *parts)
                if (clicks > in_workspaces_[workspace])
                    findings_.add(fmt::format("rollups: the {} of workspace {} have {} clicks, it has {}",
                                              whose, workspace.hex(), clicks, in_workspaces_[workspace]));
    }

    using ByWorkspace = std::map<WorkspaceId, std::int64_t>;

    data::View& view_;
    std::uint32_t today_;
    data::Findings findings_;
    std::optional<KnownSubject> subject_; // whose rows are being read
    FiguresForLife since_ever_{};
    FiguresForLife of_days_{};
    std::map<std::uint32_t, std::int64_t> clicks_of_days_;
    std::map<std::uint32_t, std::int64_t> clicks_of_hours_; // by day
    ByWorkspace in_links_, in_domains_, in_workspaces_;
};

} // namespace

Result<data::Findings> verify_rollups(data::View& view, Timestamp now) { return Rollups(view, now).run(); }

} // namespace slashpost::admin
