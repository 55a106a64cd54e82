#include "tests/fuzz/browser.h"

#include "tests/fuzz/fuzz.h"

#include <array>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace slashpost::fuzz {

namespace {

void append_hex(std::string& out, std::string_view bytes) {
    static constexpr std::string_view digits = "0123456789abcdef";
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += digits[byte >> 4U];
        out += digits[byte & 15U];
    }
}

} // namespace

Browser::Browser() {
    std::array<int, 2> in{}, out{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0)
        std::abort();
    process_ = ::fork();
    if (process_ == 0) {
        ::dup2(in[0], STDIN_FILENO);
        ::dup2(out[1], STDOUT_FILENO);
        ::execlp("node", "node", SLASHPOST_FUZZ_FOLDER "/browser.mjs", nullptr);
        std::fputs("node is not there: destinations are not compared with a browser's\n", stderr);
        ::_exit(1);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = ::fdopen(in[1], "w");
    from_ = ::fdopen(out[0], "r");
    greeted_ = std::fgetc(from_) == '\n';
}

Browser::~Browser() {
    std::fclose(to_);
    std::fclose(from_);
    ::waitpid(process_, nullptr, 0);
}

void Browser::compare(std::string_view given, const std::optional<std::string>& stored) {
    if (!greeted_)
        return;
    std::string line;
    append_hex(line, given);
    line += ' ';
    if (stored)
        append_hex(line, *stored);
    else
        line += '-';
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), to_);
    std::fflush(to_);
    std::array<char, 16'384> answer{};
    must(std::fgets(answer.data(), static_cast<int>(answer.size()), from_) != nullptr, "the browser answers");
    must(std::string_view(answer.data()) == "ok\n", answer.data());
}

} // namespace slashpost::fuzz
