#include "tests/statistics/reference_loop.h"

#include <algorithm>
#include <utility>

#include "handrail/agent/factory.h"
#include "handrail/base/assert.h"
#include "handrail/base/random.h"

namespace handrail {

namespace {

// Oracle and policy of the SPEC mean nothing: ridge keeps every gate from asking for more.
std::unique_ptr<Gate> gate_of(const std::string& gate, const FeatureLayout& layout) {
  const Result<AgentConfig> config = parse_agent("squarecb:oracle=ridge," + gate);
  HANDRAIL_ASSERT(config.ok());
  return make_gate(config.value(), {.alpha = kAlpha, .delta = kDelta, .layout = layout});
}

}  // namespace

ReferenceLoop::ReferenceLoop(const Environment& environment, std::unique_ptr<Policy> policy,
                             const std::string& gate, std::uint64_t seed)
    : environment_(environment),
      policy_(std::move(policy)),
      gate_(gate_of(gate, environment.layout())),
      ledger_({.alpha = kAlpha, .reserve = 0.0}),
      seed_(seed),
      metrics_(kAlpha, 0.0) {}

Decision ReferenceLoop::plan(const Round& round) {
  const double regret_bound = policy_->regret_bound().value_or(1.0);
  Decision decision;
  decision.sequence = metrics_.rounds() + 1;
  policy_->propose(round,
                   {.explored = ledger_.explored(),
                    .explored_cost_sum = ledger_.explored_cost_sum(),
                    .regret_bound = regret_bound},
                   RandomStream(seed_, Purpose::kPolicy, decision.sequence), proposal_);
  decision.baseline = round.baseline();
  proposal_.distribution = Distribution::toward(
      std::move(proposal_.distribution), round.baseline().arm, gate_->least_baseline_chance());
  decision.candidate = proposal_.distribution.sample(
      RandomStream(seed_, Purpose::kArmSampling, decision.sequence).uniform());
  const GateQuestion question = {.features = &round.features(),
                                 .baseline = round.baseline(),
                                 .costs = proposal_.costs,
                                 .regret_bound = regret_bound,
                                 .allowance = ledger_.allowance(round.baseline().cost)};
  const Sides sides = gate_->sides(question, decision.candidate, proposal_.scratch);
  const bool open = admits(sides.exposure.value, sides.allowance);
  decision.choice = open ? Choice::kExplore : Choice::kBaseline;
  decision.arm = open ? decision.candidate : round.baseline().arm;
  const auto centre_of = [&](ArmIndex arm) {
    return proposal_.costs.empty() ? ledger_.charged_cost_mean() : proposal_.costs[arm];
  };
  decision.centre = centre_of(decision.arm);
  decision.baseline_centre = gate_->baseline_centre(centre_of(decision.baseline.arm));
  decision.baseline_chance = open ? proposal_.distribution[decision.baseline.arm] : 1.0;
  decision.predicted_cost = proposal_.distribution.mean(proposal_.costs);
  return decision;
}

void ReferenceLoop::advance() {
  const std::uint64_t t = metrics_.rounds() + 1;
  environment_.fill(t, round_);
  const Decision decision = plan(round_of(round_, environment_.layout()));
  const bool charged = gate_->charges(decision);
  ledger_.book(decision, charged);
  gate_->book(decision, charged);
  const Outcome outcome = environment_.outcome(round_, decision.arm);
  under_way_.push({outcome.arrives, decision, outcome.cost});
  metrics_.add({.choice = decision.choice,
                .baseline_cost = round_.baseline.cost,
                .expected_cost = round_.expected_costs[decision.arm],
                .best_cost = *std::ranges::min_element(round_.expected_costs)});
  deliver(t);
}

void ReferenceLoop::deliver(std::uint64_t t) {
  while (!under_way_.empty() && under_way_.top().arrives <= t) {
    const auto [arrives, decision, cost] = under_way_.top();
    under_way_.pop();
    environment_.fill(decision.sequence, earlier_round_);
    const Round round = round_of(earlier_round_, environment_.layout());
    const bool charged = gate_->charges(decision);
    const Observation observation = {.features = round.features().arm(decision.arm),
                                     .arm = decision.arm,
                                     .choice = decision.choice,
                                     .cost = cost,
                                     .charged = charged,
                                     .centre = decision.centre,
                                     .played_baseline = decision.arm == decision.baseline.arm,
                                     .baseline_centre = decision.baseline_centre,
                                     .baseline_chance = decision.baseline_chance};
    ledger_.reveal(decision.choice, charged, cost);
    gate_->reveal(observation);
    policy_->learn(observation);
  }
}

std::optional<double> ReferenceLoop::slack() const {
  return gate_->slack(ledger_.earned());
}

void run_to_end(ReferenceLoop loop, std::uint64_t rounds, Tally& tally) {
  SlackWatch slack;
  while (loop.metrics().rounds() < rounds) {
    loop.advance();
    slack.look(loop.metrics(), loop.slack());
  }
  tally.add(loop.metrics(), slack);
}

}  // namespace handrail
