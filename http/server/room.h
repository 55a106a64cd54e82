#pragma once
// A room that is too small for everybody, and who makes way when it is full: of the client that holds most of
// it, the occupant that has done nothing for the longest time. So whoever comes with many connections pushes
// out their own, in whatever phase those are, and somebody with a few is safe as long as there is such a one.
//
// It is used for connections, for what they keep in memory, and for TLS handshakes. Belongs to one thread;
// knows nothing of sockets.
#include "http/server/holders.h"

#include <boost/intrusive/list.hpp>
#include <chrono>
#include <cstddef>
#include <set>
#include <unordered_map>
#include <utility>

namespace slashpost::http {

using SteadyTime = std::chrono::steady_clock::time_point;

// As many as a browser opens to one host, and some to spare: whoever has no more is no crowd.
inline constexpr std::size_t connections_of_a_browser = 8;

class Occupant {
  public:
    // When something was last received from it, or taken by it. May be set at any time.
    SteadyTime used_at{};

    // Whether it would be right to end it now.
    [[nodiscard]] virtual bool may_make_way() const = 0;
    // Ends it. Leaves every room that it is in, and destroys nothing yet.
    virtual void make_way() = 0;

  protected:
    Occupant() = default;
    ~Occupant() = default;
};

class Room {
  public:
    // The place of one occupant, which must leave before it goes.
    class Seat;

    // Clients that hold no more than `few` are no reason to choose one of theirs; when there are no others,
    // the whole room is looked at.
    explicit Room(std::size_t few) : few_(few) {}

    // `client` is whom the place is counted for; an address that is not known stands for somebody who may
    // hold any number, such as a trusted proxy. May throw for want of memory, and has changed nothing then.
    void enter(Seat& place, const redirect::Address& client, std::size_t amount);
    // The amount may become 0, and is still there.
    void change(Seat& place, std::size_t amount);
    // Nothing happens when it is not in the room.
    void leave(Seat& place);

    [[nodiscard]] std::size_t total() const { return total_; }
    [[nodiscard]] std::size_t occupants() const { return everybody_.size(); }
    // Who is to make way; null: nobody may. Looks at a bounded number, those that were not looked at for the
    // longest time.
    [[nodiscard]] Occupant* first_to_go();
    // The same of one client.
    [[nodiscard]] Occupant* first_to_go_of(const redirect::Address& client);

  private:
    struct Share;
    using OfAll = boost::intrusive::list_base_hook<boost::intrusive::tag<struct InRoom>>;
    using OfOne = boost::intrusive::list_base_hook<boost::intrusive::tag<struct InShare>>;
    using Everybody = boost::intrusive::list<Seat, boost::intrusive::base_hook<OfAll>>;
    using Own = boost::intrusive::list<Seat, boost::intrusive::base_hook<OfOne>>;
    using Shares = std::unordered_map<redirect::Address, Share, HashAddress>;
    struct Ranked {
        std::size_t amount = 0;
        Share* share = nullptr;
        auto operator<=>(const Ranked&) const = default;
    };

    template <class List>
    static Occupant* idlest(List& list);
    void rank(Share& share, std::size_t amount);

    const std::size_t few_;
    std::size_t total_ = 0;
    Everybody everybody_; // who was looked at last stands last
    Shares shares_;
    std::set<Ranked> ranking_; // of all shares
};

class Room::Seat : public OfAll, public OfOne {
  public:
    explicit Seat(Occupant& occupant) : occupant_(occupant) {}
    [[nodiscard]] bool is_taken() const { return OfAll::is_linked(); }
    [[nodiscard]] std::size_t amount() const { return amount_; }

  private:
    friend class Room;
    Occupant& occupant_;
    std::size_t amount_ = 0;
    Share* share_ = nullptr; // null: of somebody who may hold any number
};

// All that one client holds.
struct Room::Share {
    redirect::Address client;
    std::size_t amount = 0;
    Own places; // who was looked at last stands last
};

} // namespace slashpost::http
