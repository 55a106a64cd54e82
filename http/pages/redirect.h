#pragma once
// Answers visitors: a request's head in, the bytes of the whole answer out. No JSON, no authentication, and
// for a plain redirect no allocation (wire "The visitor's side").
//
// What a short address leads to is core/redirect's business; here it becomes HTTP. What a page
// repeats of what somebody sent is escaped (http/pages/pages.h).
#include "core/redirect/redirector.h"
#include "http/server/client_address.h"
#include "http/server/parser.h"
#include "http/server/render.h"

#include <string>
#include <string_view>

namespace slashpost::http {

struct ApiScope; // http/server/session.h

// Belongs to one I/O thread.
class Redirects {
  public:
    // `lane` is where this thread's clicks go. `scope`, if any, says on which hosts the API answers. All must
    // live longer than this.
    Redirects(redirect::Redirector& redirector, data::JournalLane& lane, const ApiScope* scope = nullptr)
        : redirector_(redirector),
          lane_(lane),
          scope_(scope) {}

    // Puts the answer behind `out` and returns its status. `client` is who sent the request. 0: nothing is
    // answered yet; what `take_order` gives is to be made by `make_page`, elsewhere, and then answered.
    unsigned serve(const RequestHead& head, std::string_view date_line, Persistence persistence,
                   std::string& out, const Sender& client = {});
    // What the visit that was served last has ordered. Once for each.
    std::unique_ptr<redirect::PageOrder> take_order() { return std::move(answer_.order); }
    [[nodiscard]] redirect::Redirector& redirector() const { return redirector_; }

  private:
    redirect::Redirector& redirector_;
    data::JournalLane& lane_;
    const ApiScope* scope_;
    redirect::Answer answer_; // its text is reused from visit to visit
};

// Whether a form was posted that belongs to the order: a guarded link's (http/pages/gate_page.h). It is given
// as its body was sent, of so many bytes at most, before the page is made.
[[nodiscard]] bool takes_form(const redirect::PageOrder& order);
inline constexpr std::size_t form_bytes_max = 2048; // a password of 256, each escaped, and more
void give_form(redirect::PageOrder& order, std::string_view body);

// The whole reply to a visitor whose page was ordered. From any thread; takes as long as that page does.
Reply make_page(redirect::Redirector& redirector, const redirect::PageOrder& order);

} // namespace slashpost::http
