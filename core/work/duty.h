#pragma once
// Work that one server does for all that use the store: closing hours, jobs, mails, webhooks, the search
// index, orders of certificates.
//
//   space::meta   "duty.NAME" -> the server that has it, by its name among its peers (core/data/peers.h)
//
// Whoever has a duty keeps it until it is gone, and commits nothing then; so no batch has to ask again. Where
// there are no others nothing is written or read.
#include "core/data/engine.h"

#include <string>

namespace slashpost {

// For one thread.
class Duty {
  public:
    Duty(data::Engine& engine, std::string_view name) : engine_(engine), key_("duty." + std::string(name)) {}

    // Whether it is this server's, which takes it when nobody has it. Fails when the store cannot be used.
    Result<bool> is_mine();

  private:
    data::Engine& engine_;
    const data::Bytes key_;
    bool is_held_ = false;
};

} // namespace slashpost
