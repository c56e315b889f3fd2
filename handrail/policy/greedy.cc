#include "handrail/policy/greedy.h"

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
  std::optional<double> regret_bound() const override { return oracle_->regret_bound(); }
  void save(ByteWriter& out) const override { oracle_->save(out); }
  Status load(ByteReader& in) override { return oracle_->load(in); }

 private:
  const double epsilon_;
  std::unique_ptr<Oracle> oracle_;
};

}  // namespace

std::unique_ptr<Policy> make_greedy(double epsilon, std::unique_ptr<Oracle> oracle) {
  return std::make_unique<Greedy>(epsilon, std::move(oracle));
}

}  // namespace handrail
