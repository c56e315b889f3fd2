#include "handrail/policy/greedy.h"

#include <array>
#include <utility>

#include "handrail/explore/weighting.h"

namespace handrail {
namespace {

class Greedy final : public Policy {
 public:
  Greedy(double epsilon, std::unique_ptr<Oracle> oracle)
      : epsilon_(epsilon), oracle_(std::move(oracle)) {}

  void propose(const Round& round, const History& /*history*/, const RandomStream& /*stream*/,
               Proposal& out) const override {
    out.costs.resize(round.arm_count());
    oracle_->predict(round.features(), out.costs, out.scratch);
    out.gamma.reset();
    out.distribution =
        Distribution::with_floor(Distribution::certain(round.arm_count(), greedy_arm(out.costs),
                                                       std::move(out.distribution)),
                                 epsilon_);
  }

  void learn(const Observation& observation) override {
    oracle_->update(observation.features, observation.cost);
  }
  bool reads_lists() const override { return oracle_->reads_lists(); }
  std::optional<double> regret_bound() const override { return oracle_->regret_bound(); }
  void save(ByteWriter& out) const override { oracle_->save(out); }
  Status load(ByteReader& in) override { return oracle_->load(in); }

 private:
  const double epsilon_;
  std::unique_ptr<Oracle> oracle_;
};

constexpr ParameterSpec kEpsilonRow =
    grouped("policy", number_row("epsilon", "epsilon-greedy: chance of a uniform draw", "0.05",
                                 {.low = 0.0, .high = 1.0}));
constexpr std::array kCommon = {&kEpsilonRow};

double epsilon_in(const ParameterValues& values) {
  return values.number(kEpsilonRow);
}

Distribution of_the_cheapest(const ShownProposal& shown) {
  return Distribution::certain(shown.arm_count, greedy_arm(shown.costs), {});
}

}  // namespace

std::unique_ptr<Policy> make_greedy(double epsilon, std::unique_ptr<Oracle> oracle) {
  return std::make_unique<Greedy>(epsilon, std::move(oracle));
}

constinit const PolicyEntry kGreedyPolicy = {
    .name = "greedy",
    .meaning = "the arm with the least predicted cost",
    .uses_oracle = true,
    .make = [](const PolicyFrame& frame) { return make_greedy(0.0, frame.oracles.make()); },
    .recompute = of_the_cheapest,
};

constinit const PolicyEntry kEpsilonGreedyPolicy = {
    .name = "epsilon-greedy",
    .meaning = "greedy, and with chance ε any arm",
    .uses_oracle = true,
    .common = kCommon,
    .make =
        [](const PolicyFrame& frame) {
          return make_greedy(epsilon_in(frame.values), frame.oracles.make());
        },
    .recompute = of_the_cheapest,
    .floor = epsilon_in,
};

}  // namespace handrail
