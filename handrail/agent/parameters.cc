// The table of everything that a SPEC can set: one row a parameter.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "handrail/agent/config.h"
#include "handrail/base/assert.h"
#include "handrail/base/text.h"
#include "handrail/policy/registry.h"

namespace handrail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kManyCount = 1e9;

using Words = std::span<const std::string_view>;
constexpr std::array<std::string_view, 2> kWeightingWords = {"absolute", "relative"};
constexpr std::array<std::string_view, 6> kGammaWords = {"constant",    "sqrt",   "episodic",
                                                         "first-order", "rounds", "costs"};
constexpr std::array<std::string_view, 3> kOracleWords = {"ridge", "linear", "mlp"};
constexpr std::array<std::string_view, 3> kLossWords = {"auto", "square", "log"};
constexpr std::array<std::string_view, 2> kRidgeRegretWords = {"bound", "realised"};
constexpr std::array<std::string_view, 4> kActivationWords = {"relu", "softplus", "tanh", "gelu"};
constexpr std::array<std::string_view, 2> kParametrisationWords = {"standard", "ntk"};
constexpr std::array<std::string_view, 2> kOwnLayerWords = {"first", "output"};
constexpr std::array<std::string_view, 3> kUpdateWords = {"replay", "online", "periodic"};
constexpr std::array<std::string_view, 3> kReadingWords = {"steps", "mean", "newest"};
constexpr std::array<std::string_view, 3> kOptimizerWords = {"sgd", "adagrad", "adam"};
constexpr std::array<std::string_view, 2> kPrecisionWords = {"float", "double"};
constexpr std::array<std::string_view, 3> kScalingWords = {"auto", "on", "off"};
constexpr std::array<std::string_view, 3> kMembersWords = {"auto", "risky", "open"};
constexpr std::array<std::string_view, 2> kBoundWords = {"minimum", "mixture"};
constexpr std::array<std::string_view, 2> kMarginRoundsWords = {"m", "m_plus_one"};
constexpr std::array<std::string_view, 2> kArmWidthWords = {"first", "second"};
constexpr std::array<std::string_view, 2> kYesWords = {"no", "yes"};
constexpr std::array<std::string_view, 1> kAutoWord = {"auto"};
constexpr std::array<std::string_view, 1> kBetaWord = {"beta"};
constexpr std::array<std::string_view, 1> kEstimatedWord = {"estimated"};

// The member that a path of member pointers leads to: &AgentConfig::mlp, &MlpConfig::batch.
template <auto... Path>
auto& member(AgentConfig& config) {
  return (config.*....*Path);
}
template <auto... Path>
const auto& member(const AgentConfig& config) {
  return (config.*....*Path);
}

struct Range {
  double low;
  double high;
  bool low_is_open = false;
};
constexpr Range kShare = {.low = 0.0, .high = 1.0};
constexpr Range kPositiveShare = {.low = 1e-6, .high = 1.0};
constexpr Range kInnerShare = {.low = 1e-3, .high = 0.999};
constexpr Range kPositive = {.low = 0.0, .high = 1e9, .low_is_open = true};
constexpr Range kStep = {.low = 0.0, .high = 1e3, .low_is_open = true};
constexpr Range kPositiveOrInfinite = {.low = 0.0, .high = kInfinity, .low_is_open = true};
constexpr Range kFromZero = {.low = 0.0, .high = 1e9};
constexpr Range kCountFromOne = {.low = 1.0, .high = kManyCount};

Parameter row_of(std::string_view name, std::string_view group, Range range, Words words) {
  Parameter row;
  row.spec = {.name = name,
              .meaning = {},
              .fallback = {},
              .low = range.low,
              .high = range.high,
              .low_is_open = range.low_is_open,
              .words = words};
  row.group = group;
  return row;
}

template <auto... Path>
Parameter real(std::string_view name, std::string_view group, Range range) {
  Parameter row = row_of(name, group, range, {});
  row.print = [](const AgentConfig& c, const Parameter&) { return to_text(member<Path...>(c)); };
  row.parse = [](AgentConfig& c, std::string_view text, const Parameter& self) {
    const std::optional<double> number = number_of(self.spec, text);
    if (number.has_value()) member<Path...>(c) = *number;
    return number.has_value();
  };
  return row;
}

// A number, or the one word that stands for none.
template <auto... Path>
Parameter optional_real(std::string_view name, std::string_view group, Range range, Words word) {
  Parameter row = row_of(name, group, range, word);
  row.print = [](const AgentConfig& c, const Parameter& self) {
    const std::optional<double>& number = member<Path...>(c);
    return number.has_value() ? to_text(*number) : std::string(self.spec.words.front());
  };
  row.parse = [](AgentConfig& c, std::string_view text, const Parameter& self) {
    std::optional<double> number = number_of(self.spec, text);
    if (!number.has_value() && text != self.spec.words.front()) return false;
    member<Path...>(c) = number;
    return true;
  };
  return row;
}

