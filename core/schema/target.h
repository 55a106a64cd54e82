#pragma once
// What a redirect needs to know of a link, decided when the link is written (core/schema/links.h) and
// stored under (domain, slashtag):
//
//   bytes 0..15    link id           (first, as every unique entry begins with its row's primary key)
//   bytes 16..31   workspace id
//   bytes 32..33   flags, big-endian: 1 = forward parameters, 2 = expires, 4 = has tags, 8 = has scripts,
//                  16 = has routing, 32 = says which tags, 64 and 128 = whose parameter wins (OnConflict),
//                  256 = has an address for when it has ended, 512 = forwards parameters whatever its domain
//                  says (without 512 it is for the domain to say, too), 1024 to 4096 = the status that it
//                  redirects with (0: its domain's, 1 to 4: 301, 302, 307, 308), 8192 = begins later, 16384 =
//                  passes paths on, 32768 = is guarded
//   bytes 34..41   only when it expires: milliseconds since 1970, big-endian
//   next 8         only when it begins later: milliseconds since 1970, big-endian
//   varint         length of the destination, then the destination
//   varint         only with scripts: length of their ids, then the ids, 16 bytes each
//   varint         only with routing: its length, then what core/schema/routing.h reads
//   varint         only when it says which tags: length of their marks (core/schema/tag_marks.h), then
//                  those
//   varint         only with one: length of the address for when it has ended, then the address
//   rest           later parts, skipped by readers that do not know them
#include "core/base/id.h"
#include "core/base/time.h"
#include "core/model/forwarding.h"
#include "core/schema/tag_marks.h"

#include <optional>
#include <string>
#include <string_view>

namespace slashpost::redirect {

// Views into the stored bytes: reading a target allocates nothing.
struct TargetView {
    LinkId link;
    WorkspaceId workspace;
    OwnForwarding forwarding;
    std::optional<Timestamp> expires_at;
    std::optional<Timestamp> active_from;
    std::string_view destination;
    bool tagged = false;
    TagMarks tags;
    std::string_view scripts;     // their ids, 16 bytes each, in order
    std::string_view routing;     // rules and other parts, compiled; empty for a plain link
    std::string_view expired_url; // empty: as its domain says
    bool guarded = false;         // not every visitor gets to the destination: the link's row says who
    unsigned redirect_type = 0;   // 0: as its domain says
    bool pass_path = false;       // what is below its address goes on below its destination

    // Everything behind the link id, which the unique entry itself puts first.
    [[nodiscard]] std::string encode_payload() const;
    // Nothing when the bytes are no target.
    static std::optional<TargetView> decode(std::string_view stored);
};

} // namespace slashpost::redirect
