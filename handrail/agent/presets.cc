// The agents by name.
#include <array>
#include <limits>

#include "handrail/agent/config.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

void square_cb(AgentConfig& config) {
  config.policy = PolicyKind::kIgw;
  config.weighting = Weighting::kAbsolute;
  config.gamma.kind = GammaKind::kRounds;
}

void fast_cb(AgentConfig& config) {
  config.policy = PolicyKind::kIgw;
  config.weighting = Weighting::kRelative;
  config.gamma.kind = GammaKind::kCosts;
}

constexpr std::array<Preset, 10> kPresets = {{
    {"c-squarecb", "C-SquareCB: gap weighting over a network, certified gate", square_cb},
    {"c-fastcb", "C-FastCB: relative gap weighting, log loss, certified gate", fast_cb},
    {"squarecb", "SquareCB: C-SquareCB without a gate",
     [](AgentConfig& config) {
       square_cb(config);
       config.gate = GateKind::kOpen;
     }},
    {"fastcb", "FastCB: C-FastCB without a gate",
     [](AgentConfig& config) {
       fast_cb(config);
       config.gate = GateKind::kOpen;
     }},
    {"c-linucb", "conservative LinUCB (Kazerouni et al. 2017); safe for linear costs only",
     [](AgentConfig& config) {
       config.policy = PolicyKind::kLinUcb;
       config.gate = GateKind::kEllipsoid;
       config.learn_from_baseline = false;
     }},
    {"linucb", "LinUCB without a gate",
     [](AgentConfig& config) {
       config.policy = PolicyKind::kLinUcb;
       config.gate = GateKind::kOpen;
     }},
    {"baseline", "always the baseline",
     [](AgentConfig& config) {
       config.policy = PolicyKind::kUniform;
       config.gate = GateKind::kShut;
     }},
    {"uniform", "any arm, with equal chances",
     [](AgentConfig& config) {
       config.policy = PolicyKind::kUniform;
       config.gate = GateKind::kOpen;
     }},
    {"greedy", "the arm with the least predicted cost",
     [](AgentConfig& config) {
       config.policy = PolicyKind::kGreedy;
       config.gate = GateKind::kOpen;
     }},
    {"epsilon-greedy", "greedy, and with chance ε any arm",
     [](AgentConfig& config) {
       config.policy = PolicyKind::kEpsilonGreedy;
       config.gate = GateKind::kOpen;
     }},
}};

// NAME@paper: the choices of the paper's experiments where it states them, and of its algorithms
// where it does not.
void follow_the_paper(AgentConfig& config) {
  config.learn_from_baseline = false;
  if (config.policy == PolicyKind::kUniform || config.policy == PolicyKind::kLinUcb) return;
  if (config.gate == GateKind::kCertified) config.gate = GateKind::kPaper;
  // Algorithm 2's own schedule needs the best arm's expected cost, which no agent may see.
  config.gamma.kind =
      config.weighting == Weighting::kAbsolute ? GammaKind::kSqrt : GammaKind::kFirstOrder;
  config.loss = config.weighting == Weighting::kAbsolute ? LossChoice::kSquare : LossChoice::kLog;
  config.mlp.widths = {100};
  config.mlp.own_layer = OwnLayer::kFirst;
  config.mlp.skip = false;
  config.mlp.update = Update::kPeriodic;
  config.mlp.optimizer = Optimizer::kSgd;
  config.mlp.clip = std::numeric_limits<double>::infinity();
  config.mlp.pull = 0.0;
}

}  // namespace

std::span<const Preset> presets() {
  return kPresets;
}

Result<AgentConfig> find_preset(std::string_view name) {
  constexpr std::string_view kPaperSuffix = "@paper";
  const bool paper = name.ends_with(kPaperSuffix);
  const std::string_view plain = paper ? name.substr(0, name.size() - kPaperSuffix.size()) : name;
  std::vector<std::string_view> names;
  for (const Preset& preset : kPresets) {
    names.push_back(preset.name);
    if (preset.name != plain) continue;
    AgentConfig config;
    config.preset = std::string(name);
    preset.set(config);
    if (paper) follow_the_paper(config);
    return config;
  }
  return Error{"no agent is called \"" + std::string(name) + "\"; the nearest is \"" +
               std::string(nearest(plain, names)) + "\" (`handrail agents` lists all)"};
}

}  // namespace handrail
