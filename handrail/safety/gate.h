// A gate bounds what exploration has cost so far, the candidate included: the exposure. The ledger
// holds that against what the baseline has earned. No gate knows of any policy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "handrail/core/decision.h"
#include "handrail/safety/certified_gate.h"
#include "handrail/safety/ellipsoid_gate.h"
#include "handrail/safety/model_gate.h"
#include "handrail/safety/paper_gate.h"

namespace handrail {

enum class GateKind : std::uint8_t {
  kOpen = 0,       // always admits: the unconstrained controls
  kShut = 1,       // never admits: always the baseline
  kCertified = 2,  // valid without trusting the model
  kPaper = 3,      // as the paper prints it
  kModel = 4,      // for a trusted model with a regret bound
  kEllipsoid = 5,  // for linear costs: conservative LinUCB's
};

struct GateConfig {
  GateKind kind = GateKind::kCertified;
  double delta = 0.05;
  BoundKind bound = BoundKind::kMinimum;
  Members members = Members::kRisky;
  double margin_scale = 16.0;
  MarginRounds margin_rounds = MarginRounds::kM;
  Loss loss = Loss::kSquare;
  EllipsoidConfig ellipsoid = {};
};

// What a gate may read of the round in question.
struct GateQuestion {
  const ArmFeatures& features;
  std::span<const double> costs;  // predicted; empty if the policy predicts nothing
  double regret_bound;
};

// A decision whose cost is now known, as the gate needs it.
struct Revelation {
  const Observation& observation;
  bool charged;
  double centre;
};

struct OpenGate {};
struct ShutGate {};

class Gate {
 public:
  Gate(const GateConfig& config, const FeatureLayout& layout);

  // Whether the exposure depends on which arm was drawn. If not, the verdict is the same for all.
  bool reads_candidate() const;
  // Of the shut gate it is infinite.
  Exposure exposure(const GateQuestion& question, ArmIndex candidate, Scratch& scratch) const;

  // Whether GateQuestion::regret_bound means anything to it.
  bool uses_regret_bound() const;

  // Whether the ledger is to charge this round to exploration; book() is for those rounds only.
  bool charges(const Decision& decision) const;
  void book(const Decision& decision);
  void reveal(const Revelation& revelation);

  // The certified gate's bound on the cost of the charged rounds; none for the others.
  std::optional<double> cost_bound() const;

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  using Kind = std::variant<OpenGate, ShutGate, CertifiedGate, PaperGate, ModelGate, EllipsoidGate>;
  static Kind make(const GateConfig& config, const FeatureLayout& layout);

  Kind gate_;
};

}  // namespace handrail
