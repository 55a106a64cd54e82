#include "app/admin_socket.h"

#include "app/admin/channel.h"
#include "app/admin/run.h"
#include "app/background.h"
#include "core/base/errors.h"
#include "core/base/guarded.h"

#include <algorithm>
#include <boost/asio.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <fmt/format.h>
#include <mutex>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace slashpost::app {

namespace {

namespace asio = boost::asio;
using admin::FrameType;
using asio::local::stream_protocol;

constexpr std::size_t conversations_max = 4;
constexpr int connections_waiting_max = 16;
constexpr std::size_t output_frame_bytes = 65'536;

// Sends a command's words to the client, output in large frames.
class ChannelConsole final : public admin::Console {
  public:
    explicit ChannelConsole(admin::Channel& channel) : channel_(channel) {}

    Result<void> write(std::string_view bytes) override {
        while (!bytes.empty()) {
            const auto part = bytes.substr(0, output_frame_bytes - buffer_.size());
            buffer_ += part;
            bytes.remove_prefix(part.size());
            if (buffer_.size() == output_frame_bytes)
                TRY(flush());
        }
        return {};
    }
    void note(std::string_view line) override {
        if (!quiet_)
            send(FrameType::note, line);
    }
    void complain(std::string_view line) override { send(FrameType::note, line); }
    void progress(std::string_view line) override {
        if (!quiet_)
            send(FrameType::progress, line);
    }
    bool stopped() override { return channel_.peer_gone(); }

    void end(int code) { send(FrameType::end, std::string(1, static_cast<char>(code))); }
    // From now on, nothing of how things go.
    void be_quiet() { quiet_ = true; }

  private:
    void send(FrameType type, std::string_view words) {
        if (flush().has_value())
            static_cast<void>(channel_.send(type, words.substr(0, output_frame_bytes)));
    }
    Result<void> flush() {
        if (buffer_.empty())
            return {};
        TRY(channel_.send(FrameType::output, buffer_));
        buffer_.clear();
        return {};
    }
    admin::Channel& channel_;
    std::string buffer_;
    bool quiet_ = false;
};

bool is_trusted(const admin::Channel& channel) {
    ucred peer{};
    socklen_t length = sizeof peer;
    return ::getsockopt(channel.descriptor(), SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
           (peer.uid == ::geteuid() || peer.uid == 0);
}

} // namespace

struct AdminSocket::Impl {
    Impl(const std::filesystem::path& folder, admin::AdminContext& served, Log& sink)
        : context(served),
          log(sink),
          path(folder) {}

    void accept_next() {
        acceptor.async_accept([this](boost::system::error_code error, stream_protocol::socket socket) {
            if (error == asio::error::operation_aborted)
                return;
            if (!error)
                static_cast<void>(guarded([&]() -> Result<void> {
                    begin(std::make_shared<admin::Channel>(socket.release()));
                    return {};
                }));
            accept_next();
        });
    }

    void begin(std::shared_ptr<admin::Channel> channel) {
        {
            const std::scoped_lock lock(mutex);
            if (channels.size() >= conversations_max)
                return turn_away(*channel);
            channels.push_back(channel);
        }
        asio::post(pool, [this, channel = std::move(channel)] {
            static_cast<void>(guarded([&]() -> Result<void> {
                talk(*channel);
                return {};
            }));
            const std::scoped_lock lock(mutex);
            std::erase(channels, channel);
        });
    }

    static void turn_away(admin::Channel& channel) {
        ChannelConsole console(channel);
        console.complain(
            "slashpost-admin: the server is busy with other commands of this kind; try again later");
        console.end(admin::exit_findings);
    }

    void talk(admin::Channel& channel) {
        if (!is_trusted(channel))
            return;
        ChannelConsole console(channel);
        const auto frame = channel.receive();
        if (!frame.has_value() || !*frame || (*frame)->type != FrameType::arguments)
            return;
        const auto arguments = admin::decode_arguments((*frame)->payload);
        if (arguments)
            console.end(run_guarded(*arguments, console));
    }

    // A command for which there is no memory fails; the server goes on.
    int run_guarded(const std::vector<std::string>& arguments, ChannelConsole& console) {
        const auto code = guarded([&]() -> Result<int> { return run(arguments, console); });
        if (!code.has_value())
            console.note(
                fmt::format("slashpost-admin: the server cannot do this now: {}", code.error().message));
        return code.value_or(admin::exit_findings);
    }

    int run(const std::vector<std::string>& arguments, ChannelConsole& console) {
        ::pthread_setname_np(::pthread_self(), "admin");
        lower_priority(); // visitors do not wait for a dump
        const auto job = admin::read_arguments(arguments, nullptr);
        if (job.kind == admin::Job::Kind::complain) {
            console.complain(job.text);
            return admin::exit_usage;
        }
        if (job.kind != admin::Job::Kind::run || job.beside == admin::Job::Beside::nobody) {
            console.complain("slashpost-admin: this needs the data folder for itself; stop the server first");
            return admin::exit_findings;
        }
        if (job.quiet)
            console.be_quiet();
        const int code = admin::run_job(job, context, console);
        log.info("admin command", {{"command", job.name}, {"exit_code", code}});
        return code;
    }

    admin::AdminContext& context;
    Log& log;
    admin::SocketPath path;
    asio::io_context io{1};
    stream_protocol::acceptor acceptor{io};
    asio::thread_pool pool{conversations_max};
    std::thread thread;
    std::mutex mutex;
    std::vector<std::shared_ptr<admin::Channel>> channels; // guarded by mutex; those that talk now
};

AdminSocket::AdminSocket(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
    impl_->accept_next();
    impl_->thread = std::thread([this] { impl_->io.run(); });
}

Result<std::unique_ptr<AdminSocket>> AdminSocket::open(const std::filesystem::path& folder,
                                                       admin::AdminContext& context, Log& log) {
    auto impl = std::make_unique<Impl>(folder, context, log);
    const auto& path = impl->path.text();
    const auto cannot = [&](std::string_view why) {
        return unavailable(fmt::format("cannot listen on {} for slashpost-admin: {}", path, why));
    };
    // The folder is locked, so the owner of what is left there is dead.
    if (::unlink(path.c_str()) != 0 && errno != ENOENT)
        return cannot(errno == EISDIR || errno == EPERM ? "there is a folder of that name; remove it"
                                                        : std::generic_category().message(errno));
    boost::system::error_code error;
    auto& acceptor = impl->acceptor;
    acceptor.open(stream_protocol(), error); // NOLINT(bugprone-unused-return-value): it is in `error`
    if (!error && ::fchmod(acceptor.native_handle(), 0600) != 0) // before bind: never open to others
        error.assign(errno, boost::system::generic_category());
    if (!error)
        acceptor.bind(stream_protocol::endpoint(path), error);
    if (!error)
        acceptor.listen(connections_waiting_max, error);
    if (error)
        return cannot(error.message());
    return std::unique_ptr<AdminSocket>(new AdminSocket(std::move(impl)));
}

AdminSocket::~AdminSocket() {
    impl_->io.stop();
    impl_->thread.join();
    {
        const std::scoped_lock lock(impl_->mutex);
        for (const auto& channel : impl_->channels)
            channel->cut();
    }
    impl_->pool.join();
    ::unlink(impl_->path.text().c_str());
}

} // namespace slashpost::app
