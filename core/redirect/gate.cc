#include "core/redirect/gate.h"

namespace slashpost::redirect {

GuardedVisit::GuardedVisit(const Visit& visit)
    : host(visit.host),
      path(visit.path),
      query(visit.query),
      user_agent(visit.user_agent),
      accept_language(visit.accept_language),
      referrer(visit.referrer),
      address(visit.address),
      secure(visit.secure),
      objects(visit.objects),
      counts(visit.counts),
      posts(visit.posts) {}

Visit GuardedVisit::visit() const {
    return {.host = host,
            .path = path,
            .query = query,
            .user_agent = user_agent,
            .accept_language = accept_language,
            .referrer = referrer,
            .address = address,
            .secure = secure,
            .objects = objects,
            .counts = counts,
            .posts = posts};
}

} // namespace slashpost::redirect
