#include "handrail/policy/uniform.h"

#include <utility>

namespace handrail {
namespace {

class Uniform final : public Policy {
 public:
  void propose(const Round& round, const History& /*history*/, const RandomStream& /*stream*/,
               Proposal& out) const override {
    out.costs.clear();
    out.gamma.reset();
    out.distribution = Distribution::uniform(round.arm_count(), std::move(out.distribution));
  }
  void learn(const Observation& /*observation*/) override {}
  std::optional<double> regret_bound() const override { return std::nullopt; }
  void save(ByteWriter& /*out*/) const override {}
  Status load(ByteReader& /*in*/) override { return {}; }
};

}  // namespace

std::unique_ptr<Policy> make_uniform() {
  return std::make_unique<Uniform>();
}

constinit const PolicyEntry kUniformPolicy = {
    .name = "uniform",
    .meaning = "any arm, with equal chances",
    .predicts = false,
    .make = [](const PolicyFrame& /*frame*/) { return make_uniform(); },
    .recompute =
        [](const ShownProposal& shown) { return Distribution::uniform(shown.arm_count, {}); },
};

}  // namespace handrail
