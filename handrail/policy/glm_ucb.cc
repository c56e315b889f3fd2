#include "handrail/policy/glm_ucb.h"

#include <array>
#include <cmath>
#include <utility>

#include "handrail/explore/weighting.h"
#include "handrail/oracle/ellipsoid.h"
#include "handrail/oracle/gram.h"

namespace handrail {
namespace {

class GlmUcb final : public Policy {
 public:
  GlmUcb(const GlmUcbConfig& config, const FeatureLayout& layout)
      : logistic_(config.logistic, layout),
        gram_(layout, config.logistic.lambda),
        bonus_(config.bonus) {}

  void propose(const Round& round, const History& /*history*/, const RandomStream& /*stream*/,
               Proposal& out) const override {
    const ArmFeatures& features = round.features();
    const std::size_t arm_count = features.arm_count();
    out.costs.resize(arm_count);
    out.indices.resize(arm_count);
    out.scratch.first.resize(arm_count);
    gram_.estimate(features, out.costs, out.scratch.first);
    for (ArmIndex arm = 0; arm < arm_count; ++arm) {
      // Of an arm that the model cannot hold the estimate stands: it is expensive, beyond doubt.
      const ArmView view = features.arm(arm);
      if (gram_.learnable(view)) out.costs[arm] = logistic_.predict(view);
      out.indices[arm] = out.costs[arm] - bonus_ * std::sqrt(out.scratch.first[arm]);
    }
    out.distribution =
        Distribution::certain(arm_count, greedy_arm(out.indices), std::move(out.distribution));
    out.gamma.reset();
  }

  void learn(const Observation& observation) override {
    const bool learnable = gram_.learnable(observation.features);
    gram_.add(observation.features, observation.cost);
    if (learnable) logistic_.add(observation.features, observation.cost);
  }

  std::optional<double> regret_bound() const override { return std::nullopt; }

  void save(ByteWriter& out) const override {
    gram_.save(out);
    logistic_.save(out);
  }

  Status load(ByteReader& in) override {
    RegularisedGram gram = gram_;
    const Status first = gram.load(in);
    if (!first.ok()) return first;
    const Status second = logistic_.load(in);
    if (!second.ok()) return second;
    gram_ = std::move(gram);
    return {};
  }

 private:
  LogisticRegression logistic_;
  RegularisedGram gram_;  // for V; its own estimate is of no use here
  double bonus_;
};

// The default a was chosen on pendigits and mushroom, and the preset's λ, which matters more: it
// lowers the regret of λ = 1 by a quarter and by half.
constexpr std::array kCommon = {&kLambdaRow};
constexpr std::array kParameters = {
    ParameterSpec{.name = "bonus",
                  .meaning = "a of σ(φᵀθ̂) − a|φ|_{V⁻¹}; in practice 0.01 to 1",
                  .fallback = "0.03",
                  .low = 0.0,
                  .high = 1e9},
    ParameterSpec{.name = "history",
                  .meaning = "examples kept, the newest; a refit sees no others",
                  .fallback = "100000",
                  .low = 1.0,
                  .high = 1e9,
                  .whole = true},
};

}  // namespace

std::unique_ptr<Policy> make_glm_ucb(const GlmUcbConfig& config, const FeatureLayout& layout) {
  return std::make_unique<GlmUcb>(config, layout);
}

constinit const PolicyEntry kGlmUcbPolicy = {
    .name = "glm-ucb",
    .meaning = "GLM-UCB, a logistic model with a bonus, without a gate",
    .names_agent = false,  // a preset with a smaller λ does
    .has_matrices = true,
    .one_arm = true,
    .common = kCommon,
    .parameters = kParameters,
    .make =
        [](const PolicyFrame& frame) {
          return make_glm_ucb({.logistic = {.lambda = frame.values.number(kLambdaRow),
                                            .history = frame.values.count("history")},
                               .bonus = frame.values.number("bonus")},
                              frame.layout);
        },
};

}  // namespace handrail
