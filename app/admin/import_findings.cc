#include "app/admin/import_findings.h"

#include <algorithm>

namespace slashpost::admin {

std::string LineTable::text() const {
    static constexpr std::array<std::string_view, 5> names{"new", "same", "conflicts", "invalid",
                                                           "domains not ours"};
    static constexpr std::array<std::string_view, 5> meanings{
        "would be imported", "are there already", "have an address that leads elsewhere here",
        "are not valid", "are of domains that this workspace does not have"};
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i)
        out += fmt::format("{:<16} {:>9}  {}\n", names.at(i), kinds_.at(i).count, meanings.at(i));
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto& found = kinds_.at(i);
        if (found.first.empty())
            continue;
        out += fmt::format("\n{}:\n", names.at(i));
        for (const auto& line : found.first)
            out += fmt::format("  {}\n", line);
        if (found.count > found.first.size())
            out += fmt::format("  and {} more\n", found.count - found.first.size());
    }
    std::vector<std::pair<std::string, std::uint64_t>> domains(domains_.begin(), domains_.end());
    std::ranges::sort(domains, [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    domains.resize(std::min(domains.size(), shown_max));
    if (!domains.empty())
        out += "\nAdd such a domain with 'domain add', or say which of yours takes its place:\n";
    for (const auto& [name, count] : domains)
        out += fmt::format("  --domain {}=...  {} lines\n", name, count);
    return out;
}

} // namespace slashpost::admin
