#include "app/inherited_sockets.h"

#include "app/cli.h"
#include "tests/support/must.h"

#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

using namespace slashpost;
using namespace slashpost::app;
using slashpost::test::must;

namespace {

constexpr int first = 200; // of the descriptors, where this program has none
constexpr ::pid_t self = 4711;

// A socket of the loopback as the descriptor `first` + `place`; it is InheritedSockets that closes it.
std::uint16_t leave_socket(int place, int family = AF_INET, bool listens = true) {
    const http::Fd fd(::socket(family, SOCK_STREAM, 0));
    sockaddr_storage address{};
    auto length = static_cast<socklen_t>(sizeof(sockaddr_in));
    address.ss_family = static_cast<sa_family_t>(family);
    if (family == AF_INET)
        reinterpret_cast<sockaddr_in&>(address).sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else
        length = sizeof(sa_family_t); // the system gives it a name
    REQUIRE(::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), length) == 0);
    if (listens)
        REQUIRE(::listen(fd.get(), 4) == 0);
    REQUIRE(::dup2(fd.get(), first + place) == first + place);
    length = sizeof address;
    ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &length);
    return ntohs(reinterpret_cast<sockaddr_in&>(address).sin_port);
}

Environment left(const std::string& count, const std::string& names, const std::string& process = "4711") {
    return {{"LISTEN_PID", process}, {"LISTEN_FDS", count}, {"LISTEN_FDNAMES", names}};
}

std::string complaint(const Environment& environment) {
    const auto taken = InheritedSockets::take(environment, self, first);
    ::close(first); // what was refused is whose it was
    return taken.has_value() ? "" : taken.error().message;
}

} // namespace

TEST_CASE("inherited sockets belong to the settings that their names say", "[app]") {
    const auto http = leave_socket(0);
    const auto https = leave_socket(1);
    const auto api = leave_socket(2);
    const auto dashboard = leave_socket(3);
    const auto inherited = must(InheritedSockets::take(left("4", "http:https:api:dashboard"), self, first));
    CHECK(inherited.of("listen") == std::vector<int>{200, 202});
    CHECK(inherited.of("tls-listen") == std::vector<int>{201});
    CHECK(inherited.of("dashboard-listen") == std::vector<int>{203});
    CHECK(inherited.of("ops-listen").empty());
    CHECK(api != http);
    CHECK(inherited.addresses() == Layer{{"listen", "127.0.0.1:" + std::to_string(http)},
                                         {"tls-listen", "127.0.0.1:" + std::to_string(https)},
                                         {"dashboard-listen", "127.0.0.1:" + std::to_string(dashboard)}});
    CHECK((::fcntl(200, F_GETFD) & FD_CLOEXEC) != 0); // no program that is started later has them
}

TEST_CASE("inherited sockets are closed with their owner, and nobody else's are taken", "[app]") {
    leave_socket(0);
    CHECK(must(InheritedSockets::take(left("1", "http", "4712"), self, first)).addresses().empty());
    CHECK(must(InheritedSockets::take({{"LISTEN_FDS", "1"}}, self, first)).addresses().empty());
    CHECK(must(InheritedSockets::take({}, self, first)).addresses().empty());
    CHECK(::fcntl(first, F_GETFD) == 0);
    static_cast<void>(must(InheritedSockets::take(left("1", "http"), self, first)));
    CHECK(::fcntl(first, F_GETFD) == -1);
}

TEST_CASE("a descriptor that is no socket for visitors is refused with its number", "[app]") {
    leave_socket(0);
    CHECK(complaint(left("1", "web")) ==
          "LISTEN_FDNAMES: the inherited socket 200 is called 'web'; call it http, api, https, dashboard or "
          "dashboard-https (FileDescriptorName= in its unit)");
    leave_socket(0);
    CHECK_THAT(complaint(left("1", "")), Catch::Contains("is called ''"));
    CHECK(complaint(left("many", "http")) == "LISTEN_FDS: 'many' is no number from 0 to 256");
    CHECK_THAT(complaint(left("257", "http")), Catch::StartsWith("LISTEN_FDS: '257' is no number"));
    const std::string no_socket =
        "LISTEN_FDS: the inherited descriptor 200 is no socket that listens for TCP";
    CHECK(complaint(left("1", "http")) == no_socket); // closed
    leave_socket(0, AF_INET, false);
    CHECK(complaint(left("1", "http")) == no_socket);
    leave_socket(0, AF_UNIX);
    CHECK(complaint(left("1", "http")) == no_socket);
}

TEST_CASE("the address of an inherited socket wins over every setting", "[config]") {
    const std::vector<const char*> words{"serve", "--listen", "127.0.0.1:1", "--https-redirect", "on"};
    const auto invocation =
        read_command_line(words, {}, {{"listen", "[::]:80"}, {"tls-listen", "0.0.0.0:443"}});
    CHECK(invocation.config.listen == Endpoint{.address = "::", .port = 80});
    CHECK(invocation.config.tls_listen == Endpoint{.address = "0.0.0.0", .port = 443});
    CHECK(invocation.warnings.empty()); // of --https-redirect, which does nothing without --tls-listen
    const auto shown = read_command_line(std::vector<const char*>{"config"}, {}, {{"listen", "[::]:80"}});
    CHECK_THAT(shown.text, Catch::Contains("# inherited socket:\nlisten = \"[::]:80\"\n"));
}
