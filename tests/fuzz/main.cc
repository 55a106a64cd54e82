// What libFuzzer calls.
#include "tests/fuzz/fuzz.h"

#include <csignal>
#include <cstddef>
#include <cstdint>

namespace {

// libFuzzer looks at the time on a signal, which would end a read from a helper or a server in the midst.
bool restart_what_it_interrupts() {
    struct sigaction action{};
    ::sigaction(SIGALRM, nullptr, &action);
    action.sa_flags |= SA_RESTART;
    return ::sigaction(SIGALRM, &action, nullptr) == 0;
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    [[maybe_unused]] static const bool once = restart_what_it_interrupts();
    slashpost::fuzz::try_input({reinterpret_cast<const char*>(data), size});
    return 0;
}
