#pragma once
// Links as replies show them: with what stands around them.
#include "core/ops/links.h"
#include "core/schema/rollups.h"

#include <map>

namespace slashpost {

// What several links show of the things around them, each read once: a link costs one look-up of its last
// click, one of its sessions and one more for each hour that goes on, and one sum of its clicks, and every
// different domain, creator and script one look-up in all, a tag two.
class LinkNeighbours {
  public:
    explicit LinkNeighbours(Context& ctx) : ctx_(ctx), rollups_(ctx.view()) {}

    Result<LinkDetails> details(Link link);
    // Of a link that this transaction has made: nobody has clicked it.
    Result<LinkDetails> details_of_new(Link link);

  private:
    template <class T>
    using Known = std::map<RawId, std::optional<T>>; // nothing: there is no such row

    Context& ctx_;
    RollupReader rollups_;
    Known<Domain> domains_;
    Known<Account> creators_;
    Known<TagName> tags_;
    Known<ScriptName> scripts_;
};

} // namespace slashpost
