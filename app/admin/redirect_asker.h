#pragma once
// Asks a server where its short addresses lead, without going there.
#include "core/base/result.h"

#include <memory>
#include <string>
#include <string_view>

namespace slashpost::admin {

struct SeenRedirect {
    long status = 0;
    std::string location; // empty: none
};

class RedirectAsker {
  public:
    // `server` is an http or https address without a path. When `connects_only`, it only says where to
    // connect to: the addresses name hosts of their own, for which the server need not have certificates yet.
    static Result<RedirectAsker> of(std::string_view server, bool connects_only);
    ~RedirectAsker();
    RedirectAsker(RedirectAsker&& other) noexcept;
    RedirectAsker& operator=(RedirectAsker&&) = delete;

    // `host` counts when it connects only; `slashtag` as it is stored. Fails as `unavailable` with the reason
    // when there is no answer.
    Result<SeenRedirect> ask(std::string_view host, std::string_view slashtag);

  private:
    struct Handle;
    explicit RedirectAsker(std::unique_ptr<Handle> handle);
    std::unique_ptr<Handle> handle_;
};

} // namespace slashpost::admin
