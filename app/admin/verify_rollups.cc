#include "app/admin/verify_rollups.h"

#include "app/admin/rollup_keys.h"
#include "core/data/findings.h"
#include "core/schema/click_totals.h"
#include "core/schema/schema.h"

#include <array>
#include <fmt/format.h>
#include <map>
#include <set>

namespace slashpost::admin {

namespace {

constexpr std::uint32_t hours_kept_days = 88; // days before today whose hours are there unless less is kept

constexpr std::array dimensions{Dimension::country,    Dimension::device,       Dimension::os,
                                Dimension::browser,    Dimension::language,     Dimension::referrer,
                                Dimension::rule,       Dimension::arm,          Dimension::utm_source,
                                Dimension::utm_medium, Dimension::utm_campaign, Dimension::scan};
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

std::string words_for(const KnownSubject& subject) {
    auto out = fmt::format("{} {}", name_of(subject.kind), subject.id.hex());
    if (subject.kind == SubjectKind::domain)
        out += " in workspace " + subject.workspace.hex();
    return out;
}

// The total of a subject's clicks; nothing when it has none.
Result<std::optional<std::int64_t>> total_of(data::View& view, const KnownSubject& subject,
                                             WorkspaceId workspace) {
    switch (subject.kind) {
    case SubjectKind::link:
        return TRY(clicks_of_link(view, workspace, LinkId(subject.id))).clicks;
    case SubjectKind::workspace:
        return TRY(clicks_of_workspace(view, workspace)).clicks;
    case SubjectKind::domain:
        return TRY(clicks_of_domain(view, DomainId(subject.id), workspace));
    case SubjectKind::tag:
        break;
    }
    return std::nullopt;
}

class Rollups {
  public:
    Rollups(data::View& view, Timestamp now) : view_(view), today_(bucket_of(Grain::day, now)) {}

    Result<data::Findings> run() {
        kept_ = TRY(kept_since(view_));
        TRY(schema().jobs.each(view_, [&](const slashpost::Job& job) -> Result<bool> {
            if (job.kind == JobKind::reset_statistics)
                being_reset_.insert(job.subject);
            return true;
        }));
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
            workspace_ = TRY(home_of(*subject_));
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

    [[nodiscard]] std::string words() const { return words_for(*subject_); }

    // The workspace that the subject is in; nothing when it is being erased or already gone.
    Result<std::optional<WorkspaceId>> home_of(const KnownSubject& subject) {
        const auto& s = schema();
        auto home = subject.workspace;
        if (subject.kind == SubjectKind::workspace)
            home = WorkspaceId(subject.id);
        if (subject.kind == SubjectKind::link) {
            const auto link = TRY(s.links.find(view_, subject.id.view()));
            if (!link) {
                findings_.add(fmt::format("rollups: {} is not there", words()));
                return std::nullopt;
            }
            home = link->workspace;
        }
        if (subject.kind == SubjectKind::tag) {
            const auto tag = TRY(s.tags.find(view_, subject.id.view()));
            if (!tag)
                return std::nullopt;
            home = tag->workspace;
        }
        if (subject.kind == SubjectKind::domain && !TRY(s.domains.find(view_, subject.id.view())))
            return std::nullopt;
        const auto workspace = TRY(s.workspaces.find(view_, home.view()));
        return workspace && !workspace->deleted_at ? std::optional(home) : std::nullopt;
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
        if (subject_ && workspace_) {
            if (!being_reset_.contains(subject_->id))
                compare_grains();
            note_place();
            const auto clicks = since_ever_.front();
            const auto total = TRY(total_of(view_, *subject_, *workspace_));
            if (total && clicks > *total)
                findings_.add(
                    fmt::format("rollups: {} has {} clicks, its total {}", words(), clicks, *total));
        }
        since_ever_ = of_days_ = {};
        clicks_of_days_.clear();
        clicks_of_hours_.clear();
        subject_.reset();
        return {};
    }

    void compare_grains() {
        const bool has_all_days = kept_.days == Timestamp();
        for (std::size_t i = 0; i < for_life.size(); ++i)
            if (has_all_days ? since_ever_.at(i) != of_days_.at(i)
                             : since_ever_.at(i) < of_days_.at(i) && for_life.at(i).first != group::money)
                findings_.add(fmt::format("rollups: {} has {} {} since ever, its days {}", words(),
                                          since_ever_.at(i), for_life.at(i).second, of_days_.at(i)));
        for (const auto& [day, clicks] : clicks_of_hours_)
            clicks_of_days_.try_emplace(day, 0);
        for (const auto& [day, clicks] : clicks_of_days_) {
            const auto hours = clicks_of_hours_.find(day);
            const auto in_hours = hours == clicks_of_hours_.end() ? 0 : hours->second;
            const bool are_kept = day + hours_kept_days >= today_ && begin_of(Grain::day, day) >= kept_.hours;
            if (in_hours > clicks || (are_kept && in_hours < clicks))
                findings_.add(fmt::format("rollups: {}: the hours of day {} have {} clicks, the day {}",
                                          words(), day, in_hours, clicks));
        }
    }

    void note_place() {
        const auto clicks = since_ever_.front();
        if (subject_->kind == SubjectKind::link)
            in_links_[*workspace_] += clicks;
        else if (subject_->kind == SubjectKind::domain)
            in_domains_[*workspace_] += clicks;
        else if (subject_->kind == SubjectKind::workspace)
            in_workspaces_[*workspace_] += clicks;
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
    KeptSince kept_;
    data::Findings findings_;
    std::set<RawId> being_reset_;          // links whose older days are still to be erased
    std::optional<KnownSubject> subject_;  // whose rows are being read
    std::optional<WorkspaceId> workspace_; // that it is in
    FiguresForLife since_ever_{};
    FiguresForLife of_days_{};
    std::map<std::uint32_t, std::int64_t> clicks_of_days_;
    std::map<std::uint32_t, std::int64_t> clicks_of_hours_; // by day
    ByWorkspace in_links_, in_domains_, in_workspaces_;
};

} // namespace

Result<data::Findings> verify_rollups(data::View& view, Timestamp now) { return Rollups(view, now).run(); }

} // namespace slashpost::admin
