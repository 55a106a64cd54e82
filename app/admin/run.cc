#include "app/admin/run.h"

#include "app/admin/channel.h"
#include "core/base/errors.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace slashpost::admin {

namespace {

// Connected to the server's socket; nothing when nobody listens there.
std::optional<int> connect_to(const std::string& path) {
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return descriptor;
    ::close(descriptor);
    return std::nullopt;
}

} // namespace

std::string explain(const Error& error) {
    if (error.fields.empty())
        return error.id.empty() ? error.message : fmt::format("{} ({})", error.message, error.id);
    std::string text;
    for (const auto& field : error.fields)
        text += fmt::format("{}{} {}", text.empty() ? "" : "; ", field.property, field.message);
    return text;
}

int run_job(const Job& job, AdminContext& context, Console& console) {
    const auto done = job.work(context, console);
    if (done.has_value())
        return *done;
    console.complain(fmt::format("slashpost-admin: {}", explain(done.error())));
    return exit_findings;
}

SocketPath::SocketPath(const std::filesystem::path& folder) : text_((folder / "admin.sock").string()) {
    if (text_.size() < sizeof(sockaddr_un::sun_path))
        return;
    folder_ = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    text_ = fmt::format("/proc/self/fd/{}/admin.sock", folder_);
}

SocketPath::~SocketPath() {
    if (folder_ >= 0)
        ::close(folder_);
}

Result<std::optional<int>> ask_server(const std::filesystem::path& folder,
                                      const std::vector<std::string>& arguments, Console& console) {
    const SocketPath path(folder);
    const auto descriptor = connect_to(path.text());
    if (!descriptor)
        return std::nullopt;
    Channel channel(*descriptor);
    // A server that turns us away may have closed its end already; its words are still there to be read.
    static_cast<void>(channel.send(FrameType::arguments, encode_arguments(arguments)));
    while (auto frame = TRY(channel.receive())) {
        switch (frame->type) {
        case FrameType::output:
            TRY(console.write(frame->payload));
            break;
        case FrameType::note:
            console.complain(frame->payload); // a quiet server sends nothing else
            break;
        case FrameType::progress:
            console.progress(frame->payload);
            break;
        case FrameType::end:
            return frame->payload.empty() ? exit_findings : static_cast<unsigned char>(frame->payload[0]);
        case FrameType::arguments:
            break;
        }
    }
    return unavailable("the server ended the conversation; see its log, then try again");
}

} // namespace slashpost::admin
