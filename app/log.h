#pragma once
// The server's log: one structured line per event on standard error, as text or JSON. The only sink.
// Lines are written by a thread of its own with a bounded queue, so that a reader that stalls never stalls
// the server; when the queue is full the oldest lines go. Callers give what happened, never a secret (keys,
// credentials) nor an address of a visitor; there is deliberately no call that takes a request.
#include "app/config.h"
#include "core/base/time.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace slashpost::app {

struct LogField {
    std::string_view name; // lower-case words joined by '_'
    std::variant<std::string_view, std::int64_t> value;
};
using LogFields = std::initializer_list<LogField>;

// One line without its end. Text: `TIME level message name=value name="quoted value"`. JSON: an object with
// time, level, message and the fields. Control characters and bytes that are not UTF-8 never come through.
std::string format_line(LogFormat format, Timestamp time, LogLevel level, std::string_view message,
                        LogFields fields);

class Log {
  public:
    Log(LogLevel least, LogFormat format);
    ~Log(); // writes what is queued
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    // Safe to call from any thread.
    void write(LogLevel level, std::string_view message, LogFields fields = {});
    void debug(std::string_view message, LogFields fields = {}) { write(LogLevel::debug, message, fields); }
    void info(std::string_view message, LogFields fields = {}) { write(LogLevel::info, message, fields); }
    void warn(std::string_view message, LogFields fields = {}) { write(LogLevel::warn, message, fields); }
    void error(std::string_view message, LogFields fields = {}) { write(LogLevel::error, message, fields); }

  private:
    struct Sink;
    LogLevel least_;
    LogFormat format_;
    std::unique_ptr<Sink> sink_;
};

} // namespace slashpost::app
