#include "app/log.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <spdlog/async.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace slashpost::app {

namespace {

constexpr std::size_t queue_lines_max = 8192;

std::string_view name_of(LogLevel level) {
    switch (level) {
    case LogLevel::debug:
        return "debug";
    case LogLevel::info:
        return "info";
    case LogLevel::warn:
        return "warn";
    case LogLevel::error:
        return "error";
    }
    return "error";
}

// Appends `text` so that it can stand between double quotes, in JSON as well as in a text line.
void append_escaped(std::string& line, std::string_view text) {
    const bool whole = is_utf8(text);
    for (const char character : text) {
        const auto c = static_cast<unsigned char>(character);
        if (c == '"' || c == '\\')
            (line += '\\') += character;
        else if (c == '\n')
            line += "\\n";
        else if (c < 0x20 || c == 0x7F)
            fmt::format_to(std::back_inserter(line), "\\u{:04x}", static_cast<unsigned>(c));
        else if (c >= 0x80 && !whole)
            line += "\\ufffd";
        else
            line += character;
    }
}

void append_quoted(std::string& line, std::string_view text) {
    line += '"';
    append_escaped(line, text);
    line += '"';
}

bool is_plain(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
        return c > 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '=';
    });
}

} // namespace

std::string format_line(LogFormat format, Timestamp time, LogLevel level, std::string_view message,
                        LogFields fields) {
    std::string line;
    if (format == LogFormat::json) {
        line = fmt::format(R"({{"time":"{}","level":"{}","message":)", to_iso(time), name_of(level));
        append_quoted(line, message);
        for (const auto& field : fields) {
            fmt::format_to(std::back_inserter(line), R"(,"{}":)", field.name);
            if (const auto* number = std::get_if<std::int64_t>(&field.value))
                line += std::to_string(*number);
            else
                append_quoted(line, std::get<std::string_view>(field.value));
        }
        line += '}';
        return line;
    }
    line = fmt::format("{} {:<5} ", to_iso(time), name_of(level));
    append_escaped(line, message);
    for (const auto& field : fields) {
        fmt::format_to(std::back_inserter(line), " {}=", field.name);
        if (const auto* number = std::get_if<std::int64_t>(&field.value))
            line += std::to_string(*number);
        else if (const auto text = std::get<std::string_view>(field.value); is_plain(text))
            line += text;
        else
            append_quoted(line, text);
    }
    return line;
}

struct Log::Sink {
    std::shared_ptr<spdlog::details::thread_pool> pool =
        std::make_shared<spdlog::details::thread_pool>(queue_lines_max, 1);
    std::shared_ptr<spdlog::async_logger> logger =
        std::make_shared<spdlog::async_logger>("slashpost", std::make_shared<spdlog::sinks::stderr_sink_mt>(),
                                               pool, spdlog::async_overflow_policy::overrun_oldest);
};

Log::Log(LogLevel least, LogFormat format) : least_(least), format_(format), sink_(std::make_unique<Sink>()) {
    sink_->logger->set_pattern("%v");
    sink_->logger->set_level(spdlog::level::trace);
}

Log::~Log() = default;

void Log::write(LogLevel level, std::string_view message, LogFields fields) {
    if (level < least_)
        return;
    try {
        const auto line = format_line(format_, SystemClock().now(), level, message, fields);
        sink_->logger->log(spdlog::level::info, spdlog::string_view_t(line.data(), line.size()));
    } catch (
        const std::exception&) { // NOLINT(bugprone-empty-catch): there is no memory for a line, nor to say so
    }
}

} // namespace slashpost::app
