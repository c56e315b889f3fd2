// A gate bounds what exploration has cost so far, the candidate included: the exposure. The ledger
// holds that against what the baseline has earned. No gate knows of any policy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "handrail/safety/armwise_gate.h"
#include "handrail/safety/budget_gate.h"
#include "handrail/safety/certified_gate.h"
#include "handrail/safety/checkpoint_gate.h"
#include "handrail/safety/contrast_gate.h"
#include "handrail/safety/ellipsoid_gate.h"
#include "handrail/safety/estimated_baseline_gate.h"
#include "handrail/safety/exposure.h"
#include "handrail/safety/model_gate.h"
#include "handrail/safety/paper_gate.h"
#include "handrail/safety/safeset_gate.h"
#include "handrail/safety/stagewise_gate.h"
#include "handrail/safety/stationary_gate.h"
#include "handrail/safety/trivial_gates.h"

namespace handrail {

// In the order of gate_words() and of the alternatives of Gate::Kind.
enum class GateKind : std::uint8_t {
  kOpen = 0,         // always admits: the unconstrained controls
  kShut = 1,         // never admits: always the baseline
  kCertified = 2,    // valid without trusting the model
  kPaper = 3,        // as the paper prints it
  kModel = 4,        // for a trusted model with a regret bound
  kEllipsoid = 5,    // for linear costs: conservative LinUCB's
  kContrast = 6,     // the same where the baseline's cost is unknown
  kSafeSet = 7,      // for linear costs: the arms whose own bound fits what is left
  kCheckpoint = 8,   // as certified, held at checkpoints only
  kStagewise = 9,    // for linear costs: every round by itself, a different promise
  kIps = 10,         // certified where the baseline's cost is unknown, from chances alone
  kDr = 11,          // the same, correcting a prediction of it
  kStationary = 12,  // the same, if the baseline's mean cost never changes
  kArmwise = 13,     // for arms without context: conservative UCB's
  kBudget = 14,      // BudgetFirst's: shut, then open for ever
};

// The names of the gates.
std::span<const std::string_view> gate_words();
std::string_view to_text(GateKind kind);
GateTraits traits_of(GateKind kind);

struct GateConfig {
  GateKind kind = GateKind::kCertified;
  double alpha = 0.1;
  double reserve = 0.0;
  double delta = 0.05;
  BoundKind bound = BoundKind::kMinimum;
  Members members = Members::kRisky;
  double margin_scale = 16.0;
  MarginRounds margin_rounds = MarginRounds::kM;
  Loss loss = Loss::kSquare;
  EllipsoidConfig ellipsoid = {};
  std::uint64_t checkpoint_every = 100;
  std::optional<double> future_cost = std::nullopt;
  double baseline_floor = 0.1;
  double delta_split = 0.5;
  BaselineKnown baseline_known = BaselineKnown::kPerRound;
  ArmWidth arm_width = ArmWidth::kSecond;
  std::optional<double> budget_regret = std::nullopt;  // none: the bound of UCB
};

// One of them. Every alternative has the members of this class but sides_before, baseline_floor and
// baseline_centre, which have a default, and a `static constexpr GateTraits kTraits`.
class Gate {
 public:
  Gate(const GateConfig& config, const FeatureLayout& layout);

  const GateTraits& traits() const { return traits_; }

  // Of the shut gate the exposure is infinite.
  Sides sides(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const;
  // The part of sides() that is the same for all candidates, for who asks for many of them: it goes
  // into GateQuestion::before, and each is then judged without going over all arms. None for a gate
  // that has no such part.
  std::optional<Sides> sides_before(const GateQuestion& question) const;
  // The ε of p ← (1−ε)p + ε·1_b that a round must be drawn with: the baseline's arm keeps at least
  // that chance. 0 for a gate that does not need it.
  double baseline_floor() const { return baseline_floor_; }
  // The guess of the baseline's cost in the next round that its decision is to carry, from what the
  // policy predicts: that, for a gate that has no better one. Fixed before the arm is drawn.
  double baseline_centre(double predicted) const;

  // Whether the ledger is to charge this round to exploration.
  bool charges(const Decision& decision) const;
  // Every decision is booked when it is made, and every cost that arrives is revealed.
  void book(const Decision& decision, bool charged);
  void reveal(const Revelation& revelation);

  // What it certifies: earned, the ledger's, or a bound on that of its own, minus a bound on the
  // cost of the charged rounds. None for a gate that certifies nothing.
  std::optional<double> slack(double earned) const;

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  using Kind = std::variant<OpenGate, ShutGate, CertifiedGate, PaperGate, ModelGate, EllipsoidGate,
                            ContrastGate, SafeSetGate, CheckpointGate, StagewiseGate, IpsGate,
                            DrGate, StationaryGate, ArmwiseGate, BudgetGate>;
  friend GateTraits traits_of(GateKind kind);
  static Kind make(const GateConfig& config, const FeatureLayout& layout);

  Kind gate_;

  // Constant after construction.
  GateTraits traits_;
  double baseline_floor_;
};

}  // namespace handrail