template <auto... Path>
Parameter count(std::string_view name, std::string_view group, Range range) {
  Parameter row = row_of(name, group, range, {});
  row.print = [](const AgentConfig& c, const Parameter&) {
    return std::to_string(member<Path...>(c));
  };
  row.parse = [](AgentConfig& c, std::string_view text, const Parameter& self) {
    if (!to_count(text).has_value() || !number_of(self.spec, text).has_value()) return false;
    member<Path...>(c) = *to_count(text);
    return true;
  };
  return row;
}

// An enumeration whose enumerators count from 0 in the order of the words.
template <auto... Path>
Parameter word(std::string_view name, std::string_view group, Words words) {
  Parameter row = row_of(name, group, {.low = 0.0, .high = 0.0}, words);
  row.print = [](const AgentConfig& c, const Parameter& self) {
    return std::string(self.spec.words[static_cast<std::size_t>(member<Path...>(c))]);
  };
  row.parse = [](AgentConfig& c, std::string_view text, const Parameter& self) {
    const auto found = std::find(self.spec.words.begin(), self.spec.words.end(), text);
    if (found == self.spec.words.end()) return false;
    using Enumeration = std::remove_cvref_t<decltype(member<Path...>(c))>;
    member<Path...>(c) = static_cast<Enumeration>(found - self.spec.words.begin());
    return true;
  };
  return row;
}

// The policy by the name in its entry.
Parameter policy_word(std::string_view name, std::string_view group) {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (const PolicyEntry* policy : policies()) names.push_back(policy->name);
    return names;
  }();
  Parameter row = row_of(name, group, {.low = 0.0, .high = 0.0}, kNames);
  row.print = [](const AgentConfig& c, const Parameter&) { return std::string(c.policy->name); };
  row.parse = [](AgentConfig& c, std::string_view text, const Parameter&) {
    const PolicyEntry* found = find_policy(text);
    if (found != nullptr) c.policy = found;
    return found != nullptr;
  };
  return row;
}

// Hidden layers: 100, or 100x50 for two.
Parameter widths(std::string_view name, std::string_view group) {
  Parameter row = row_of(name, group, {.low = 1.0, .high = 1e6}, {});
  row.print = [](const AgentConfig& c, const Parameter&) {
    std::string text;
    for (const std::size_t width : c.mlp.widths) {
      if (!text.empty()) text += 'x';
      text += std::to_string(width);
    }
    return text;
  };
  row.parse = [](AgentConfig& c, std::string_view text, const Parameter& self) {
    std::vector<std::size_t> parsed;
    for (const std::string_view piece : split(text, 'x')) {
      if (!to_count(piece).has_value() || !number_of(self.spec, piece).has_value()) return false;
      parsed.push_back(*to_count(piece));
    }
    c.mlp.widths = std::move(parsed);
    return true;
  };
  return row;
}

Parameter with_meaning(Parameter row, std::string_view meaning) {
  row.spec.meaning = meaning;
  return row;
}

using C = AgentConfig;
using G = GammaConfig;
using M = MlpConfig;

std::vector<Parameter> policy_parameters() {
  return {
      with_meaning(policy_word("policy", "policy"), "how arms are proposed"),
      with_meaning(word<&C::weighting>("weighting", "policy", kWeightingWords),
                   "igw: gaps of C-SquareCB (absolute) or of C-FastCB (relative)"),
      with_meaning(word<&C::gamma, &G::kind>("gamma", "policy", kGammaWords),
                   "igw: constant: scale; sqrt, episodic: the paper's; first-order: max(10K, "
                   "√(K·(1+own costs)/Reg)); rounds: scale·(m+1)^exponent; costs: scale·(1+own "
                   "costs)^exponent"),
      with_meaning(optional_real<&C::gamma_scale>("gamma_scale", "policy", kFromZero, kAutoWord),
                   "scale of γ, for gamma=constant, rounds and costs; auto: 10; with "
                   "gamma=rounds 200 for oracle=linear and 100 for mlp"),
      with_meaning(
          real<&C::gamma, &G::exponent>("gamma_exponent", "policy", {.low = 0.0, .high = 4.0}),
          "exponent of γ, for gamma=rounds and costs"),
      with_meaning(
          optional_real<&C::gamma, &G::best_cost>("best_cost", "policy", kShare, kEstimatedWord),
          "for gamma=episodic: expected cost of the best arm per explored round, or "
          "estimated: own revealed costs stand in for it"),
      with_meaning(real<&C::floor>("floor", "policy", kShare),
                   "igw: ε of p ← (1−ε)p + ε/K; every arm keeps at least ε/K"),
      with_meaning(real<&C::epsilon>("epsilon", "policy", kShare),
                   "epsilon-greedy: chance of a uniform draw"),
      with_meaning(optional_real<&C::bonus_scale>("bonus_scale", "policy", kFromZero, kBetaWord),
                   "linucb: width of the confidence bonus; beta is the theory's"),
  };
}

