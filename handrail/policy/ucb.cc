#include "handrail/policy/ucb.h"

#include <array>
#include <utility>
#include <vector>

#include "handrail/base/assert.h"
#include "handrail/explore/weighting.h"

namespace handrail {
namespace {

class Ucb final : public Policy {
 public:
  explicit Ucb(const ArmWidthConfig& config) : config_(config), arms_(config.arm_count) {}

  void propose(const Round& round, const History& /*history*/, const RandomStream& /*stream*/,
               Proposal& out) const override {
    HANDRAIL_ASSERT(round.arm_count() == arms_.size());
    out.costs.resize(arms_.size());
    out.indices.resize(arms_.size());
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
      out.costs[arm] = mean_of(arms_[arm]);
      out.indices[arm] = lower_cost(config_, arms_[arm]);
    }
    out.distribution =
        Distribution::certain(arms_.size(), greedy_arm(out.indices), std::move(out.distribution));
    out.gamma.reset();
  }

  void learn(const Observation& observation) override {
    HANDRAIL_ASSERT(observation.arm < arms_.size());
    ++arms_[observation.arm].count;
    arms_[observation.arm].cost_sum += observation.cost;
  }

  std::optional<double> regret_bound() const override { return std::nullopt; }

  void save(ByteWriter& out) const override {
    for (const ArmPlays& plays : arms_) {
      out.u64(plays.count);
      out.f64(plays.cost_sum);
    }
  }
  Status load(ByteReader& in) override {
    std::vector<ArmPlays> loaded(arms_.size());
    for (ArmPlays& plays : loaded) {
      plays.count = in.u64();
      plays.cost_sum = in.f64();
      const bool can_be =
          plays.cost_sum >= 0.0 && plays.cost_sum <= static_cast<double>(plays.count);
      if (!can_be) in.fail("has an arm whose costs do not fit its plays");
    }
    if (!in.status().ok()) return in.status();
    arms_ = std::move(loaded);
    return {};
  }

 private:
  static double mean_of(const ArmPlays& plays) {
    return plays.count == 0 ? 0.5 : plays.cost_sum / static_cast<double>(plays.count);
  }

  const ArmWidthConfig config_;
  std::vector<ArmPlays> arms_;
};

constexpr std::array kCommon = {&kArmWidthRow};

}  // namespace

std::unique_ptr<Policy> make_ucb(const ArmWidthConfig& config) {
  return std::make_unique<Ucb>(config);
}

constinit const PolicyEntry kUcbPolicy = {
    .name = "ucb",
    .meaning = "UCB for arms without context, without a gate",
    .one_arm = true,
    .ucb_regret = true,
    .common = kCommon,
    .make = [](const PolicyFrame& frame) { return make_ucb(arm_width_in(frame)); },
    .check = [](const PolicyFrame& frame) -> Status {
      if (frame.layout.shape == FeatureShape::kBlock) return {};
      return Error{"policy=ucb needs arms that are the same in every round: block features, not " +
                   describe(frame.layout)};
    },
};

}  // namespace handrail
