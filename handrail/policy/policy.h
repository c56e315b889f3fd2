// A policy proposes; whether its proposal is played is the gate's to say, and no policy knows of
// any.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/base/random.h"
#include "handrail/core/decision.h"
#include "handrail/core/distribution.h"
#include "handrail/core/support.h"
#include "handrail/explore/search_memory.h"
#include "handrail/oracle/oracle.h"

namespace handrail {

// What a policy may know of the past beyond what it learned.
struct History {
  std::uint64_t explored = 0;    // m: rounds whose draw was admitted so far
  double explored_cost_sum = 0;  // revealed costs of those rounds
  double regret_bound = 1;       // the Reg in force, for schedules that divide by it
};

// What a distribution says of the chance of an arm. A policy that draws for itself, such as one
// that samples a model, proposes a distribution given its draws.
enum class Chances : std::uint8_t {
  kExact = 0,      // the distribution is the chance: nothing else is drawn
  kEstimated = 1,  // the distribution is a mean over draws, near the chance
  kUnknown = 2,    // it is one draw, and says nothing of the chance
  kGiven = 3,      // it is given the policy's draws; Proposal::marginals has the chances
};

// A chance, as far as anybody knows it.
struct KnownChance {
  std::optional<double> chance;  // none: nobody knows
  double error = 0.0;            // standard error of an estimate; 0 if it is exact
};

struct Proposal {
  // The arms that all lists below speak of, the baseline's among them; empty: all arms.
  std::vector<ArmIndex> support;
  std::vector<double> costs;  // predicted, one an arm; empty for a policy that predicts nothing
  Distribution distribution;
  Chances chances = Chances::kExact;
  std::optional<double> gamma;  // none where there is no gap weighting
  // Of a policy that plays the arm with the least index: one an arm. Else empty.
  std::vector<double> indices;
  // With Chances::kGiven the chance of each arm over all that is drawn, the policy's own draws
  // included; else empty.
  std::vector<KnownChance> marginals;
  Scratch scratch;
  SearchMemory search;
};

class Policy {
 public:
  Policy() = default;
  virtual ~Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;

  // Fills `out`, whose memory it reuses. `stream` is for policies that draw more than the arm
  // itself: they copy it.
  virtual void propose(const Round& round, const History& history, const RandomStream& stream,
                       Proposal& out) const = 0;

  virtual void learn(const Observation& observation) = 0;

  // Whether propose() and learn() go by the list of a shared row where there is one.
  virtual bool reads_lists() const { return false; }

  // The promise of the oracle behind it, if there is one.
  virtual std::optional<double> regret_bound() const = 0;

  virtual void save(ByteWriter& out) const = 0;
  virtual Status load(ByteReader& in) = 0;
};

}  // namespace handrail
