#pragma once
// Lets visitors through to guarded links: who knows the password, and the first so many
// (core/redirect/gate.h).
#include "core/access/service.h"
#include "core/base/hash_gate.h"
#include "core/model/link.h"
#include "core/redirect/gate.h"

namespace slashpost {

class VisitorGate final : public redirect::Gate {
  public:
    // Both outlive it.
    VisitorGate(Service& service, data::Engine& engine, const Clock& clock)
        : service_(service),
          engine_(engine),
          clock_(clock) {}

    redirect::Admission admit(LinkId link, const redirect::GuardedVisit& visit, bool is_person) override;

  private:
    Result<redirect::Admission> look(LinkId id, const redirect::GuardedVisit& visit, bool is_person);
    Result<redirect::Admission> compare(const Link& link, const redirect::GuardedVisit& visit);
    Result<redirect::Admission> take_click(LinkId id);

    Service& service_;
    data::Engine& engine_;
    const Clock& clock_;
    HashGate hashes_{1}; // visitors are strangers: one password at a time
};

} // namespace slashpost
