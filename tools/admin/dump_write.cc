// `slashpost-admin dump`.
#include "tools/admin/commands.h"
#include "tools/admin/dump_file.h"
#include "tools/admin/dump_json.h"
#include "tools/admin/dump_parts.h"
#include "tools/admin/progress.h"

namespace slashpost::admin {

namespace {

constexpr std::size_t buffer_bytes = 65'536;

class Writer {
  public:
    explicit Writer(Console& console) : console_(console), progress_(console, "dump") {}

    Result<void> add_row(std::string_view table, const json::object& row) {
        const auto begin = buffer_.size();
        fmt::format_to(std::back_inserter(buffer_), R"({{"table":"{}","row":)", table);
        buffer_ += json::serialize(row);
        buffer_ += "}\n";
        digest_.add(std::string_view(buffer_).substr(begin));
        TRY(progress_.step());
        return buffer_.size() < buffer_bytes ? Result<void>() : flush();
    }
    Result<void> add_frame(std::string_view line) {
        buffer_ += line;
        return flush();
    }
    Result<void> end() {
        TRY(add_frame(dump_footer(progress_.rows(), digest_.hex())));
        console_.note(progress_.summary());
        return {};
    }

  private:
    Result<void> flush() {
        TRY(console_.write(buffer_));
        buffer_.clear();
        return {};
    }
    Console& console_;
    Progress progress_;
    std::string buffer_;
    Digest digest_;
};

} // namespace

Result<int> dump(House& house, Console& console) {
    return read_settled(house, [&](data::View& view) -> Result<int> {
        Writer writer(console);
        TRY(writer.add_frame(dump_header(house.clock.now())));
        for (const auto& part : dump_parts())
            TRY(part->each(view, [&](const json::object& row) { return writer.add_row(part->name(), row); }));
        TRY(writer.end());
        return exit_good;
    });
}

} // namespace slashpost::admin
