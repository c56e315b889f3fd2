#include "handrail/eval/audit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "handrail/base/random.h"
#include "handrail/base/text.h"
#include "handrail/explore/weighting.h"
#include "handrail/safety/certified_gate.h"
#include "handrail/safety/model_gate.h"
#include "handrail/safety/propensity.h"

namespace handrail {
namespace {

// Sums may be taken in another order than the agent took them; nothing else may differ.
constexpr double kRelativeRounding = 1e-9;

bool agree(double stated, double recomputed) {
  const double scale = std::max({1.0, std::abs(stated), std::abs(recomputed)});
  return std::abs(stated - recomputed) <= kRelativeRounding * scale;
}

std::optional<Difference> compare(std::string_view field, double stated, double recomputed) {
  if (agree(stated, recomputed)) return std::nullopt;
  return Difference{std::string(field), to_text(stated), to_text(recomputed)};
}

std::string text_of(const std::optional<double>& number) {
  return number.has_value() ? to_text(*number) : "null";
}

std::optional<Difference> compare(std::string_view field, const std::optional<double>& stated,
                                  const std::optional<double>& recomputed) {
  if (stated.has_value() && recomputed.has_value()) return compare(field, *stated, *recomputed);
  if (stated.has_value() == recomputed.has_value()) return std::nullopt;
  return Difference{std::string(field), text_of(stated), text_of(recomputed)};
}

Difference out_of_place(std::string_view field, double stated, std::string_view expected) {
  return {std::string(field), to_text(stated), std::string(expected)};
}

std::optional<Difference> check_share(std::string_view field, double value) {
  if (value >= 0.0 && value <= 1.0) return std::nullopt;
  return out_of_place(field, value, "a number in [0, 1]");
}

std::optional<Difference> check_arm(std::string_view field, std::uint64_t arm, std::uint64_t arms) {
  if (arm < arms) return std::nullopt;
  return out_of_place(field, static_cast<double>(arm), "an arm below " + std::to_string(arms));
}

// Asserted by Distribution, and a trace is input: look before it is made one.
std::optional<Difference> check_probabilities(const std::vector<double>& p) {
  double sum = 0.0;
  for (std::size_t a = 0; a < p.size(); ++a) {
    const auto bad = check_share("distribution[" + std::to_string(a) + "]", p[a]);
    if (bad.has_value()) return bad;
    sum += p[a];
  }
  if (std::abs(sum - 1.0) <= static_cast<double>(p.size()) * 0x1.0p-52) return std::nullopt;
  return out_of_place("distribution", sum, "probabilities that sum to 1");
}

template <typename Checks>
std::optional<Difference> first_of(const Checks& checks) {
  for (const std::optional<Difference>& check : checks) {
    if (check.has_value()) return check;
  }
  return std::nullopt;
}

}  // namespace

bool Auditor::is(const char* key, std::string_view value) const {
  const auto found = header_.config.find(key);
  return found != header_.config.end() && found->second == value;
}

Result<Auditor> Auditor::make(const TraceHeader& header) {
  Auditor auditor(header);
  const Status read = auditor.read_parts();
  if (!read.ok()) return read.error();
  return auditor;
}

Status Auditor::read_parts() {
  constexpr std::array<std::string_view, 6> kGates = {"open",  "shut",  "certified",
                                                      "paper", "model", "ellipsoid"};
  constexpr std::array<std::string_view, 5> kPolicies = {"igw", "linucb", "uniform", "greedy",
                                                         "epsilon-greedy"};
  const auto gate = std::find(kGates.begin(), kGates.end(), header_.gate);
  if (gate == kGates.end()) return Error{"the header names gate \"" + header_.gate + "\", unknown"};
  gate_ = static_cast<GateName>(gate - kGates.begin());
  if (std::find(kPolicies.begin(), kPolicies.end(), header_.policy) == kPolicies.end()) {
    return Error{"the header names policy \"" + header_.policy + "\", unknown"};
  }
  if (header_.policy == "igw" && header_.weighting != "absolute" &&
      header_.weighting != "relative") {
    return Error{"the header names weighting \"" + header_.weighting + "\", unknown"};
  }
  if (header_.policy == "uniform" && (gate_ == GateName::kPaper || gate_ == GateName::kModel)) {
    return Error{"the header names gate \"" + header_.gate +
                 "\", which reads predicted costs, and policy \"uniform\", which has none"};
  }
  const Status numbers = read_config();
  if (!numbers.ok()) return numbers;
  paper_ = {
      .margin_scale = header_.margin_scale,
      .margin_rounds = header_.margin_rounds == "m" ? MarginRounds::kM : MarginRounds::kMPlusOne,
      .delta = header_.delta};
  terms_ = {.alpha = header_.alpha, .reserve = header_.reserve};
  risky_members_ = gate_ == GateName::kCertified && header_.members == "risky";
  if (header_.first_round != 1) {
    return Error{"the trace begins at round " + std::to_string(header_.first_round) +
                 "; give the part before it too, in order"};
  }
  return {};
}

// What later checks read of the config; a header is input and may hold anything.
Status Auditor::read_config() {
  constexpr std::array<std::string_view, 6> kGammas = {"constant",    "sqrt",   "episodic",
                                                       "first-order", "rounds", "costs"};
  const auto gamma = std::find(kGammas.begin(), kGammas.end(), header_.config["gamma"]);
  if (gamma == kGammas.end()) {
    return Error{"the header's config names gamma \"" + header_.config["gamma"] + "\", unknown"};
  }
  gamma_ = {.kind = static_cast<GammaKind>(gamma - kGammas.begin()),
            .scale = to_number(header_.config["gamma_scale"]).value_or(-1.0),
            .exponent = to_number(header_.config["gamma_exponent"]).value_or(-1.0),
            .best_cost = to_number(header_.config["best_cost"]),
            .delta = header_.delta};
  if (!(gamma_.scale >= 0.0) || !(gamma_.exponent >= 0.0)) {
    return Error{"the header's config has no gamma_scale and gamma_exponent from 0 on"};
  }
  epsilon_ = to_number(header_.config["epsilon"]).value_or(-1.0);
  if (header_.policy == "epsilon-greedy" && !(epsilon_ >= 0.0 && epsilon_ <= 1.0)) {
    return Error{"the header's config has no epsilon in [0, 1]"};
  }
  given_regret_bound_ = to_number(header_.config["regret_bound"]);
  if (is("regret_bound_source", "given") && !given_regret_bound_.has_value()) {
    return Error{"the header's config has no number for regret_bound, and says it was given"};
  }
  return {};
}

Status Auditor::check_continuation(const TraceHeader& header) const {
  if (header.first_round != rounds_ + 1) {
    return Error{"the trace begins at round " + std::to_string(header.first_round) +
                 "; the part before it ends with " + std::to_string(rounds_)};
  }
  TraceHeader as_if_first = header;
  as_if_first.first_round = header_.first_round;
  const bool same = as_if_first == header_;
  if (!same) return Error{"the trace is of another run than the part before it"};
  return {};
}

std::optional<Difference> Auditor::check(const TraceRound& round) {
  // Later checks rely on earlier ones: none runs on a round that is not even well formed.
  using Check = std::optional<Difference> (Auditor::*)(const TraceRound&) const;
  constexpr std::array<Check, 9> kBefore = {
      &Auditor::check_shape,        &Auditor::check_regret_bound, &Auditor::check_gamma,
      &Auditor::check_distribution, &Auditor::check_candidate,    &Auditor::check_sides,
      &Auditor::check_choice,       &Auditor::check_propensity,   &Auditor::check_centre};
  for (const Check follows : kBefore) {
    std::optional<Difference> difference = (this->*follows)(round);
    if (difference.has_value()) return difference;
  }
  book(round);
  book_arrivals(round.t);
  return check_slack(round);
}

std::optional<Difference> Auditor::check_shape(const TraceRound& round) const {
  const std::uint64_t arms = header_.arms;
  const std::size_t predicted = round.predicted_costs.size();
  if (round.t != rounds_ + 1) {
    return out_of_place("t", static_cast<double>(round.t), std::to_string(rounds_ + 1));
  }
  const std::uint64_t predictions_expected = header_.policy == "uniform" ? 0 : arms;
  if (predicted != predictions_expected) {
    return out_of_place("predicted_costs", static_cast<double>(predicted),
                        std::to_string(predictions_expected) + " numbers");
  }
  if (round.distribution.size() != arms) {
    return out_of_place("distribution", static_cast<double>(round.distribution.size()),
                        std::to_string(arms) + " numbers");
  }
  const double least = header_.weighting == "relative" ? kRelativeCostFloor : 0.0;
  for (const double cost : round.predicted_costs) {
    if (!(cost >= least && cost <= 1.0)) {
      return out_of_place("predicted_costs", cost, "a number in [" + to_text(least) + ", 1]");
    }
  }
  const bool comes = round.cost.has_value() && round.arrives.has_value();
  if (comes && *round.arrives < round.t) {
    return out_of_place("arrives", static_cast<double>(*round.arrives), "this round or later");
  }
  const bool best_is_best = round.best_cost <= round.expected_cost;
  return first_of(std::array{
      check_probabilities(round.distribution), check_arm("candidate", round.candidate, arms),
      check_arm("arm", round.arm, arms), check_arm("baseline.arm", round.baseline_arm, arms),
      check_share("baseline.cost", round.baseline_cost),
      check_share("cost", round.cost.value_or(0.0)),
      check_share("expected_cost", round.expected_cost), check_share("best_cost", round.best_cost),
      best_is_best ? std::nullopt
                   : std::optional(out_of_place("best_cost", round.best_cost,
                                                "at most the played arm's expected cost"))});
}

std::optional<Difference> Auditor::check_regret_bound(const TraceRound& round) const {
  if (gate_ != GateName::kPaper && gate_ != GateName::kModel) {
    return compare("regret_bound", round.regret_bound, std::nullopt);
  }
  if (!round.regret_bound.has_value() || !(*round.regret_bound >= 0.0)) {
    return Difference{"regret_bound", text_of(round.regret_bound), "a number from 0 on"};
  }
  if (is("regret_bound_source", "assumed"))
    return compare("regret_bound", *round.regret_bound, 1.0);
  if (is("regret_bound_source", "given")) {
    return compare("regret_bound", round.regret_bound, given_regret_bound_);
  }
  return std::nullopt;  // an oracle's promise
}

// The paper's schedules divide by Reg, which the trace shows only where the gate uses it too.
bool Auditor::gamma_is_checkable() const {
  const bool uses_bound = gamma_.kind == GammaKind::kSqrt || gamma_.kind == GammaKind::kEpisodic ||
                          gamma_.kind == GammaKind::kFirstOrder;
  const bool shown = gate_ == GateName::kPaper || gate_ == GateName::kModel;
  return !uses_bound || shown || !is("regret_bound_source", "oracle");
}

std::optional<Difference> Auditor::check_gamma(const TraceRound& round) const {
  if (header_.policy != "igw") return compare("gamma", round.gamma, std::nullopt);
  if (!round.gamma.has_value() || !(*round.gamma >= 0.0)) {
    return Difference{"gamma", text_of(round.gamma), "a number from 0 on"};
  }
  if (!gamma_is_checkable()) return std::nullopt;
  const bool given = is("regret_bound_source", "given");
  const double regret_bound = given ? *given_regret_bound_ : round.regret_bound.value_or(1.0);
  return compare("gamma", *round.gamma,
                 gamma_of(gamma_, {.arm_count = header_.arms,
                                   .explored = explored_,
                                   .explored_cost_sum = explored_cost_sum_,
                                   .regret_bound = regret_bound}));
}

std::optional<Difference> Auditor::check_distribution(const TraceRound& round) const {
  Distribution expected;
  if (header_.policy == "igw") {
    const Weighting weighting =
        header_.weighting == "absolute" ? Weighting::kAbsolute : Weighting::kRelative;
    expected = Distribution::with_floor(weigh(weighting, round.predicted_costs, *round.gamma, {}),
                                        header_.floor);
  } else if (header_.policy == "uniform") {
    expected = Distribution::uniform(header_.arms, {});
  } else if (header_.policy == "linucb") {
    // Which arm it prefers needs all features; that it prefers one does not.
    const auto greatest = std::max_element(round.distribution.begin(), round.distribution.end());
    expected = Distribution::certain(
        header_.arms, static_cast<ArmIndex>(greatest - round.distribution.begin()), {});
  } else {
    expected = Distribution::with_floor(
        Distribution::certain(header_.arms, greedy_arm(round.predicted_costs), {}),
        header_.policy == "greedy" ? 0.0 : epsilon_);
  }
  for (ArmIndex arm = 0; arm < header_.arms; ++arm) {
    auto difference = compare("distribution[" + std::to_string(arm) + "]", round.distribution[arm],
                              expected[arm]);
    if (difference.has_value()) return difference;
  }
  return std::nullopt;
}

std::optional<Difference> Auditor::check_candidate(const TraceRound& round) const {
  const ArmIndex greedy =
      round.predicted_costs.empty() ? ArmIndex{0} : greedy_arm(round.predicted_costs);
  const Distribution distribution(round.distribution, greedy);
  const double u = RandomStream(header_.seed, Purpose::kArmSampling, round.t).uniform();
  const ArmIndex drawn = distribution.sample(u);
  if (drawn == round.candidate) return std::nullopt;
  return Difference{"candidate", std::to_string(round.candidate), std::to_string(drawn)};
}

Auditor::Sides Auditor::sides_of(const TraceRound& round, std::uint64_t candidate) const {
  switch (gate_) {
    case GateName::kOpen:
    case GateName::kShut:
      return {};
    case GateName::kCertified:
      return {.exposure = upper_ + kCostCap, .margin = upper_ - observed_};
    case GateName::kPaper: {
      const double margin = paper_margin(paper_, explored_, *round.regret_bound);
      return {.exposure = round.predicted_costs[candidate] + predicted_cost_sum_ + margin,
              .margin = margin};
    }
    case GateName::kModel: {
      const double margin =
          is("loss", "log")
              ? log_loss_margin(predicted_cost_sum_, *round.regret_bound, header_.delta)
              : square_loss_margin(explored_, *round.regret_bound, header_.delta);
      return {.exposure = predicted_cost_sum_ + margin + kCostCap, .margin = margin};
    }
    case GateName::kEllipsoid:
      return {.exposure = round.exposure, .margin = round.margin};
  }
  HANDRAIL_ASSERT(false);
}

std::optional<Difference> Auditor::check_sides(const TraceRound& round) const {
  const Sides sides = sides_of(round, round.candidate);
  const double allowance = allowance_of(terms_, baseline_sums_, round.baseline_cost);
  return first_of(std::array{compare("exposure", round.exposure, sides.exposure),
                             compare("margin", round.margin, sides.margin),
                             compare("allowance", round.allowance, allowance)});
}

std::optional<Difference> Auditor::check_choice(const TraceRound& round) const {
  const bool admitted = gate_ != GateName::kShut && admits(round.exposure, round.allowance);
  const bool explored = round.choice == Choice::kExplore;
  if (explored != admitted) {
    return Difference{"choice", explored ? "explore" : "baseline",
                      admitted ? "explore" : "baseline"};
  }
  const std::uint64_t arm = admitted ? round.candidate : round.baseline_arm;
  if (round.arm == arm) return std::nullopt;
  return Difference{"arm", std::to_string(round.arm), std::to_string(arm)};
}

std::optional<Difference> Auditor::check_propensity(const TraceRound& round) const {
  const bool explored = round.choice == Choice::kExplore;
  std::vector<std::uint8_t> admitted(header_.arms, explored ? 1 : 0);
  if (gate_ == GateName::kPaper) {
    for (std::size_t a = 0; a < admitted.size(); ++a) {
      admitted[a] = admits(sides_of(round, a).exposure, round.allowance) ? 1 : 0;
    }
  }
  // The ellipsoid's verdict on arms that were not drawn needs their features.
  if (gate_ == GateName::kEllipsoid && header_.policy != "linucb") {
    return check_share("propensity", round.propensity);
  }
  const Distribution distribution(round.distribution, 0);
  const auto arm = static_cast<ArmIndex>(round.arm);
  const auto baseline = static_cast<ArmIndex>(round.baseline_arm);
  // The one verdict that the recomputed sides can turn is one that ties to the last bits.
  admitted[round.candidate] = explored ? 1 : 0;
  return compare("propensity", round.propensity,
                 propensity_of(distribution, arm, baseline, admitted));
}

std::optional<Difference> Auditor::check_centre(const TraceRound& round) const {
  if (!round.predicted_costs.empty()) {
    return compare("centre", round.centre, round.predicted_costs[round.arm]);
  }
  const double mean =
      charged_revealed_ == 0 ? 0.5 : charged_cost_sum_ / static_cast<double>(charged_revealed_);
  return compare("centre", round.centre, mean);
}

std::optional<Difference> Auditor::check_slack(const TraceRound& round) const {
  if (gate_ != GateName::kCertified) return compare("slack", round.slack, std::nullopt);
  return compare("slack", round.slack,
                 std::optional(allowance_of(terms_, baseline_sums_, 0.0) - upper_));
}

bool Auditor::charges(const TraceRound& round) const {
  return risky_members_ ? round.arm != round.baseline_arm : round.choice == Choice::kExplore;
}

double Auditor::bound() const {
  return is("bound", "mixture") ? mixture_bound(centre_sum_, growth_, header_.delta)
                                : minimum_bound(centre_sum_, growth_, header_.delta);
}

void Auditor::book(const TraceRound& round) {
  ++rounds_;
  const bool charged = charges(round);
  (charged ? baseline_sums_.charged : baseline_sums_.others) += round.baseline_cost;
  if (charged) {
    ++member_count_;
    centre_sum_ += round.centre;
    observed_ += 1.0;
    for (std::size_t j = 0; j < kRateCount; ++j) growth_[j] += log_growth(j, round.centre, 1.0);
    upper_ = std::min({upper_ + 1.0, static_cast<double>(member_count_), bound()});
  }
  if (round.choice == Choice::kExplore) {
    ++explored_;
    double mean = 0.0;
    for (std::size_t a = 0; a < round.predicted_costs.size(); ++a) {
      mean += round.distribution[a] * round.predicted_costs[a];
    }
    predicted_cost_sum_ += gate_ == GateName::kPaper ? mean : round.centre;
  }
  if (!round.cost.has_value() || !round.arrives.has_value()) return;
  under_way_[{*round.arrives, round.t}] = {
      .centre = round.centre, .charged = charged, .choice = round.choice, .cost = *round.cost};
}

void Auditor::book_arrivals(std::uint64_t t) {
  while (!under_way_.empty() && under_way_.begin()->first.first <= t) {
    reveal(under_way_.begin()->second);
    under_way_.erase(under_way_.begin());
  }
}

void Auditor::reveal(const Member& member) {
  if (member.choice == Choice::kExplore) explored_cost_sum_ += member.cost;
  if (!member.charged) return;
  charged_cost_sum_ += member.cost;
  ++charged_revealed_;
  observed_ += member.cost - 1.0;
  for (std::size_t j = 0; j < kRateCount; ++j) {
    growth_[j] += log_growth(j, member.centre, member.cost) - log_growth(j, member.centre, 1.0);
  }
  upper_ = std::min(upper_, bound());
}

AuditScope Auditor::scope() const {
  AuditScope scope;
  const auto sort = [&](const char* field, bool checked) {
    (checked ? scope.checked : scope.trusted).emplace_back(field);
  };
  const bool ellipsoid = gate_ == GateName::kEllipsoid;
  sort("t", true);
  sort("predicted_costs", false);
  sort("gamma", gamma_is_checkable());
  sort("distribution", header_.policy != "linucb");
  sort("candidate", true);
  sort("exposure", !ellipsoid);
  sort("margin", !ellipsoid);
  sort("allowance", true);
  sort("choice", true);
  sort("arm", true);
  sort("propensity", !ellipsoid || header_.policy == "linucb");
  sort("centre", true);
  sort("regret_bound", !is("regret_bound_source", "oracle"));
  sort("slack", true);
  for (const char* field : {"baseline", "cost", "arrives", "expected_cost", "best_cost"}) {
    sort(field, false);
  }
  return scope;
}

}  // namespace handrail