std::vector<Parameter> oracle_parameters() {
  return {
      with_meaning(word<&C::oracle>("oracle", "oracle", kOracleWords),
                   "what predicts costs: ridge (Vovk-Azoury-Warmuth), linear (adaptive, "
                   "normalised), mlp (network)"),
      with_meaning(word<&C::loss>("loss", "oracle", kLossWords),
                   "what the oracle minimises; auto: log; ridge is always square; NAME@paper has "
                   "square with absolute gaps"),
      with_meaning(
          optional_real<&C::learning_rate>("lr", "oracle", kStep, kAutoWord),
          "step size; auto: linear 1.5 (square loss 0.5), mlp with adagrad 0.15 (square loss 0.1), "
          "adam 0.001, sgd 0.01"),
      with_meaning(
          real<&C::ceiling>("ceiling", "oracle", {.low = 0.0, .high = 1.0, .low_is_open = true}),
          "linear with log loss: a cost y is learned as the chance ceiling·y, so that a finite "
          "output predicts a cost of 1"),
      with_meaning(real<&C::lambda>("lambda", "oracle", {.low = 1e-6, .high = 1e9}),
                   "ridge, linucb, lints, glm-ucb, gates ellipsoid, contrast, safeset, stagewise: "
                   "regularisation λ"),
      with_meaning(
          optional_real<&C::radius>("radius", "oracle", kPositive, kAutoWord),
          "ridge, linucb, gates of linear costs: bound W on the true weights' norm; auto: 1, with "
          "block features √K"),
      with_meaning(word<&C::ridge_regret>("ridge_regret", "oracle", kRidgeRegretWords),
                   "ridge: promise the a-priori regret bound, or the regret realised so far"),
      with_meaning(
          real<&C::sigma>("sigma", "oracle", kPositive),
          "linucb, lints, gates of linear costs: sub-Gaussian scale of the noise; costs in [0, 1] "
          "have 1/2"),
  };
}

std::vector<Parameter> network_parameters() {
  return {
      with_meaning(widths("width", "mlp"), "units of the hidden layers: 100, or 100x50 for two"),
      with_meaning(word<&C::mlp, &M::activation>("activation", "mlp", kActivationWords),
                   "activation of the hidden layers"),
      with_meaning(
          word<&C::mlp, &M::parametrisation>("parametrisation", "mlp", kParametrisationWords),
          "standard: N(0, 2/fan_in) with biases; ntk: the paper's 1/√width layers without"),
      with_meaning(real<&C::mlp, &M::sigma_1>("sigma_1", "mlp", kPositive),
                   "ntk: the paper's σ_1, scale of the initial weights"),
      with_meaning(real<&C::mlp, &M::output_init>("output_init", "mlp", kFromZero),
                   "factor of the output layer's initial weights; standard only"),
      with_meaning(word<&C::mlp, &M::skip>("skip", "mlp", kYesWords),
                   "whether the output layer sees the features beside the hidden units"),
      with_meaning(word<&C::mlp, &M::own_layer>("own_layer", "mlp", kOwnLayerWords),
                   "the layer that each arm has for itself with block features: output, all arms "
                   "share the hidden layers; first, the paper's"),
      with_meaning(word<&C::mlp, &M::update>("update", "mlp", kUpdateWords),
                   "replay: minibatches from a buffer; online: one step an example; periodic: the "
                   "paper's every 10th round"),
      with_meaning(count<&C::mlp, &M::period>("period", "mlp", kCountFromOne),
                   "periodic: examples between updates"),
      with_meaning(
          word<&C::mlp, &M::reading>("reading", "mlp", kReadingWords),
          "periodic: single steps on each newest example, one on their mean, or one on the "
          "newest"),
      with_meaning(word<&C::mlp, &M::optimizer>("optimizer", "mlp", kOptimizerWords), "step rule"),
      with_meaning(count<&C::mlp, &M::batch>("batch", "mlp", kCountFromOne),
                   "replay: examples in a minibatch"),
      with_meaning(count<&C::mlp, &M::batches>("batches", "mlp", {.low = 1.0, .high = 1e6}),
                   "replay: minibatches an update"),
      with_meaning(real<&C::mlp, &M::newest_share>("newest", "mlp", kShare),
                   "replay: share of a minibatch that are the newest examples, and not drawn"),
      with_meaning(count<&C::mlp, &M::buffer_limit>("buffer", "mlp", kCountFromOne),
                   "replay: examples kept, the newest"),
      with_meaning(real<&C::mlp, &M::clip>("clip", "mlp", kPositiveOrInfinite),
                   "longest gradient norm; inf: no limit"),
      with_meaning(real<&C::mlp, &M::pull>("pull", "mlp", kFromZero),
                   "pull to the initial weights: adds pull·|θ−θ₀|² to the loss"),
      with_meaning(real<&C::mlp, &M::rho>("rho", "mlp", kPositiveOrInfinite),
                   "radius of the ball around each hidden layer's initial weights"),
      with_meaning(real<&C::mlp, &M::rho_1>("rho_1", "mlp", kPositiveOrInfinite),
                   "the same for the output layer"),
      with_meaning(word<&C::mlp, &M::step_scaling>("step_scaling", "mlp", kScalingWords),
                   "divide steps by |∇f|²; auto: under ntk only"),
      with_meaning(count<&C::mlp, &M::ensemble>("ensemble", "mlp", {.low = 0.0, .high = 4096}),
                   "copies S of the paper's perturbed ensemble; 0: none"),
      with_meaning(real<&C::mlp, &M::perturbation>("c_p", "mlp", kFromZero),
                   "ensemble: the paper's c_p, scale of the perturbation"),
      with_meaning(word<&C::mlp, &M::precision>("precision", "mlp", kPrecisionWords),
                   "float: kernels for this processor; double: plain loops, the reference"),
  };
}

