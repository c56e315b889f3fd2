#include "handrail/agent/agent_parts.h"

#include <algorithm>

#include "handrail/safety/propensity.h"

namespace handrail {

void Agent::Parts::propose(const Round& round, Workspace::Memory& memory,
                           std::uint64_t sequence) const {
  Proposal& proposal = memory.proposal;
  memory.regret_bound = regret_bound();
  memory.gate_uses_regret_bound = traits.uses_regret_bound;
  proposal.chances = Chances::kExact;
  proposal.support.clear();
  proposal.indices.clear();
  proposal.marginals.clear();
  policy->propose(round,
                  {.explored = ledger.explored(),
                   .explored_cost_sum = ledger.explored_cost_sum(),
                   .regret_bound = memory.regret_bound},
                  RandomStream(settings.seed, Purpose::kPolicy, sequence), proposal);
  if (least_baseline_chance > 0.0) {
    const std::size_t baseline = place_of(proposal.support, round.baseline().arm);
    proposal.distribution = Distribution::toward(
        std::move(proposal.distribution), static_cast<ArmIndex>(baseline), least_baseline_chance);
  }
  if (traits.selects) select(round, memory);
}

GateQuestion Agent::Parts::question_of(const Round& round, const Workspace::Memory& memory) const {
  return {.features = &round.features(),
          .baseline = round.baseline(),
          .costs = {memory.proposal.costs, memory.proposal.support},
          .regret_bound = memory.regret_bound,
          .allowance = ledger.allowance(round.baseline().cost)};
}

// Which arms the gate would let be played, had they been drawn. An arm that cannot be drawn has
// nothing to add, unless the gate may select it by its index; and some verdicts are not cheap.
void Agent::Parts::mark_admitted(const Round& round, Workspace::Memory& memory) const {
  GateQuestion question = question_of(round, memory);
  question.before = gate->sides_before(question);
  Proposal& proposal = memory.proposal;
  const bool asks_all = traits.selects && !proposal.indices.empty();
  memory.admitted.assign(proposal.distribution.size(), 0);
  for (ArmIndex place = 0; place < proposal.distribution.size(); ++place) {
    if (proposal.distribution[place] == 0.0 && !asks_all) continue;
    const Sides sides = gate->sides(question, arm_at(proposal.support, place), proposal.scratch);
    memory.admitted[place] = admits(sides.exposure.value, sides.allowance) ? 1 : 0;
  }
}

// Leaves the proposal as it is if no arm passes: then the baseline is played.
void Agent::Parts::select(const Round& round, Workspace::Memory& memory) const {
  mark_admitted(round, memory);
  if (std::ranges::count(memory.admitted, 1) == 0) return;
  Proposal& proposal = memory.proposal;
  if (proposal.indices.empty()) {
    proposal.distribution = Distribution::given(std::move(proposal.distribution), memory.admitted);
    return;
  }
  ArmIndex best = 0;
  for (ArmIndex place = 0; place < memory.admitted.size(); ++place) {
    if (memory.admitted[place] == 0) continue;
    const bool first = memory.admitted[best] == 0;
    if (first || proposal.indices[place] < proposal.indices[best]) best = place;
  }
  proposal.distribution =
      Distribution::certain(memory.admitted.size(), best, std::move(proposal.distribution));
}

Verdict Agent::Parts::judge(const Round& round, Workspace::Memory& memory,
                            ArmIndex candidate) const {
  const Sides sides = gate->sides(question_of(round, memory), candidate, memory.proposal.scratch);
  const bool spared = traits.spares_baseline_arm && candidate == round.baseline().arm;
  const bool admitted = !spared && admits(sides.exposure.value, sides.allowance);
  return {.sides = sides,
          .choice = admitted ? Choice::kExplore : Choice::kBaseline,
          .arm = admitted ? candidate : round.baseline().arm};
}

ArmChances Agent::Parts::chances_of(const Round& round, Workspace::Memory& memory,
                                    const Verdict& verdict) const {
  const Proposal& proposal = memory.proposal;
  const Distribution& distribution = proposal.distribution;
  const auto played = static_cast<ArmIndex>(place_of(proposal.support, verdict.arm));
  const auto baseline = static_cast<ArmIndex>(place_of(proposal.support, round.baseline().arm));
  const bool judges_arms = traits.judges_arms();
  ArmChances chances;
  if (judges_arms) {
    mark_admitted(round, memory);
    chances.played.chance = propensity_of(distribution, played, baseline, memory.admitted);
    chances.baseline = propensity_of(distribution, baseline, baseline, memory.admitted);
  } else {
    chances.played.chance = propensity_of(distribution, played, verdict.choice);
    chances.baseline = propensity_of(distribution, baseline, verdict.choice);
  }
  if (proposal.chances == Chances::kExact) return chances;
  // Which arms were up for selection is then a draw too, and nobody counts the others.
  if (traits.selects && proposal.indices.empty()) {
    chances.played.chance.reset();
    return chances;
  }
  const bool certain = !judges_arms && verdict.choice == Choice::kBaseline;
  if (certain || proposal.chances == Chances::kEstimated) return chances;
  chances.played = proposal.chances == Chances::kGiven
                       ? marginal_chance(round, proposal, verdict.arm)
                       : KnownChance{};
  return chances;
}

// The chance of the played arm over the policy's own draws too. Which other arms would have been
// refused, and ended on the baseline's, no draw of a few arms tells.
KnownChance Agent::Parts::marginal_chance(const Round& round, const Proposal& proposal,
                                          ArmIndex arm) const {
  const KnownChance& marginal = proposal.marginals[place_of(proposal.support, arm)];
  const bool is_baseline = arm == round.baseline().arm;
  const bool unknown = traits.reads_candidate && is_baseline;
  if (unknown || !marginal.chance.has_value()) return {};
  const double floor = least_baseline_chance;
  return {.chance = chance_with_floor(*marginal.chance, floor, is_baseline),
          .error = (1.0 - floor) * marginal.error};
}

// All of a decision is written at once, where the caller will read it: it is not small.
Result<Decision> Agent::Parts::decide(const Round& round, Workspace::Memory& memory) const {
  const std::uint64_t sequence = decisions + 1;
  // First of all: it needs nothing, so the processor computes it beside the predictions.
  const double drawn = RandomStream(settings.seed, Purpose::kArmSampling, sequence).uniform();
  propose(round, memory, sequence);
  const Proposal& proposal = memory.proposal;
  const ArmIndex candidate = arm_at(proposal.support, proposal.distribution.sample(drawn));
  const Verdict verdict = judge(round, memory, candidate);
  const ArmChances chances = chances_of(round, memory, verdict);
  const ByArm costs(proposal.costs, proposal.support);
  const Baseline& baseline = round.baseline();
  return Result<Decision>::of([&] {
    return Decision{.sequence = sequence,
                    .choice = verdict.choice,
                    .arm = verdict.arm,
                    .candidate = candidate,
                    .propensity = chances.played.chance,
                    .propensity_error = chances.played.error,
                    .exposure = verdict.sides.exposure.value,
                    .allowance = verdict.sides.allowance,
                    .margin = verdict.sides.exposure.margin,
                    .baseline = baseline,
                    .centre = centre_of(costs, verdict.arm),
                    .predicted_cost = proposal.distribution.mean(proposal.costs),
                    .baseline_centre = gate->baseline_centre(centre_of(costs, baseline.arm)),
                    .baseline_chance = chances.baseline,
                    .features = round.features().arm(verdict.arm, memory.played_row),
                    .baseline_features = round.features().arm(baseline.arm, memory.baseline_row)};
  });
}

bool Agent::Parts::pending_fit() const {
  const FeatureLayout& layout = settings.layout;
  return std::ranges::all_of(pending.oldest_first(), [&](const PendingDecision* decision) {
    const std::size_t kept = keeps_features(decision->choice) ? layout.feature_count : 0;
    const bool block = layout.shape == FeatureShape::kBlock;
    // The gate divides by the chance of what it draws itself.
    const double least_chance = decision->played_baseline ? 0.5 * least_baseline_chance : 0.0;
    return decision->sequence <= decisions && decision->feature_count() == kept &&
           decision->block < layout.block_count && (!block || decision->arm < layout.block_count) &&
           decision->baseline_chance >= least_chance;
  });
}

}  // namespace handrail
