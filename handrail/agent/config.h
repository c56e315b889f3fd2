// What an agent is made of, typed and complete; and the one place that maps names to types. A SPEC
// is NAME[:key=value,…]: a preset, and the parameters in which the agent differs from it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/config/parameter.h"
#include "handrail/config/parameter_values.h"
#include "handrail/base/result.h"
#include "handrail/explore/arm_width.h"
#include "handrail/explore/gamma.h"
#include "handrail/explore/weighting.h"
#include "handrail/oracle/mlp.h"
#include "handrail/policy/entry.h"
#include "handrail/policy/igw.h"
#include "handrail/safety/gate.h"

namespace handrail {

enum class OracleKind : std::uint8_t { kRidge = 0, kLinear = 1, kMlp = 2 };
enum class MembersChoice : std::uint8_t { kAuto = 0, kRisky = 1, kOpen = 2 };
enum class LossChoice : std::uint8_t { kAuto = 0, kSquare = 1, kLog = 2 };
enum class RidgeRegret : std::uint8_t { kBound = 0, kRealised = 1 };

// Everything that a SPEC can set. What is none or auto is settled by resolve().
struct AgentConfig {
  std::string preset;
  const PolicyEntry* policy = &kIgwPolicy;
  Weighting weighting = Weighting::kAbsolute;
  GammaConfig gamma;  // its scale comes from below
  std::optional<double> gamma_scale;
  double floor = 0.0;
  double epsilon = 0.05;
  std::optional<double> bonus_scale;

  OracleKind oracle = OracleKind::kMlp;
  LossChoice loss = LossChoice::kAuto;
  std::optional<double> learning_rate;
  double ceiling = 0.7;
  double lambda = 1.0;
  std::optional<double> radius;
  RidgeRegret ridge_regret = RidgeRegret::kBound;
  double sigma = 0.5;
  MlpConfig mlp;

  GateKind gate = GateKind::kCertified;
  MembersChoice members = MembersChoice::kAuto;
  BoundKind bound = BoundKind::kMinimum;
  double margin_scale = 16.0;
  MarginRounds margin_rounds = MarginRounds::kM;
  std::optional<double> regret_bound;
  std::size_t checkpoint_every = 100;
  std::optional<double> future_cost;
  double baseline_floor = 0.1;
  double delta_split = 0.5;
  ArmWidth arm_width = ArmWidth::kSecond;
  std::optional<double> budget_regret;

  bool learn_from_baseline = true;
  std::size_t pending_limit = 1'000'000;

  // Parameters that the policy's entry lists, as far as they were given. Which policy it is may be
  // said after them, so resolve() looks at these texts.
  ParameterTexts own;
};

// A parameter that a SPEC or a TOML file can name. Printing a value and parsing it back is the
// identity.
struct Parameter {
  ParameterSpec spec;
  std::string_view group;
  std::string (*print)(const AgentConfig&, const Parameter&) = nullptr;
  bool (*parse)(AgentConfig&, std::string_view, const Parameter&) = nullptr;
};

// An agent by name: the parameters in which it differs from the defaults, as in a SPEC.
struct Preset {
  std::string_view name;
  std::string_view meaning;
  std::string settings;
};

// Those that any agent has. A policy may have more of its own: PolicyEntry::parameters.
std::span<const Parameter> parameters();
std::span<const Preset> presets();

// The preset by this name; NAME@paper is NAME with the paper's choices throughout.
Result<AgentConfig> find_preset(std::string_view name);
// Sets one parameter. An unknown key is an error that names the nearest known one.
Status set_parameter(AgentConfig& config, std::string_view key, std::string_view value);
Result<AgentConfig> parse_agent(std::string_view spec);

// Settles what depends on other choices, and refuses parts that do not fit together.
Status resolve(AgentConfig& config);
// Both at once: the configuration that a SPEC stands for.
Result<AgentConfig> resolve_agent(std::string_view spec);

// The values of the policy's own parameters. Views `config`, which is resolved.
ParameterValues own_values(const AgentConfig& config);

// The γ schedule of a resolved configuration.
GammaConfig schedule_of(const AgentConfig& config, double delta);
// The SPEC of a resolved configuration, every parameter spelled out.
std::string print_spec(const AgentConfig& config);

// Every parameter and its value as text, in the order of parameters(), then the policy's own.
std::vector<std::pair<std::string_view, std::string>> print_parameters(const AgentConfig& config);

}  // namespace handrail
