#include "handrail/eval/audit.h"

#include <algorithm>
#include <array>

#include "handrail/agent/common_rows.h"
#include "handrail/agent/factory.h"
#include "handrail/base/json.h"
#include "handrail/base/random.h"
#include "handrail/base/text.h"
#include "handrail/explore/weighting.h"
#include "handrail/oracle/learning_parameters.h"
#include "handrail/safety/propensity.h"
#include "handrail/safety/regret_bound.h"

namespace handrail {

using enum RoundField;

bool Auditor::regret_bound_is(std::string_view source) const {
  const auto found = header_.config.find("regret_bound_source");
  return found != header_.config.end() && found->second == source;
}

Result<Auditor> Auditor::make(const TraceHeader& header) {
  Auditor auditor(header);
  const Status read = auditor.read_parts();
  if (!read.ok()) return Error{"the header: " + read.error().message};
  return auditor;
}

// The agent that a header states, at the parameters that it stands for.
Result<AgentConfig> Auditor::stated_agent() const {
  if (header_.members == kAutoWord.front()) {
    return Error{"its members are \"auto\"; a trace says which they were"};
  }
  std::map<std::string, std::string> stated = header_.config;
  stated.erase("regret_bound_source");
  stated.erase("chance_error");
  stated[std::string(kPolicyKey)] = header_.policy;
  stated[std::string(kGateKey)] = header_.gate;
  if (!header_.weighting.empty()) stated[std::string(kWeightingRow.name)] = header_.weighting;
  stated[std::string(kMembersRow.name)] = header_.members;
  std::vector<Setting> keys;
  for (const auto& [key, value] : stated) keys.push_back({.key = key, .value = value});
  Result<AgentConfig> config = agent_of_keys(keys);
  if (!config.ok()) return config;
  // Later checks read these, so they must be said: a default would be a guess.
  std::vector<const ParameterSpec*> needed = {&kGammaRow, &kGammaScaleRow, &kGammaExponentRow,
                                              &kBoundRow, &kLossRow};
  const auto& of_policy = config.value().policy->common;
  needed.insert(needed.end(), of_policy.begin(), of_policy.end());
  for (const ParameterSpec* row : needed) {
    if (stated.contains(std::string(row->name))) continue;
    return Error{"its config does not say " + std::string(row->name)};
  }
  return config;
}

// A header is input: every part that a later check reads is looked at here.
Status Auditor::read_parts() {
  Result<AgentConfig> stated = stated_agent();
  if (!stated.ok()) return stated.error();
  config_ = std::move(stated).value();
  values_ = policy_values(config_);
  if (regret_bound_is("given") && !given_regret_bound(values_).has_value()) {
    return Error{"its config has no number for regret_bound, and says it was given"};
  }
  traits_ = config_.gate->traits;
  // Only of arms that are the same in every round does a gate read the layout without features.
  const AgentFrame frame = {
      .alpha = header_.alpha,
      .reserve = header_.reserve,
      .delta = header_.delta,
      .seed = header_.seed,
      .baseline_known = header_.baseline_known,
      .layout = {.shape = FeatureShape::kBlock, .feature_count = 1, .block_count = header_.arms}};
  members_ = members_of(config_, frame);
  schedule_ = schedule_in(values_, frame.delta);
  ledger_ = Ledger({.alpha = header_.alpha, .reserve = header_.reserve});
  if (!traits_.reads_features) gate_ = make_gate(config_, frame);
  least_baseline_chance_ = gate_ == nullptr ? 0.0 : gate_->least_baseline_chance();
  if (header_.first_round != 1) {
    return Error{"it begins at round " + std::to_string(header_.first_round) +
                 "; give the part before it too, in order"};
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
  for (const Check agrees : kBefore) {
    std::optional<Difference> difference = (this->*agrees)(round);
    if (difference.has_value()) return difference;
  }
  book(round);
  book_arrivals(round.t);
  return check_slack(round);
}

// Pairs [arm, number] for a policy that speaks of a few arms, and for no other.
std::optional<Difference> Auditor::check_support(const TraceRound& round) const {
  if (config_.policy->sparse == round.support.empty()) {
    return mismatch(kPredictedCosts, round.support.empty() ? "numbers" : "pairs",
                    round.support.empty() ? "pairs of an arm and a number" : "numbers");
  }
  if (round.support.empty()) return std::nullopt;
  const auto last = check_arm(kPredictedCosts, round.support.back(), header_.arms);
  if (last.has_value()) return last;
  for (const auto& [field, arm] :
       {std::pair(kCandidate, round.candidate), std::pair(kArm, round.arm),
        std::pair(kBaselineArm, round.baseline_arm)}) {
    const bool spoken_of = arm < header_.arms && is_in(round.support, static_cast<ArmIndex>(arm));
    if (!spoken_of) {
      return out_of_place(field, static_cast<double>(arm), "an arm of predicted_costs");
    }
  }
  return std::nullopt;
}

std::optional<Difference> Auditor::check_shape(const TraceRound& round) const {
  const std::uint64_t arms = header_.arms;
  const std::size_t predicted = round.predicted_costs.size();
  if (round.t != rounds_ + 1) {
    return out_of_place(kT, static_cast<double>(round.t), std::to_string(rounds_ + 1));
  }
  const std::optional<Difference> few = check_support(round);
  if (few.has_value()) return few;
  const std::uint64_t spoken_of = round.support.empty() ? arms : round.support.size();
  const std::uint64_t predictions_expected = config_.policy->predicts ? spoken_of : 0;
  if (predicted != predictions_expected) {
    return out_of_place(kPredictedCosts, static_cast<double>(predicted),
                        std::to_string(predictions_expected) + " numbers");
  }
  const bool may_lack_chances =
      config_.policy->draws && round.distribution.empty() && round.support.empty();
  if (round.distribution.size() != spoken_of && !may_lack_chances) {
    return out_of_place(kDistribution, static_cast<double>(round.distribution.size()),
                        std::to_string(spoken_of) + " numbers");
  }
  const double least = config_.policy->weighs_gaps &&
                               values_.choice<Weighting>(kWeightingRow) == Weighting::kRelative
                           ? kRelativeCostFloor
                           : 0.0;
  for (const double cost : round.predicted_costs) {
    if (!(cost >= least && cost <= 1.0)) {
      return out_of_place(kPredictedCosts, cost, "a number in [" + to_text(least) + ", 1]");
    }
  }
  const bool comes = round.cost.has_value() && round.arrives.has_value();
  if (comes && *round.arrives < round.t) {
    return out_of_place(kArrives, static_cast<double>(*round.arrives), "this round or later");
  }
  const bool best_is_best = round.best_cost <= round.expected_cost;
  return first_of(std::array{
      round.distribution.empty() ? std::nullopt
                                 : check_probabilities(kDistribution, round.distribution),
      check_arm(kCandidate, round.candidate, arms), check_arm(kArm, round.arm, arms),
      check_arm(kBaselineArm, round.baseline_arm, arms),
      check_share(kBaselineCost, round.baseline_cost), check_share(kCost, round.cost.value_or(0.0)),
      check_share(kExpectedCost, round.expected_cost), check_share(kBestCost, round.best_cost),
      best_is_best ? std::nullopt
                   : std::optional(out_of_place(kBestCost, round.best_cost,
                                                "at most the played arm's expected cost"))});
}

std::optional<Difference> Auditor::check_regret_bound(const TraceRound& round) const {
  if (!traits_.uses_regret_bound) {
    return compare(kRegretBound, round.regret_bound, std::nullopt);
  }
  if (!round.regret_bound.has_value() || !(*round.regret_bound >= 0.0)) {
    return mismatch(kRegretBound, text_of(round.regret_bound), "a number from 0 on");
  }
  if (regret_bound_is("assumed")) return compare(kRegretBound, *round.regret_bound, 1.0);
  if (regret_bound_is("given")) {
    return compare(kRegretBound, round.regret_bound, given_regret_bound(values_));
  }
  return std::nullopt;  // an oracle's promise
}

// A policy's own schedule is its own business. The paper's divide by Reg, which the trace shows
// only where the gate uses it too.
bool Auditor::gamma_is_checkable() const {
  if (config_.policy->own_gamma) return false;
  return !reads_regret_bound(schedule_.kind) || traits_.uses_regret_bound ||
         !regret_bound_is("oracle");
}

std::optional<Difference> Auditor::check_gamma(const TraceRound& round) const {
  const PolicyEntry& policy = *config_.policy;
  if (!policy.weighs_gaps && !policy.own_gamma) {
    return compare(kGamma, round.gamma, std::nullopt);
  }
  if (!round.gamma.has_value() || !(*round.gamma >= 0.0)) {
    return mismatch(kGamma, text_of(round.gamma), "a number from 0 on");
  }
  if (!gamma_is_checkable()) return std::nullopt;
  const double assumed = given_regret_bound(values_).value_or(1.0);
  const double regret_bound = round.regret_bound.value_or(assumed);
  return compare(kGamma, *round.gamma,
                 gamma_of(schedule_, {.arm_count = header_.arms,
                                      .explored = ledger_.explored(),
                                      .explored_cost_sum = ledger_.explored_cost_sum(),
                                      .regret_bound = regret_bound}));
}

std::optional<Difference> Auditor::check_distribution(const TraceRound& round) const {
  const ArmIndex baseline = place_in(round, round.baseline_arm);
  const double floor = least_baseline_chance_;
  // Also of a distribution that is believed: the gate divides by it.
  if (!round.distribution.empty() &&
      round.distribution[baseline] < floor * (1.0 - kRelativeRounding)) {
    return out_of_place({kDistribution, baseline}, round.distribution[baseline],
                        "at least " + to_text(floor) + ", which the gate keeps for it");
  }
  const PolicyEntry& policy = *config_.policy;
  if (policy.recompute == nullptr && !policy.one_arm) return std::nullopt;
  // Which arm it prefers may need all features; that it prefers one does not.
  std::vector<double> without_floor = round.distribution;
  if (!without_floor.empty()) without_floor[baseline] -= floor;
  const auto most = std::ranges::max_element(without_floor);
  const auto preferred = static_cast<ArmIndex>(most - without_floor.begin());
  Distribution expected = policy.one_arm ? Distribution::certain(header_.arms, preferred, {})
                                         : policy.recompute(shown_in(round));
  if (expected.size() != round.distribution.size()) {
    return mismatch(kDistribution, std::to_string(round.distribution.size()) + " arms",
                    "other arms, such as the one that was drawn");
  }
  expected = Distribution::with_floor(std::move(expected), header_.floor);
  expected = Distribution::toward(std::move(expected), baseline, floor);
  if (traits_.selects) return std::nullopt;  // given verdicts that need all features
  for (ArmIndex place = 0; place < round.distribution.size(); ++place) {
    auto difference = compare({kDistribution, arm_at(round.support, place)},
                              round.distribution[place], expected[place]);
    if (difference.has_value()) return difference;
  }
  return std::nullopt;
}

std::optional<Difference> Auditor::check_candidate(const TraceRound& round) const {
  if (round.distribution.empty()) return std::nullopt;
  const ArmIndex greedy =
      round.predicted_costs.empty() ? ArmIndex{0} : greedy_arm(round.predicted_costs);
  const Distribution distribution(round.distribution, greedy);
  const double u = RandomStream(header_.seed, Purpose::kArmSampling, round.t).uniform();
  const ArmIndex drawn = arm_at(round.support, distribution.sample(u));
  if (drawn == round.candidate) return std::nullopt;
  return mismatch(kCandidate, std::to_string(round.candidate), std::to_string(drawn));
}

// A gate whose baseline floor shapes the draw has to be told the chances.
bool Auditor::follows() const {
  return gate_ != nullptr && !(config_.policy->draws && least_baseline_chance_ > 0.0);
}

GateQuestion Auditor::question_of(const TraceRound& round) const {
  return {
      .features = nullptr,
      .baseline = {.arm = static_cast<ArmIndex>(round.baseline_arm), .cost = round.baseline_cost},
      .costs = {round.predicted_costs, round.support},
      .regret_bound = round.regret_bound.value_or(1.0),
      .allowance = ledger_.allowance(round.baseline_cost)};
}

Sides Auditor::sides_of(const TraceRound& round) const {
  if (!follows()) {
    return {.exposure = {.value = round.exposure, .margin = round.margin},
            .allowance = round.allowance};
  }
  Scratch scratch;
  return gate_->sides(question_of(round), static_cast<ArmIndex>(round.candidate), scratch);
}

std::optional<Difference> Auditor::check_sides(const TraceRound& round) const {
  Sides sides = sides_of(round);
  // An infinite exposure is written as 0, since JSON cannot say it.
  if (traits_.never_admits) sides.exposure.value = 0.0;
  if (!follows() && !traits_.own_allowance) {
    sides.allowance = ledger_.allowance(round.baseline_cost);
  }
  return first_of(
      std::array{compare(kExposure, round.exposure, sides.exposure.value),
                 compare(kMargin, round.margin, sides.exposure.margin, sides.exposure.value),
                 compare(kAllowance, round.allowance, sides.allowance)});
}

std::optional<Difference> Auditor::check_choice(const TraceRound& round) const {
  const bool spared = traits_.spares_baseline_arm && round.candidate == round.baseline_arm;
  const bool admitted = !traits_.never_admits && !spared && admits(round.exposure, round.allowance);
  const bool explored = round.choice == Choice::kExplore;
  if (explored != admitted) {
    return mismatch(kChoice, explored ? "explore" : "baseline", admitted ? "explore" : "baseline");
  }
  const std::uint64_t arm = admitted ? round.candidate : round.baseline_arm;
  if (round.arm == arm) return std::nullopt;
  return mismatch(kArm, std::to_string(round.arm), std::to_string(arm));
}

std::vector<std::uint8_t> Auditor::admitted_in(const TraceRound& round) const {
  const bool explored = round.choice == Choice::kExplore;
  // A round without chances speaks of all arms: check_shape() has seen to that.
  const std::size_t places = round.distribution.empty() ? header_.arms : round.distribution.size();
  std::vector<std::uint8_t> admitted(places, explored ? 1 : 0);
  if (traits_.judges_arms() && follows()) {
    GateQuestion question = question_of(round);
    question.before = gate_->sides_before(question);
    Scratch scratch;
    for (std::size_t a = 0; a < admitted.size(); ++a) {
      const Sides sides = gate_->sides(question, arm_at(round.support, a), scratch);
      admitted[a] = admits(sides.exposure.value, sides.allowance) ? 1 : 0;
    }
  }
  // The one verdict that the recomputed sides can turn is one that ties to the last bits.
  admitted[place_in(round, round.candidate)] = explored ? 1 : 0;
  return admitted;
}

std::optional<Difference> Auditor::check_propensity(const TraceRound& round) const {
  const bool judges_arms = traits_.judges_arms();
  if (round.distribution.empty()) {
    const bool certain = !judges_arms && round.choice == Choice::kBaseline;
    return compare(kPropensity, round.propensity, certain ? std::optional(1.0) : std::nullopt);
  }
  // Which arms were up for selection may be a draw too, and nobody counts the others.
  const bool draws = config_.policy->draws || config_.policy->marginal != nullptr;
  if (draws && traits_.selects && !round.propensity.has_value()) return std::nullopt;
  if (config_.policy->marginal != nullptr) return check_marginal(round);
  // The verdict on arms that were not drawn may need their features.
  if (judges_arms && !follows() && !config_.policy->one_arm) {
    return check_share(kPropensity, round.propensity.value_or(-1.0));
  }
  const Distribution distribution(round.distribution, 0);
  return compare(
      kPropensity, round.propensity,
      std::optional(propensity_of(distribution, place_in(round, round.arm),
                                  place_in(round, round.baseline_arm), admitted_in(round))));
}

// The chance over the policy's own draws too. Where it is an estimate, or nobody knows it, that has
// to be believed.
std::optional<Difference> Auditor::check_marginal(const TraceRound& round) const {
  if (round.propensity.has_value() != round.propensity_stderr.has_value()) {
    return mismatch(kPropensityError, text_of(round.propensity_stderr),
                    round.propensity.has_value() ? "a number" : "null");
  }
  const bool is_baseline = round.arm == round.baseline_arm;
  const bool judges_arms = traits_.judges_arms();
  std::optional<double> expected;
  if (!judges_arms && round.choice == Choice::kBaseline) {
    expected = 1.0;
  } else if (judges_arms && is_baseline) {
    return compare(kPropensity, round.propensity, std::nullopt);
  } else {
    const std::optional<double> chance =
        config_.policy->marginal(shown_in(round), static_cast<ArmIndex>(round.arm));
    if (!chance.has_value()) return check_estimate(round);
    const double floor = least_baseline_chance_;
    expected = chance_with_floor(*chance, floor, is_baseline);
  }
  return first_of(std::array{compare(kPropensity, round.propensity, expected),
                             compare(kPropensityError, round.propensity_stderr, 0.0)});
}

std::optional<Difference> Auditor::check_estimate(const TraceRound& round) {
  if (!round.propensity.has_value()) return std::nullopt;
  const bool error_good = *round.propensity_stderr >= 0.0 && *round.propensity_stderr <= 1.0;
  return first_of(
      std::array{check_share(kPropensity, *round.propensity),
                 error_good ? std::nullopt
                            : std::optional(out_of_place(kPropensityError, *round.propensity_stderr,
                                                         "a number in [0, 1]"))});
}

ShownProposal Auditor::shown_in(const TraceRound& round) const {
  return {.values = values_,
          .arm_count = header_.arms,
          .support = round.support,
          .costs = round.predicted_costs,
          .gamma = round.gamma,
          .stream = RandomStream(header_.seed, Purpose::kPolicy, round.t)};
}

ArmIndex Auditor::place_in(const TraceRound& round, std::uint64_t arm) {
  return static_cast<ArmIndex>(place_of(round.support, static_cast<ArmIndex>(arm)));
}

double Auditor::centre_of(const TraceRound& round, std::uint64_t arm) const {
  return round.predicted_costs.empty() ? ledger_.charged_cost_mean()
                                       : round.predicted_costs[place_in(round, arm)];
}

std::optional<Difference> Auditor::check_centre(const TraceRound& round) const {
  return compare(kCentre, round.centre, centre_of(round, round.arm));
}

std::optional<Difference> Auditor::check_slack(const TraceRound& round) const {
  if (!traits_.certifies) return compare(kSlack, round.slack, std::nullopt);
  if (!round.slack.has_value()) return mismatch(kSlack, "null", "a number");
  if (!follows()) return std::nullopt;
  const double earned = ledger_.earned();
  const double largest = std::max(earned, round.exposure);  // of what the slack is a difference of
  return compare(kSlack, *round.slack, *gate_->slack(earned), largest);
}

Decision Auditor::decision_of(const TraceRound& round) const {
  Decision decision;
  decision.sequence = round.t;
  decision.choice = round.choice;
  decision.arm = static_cast<ArmIndex>(round.arm);
  decision.candidate = static_cast<ArmIndex>(round.candidate);
  decision.baseline = {.arm = static_cast<ArmIndex>(round.baseline_arm),
                       .cost = round.baseline_cost};
  decision.centre = round.centre;
  decision.baseline_centre = centre_of(round, round.baseline_arm);
  if (gate_ != nullptr) {
    decision.baseline_centre = gate_->baseline_centre(decision.baseline_centre);
  }
  // Chances are unknown where a policy drew once, and then proposed nothing but what it drew.
  const Distribution distribution =
      round.distribution.empty() ? Distribution::certain(header_.arms, decision.candidate, {})
                                 : Distribution(round.distribution, 0);
  decision.predicted_cost = distribution.mean(round.predicted_costs);
  const ArmIndex baseline = place_in(round, round.baseline_arm);
  decision.baseline_chance = propensity_of(distribution, baseline, baseline, admitted_in(round));
  return decision;
}

void Auditor::book(const TraceRound& round) {
  ++rounds_;
  const Decision decision = decision_of(round);
  // Of a gate that reads features the header says which rounds it charges.
  const bool charged = gate_ != nullptr ? gate_->charges(decision) : is_member(members_, decision);
  ledger_.book(decision, charged);
  if (gate_ != nullptr) gate_->book(decision, charged);
  if (!round.cost.has_value() || !round.arrives.has_value()) return;
  under_way_[{*round.arrives, round.t}] = {.features = {},
                                           .arm = decision.arm,
                                           .choice = decision.choice,
                                           .cost = *round.cost,
                                           .charged = charged,
                                           .centre = decision.centre,
                                           .played_baseline = decision.arm == decision.baseline.arm,
                                           .baseline_centre = decision.baseline_centre,
                                           .baseline_chance = decision.baseline_chance};
}

void Auditor::book_arrivals(std::uint64_t t) {
  while (!under_way_.empty() && under_way_.begin()->first.first <= t) {
    const Observation& observation = under_way_.begin()->second;
    ledger_.reveal(observation.choice, observation.charged, observation.cost);
    if (gate_ != nullptr) gate_->reveal(observation);
    under_way_.erase(under_way_.begin());
  }
}

AuditScope Auditor::scope() const {
  AuditScope scope;
  const auto list = [&](RoundField field, bool checked) {
    (checked ? scope.checked : scope.trusted).emplace_back(name_of(field));
  };
  const PolicyEntry& policy = *config_.policy;
  const bool judges_arms = traits_.judges_arms();
  list(kT, true);
  list(kPredictedCosts, false);
  list(kGamma, gamma_is_checkable());
  list(kDistribution, policy.recompute != nullptr && !traits_.selects);
  list(kCandidate, !policy.draws);
  list(kExposure, follows());
  list(kMargin, follows());
  list(kAllowance, follows() || !traits_.own_allowance);
  list(kChoice, true);
  list(kArm, true);
  list(kPropensity, !policy.draws && policy.marginal == nullptr &&
                        (!judges_arms || follows() || policy.one_arm));
  list(kCentre, true);
  list(kRegretBound, !traits_.uses_regret_bound || !regret_bound_is("oracle"));
  list(kSlack, follows() || !traits_.certifies);
  scope.trusted.emplace_back(nested_name(name_of(kBaselineArm)).object);
  for (const RoundField field : {kCost, kArrives, kExpectedCost, kBestCost}) list(field, false);
  return scope;
}

}  // namespace handrail
