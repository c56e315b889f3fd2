#include "handrail/agent/factory.h"

#include "handrail/base/assert.h"
#include "handrail/oracle/linear.h"
#include "handrail/oracle/mlp.h"
#include "handrail/oracle/ridge.h"
#include "handrail/policy/greedy.h"
#include "handrail/policy/igw.h"
#include "handrail/policy/linucb.h"
#include "handrail/policy/uniform.h"

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

AgentFrame frame_of(const AgentSettings& settings, Isa isa) {
  return {.delta = settings.delta,
          .seed = settings.seed,
          .baseline_known = settings.baseline_known,
          .layout = settings.layout,
          .isa = isa};
}

std::unique_ptr<Policy> make_policy(const AgentConfig& config, const AgentFrame& frame) {
  switch (config.policy) {
    case PolicyKind::kIgw: {
      const IgwConfig igw{.weighting = config.weighting,
                          .gamma = schedule_of(config, frame.delta),
                          .floor = config.floor};
      return make_igw(igw, make_oracle(config, frame));
    }
    case PolicyKind::kLinUcb:
      return make_linucb(
          {.ellipsoid = ellipsoid_of(config, frame), .bonus_scale = config.bonus_scale},
          frame.layout);
    case PolicyKind::kUniform:
      return make_uniform();
    case PolicyKind::kGreedy:
      return make_greedy(0.0, make_oracle(config, frame));
    case PolicyKind::kEpsilonGreedy:
      return make_greedy(config.epsilon, make_oracle(config, frame));
  }
  HANDRAIL_ASSERT(false);
}

Members members_of(const AgentConfig& config, BaselineKnown baseline_known) {
  if (config.gate != GateKind::kCertified) return Members::kOpen;
  if (config.members == MembersChoice::kAuto) {
    return baseline_known == BaselineKnown::kMean ? Members::kOpen : Members::kRisky;
  }
  return config.members == MembersChoice::kOpen ? Members::kOpen : Members::kRisky;
}

Gate make_gate(const AgentConfig& config, const AgentFrame& frame) {
  const GateConfig gate = {.kind = config.gate,
                           .delta = frame.delta,
                           .bound = config.bound,
                           .members = members_of(config, frame.baseline_known),
                           .margin_scale = config.margin_scale,
                           .margin_rounds = config.margin_rounds,
                           .loss = loss_of(config),
                           .ellipsoid = ellipsoid_of(config, frame)};
  return Gate(gate, frame.layout);
}

Status check_parts(const AgentConfig& config, const AgentFrame& frame) {
  const bool needs_cost = config.gate != GateKind::kOpen && config.gate != GateKind::kShut;
  if (needs_cost && frame.baseline_known == BaselineKnown::kUnknown) {
    return Error{
        "this gate needs to know what the baseline costs, at least a mean or a floor; with an "
        "unknown cost only the gates open and shut work"};
  }
  const bool has_matrices = config.policy == PolicyKind::kLinUcb ||
                            config.gate == GateKind::kEllipsoid ||
                            (uses_oracle(config.policy) && config.oracle == OracleKind::kRidge);
  if (has_matrices) {
    const Status fits = check_matrices(frame.layout);
    if (!fits.ok()) return fits;
  }
  const bool has_network = uses_oracle(config.policy) && config.oracle == OracleKind::kMlp;
  return has_network ? check(mlp_of(config, frame), frame.layout) : Status();
}

}  // namespace handrail
