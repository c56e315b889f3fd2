// EE-Net (Ban, Yan, Banerjee and He 2022), as its authors' code has it: one network predicts what
// each arm saves, a second one, which sees the first one's gradient, how wrong that is, and the arm
// with the largest sum is played:
//   index of an arm = 1 − (f1 + w(f2 − 1)), least first.
// With c = 1 − r their rewards are what an arm saves here; nothing else was changed in turning to
// costs. It promises nothing about its regret; use it behind the certified gate.
//
// t counts the costs that it was told of, from 0, as their loop counts rounds. f1's prediction and
// gradient are those of the moment when a cost arrives: theirs are of the decision, which is the
// same unless costs are late. The newest `kept` examples of each network stay; theirs all do.
//
// For t < early_rounds, a cost of exactly 1 also teaches f2 that the other arms of the round
// promise more than f1 says (target 1.2). With block features those follow from the played arm's
// row; with features in rows nobody tells a policy about the other arms, and that part is left out.
#pragma once

#include <memory>
#include <optional>

#include "handrail/oracle/combining_network.h"
#include "handrail/oracle/promise_network.h"
#include "handrail/oracle/saving_network.h"
#include "handrail/policy/entry.h"

namespace handrail {

struct EeNetConfig {
  double early_weight = 0.1;  // w for t ≤ early_rounds
  double late_weight = 0.01;  // w from then on
  std::uint64_t early_rounds = 1000;
  std::uint64_t early_period = 10;  // costs between trainings for t < early_rounds
  std::uint64_t late_period = 100;  // and from then on
  SavingNetworkConfig exploiter = {};
  PromiseNetworkConfig explorer = {};
  std::optional<CombiningNetworkConfig> decider = std::nullopt;  // f3
  std::uint64_t decider_from = 500;                              // f3 decides for t > this
  std::uint64_t seed = 0;                                        // of the order of examples
};

// The weight of f2, and whether the networks are trained after the cost number t: the schedules of
// the authors' code.
double exploration_weight(const EeNetConfig& config, std::uint64_t t);
bool trains_after(const EeNetConfig& config, std::uint64_t t);

std::unique_ptr<Policy> make_ee_net(const EeNetConfig& config, const FeatureLayout& layout);

extern const PolicyEntry kEeNetPolicy;

}  // namespace handrail
