#include "app/dns/txt_resolver.h"

#include "app/dns/txt_answer.h"
#include "core/base/errors.h"

#include <ares.h>
#include <arpa/nameser.h>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <poll.h>

namespace slashpost::dns {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A server that does not answer is asked again after a third of the time; the last third is for the answer.
constexpr int tries = 2;

std::unexpected<Error> no_answer(std::string_view name, std::string_view why) {
    return unavailable(fmt::format("The DNS gave no answer about {}: {}; try again later.", name, why));
}

// One question on a channel of its own, so that changes of the system's settings are followed and nothing is
// shared between threads.
class Question {
  public:
    static Result<std::vector<std::string>> ask(const std::string& name,
                                                const TxtResolver::Options& options) {
        Question question(name);
        TRY(question.open(options));
        ares_query(question.channel_, name.c_str(), ns_c_in, ns_t_txt, &Question::on_answer, &question);
        question.wait(Clock::now() + options.timeout);
        return question.outcome();
    }
    ~Question() {
        if (channel_ != nullptr)
            ares_destroy(channel_);
    }
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

  private:
    explicit Question(std::string_view name) : name_(name) {}

    Result<void> open(const TxtResolver::Options& options) {
        static std::once_flag once;
        std::call_once(once, [] { ares_library_init(ARES_LIB_INIT_ALL); });
        ares_options wanted{};
        wanted.timeout = static_cast<int>(options.timeout.count() / (tries + 1));
        wanted.tries = tries;
        std::array<char, 2> only_dns{"b"}; // not the file of hosts
        wanted.lookups = only_dns.data();
        int status =
            ares_init_options(&channel_, &wanted, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS);
        if (status != ARES_SUCCESS)
            channel_ = nullptr;
        else if (!options.server.empty())
            status = ares_set_servers_ports_csv(channel_, options.server.c_str());
        if (status != ARES_SUCCESS)
            return no_answer(name_, ares_strerror(status));
        return {};
    }

    static void on_answer(void* self, int status, int /*timeouts*/, unsigned char* answer, int size) {
        auto& question = *static_cast<Question*>(self);
        question.answered_ = true;
        question.status_ = status;
        if (status == ARES_SUCCESS)
            question.texts_ = texts_of({answer, static_cast<std::size_t>(size)}, question.name_);
    }

    // Until there is an answer, or the end of the time.
    void wait(Clock::time_point end) {
        while (!answered_) {
            const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
            if (left.count() <= 0) {
                ares_cancel(channel_); // answers with ARES_ECANCELLED
                return;
            }
            poll_once(left);
        }
    }

    void poll_once(milliseconds left) {
        std::array<ares_socket_t, ARES_GETSOCK_MAXNUM> sockets{};
        const auto wishes =
            static_cast<unsigned>(ares_getsock(channel_, sockets.data(), static_cast<int>(sockets.size())));
        std::array<pollfd, ARES_GETSOCK_MAXNUM> polled{};
        nfds_t count = 0;
        for (unsigned i = 0; i < sockets.size(); ++i) {
            const bool reads = ARES_GETSOCK_READABLE(wishes, i) != 0;
            const bool writes = ARES_GETSOCK_WRITABLE(wishes, i) != 0;
            if (reads || writes)
                polled.at(count++) = {.fd = sockets.at(i),
                                      .events =
                                          static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)),
                                      .revents = 0};
        }
        timeval most{.tv_sec = left.count() / 1000, .tv_usec = left.count() % 1000 * 1000};
        timeval wanted{};
        const auto* const next = ares_timeout(channel_, &most, &wanted);
        const auto pause = static_cast<int>(next->tv_sec * 1000 + (next->tv_usec + 999) / 1000);
        if (::poll(polled.data(), count, pause) <= 0) {
            ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD); // what has taken too long
            return;
        }
        for (nfds_t i = 0; i < count; ++i) {
            const auto& one = polled.at(i);
            const bool readable = (one.revents & (POLLIN | POLLERR | POLLHUP)) != 0;
            const bool writable = (one.revents & POLLOUT) != 0;
            if (readable || writable)
                ares_process_fd(channel_, readable ? one.fd : ARES_SOCKET_BAD,
                                writable ? one.fd : ARES_SOCKET_BAD);
        }
    }

    Result<std::vector<std::string>> outcome() {
        if (status_ == ARES_ENOTFOUND || status_ == ARES_ENODATA)
            return std::vector<std::string>();
        if (status_ != ARES_SUCCESS)
            return no_answer(name_, status_ == ARES_ECANCELLED || status_ == ARES_ETIMEOUT
                                        ? "it took too long"
                                        : ares_strerror(status_));
        if (!texts_)
            return no_answer(name_, "the answer cannot be read");
        return std::move(*texts_);
    }

    const std::string_view name_;
    ares_channel channel_ = nullptr;
    bool answered_ = false;
    int status_ = ARES_ECANCELLED;
    std::optional<std::vector<std::string>> texts_;
};

} // namespace

TxtResolver::TxtResolver(Options options) : options_(std::move(options)) {}

Result<std::vector<std::string>> TxtResolver::look_up(std::string_view name) {
    struct Permit {
        std::atomic<int>& taken;
        bool free;
        Permit(std::atomic<int>& counter, int places) : taken(counter), free(counter.fetch_add(1) < places) {}
        ~Permit() { taken.fetch_sub(1); }
    };
    const Permit place(under_way_, options_.lookups_max);
    if (!place.free)
        return unavailable("Too many names are being looked up; try again in a moment.");
    return Question::ask(std::string(name), options_);
}

} // namespace slashpost::dns
