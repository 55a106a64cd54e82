#include "app/admin/import_verdicts.h"

#include "app/admin/commands.h"
#include "app/admin/progress.h"
#include "app/admin/redirect_asker.h"
#include "core/base/errors.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/base/url.h"
#include "core/schema/schema.h"

#include <array>
#include <bit>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <vector>

namespace slashpost::admin {

namespace {

constexpr std::size_t shown_max = 10; // of each kind

struct Address {
    std::string domain, slashtag;
};

enum class Verdict : std::uint8_t { same, different, missing };
constexpr std::array<std::string_view, 3> words{"same", "different", "missing"};

// Of all active links, each with the same chance.
class Sample {
  public:
    explicit Sample(std::size_t size) : size_(size) {}
    // Where a link that comes now is to be put; nothing: it is not taken.
    std::optional<std::size_t> place() {
        ++seen_;
        if (seen_ <= size_)
            return seen_ - 1;
        std::array<std::uint8_t, 8> bytes{};
        random_.fill(bytes);
        const auto at = std::bit_cast<std::uint64_t>(bytes) % seen_;
        return at < size_ ? std::optional<std::size_t>(at) : std::nullopt;
    }

  private:
    SystemRandom random_;
    std::size_t size_;
    std::uint64_t seen_ = 0;
};

std::string_view authority_of(std::string_view url) {
    const auto begin = url.find("//");
    auto rest = begin == url.npos ? url : url.substr(begin + 2);
    return rest.substr(0, rest.find('/'));
}

Result<std::optional<DomainId>> domain_meant(data::View& view, const SameAddresses& options) {
    const auto& table = schema().domains;
    const auto name = options.domain.empty() ? std::string(authority_of(options.old_url)) : options.domain;
    const auto found = TRY(table.find_by(table.by_name, view, lower_ascii(name)));
    if (found)
        return std::optional(found->id);
    if (!options.domain.empty())
        return not_found("domain", options.domain);
    return std::optional<DomainId>();
}

Result<std::vector<Address>> addresses_of(data::View& view, const SameAddresses& options) {
    const auto domain = TRY(domain_meant(view, options));
    std::vector<Link> links;
    Sample sample(options.sample);
    TRY(schema().links.each(view, [&](const Link& link) -> Result<bool> {
        if (!link.active() || (domain && link.domain != *domain))
            return true;
        if (const auto place = sample.place()) {
            if (*place == links.size())
                links.push_back(link);
            else
                links[*place] = link;
        }
        return true;
    }));
    std::map<DomainId, std::string> names;
    std::vector<Address> out;
    for (auto& link : links) {
        auto& name = names[link.domain];
        if (name.empty()) {
            const auto row = TRY(schema().domains.find(view, link.domain.view()));
            if (!row)
                continue;
            name = row->full_name;
        }
        out.push_back({.domain = name, .slashtag = std::move(link.slashtag)});
    }
    return out;
}

bool leads_on(const SeenRedirect& seen) {
    return seen.status >= 300 && seen.status < 400 && !seen.location.empty();
}

// As it would be stored here.
std::string place_of(const SeenRedirect& seen) {
    const auto stored = destination("location", seen.location, {}, destination_bytes_max);
    return stored.has_value() ? stored->stored : seen.location;
}

Verdict compare(const SeenRedirect& old_one, const SeenRedirect& new_one) {
    if (leads_on(old_one) && leads_on(new_one))
        return place_of(old_one) == place_of(new_one) ? Verdict::same : Verdict::different;
    if (leads_on(old_one) && (new_one.status == 404 || new_one.status == 410))
        return Verdict::missing;
    return !leads_on(old_one) && !leads_on(new_one) && old_one.status == new_one.status ? Verdict::same
                                                                                        : Verdict::different;
}

std::string words_for(const SeenRedirect& seen) {
    return seen.location.empty() ? std::to_string(seen.status)
                                 : fmt::format("{} {}", seen.status, seen.location);
}

struct Tally {
    std::array<std::uint64_t, words.size()> counts{};
    std::array<std::string, words.size()> lines;
    std::uint64_t other_status = 0; // of the same
};

} // namespace

Result<int> check_same_addresses(AdminContext& context, Console& console, const SameAddresses& options) {
    auto old_server = TRY(RedirectAsker::of(options.old_url, false));
    auto new_server = TRY(RedirectAsker::of(options.new_url, true));
    const auto addresses =
        TRY(context.engine.read([&](data::View& view) { return addresses_of(view, options); }));
    Tally tally;
    std::size_t done = 0;
    Progress progress(console, "check", [&] {
        return std::optional(static_cast<double>(done) / static_cast<double>(addresses.size()));
    });
    for (const auto& [domain, slashtag] : addresses) {
        const auto old_one = TRY(old_server.ask(domain, slashtag));
        const auto new_one = TRY(new_server.ask(domain, slashtag));
        const auto verdict = compare(old_one, new_one);
        const auto at = static_cast<std::size_t>(verdict);
        tally.other_status += verdict == Verdict::same && old_one.status != new_one.status ? 1 : 0;
        if (++tally.counts.at(at) <= shown_max)
            tally.lines.at(at) += fmt::format(
                "  {}/{}  {}{}\n", domain, slashtag, words_for(old_one),
                verdict == Verdict::same ? std::string() : fmt::format("  ->  {}", words_for(new_one)));
        ++done;
        TRY(progress.look());
    }
    for (std::size_t i = 0; i < words.size(); ++i)
        TRY(console.write(
            fmt::format("{:<10} {:>7}\n{}", words.at(i), tally.counts.at(i), tally.lines.at(i))));
    if (tally.other_status > 0)
        console.note(
            fmt::format("{} of the same are another kind of redirect, such as 301 there and 302 here",
                        tally.other_status));
    if (addresses.empty())
        console.complain("there is no active link to ask for");
    const bool all_same = tally.counts[0] == addresses.size() && !addresses.empty();
    return all_same ? exit_good : exit_findings;
}

} // namespace slashpost::admin
