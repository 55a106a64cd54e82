#include "app/admin_socket.h"

#include "app/admin/channel.h"
#include "app/admin/run.h"
#include "tests/app/admin/stocked_world.h"
#include "tests/support/temp_folder.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// A stocked world behind an admin socket.
class Served {
  public:
    explicit Served(const std::filesystem::path& folder)
        : folder_(folder),
          socket_(must(app::AdminSocket::open(folder, world.plain.context, log_))) {}

    // What the tool would do while a server runs.
    int ask(const std::vector<std::string>& arguments) {
        console = {};
        const auto code = must(admin::ask_server(folder_, arguments, console));
        REQUIRE(code.has_value());
        return *code;
    }
    [[nodiscard]] std::string notes() const {
        std::string text;
        for (const auto& note : console.notes)
            text += note + "\n";
        return text;
    }
    // Ends it as the server does.
    void stop() { socket_.reset(); }

    StockedWorld world;
    RememberingConsole console;

  private:
    std::filesystem::path folder_;
    app::Log log_{app::LogLevel::error, app::LogFormat::text};
    std::unique_ptr<app::AdminSocket> socket_;
};

int connect_to(const std::filesystem::path& folder) {
    const admin::SocketPath path(folder);
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.text().copy(address.sun_path, sizeof address.sun_path - 1);
    REQUIRE(::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    return descriptor;
}

} // namespace

TEST_CASE("a command through the socket answers as one on the folder", "[admin_socket]") {
    const TempFolder folder;
    Served served(folder.path());
    CHECK(served.ask({"account", "list"}) == 0);
    CHECK_THAT(served.console.output, Catch::Contains("admin"));
    CHECK(served.ask({"dump", "anywhere.jsonl"}) == 0);
    CHECK(served.console.output == served.world.dump());
    CHECK(served.ask({"verify"}) == 0);
    CHECK_THAT(served.console.output, Catch::Contains("all good"));
    CHECK(served.ask({"--data", "/elsewhere", "domain", "add", "a.example"}) == 0);
    CHECK(served.world.listener.seen.back().domains.size() == 1);
}

TEST_CASE("what the socket refuses it refuses in words", "[admin_socket]") {
    const TempFolder folder;
    Served served(folder.path());
    CHECK(served.ask({"restore", "dump.jsonl"}) == 1);
    CHECK_THAT(served.notes(), Catch::Contains("stop the server first"));
    CHECK(served.ask({"reindex"}) == 1);
    CHECK_THAT(served.notes(), Catch::Contains("stop the server first"));
    CHECK(served.ask({"domain", "show", "nowhere.example"}) == 1);
    CHECK_THAT(served.notes(), Catch::Contains("nowhere.example"));
    CHECK(served.ask({"nope"}) == 2);
    CHECK_THAT(served.notes(), Catch::Contains("--help"));
}

TEST_CASE("the socket is its owner's only, replaces a dead one and goes with the server", "[admin_socket]") {
    const TempFolder folder;
    const auto path = folder.path() / "admin.sock";
    {
        Served served(folder.path());
        struct stat status{};
        REQUIRE(::stat(path.c_str(), &status) == 0);
        CHECK((status.st_mode & 0777U) == 0600U);
    }
    CHECK_FALSE(std::filesystem::exists(path));
    RememberingConsole console;
    CHECK_FALSE(must(admin::ask_server(folder.path(), {"verify"}, console)).has_value());

    const int dead = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    REQUIRE(::bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    ::close(dead);
    Served served(folder.path());
    CHECK(served.ask({"account", "list"}) == 0);
}

TEST_CASE("a folder with a long name has a socket all the same", "[admin_socket]") {
    const TempFolder folder;
    const auto deep = folder.path() / std::string(120, 'd');
    std::filesystem::create_directory(deep);
    Served served(deep);
    CHECK(served.ask({"account", "list"}) == 0);
    CHECK(std::filesystem::exists(deep / "admin.sock"));
}

TEST_CASE("a stranger to the protocol gets nothing and harms nothing", "[admin_socket]") {
    const TempFolder folder;
    Served served(folder.path());
    for (const char* bytes : {"GET / HTTP/1.1\r\n\r\n", "A\xff\xff\xff\xff", "A", "O1234"}) {
        const admin::Channel client(connect_to(folder.path()));
        REQUIRE(::send(client.descriptor(), bytes, std::char_traits<char>::length(bytes), MSG_NOSIGNAL) > 0);
        ::shutdown(client.descriptor(), SHUT_WR);
        char answer = 0;
        CHECK(::recv(client.descriptor(), &answer, 1, 0) <= 0);
    }
    CHECK(served.ask({"account", "list"}) == 0);
}

TEST_CASE("only a few conversations are held at once", "[admin_socket]") {
    const TempFolder folder;
    Served served(folder.path());
    std::vector<std::unique_ptr<admin::Channel>> silent;
    for (int i = 0; i < 4; ++i)
        silent.push_back(std::make_unique<admin::Channel>(connect_to(folder.path())));
    CHECK(served.ask({"account", "list"}) == 1);
    CHECK_THAT(served.notes(), Catch::Contains("try again"));
    silent.clear();
    int code = 1;
    for (int i = 0; i < 500 && code != 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        code = served.ask({"account", "list"});
    }
    CHECK(code == 0);
}

TEST_CASE("stopping cuts conversations that would not end", "[admin_socket]") {
    const TempFolder folder;
    Served served(folder.path());
    admin::Channel silent(connect_to(folder.path()));
    served.stop();
    const auto last = silent.receive();
    CHECK_FALSE((last.has_value() && last->has_value()));
}
