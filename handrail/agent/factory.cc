#include "handrail/agent/factory.h"

#include "handrail/base/assert.h"
#include "handrail/oracle/linear.h"
#include "handrail/oracle/mlp.h"
#include "handrail/oracle/ridge.h"
#include "handrail/policy/registry.h"

namespace handrail {
namespace {

Loss loss_of(const AgentConfig& config) {
  HANDRAIL_ASSERT(config.loss != LossChoice::kAuto);
  return config.loss == LossChoice::kLog ? Loss::kLog : Loss::kSquare;
}

MlpConfig mlp_of(const AgentConfig& config, const AgentFrame& frame) {
  MlpConfig mlp = config.mlp;
  mlp.loss = loss_of(config);
  mlp.learning_rate = *config.learning_rate;
  mlp.seed = frame.seed;
  mlp.isa = frame.isa;
  return mlp;
}

// A matrix of d × d numbers a block. Divided, not multiplied: the product may not fit a number.
Status check_matrices(const FeatureLayout& layout) {
  constexpr std::size_t kLargest = std::size_t{1} << 28;  // numbers: 2 GiB, and as much again
  const std::size_t d = layout.feature_count;
  if (d <= kLargest / d / layout.block_count) return {};
  return Error{"a linear model of " + describe(layout) +
               " needs a square matrix a block, more than 2^28 numbers; oracle=linear needs none"};
}

EllipsoidConfig ellipsoid_of(const AgentConfig& config, const AgentFrame& frame) {
  return {.lambda = config.lambda,
          .sigma = config.sigma,
          .delta = frame.delta,
          .radius = config.radius};
}

// As learners meet the arms. Only check_parts() and the agent itself care how rounds show them.
AgentFrame learned(AgentFrame frame) {
  frame.layout = learned_layout(frame.layout);
  return frame;
}

std::unique_ptr<Oracle> make_oracle(const AgentConfig& config, const AgentFrame& frame) {
  switch (config.oracle) {
    case OracleKind::kRidge:
      return make_ridge({.lambda = config.lambda,
                         .radius = config.radius,
                         .realised_regret = config.ridge_regret == RidgeRegret::kRealised},
                        frame.layout);
    case OracleKind::kLinear:
      return make_linear({.loss = loss_of(config),
                          .learning_rate = *config.learning_rate,
                          .ceiling = config.ceiling,
                          .isa = frame.isa},
                         frame.layout);
    case OracleKind::kMlp:
      return make_mlp(mlp_of(config, frame), frame.layout);
  }
  HANDRAIL_ASSERT(false);
}

}  // namespace

PolicySettings settings_of(const AgentConfig& config, const AgentFrame& frame) {
  return {.weighting = config.weighting,
          .gamma = schedule_of(config, frame.delta),
          .floor = config.floor,
          .epsilon = config.epsilon,
          .bonus_scale = config.bonus_scale,
          .ellipsoid = ellipsoid_of(config, frame),
          .mlp = mlp_of(config, frame),
          .arm_width = config.arm_width};
}

namespace {

class ConfiguredOracle final : public OracleSource {
 public:
  ConfiguredOracle(const AgentConfig& config, const AgentFrame& frame)
      : config_(config), frame_(frame) {}
  std::unique_ptr<Oracle> make() const override { return make_oracle(config_, frame_); }

