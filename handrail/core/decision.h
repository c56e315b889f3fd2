// What happens to an agent, as values: a decision, and later the cost it led to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "handrail/core/round.h"

namespace handrail {

// The values are part of every saved agent.
enum class Choice : std::uint8_t { kBaseline = 0, kExplore = 1 };

// What apply() and a late feedback need, and nothing else. `features` views the round's memory, or
// the workspace's for arms of a product and for rows that came as a list and were written out:
// apply the decision before either goes away or is planned with again.
struct Decision {
  std::uint64_t sequence = 0;  // counts an agent's decisions from 1
  Choice choice = Choice::kBaseline;
  ArmIndex arm = 0;        // played
  ArmIndex candidate = 0;  // drawn; played if the choice is to explore
  // Chance that this round ended with `arm`, gate included. None where nobody can say: some
  // policies draw more than the arm.
  std::optional<double> propensity = 1.0;
  double propensity_error = 0.0;  // its standard error where it is an estimate, else 0
  double exposure = 0.0;          // the two sides of the inequality,
  double allowance = 0.0;         //   explore ⇔ exposure ≤ allowance,
  double margin = 0.0;            //   and the confidence part of the first
  Baseline baseline;
  double centre = 0.0;          // guess of the played arm's cost, fixed before that is drawn
  double predicted_cost = 0.0;  // Σ_a p_a ŷ_a; 0 for a policy that predicts nothing
  // Such a guess for the baseline's arm, the gate's own if it has one; and the chance that this
  // round ended with that arm, verdict included, given what the policy drew for itself.
  double baseline_centre = 0.0;
  double baseline_chance = 1.0;
  ArmView features;           // of the played arm
  ArmView baseline_features;  // of the baseline's arm
};

struct Feedback {
  std::uint64_t sequence = 0;  // of the decision
  double cost = 0.0;
};

// A play of the past that somebody wrote down: what an agent may learn from before its first
// decision. Views the caller's features, those of the played arm.
struct LoggedPlay {
  std::span<const double> features;
  ArmIndex arm = 0;
  double cost = 0.0;
  std::optional<double> propensity = std::nullopt;  // chance that this arm was played, if known
};

// Whether a round of this layout can have been so; else a sentence about what is wrong.
Status check_play(const LoggedPlay& play, const FeatureLayout& layout);

// A round whose cost is known: what policy and gate are told of it.
struct Observation {
  ArmView features;  // of the played arm
  ArmIndex arm = 0;
  Choice choice = Choice::kBaseline;
  double cost = 0.0;

  // How its decision was booked, for the gate: whether the ledger charged it, and what the decision
  // said of the played arm and of the baseline's.
  bool charged = false;
  double centre = 0.0;
  bool played_baseline = false;
  double baseline_centre = 0.0;
  double baseline_chance = 1.0;
};

}  // namespace handrail
