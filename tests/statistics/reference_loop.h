// The agent's loop in the open: gate, ledger and policy, with nothing between them. For tests that
// bring a policy or an oracle of their own, which an Agent does not take.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "handrail/env/environment.h"
#include "handrail/eval/metrics.h"
#include "handrail/policy/policy.h"
#include "handrail/safety/gate.h"
#include "handrail/safety/ledger.h"
#include "tests/statistics/tally.h"

namespace handrail {

class ReferenceLoop {
 public:
  // α is kAlpha, δ kDelta. `gate` is what a SPEC says of one: "gate=paper,margin_scale=1". The
  // baseline's cost is told in each round, whatever the environment says of it. `environment`
  // outlives the loop.
  ReferenceLoop(const Environment& environment, std::unique_ptr<Policy> policy,
                const std::string& gate, std::uint64_t seed);

  // Plays a round and delivers the costs that arrive after it.
  void advance();

  const Metrics& metrics() const { return metrics_; }
  // What the certified gate certifies; none of another gate.
  std::optional<double> slack() const;

 private:
  struct LateDecision {
    std::uint64_t arrives;
    Decision decision;  // its features are gone: the environment can show them again
    double cost;

    friend bool operator>(const LateDecision& a, const LateDecision& b) {
      return a.arrives != b.arrives ? a.arrives > b.arrives
                                    : a.decision.sequence > b.decision.sequence;
    }
  };

  Decision plan(const Round& round);
  void deliver(std::uint64_t t);

  const Environment& environment_;
  std::unique_ptr<Policy> policy_;
  std::unique_ptr<Gate> gate_;
  Ledger ledger_;
  std::uint64_t seed_;
  Metrics metrics_;
  Proposal proposal_;
  EnvironmentRound round_;
  EnvironmentRound earlier_round_;
  std::priority_queue<LateDecision, std::vector<LateDecision>, std::greater<>> under_way_;
};

// Plays `rounds` rounds and adds them to the tally.
void run_to_end(ReferenceLoop loop, std::uint64_t rounds, Tally& tally);

}  // namespace handrail