std::vector<Parameter> gate_parameters() {
  return {
      with_meaning(word<&C::gate>("gate", "gate", gate_words()),
                   "what must hold before a draw is played"),
      with_meaning(
          word<&C::members>("members", "gate", kMembersWords),
          "certified, safeset, checkpoint: which rounds the bound covers; auto: risky where the "
          "baseline cost is known per round, open where it is a mean"),
      with_meaning(
          word<&C::bound>("bound", "gate", kBoundWords),
          "certified gates, safeset, checkpoint: the minimum over rates, or the mixture, which is "
          "a little narrower and slower"),
      with_meaning(real<&C::margin_scale>("margin_scale", "gate", kFromZero),
                   "paper: scale of the margin; the paper prints 16"),
      with_meaning(word<&C::margin_rounds>("margin_rounds", "gate", kMarginRoundsWords),
                   "paper: rounds in the margin; m is as printed and leaves round one unprotected"),
      with_meaning(optional_real<&C::regret_bound>("regret_bound", "gate", kPositive, kAutoWord),
                   "paper, model, and γ of the paper: Reg; auto: the oracle's promise, else 1"),
      with_meaning(count<&C::checkpoint_every>("checkpoint_every", "gate", kCountFromOne),
                   "checkpoint: rounds from a checkpoint to the next; the constraint is held there "
                   "only"),
      with_meaning(
          optional_real<&C::future_cost>("future_cost", "gate", kShare, kAutoWord),
          "checkpoint: what the baseline will cost in any round to come, at least; auto: as in "
          "this round, where its cost is known as a mean or a floor"),
      with_meaning(real<&C::baseline_floor>("baseline_floor", "gate", kPositiveShare),
                   "certified-ips, certified-dr: ε of p ← (1−ε)p + ε·1_b; the baseline's arm "
                   "keeps at least that chance"),
      with_meaning(real<&C::delta_split>("delta_split", "gate", kInnerShare),
                   "certified-ips, certified-dr, certified-stationary: share of δ for the bound on "
                   "what exploration cost; the rest is for the baseline's cost"),
      with_meaning(word<&C::arm_width>("arm_width", "gate", kArmWidthWords),
                   "ucb, armwise, budget: how wide an arm's interval is, first: √(2·log(Ks³/δ)/s) "
                   "after s plays; second: with log log s, narrower from a few plays on"),
      with_meaning(
          optional_real<&C::budget_regret>("budget_regret", "gate", kPositive, kAutoWord),
          "budget: C such that the learner's regret after s rounds is at most C√s; auto: the bound "
          "of ucb, which is large"),
      with_meaning(word<&C::learn_from_baseline>("learn_from_baseline", "agent", kYesWords),
                   "whether the policy learns from rounds that played the baseline"),
      with_meaning(
          count<&C::pending_limit>("pending_limit", "agent", kCountFromOne),
          "decisions that may wait for their cost; past it the oldest is given up and stays "
          "charged at 1"),
  };
}

std::vector<Parameter> all_parameters() {
  std::vector<Parameter> all = policy_parameters();
  for (const auto& part : {oracle_parameters(), network_parameters(), gate_parameters()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace

std::span<const Parameter> parameters() {
  static const std::vector<Parameter> kAll = all_parameters();
  return kAll;
}

}  // namespace handrail