 private:
  const AgentConfig& config_;
  const AgentFrame& frame_;
};

// What the baseline costs in this round says nothing of the rounds to come if it differs by round.
Status check_future_cost(const AgentConfig& config, const AgentFrame& frame) {
  if (config.gate != GateKind::kCheckpoint || config.future_cost.has_value()) return {};
  if (frame.baseline_known != BaselineKnown::kPerRound) return {};
  return Error{
      "gate=checkpoint spends what the baseline will earn until the next checkpoint, and its cost "
      "is known only round by round: give future_cost=NUMBER, a number in [0, 1] that it costs at "
      "least in any round to come; future_cost=auto is for a cost known as a mean or a floor"};
}

// Calls `use` with what a policy is made from, which lives as long as the call.
template <typename Use>
auto with_policy_frame(const AgentConfig& config, const AgentFrame& frame, Use use) {
  const PolicySettings settings = settings_of(config, frame);
  const ParameterValues own = own_values(config);
  const ConfiguredOracle oracles(config, frame);
  return use(PolicyFrame{.layout = frame.layout,
                         .delta = frame.delta,
                         .seed = frame.seed,
                         .isa = frame.isa,
                         .settings = settings,
                         .own = own,
                         .oracles = oracles});
}

}  // namespace

AgentFrame frame_of(const AgentSettings& settings, Isa isa) {
  return {.alpha = settings.alpha,
          .reserve = settings.reserve,
          .delta = settings.delta,
          .seed = settings.seed,
          .baseline_known = settings.baseline_known,
          .layout = settings.layout,
          .isa = isa};
}

std::unique_ptr<Policy> make_policy(const AgentConfig& config, const AgentFrame& frame) {
  return with_policy_frame(config, learned(frame), config.policy->make);
}

Members members_of(const AgentConfig& config, BaselineKnown baseline_known) {
  if (!traits_of(config.gate).chooses_members) return Members::kOpen;
  if (config.members == MembersChoice::kAuto) {
    return baseline_known == BaselineKnown::kMean ? Members::kOpen : Members::kRisky;
  }
  return config.members == MembersChoice::kOpen ? Members::kOpen : Members::kRisky;
}

Gate make_gate(const AgentConfig& config, const AgentFrame& frame) {
  const GateConfig gate = {.kind = config.gate,
                           .alpha = frame.alpha,
                           .reserve = frame.reserve,
                           .delta = frame.delta,
                           .bound = config.bound,
                           .members = members_of(config, frame.baseline_known),
                           .margin_scale = config.margin_scale,
                           .margin_rounds = config.margin_rounds,
                           .loss = loss_of(config),
                           .ellipsoid = ellipsoid_of(config, frame),
                           .checkpoint_every = config.checkpoint_every,
                           .future_cost = config.future_cost,
                           .baseline_floor = config.baseline_floor,
                           .delta_split = config.delta_split,
                           .baseline_known = frame.baseline_known,
                           .arm_width = config.arm_width,
                           .budget_regret = config.budget_regret};
  return Gate(gate, learned_layout(frame.layout));
}

namespace {

// Nobody goes over the arms of a product.
Status check_products(const AgentConfig& config, const AgentFrame& frame) {
  if (frame.layout.shape != FeatureShape::kProduct) return {};
  if (!config.policy->sparse) {
    std::string names;
    for (const PolicyEntry* policy : policies()) {
      if (policy->sparse) names += (names.empty() ? "" : " or ") + std::string(policy->name);
    }
    return Error{"policy=" + std::string(config.policy->name) +
                 " looks at every arm, and these are too many, " + describe(frame.layout) + ": " +
                 names + " was expected"};
  }
  if (traits_of(config.gate).reads_features) {
    return Error{"gate=" + std::string(to_text(config.gate)) +
                 " reads features that lie in memory as they are; it does not take " +
                 describe(frame.layout)};
  }
  return {};
}

}  // namespace

Status check_parts(const AgentConfig& config, const AgentFrame& shown) {
  const Status products = check_products(config, shown);
  if (!products.ok()) return products;
  const AgentFrame frame = learned(shown);
  const GateTraits gate = traits_of(config.gate);
  const std::string gate_name = "gate=" + std::string(to_text(config.gate));
  if (gate.needs_baseline_cost && frame.baseline_known == BaselineKnown::kUnknown) {
    return Error{
        gate_name +
        " needs to know what the baseline costs, at least a mean or a floor; it is unknown"};
  }
  if (gate.needs_fixed_arms && frame.layout.shape != FeatureShape::kBlock) {
    return Error{gate_name + " needs arms that are the same in every round: block features, not " +
                 describe(shown.layout)};
  }
  const Status future = check_future_cost(config, frame);
  if (!future.ok()) return future;
  const PolicyEntry& policy = *config.policy;
  const bool has_matrices = policy.has_matrices || gate.has_matrices ||
                            (policy.uses_oracle && config.oracle == OracleKind::kRidge);
  if (has_matrices) {
    const Status fits = check_matrices(frame.layout);
    if (!fits.ok()) return fits;
  }
  const bool has_network = policy.uses_oracle && config.oracle == OracleKind::kMlp;
  if (has_network) {
    const Status network = check(mlp_of(config, frame), frame.layout);
    if (!network.ok()) return network;
  }
  return policy.check == nullptr ? Status() : with_policy_frame(config, frame, policy.check);
}

}  // namespace handrail
