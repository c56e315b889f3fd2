#include "handrail/eval/audit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "handrail/base/random.h"
#include "handrail/base/text.h"
#include "handrail/explore/weighting.h"
#include "handrail/safety/certified_gate.h"
#include "handrail/safety/propensity.h"

namespace handrail {
namespace {

// Sums may be taken in another order than the agent took them; nothing else may differ.
constexpr double kRelativeRounding = 1e-9;

// `scale` is for a difference of larger numbers, whose rounding is theirs.
std::optional<Difference> compare(std::string_view field, double stated, double recomputed,
                                  double scale = 0.0) {
  const double size = std::max({scale, std::abs(stated), std::abs(recomputed)});
  const double distance = std::abs(stated - recomputed);
  if (std::isfinite(size) && distance <= kRelativeRounding * size) return std::nullopt;
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
  for (std::size_t a = 0; a < p.size(); ++a) {
    const auto bad = check_share("distribution[" + std::to_string(a) + "]", p[a]);
    if (bad.has_value()) return bad;
  }
  if (Distribution::sum_to_one(p)) return std::nullopt;
  return out_of_place("distribution", std::accumulate(p.begin(), p.end(), 0.0),
                      "probabilities that sum to 1");
}

template <typename Checks>
std::optional<Difference> first_of(const Checks& checks) {
  for (const std::optional<Difference>& check : checks) {
    if (check.has_value()) return check;
  }
  return std::nullopt;
}

}  // namespace

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

// A header is input: every part that a later check reads is looked at here.
Status Auditor::read_parts() {
  std::map<std::string, std::string> stated = header_.config;
  stated.erase("regret_bound_source");
  stated["policy"] = header_.policy;
  stated["gate"] = header_.gate;
  if (!header_.weighting.empty()) stated["weighting"] = header_.weighting;
  stated["margin_rounds"] = header_.margin_rounds;
  for (const auto& [key, value] : stated) {
    const Status set = set_parameter(config_, key, value);
    if (!set.ok()) return set;
  }
  const Status fits = resolve(config_);
  if (!fits.ok()) return fits;
  for (const char* needed :
       {"gamma", "gamma_scale", "gamma_exponent", "epsilon", "bound", "loss"}) {
    if (!stated.contains(needed)) return Error{"its config does not say " + std::string(needed)};
  }
  if (regret_bound_is("given") && !config_.regret_bound.has_value()) {
    return Error{"its config has no number for regret_bound, and says it was given"};
  }
  config_.gamma = schedule_of(config_, header_.delta);
  paper_ = {.margin_scale = header_.margin_scale,
            .margin_rounds = config_.margin_rounds,
            .delta = header_.delta};
  model_ = {.loss = config_.loss == LossChoice::kLog ? Loss::kLog : Loss::kSquare,
            .delta = header_.delta};
  terms_ = {.alpha = header_.alpha, .reserve = header_.reserve};
  const bool risky = config_.gate == GateKind::kCertified && header_.members == "risky";
  members_ = risky ? Members::kRisky : Members::kOpen;
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
  const std::uint64_t predictions_expected = config_.policy == PolicyKind::kUniform ? 0 : arms;
  if (predicted != predictions_expected) {
    return out_of_place("predicted_costs", static_cast<double>(predicted),
                        std::to_string(predictions_expected) + " numbers");
  }
  if (round.distribution.size() != arms) {
    return out_of_place("distribution", static_cast<double>(round.distribution.size()),
                        std::to_string(arms) + " numbers");
  }
  const double least =
      config_.policy == PolicyKind::kIgw && config_.weighting == Weighting::kRelative
          ? kRelativeCostFloor
          : 0.0;
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
  if (config_.gate != GateKind::kPaper && config_.gate != GateKind::kModel) {
    return compare("regret_bound", round.regret_bound, std::nullopt);
  }
  if (!round.regret_bound.has_value() || !(*round.regret_bound >= 0.0)) {
    return Difference{"regret_bound", text_of(round.regret_bound), "a number from 0 on"};
  }
  if (regret_bound_is("assumed")) return compare("regret_bound", *round.regret_bound, 1.0);
  if (regret_bound_is("given")) {
    return compare("regret_bound", round.regret_bound, config_.regret_bound);
  }
  return std::nullopt;  // an oracle's promise
}

// The paper's schedules divide by Reg, which the trace shows only where the gate uses it too.
bool Auditor::gamma_is_checkable() const {
  const bool shown = config_.gate == GateKind::kPaper || config_.gate == GateKind::kModel;
  return !reads_regret_bound(config_.gamma.kind) || shown || !regret_bound_is("oracle");
}

std::optional<Difference> Auditor::check_gamma(const TraceRound& round) const {
  if (config_.policy != PolicyKind::kIgw) return compare("gamma", round.gamma, std::nullopt);
  if (!round.gamma.has_value() || !(*round.gamma >= 0.0)) {
    return Difference{"gamma", text_of(round.gamma), "a number from 0 on"};
  }
  if (!gamma_is_checkable()) return std::nullopt;
  const double assumed = config_.regret_bound.value_or(1.0);
  const double regret_bound = round.regret_bound.value_or(assumed);
  return compare("gamma", *round.gamma,
                 gamma_of(config_.gamma, {.arm_count = header_.arms,
                                          .explored = explored_,
                                          .explored_cost_sum = explored_cost_sum_,
                                          .regret_bound = regret_bound}));
}

std::optional<Difference> Auditor::check_distribution(const TraceRound& round) const {
  Distribution expected;
  switch (config_.policy) {
    case PolicyKind::kIgw:
      expected = weigh(config_.weighting, round.predicted_costs, *round.gamma, {});
      break;
    case PolicyKind::kUniform:
      expected = Distribution::uniform(header_.arms, {});
      break;
    case PolicyKind::kLinUcb: {
      // Which arm it prefers needs all features; that it prefers one does not.
      const auto most = std::max_element(round.distribution.begin(), round.distribution.end());
      const auto arm = static_cast<ArmIndex>(most - round.distribution.begin());
      expected = Distribution::certain(header_.arms, arm, {});
      break;
    }
    case PolicyKind::kGreedy:
    case PolicyKind::kEpsilonGreedy:
      expected = Distribution::certain(header_.arms, greedy_arm(round.predicted_costs), {});
      break;
  }
  expected = Distribution::with_floor(std::move(expected), header_.floor);
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

Exposure Auditor::exposure_of(const TraceRound& round, std::uint64_t candidate) const {
  switch (config_.gate) {
    case GateKind::kOpen:
    case GateKind::kShut:
      return {};
    case GateKind::kCertified:
      return certified_exposure(upper_, observed_);
    case GateKind::kPaper:
      return paper_exposure(paper_, paper_sums_, round.predicted_costs[candidate],
                            *round.regret_bound);
    case GateKind::kModel:
      return model_exposure(model_, model_sums_, *round.regret_bound);
    case GateKind::kEllipsoid:
      return {.value = round.exposure, .margin = round.margin};
  }
  HANDRAIL_ASSERT(false);
}

std::optional<Difference> Auditor::check_sides(const TraceRound& round) const {
  const Exposure exposure = exposure_of(round, round.candidate);
  const double allowance = allowance_of(terms_, baseline_sums_, round.baseline_cost);
  return first_of(std::array{compare("exposure", round.exposure, exposure.value),
                             compare("margin", round.margin, exposure.margin, exposure.value),
                             compare("allowance", round.allowance, allowance)});
}

std::optional<Difference> Auditor::check_choice(const TraceRound& round) const {
  const bool admitted = config_.gate != GateKind::kShut && admits(round.exposure, round.allowance);
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
  if (config_.gate == GateKind::kPaper) {
    for (std::size_t a = 0; a < admitted.size(); ++a) {
      admitted[a] = admits(exposure_of(round, a).value, round.allowance) ? 1 : 0;
    }
  }
  // The ellipsoid's verdict on arms that were not drawn needs their features.
  if (config_.gate == GateKind::kEllipsoid && config_.policy != PolicyKind::kLinUcb) {
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
  if (config_.gate != GateKind::kCertified) return compare("slack", round.slack, std::nullopt);
  if (!round.slack.has_value()) return Difference{"slack", "null", "a number"};
  const double earned = allowance_of(terms_, baseline_sums_, 0.0);
  return compare("slack", *round.slack, earned - upper_, earned);
}

bool Auditor::charges(const TraceRound& round) const {
  Decision decision;
  decision.choice = round.choice;
  decision.arm = static_cast<ArmIndex>(round.arm);
  decision.baseline.arm = static_cast<ArmIndex>(round.baseline_arm);
  return is_member(members_, decision);
}

void Auditor::book(const TraceRound& round) {
  ++rounds_;
  const bool charged = charges(round);
  (charged ? baseline_sums_.charged : baseline_sums_.others) += round.baseline_cost;
  if (charged) {
    ++member_count_;
    observed_ += 1.0;
    growth_.add(round.centre);
    upper_ = upper_after_member(upper_, member_count_, bound());
  }
  if (round.choice == Choice::kExplore) {
    explored_ = ++paper_sums_.explored;
    model_sums_.explored = explored_;
    paper_sums_.predicted_cost += Distribution(round.distribution, 0).mean(round.predicted_costs);
    model_sums_.predicted_cost += round.centre;
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
  growth_.correct(member.centre, member.cost);
  upper_ = std::min(upper_, bound());
}

AuditScope Auditor::scope() const {
  AuditScope scope;
  const auto list = [&](const char* field, bool checked) {
    (checked ? scope.checked : scope.trusted).emplace_back(field);
  };
  const bool ellipsoid = config_.gate == GateKind::kEllipsoid;
  const bool linucb = config_.policy == PolicyKind::kLinUcb;
  const bool shown = config_.gate == GateKind::kPaper || config_.gate == GateKind::kModel;
  list("t", true);
  list("predicted_costs", false);
  list("gamma", gamma_is_checkable());
  list("distribution", !linucb);
  list("candidate", true);
  list("exposure", !ellipsoid);
  list("margin", !ellipsoid);
  list("allowance", true);
  list("choice", true);
  list("arm", true);
  list("propensity", !ellipsoid || linucb);
  list("centre", true);
  list("regret_bound", !shown || !regret_bound_is("oracle"));
  list("slack", true);
  for (const char* field : {"baseline", "cost", "arrives", "expected_cost", "best_cost"}) {
    list(field, false);
  }
  return scope;
}

}  // namespace handrail
