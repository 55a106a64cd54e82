#include "storage/rocksdb/merged.h"

#include "core/base/errors.h"
#include "core/data/counts.h"
#include "core/data/sheets.h"
#include "storage/rocksdb/presets.h"
#include "storage/rocksdb/view.h"

namespace slashpost::storage {

using data::Bytes;
using data::BytesView;
using data::Pattern;

bool merges(Pattern pattern) {
    return pattern == Pattern::tallies || pattern == Pattern::counts || pattern == Pattern::sheets ||
           pattern == Pattern::logs;
}

Result<Bytes> merged(Pattern pattern, std::span<const BytesView> parts) {
    switch (pattern) {
    case Pattern::tallies: {
        std::uint64_t total = 0;
        for (const auto part : parts)
            total += static_cast<std::uint64_t>(TRY(read_sum(Bytes(part))));
        return encode_sum(static_cast<std::int64_t>(total));
    }
    case Pattern::counts: {
        auto counts = data::merge_counts(parts);
        if (!counts)
            return fault("counts cannot be read");
        return *std::move(counts);
    }
    case Pattern::sheets: {
        auto sheet = data::merge_sheets(parts);
        if (!sheet)
            return fault("a sheet of counts cannot be read");
        return *std::move(sheet);
    }
    case Pattern::logs: {
        Bytes all;
        for (const auto part : parts)
            all += part;
        return all;
    }
    case Pattern::rows:
    case Pattern::settings:
    case Pattern::marks:
    case Pattern::hot_lookup:
    case Pattern::queue:
        break;
    }
    return fault("values of this space do not merge");
}

} // namespace slashpost::storage
