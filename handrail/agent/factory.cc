#include "handrail/agent/factory.h"

#include "handrail/oracle/gram.h"
#include "handrail/policy/registry.h"

namespace handrail {
namespace {

// As learners meet the arms. Only check_parts() and the agent itself care how rounds show them.
AgentFrame learned(AgentFrame frame) {
  frame.layout = learned_layout(frame.layout);
  return frame;
}

class ConfiguredOracle final : public OracleSource {
 public:
  ConfiguredOracle(const AgentConfig& config, const AgentFrame& frame)
      : entry_(*config.oracle), values_(oracle_values(config)), frame_(frame) {}
  std::unique_ptr<Oracle> make() const override { return entry_.make(PartFrame(frame_, values_)); }

 private:
  const OracleEntry& entry_;
  const ParameterValues values_;
  const AgentFrame frame_;
};

// Calls `use` with what a policy is made from, which lives as long as the call.
template <typename Use>
auto with_policy_frame(const AgentConfig& config, const AgentFrame& frame, Use use) {
  const ParameterValues values = policy_values(config);
  const ConfiguredOracle oracles(config, frame);
  return use(PolicyFrame(PartFrame(frame, values), oracles));
}

// A policy that looks at every arm cannot take the arms of a product.
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
  if (config.gate->traits.reads_features) {
    return Error{shown(*config.gate) +
                 " reads features that lie in memory as they are; it does not take " +
                 describe(frame.layout)};
  }
  return {};
}

Status check_gate(const AgentConfig& config, const AgentFrame& frame,
                  const FeatureLayout& shown_layout) {
  const GateEntry& gate = *config.gate;
  if (gate.traits.needs_baseline_cost && frame.baseline_known == BaselineKnown::kUnknown) {
    return Error{
        shown(gate) +
        " needs to know what the baseline costs, at least a mean or a floor; it is unknown"};
  }
  if (gate.traits.needs_fixed_arms && frame.layout.shape != FeatureShape::kBlock) {
    return Error{shown(gate) +
                 " needs arms that are the same in every round: block features, not " +
                 describe(shown_layout)};
  }
  if (gate.check == nullptr) return {};
  const ParameterValues values = gate_values(config);
  return gate.check(PartFrame(frame, values));
}

Status check_oracle(const AgentConfig& config, const AgentFrame& frame) {
  if (!config.policy->uses_oracle || config.oracle->check == nullptr) return {};
  const ParameterValues values = oracle_values(config);
  return config.oracle->check(PartFrame(frame, values));
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

Members members_of(const AgentConfig& config, const AgentFrame& frame) {
  if (!config.gate->traits.chooses_members) return Members::kOpen;
  return members_in(PartFrame(frame, config.common));
}

std::unique_ptr<Gate> make_gate(const AgentConfig& config, const AgentFrame& frame) {
  const ParameterValues values = gate_values(config);
  return config.gate->make(PartFrame(learned(frame), values));
}

Status check_parts(const AgentConfig& config, const AgentFrame& shown_frame) {
  const Status products = check_products(config, shown_frame);
  if (!products.ok()) return products;
  const AgentFrame frame = learned(shown_frame);
  const Status gate = check_gate(config, frame, shown_frame.layout);
  if (!gate.ok()) return gate;
  const PolicyEntry& policy = *config.policy;
  const bool has_matrices = policy.has_matrices || config.gate->traits.has_matrices ||
                            (policy.uses_oracle && config.oracle->has_matrices);
  if (has_matrices) {
    const Status fits = check_matrices(frame.layout);
    if (!fits.ok()) return fits;
  }
  const Status oracle = check_oracle(config, frame);
  if (!oracle.ok()) return oracle;
  return policy.check == nullptr ? Status() : with_policy_frame(config, frame, policy.check);
}

}  // namespace handrail
