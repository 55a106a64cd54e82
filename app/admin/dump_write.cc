// `slashpost-admin dump`.
#include "app/admin/commands.h"
#include "app/admin/dump_file.h"
#include "app/admin/dump_json.h"
#include "app/admin/dump_parts.h"
#include "app/admin/in_order.h"
#include "app/admin/meter.h"
#include "app/admin/progress.h"

#include <utility>

namespace slashpost::admin {

namespace {

constexpr std::size_t batch_bytes = 128 << 10; // of what is stored

// Rows of one part as they are stored, one behind the other.
struct StoredRows {
    struct Row {
        std::size_t key_bytes = 0, value_bytes = 0;
    };
    const DumpPart* part = nullptr;
    data::Bytes bytes;
    std::vector<Row> rows;
};

bool is_taken(const DumpPart& part, DumpKeys keys) { return keys == DumpKeys::with || !part.is_of_keys(); }

// Takes all that is dumped out of a view, a batch at a time.
class StoreReader {
  public:
    StoreReader(data::View& view, DumpKeys keys) : view_(view), keys_(keys) {}

    // Nothing at the end.
    Result<std::optional<StoredRows>> next() {
        StoredRows batch;
        while (batch.rows.empty() && at_ < dump_parts().size())
            if (!is_taken(*dump_parts()[at_], keys_) || TRY(read(*dump_parts()[at_], batch)))
                ++at_;
        return batch.rows.empty() ? std::optional<StoredRows>() : std::optional(std::move(batch));
    }

  private:
    // Whether that was the rest of the part.
    Result<bool> read(const DumpPart& part, StoredRows& batch) {
        batch.part = &part;
        TRY(part.scan(view_, std::exchange(after_, {}), [&](data::BytesView key, data::BytesView value) {
            batch.bytes.append(key).append(value);
            batch.rows.push_back({.key_bytes = key.size(), .value_bytes = value.size()});
            return batch.bytes.size() < batch_bytes;
        }));
        if (batch.bytes.size() < batch_bytes)
            return true;
        const auto [key, value] = batch.rows.back();
        after_ = batch.bytes.substr(batch.bytes.size() - value - key, key);
        return false;
    }

    data::View& view_;
    const DumpKeys keys_;
    std::size_t at_ = 0; // the part
    data::Bytes after_;  // the key of its last row that was read
};

Meter::Pass walks(DumpKeys keys) {
    Meter::Pass walks;
    for (const auto& part : dump_parts())
        if (is_taken(*part, keys))
            walks.push_back(part->walk());
    return walks;
}

Result<std::string> lines_of(const StoredRows& batch) {
    std::string lines;
    data::BytesView rest = batch.bytes;
    for (const auto& row : batch.rows) {
        const auto key = rest.substr(0, row.key_bytes);
        const auto value = rest.substr(row.key_bytes, row.value_bytes);
        rest.remove_prefix(row.key_bytes + row.value_bytes);
        TRY(batch.part->show(key, value, [&](const json::object& shown) -> Result<void> {
            fmt::format_to(std::back_inserter(lines), R"({{"table":"{}","row":)", batch.part->name());
            lines += json::serialize(shown);
            lines += "}\n";
            return {};
        }));
    }
    return lines;
}

} // namespace

Result<int> dump(AdminContext& context, Console& console, DumpKeys keys) {
    return read_settled(context, [&](data::View& view) -> Result<int> {
        Meter meter(context.engine, {walks(keys)});
        MeteredView metered(view, meter);
        Progress progress(console, "dump", [&] { return meter.fraction(); });
        Digest digest;
        const auto header = dump_header(context.clock.now());
        digest.add(header);
        TRY(console.write(header));
        StoreReader reader(metered, keys);
        TRY(work_in_order([&] { return reader.next(); },
                          [&](const StoredRows& batch, const auto& wait) -> Result<void> {
                              const auto lines = TRY(lines_of(batch));
                              TRY(wait());
                              digest.add(lines);
                              TRY(progress.step(batch.rows.size()));
                              return console.write(lines);
                          },
                          context.keeps_index ? 1 : threads_for_pieces())); // a server has others to serve
        TRY(console.write(dump_footer(progress.rows(), digest.hex())));
        console.note(progress.summary());
        return exit_good;
    });
}

} // namespace slashpost::admin
