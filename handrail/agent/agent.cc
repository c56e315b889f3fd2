#include "handrail/agent/agent.h"

#include <algorithm>

#include "handrail/agent/factory.h"
#include "handrail/agent/pending.h"
#include "handrail/agent/save_file.h"
#include "handrail/agent/settings_check.h"
#include "handrail/agent/workspace_memory.h"
#include "handrail/base/bytes.h"
#include "handrail/base/text.h"
#include "handrail/explore/gamma.h"
#include "handrail/safety/ledger.h"
#include "handrail/safety/propensity.h"
#include "handrail/safety/regret_bound.h"

namespace handrail {
namespace {

std::string name_of(std::uint64_t sequence) {
  return "decision " + std::to_string(sequence);
}

// What the gate says of a candidate, and what is played.
struct Verdict {
  Sides sides;
  Choice choice = Choice::kBaseline;
  ArmIndex arm = 0;
};

// The chance of ending where a round ended, and of ending with the baseline's arm.
struct ArmChances {
  KnownChance played;
  double baseline = 1.0;
};

}  // namespace

struct Agent::Parts {
  Parts(AgentSettings given, AgentConfig resolved, Isa kernels)
      : settings(std::move(given)),
        config(std::move(resolved)),
        isa(kernels),
        traits(config.gate->traits),
        given_reg(given_regret_bound(config.common)),
        reads_reg(traits.uses_regret_bound ||
                  reads_regret_bound(schedule_in(config.common, settings.delta).kind)),
        learns_baseline(learns_from_baseline(config)),
        policy(make_policy(config, frame_of(settings, isa))),
        gate(make_gate(config, frame_of(settings, isa))),
        least_baseline_chance(gate->least_baseline_chance()),
        ledger({.alpha = settings.alpha, .reserve = settings.reserve}),
        pending(pending_limit_of(config)) {}

  // 1 if nobody looks at it: an oracle may have to work for its promise.
  double regret_bound() const {
    if (given_reg.has_value()) return *given_reg;
    return reads_reg ? policy->regret_bound().value_or(1.0) : 1.0;
  }
  // Whether plan() is to list a round's features, and the list all that is kept of them.
  bool lists_features() const { return policy->reads_lists() && !traits.reads_features; }
  bool learns_from(Choice choice) const { return choice == Choice::kExplore || learns_baseline; }
  // Whether anybody will read the features of a round once its cost is known.
  bool keeps_features(Choice choice) const { return learns_from(choice) || traits.reads_features; }
  Result<Decision> decide(const Round& round, Workspace::Memory& memory) const;
  void propose(const Round& round, Workspace::Memory& memory, std::uint64_t sequence) const;
  GateQuestion question_of(const Round& round, const Workspace::Memory& memory) const;
  void mark_admitted(const Round& round, Workspace::Memory& memory) const;
  void select(const Round& round, Workspace::Memory& memory) const;
  Verdict judge(const Round& round, Workspace::Memory& memory, ArmIndex candidate) const;
  ArmChances chances_of(const Round& round, Workspace::Memory& memory,
                        const Verdict& verdict) const;
  KnownChance marginal_chance(const Round& round, const Proposal& proposal, ArmIndex arm) const;
  double centre_of(const ByArm& costs, ArmIndex arm) const {
    return costs.empty() ? ledger.charged_cost_mean() : costs[arm];
  }
  // Why a decision that does not wait for its cost does not.
  Error not_pending(std::uint64_t sequence) const;
  // Whether the pending decisions could be this agent's: asked of a state that was loaded.
  bool pending_fit() const;

  // Constant after construction.
  AgentSettings settings;
  AgentConfig config;
  Isa isa;
  GateTraits traits;
  std::optional<double> given_reg;  // the Reg that the SPEC gives
  bool reads_reg;                   // gate or schedule of γ
  bool learns_baseline;

  // The whole state. Changed by apply() and load only.
  std::unique_ptr<Policy> policy;
  std::unique_ptr<Gate> gate;
  double least_baseline_chance;  // the gate's; constant after construction
  Ledger ledger;
  PendingDecisions pending;
  std::uint64_t decisions = 0;
  std::uint64_t logged_plays = 0;
};

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

Agent::Agent(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Agent::Agent(Agent&&) noexcept = default;
Agent& Agent::operator=(Agent&&) noexcept = default;
Agent::~Agent() = default;

Result<Agent> Agent::make(const AgentSettings& settings) {
  // The numbers first: they are quicker to mend than a SPEC.
  const Status numbers = check_settings(settings);
  if (!numbers.ok()) return numbers.error();
  const Result<AgentConfig> config = parse_agent(settings.agent);
  if (!config.ok()) return config.error();
  return make(settings, config.value());
}

Result<Agent> Agent::make(const AgentSettings& settings, const AgentConfig& config) {
  const Status numbers = check_settings(settings);
  if (!numbers.ok()) return numbers.error();
  const Result<Isa> isa = chosen_isa();
  if (!isa.ok()) return isa.error();
  const Status sound = check_parts(config, frame_of(settings, isa.value()));
  if (!sound.ok()) return sound.error();
  AgentSettings full = settings;
  full.agent = print_spec(config);
  return Agent(std::make_unique<Parts>(std::move(full), config, isa.value()));
}

Result<Decision> Agent::plan(const Round& round, Workspace& workspace) const {
  if (round.features().layout() != parts_->settings.layout) {
    return Error{"the round shows " + describe(round.features().layout()) +
                 "; this agent was made for " + describe(parts_->settings.layout)};
  }
  Workspace::Memory& memory = *workspace.memory_;
  const ArmFeatures& features = round.features();
  const bool wants_list = parts_->lists_features();
  const bool has_list = features.listed() != nullptr;
  if (wants_list == has_list) return parts_->decide(round, memory);
  if (wants_list) {
    memory.list.list(features.values());
    return parts_->decide(round.with_list(memory.list), memory);
  }
  memory.row.resize(features.feature_count());
  features.listed()->write_row(memory.row);
  const ArmFeatures whole = ArmFeatures::block(memory.row, round.arm_count());
  return parts_->decide(Round::make(whole, round.baseline()).value(), memory);
}

void Agent::apply(const Decision& decision) {
  Parts& parts = *parts_;
  HANDRAIL_ASSERT(decision.sequence == parts.decisions + 1);
  const bool charged = parts.gate->charges(decision);
  parts.decisions = decision.sequence;
  parts.ledger.book(decision, charged);
  parts.gate->book(decision, charged);
  parts.pending.add(decision, charged,
                    parts.keeps_features(decision.choice) ? decision.features : ArmView{});
}

Error Agent::Parts::not_pending(std::uint64_t sequence) const {
  const std::string subject = "feedback for " + name_of(sequence);
  if (sequence == 0 || sequence > decisions) {
    return Error{subject + ", which was never made; the last one is " + std::to_string(decisions)};
  }
  if (pending.was_given_up(sequence)) {
    return Error{subject + ", which was given up when more than " +
                 std::to_string(pending.limit()) +
                 " decisions were pending; it stays charged at 1"};
  }
  if (pending.is_older_than_memory(sequence)) {
    return Error{subject + ", which was answered or given up long ago"};
  }
  return Error{subject + ", which was answered already"};
}

Result<AcceptedFeedback> Agent::accept(const Feedback& feedback) const {
  if (parts_->pending.find(feedback.sequence) == nullptr) {
    return parts_->not_pending(feedback.sequence);
  }
  if (!is_cost(feedback.cost)) {
    const Status cost = check_cost(feedback.cost, "the cost of " + name_of(feedback.sequence));
    return Error{cost.error().message + "; the decision stays charged at 1"};
  }
  return AcceptedFeedback(feedback);
}

void Agent::apply(const AcceptedFeedback& accepted) {
  Parts& parts = *parts_;
  const Feedback& feedback = accepted.feedback();
  const PendingDecision* decision = parts.pending.find(feedback.sequence);
  // Given up between accept() and now: it stays charged at 1, as every decision that is given up.
  if (decision == nullptr && parts.pending.was_given_up(feedback.sequence)) return;
  HANDRAIL_ASSERT(decision != nullptr);
  const Observation observation = {
      .features = {.features = decision->features,
                   .block = decision->block,
                   .listed = decision->listed.row_size() > 0 ? &decision->listed : nullptr},
      .arm = decision->arm,
      .choice = decision->choice,
      .cost = feedback.cost,
      .charged = decision->charged,
      .centre = decision->centre,
      .played_baseline = decision->played_baseline,
      .baseline_centre = decision->baseline_centre,
      .baseline_chance = decision->baseline_chance};
  parts.ledger.reveal(decision->choice, decision->charged, feedback.cost);
  parts.gate->reveal(observation);
  if (parts.learns_from(decision->choice)) parts.policy->learn(observation);
  parts.pending.remove(feedback.sequence);
}

Result<AcceptedLog> Agent::accept(std::span<const LoggedPlay> log) const {
  if (parts_->decisions > 0) {
    return Error{"a log of plays after " + std::to_string(parts_->decisions) +
                 " decisions; it is learned from before the first one or never"};
  }
  if (parts_->traits.uses_regret_bound) {
    return Error{"a log of plays behind " + shown(*parts_->config.gate) +
                 ", which trusts what the policy predicts: a log that lies would void its promise"};
  }
  for (std::size_t i = 0; i < log.size(); ++i) {
    const Status play = check_play(log[i], parts_->settings.layout);
    if (!play.ok())
      return Error{"play " + std::to_string(i + 1) + " of the log: " + play.error().message};
  }
  return AcceptedLog(log);
}

void Agent::apply(const AcceptedLog& accepted) {
  Parts& parts = *parts_;
  HANDRAIL_ASSERT(parts.decisions == 0);
  const bool block = parts.settings.layout.shape == FeatureShape::kBlock;
  for (const LoggedPlay& play : accepted.plays()) {
    parts.policy->learn({.features = {.features = play.features, .block = block ? play.arm : 0},
                         .arm = play.arm,
                         .choice = Choice::kBaseline,
                         .cost = play.cost});
  }
  parts.logged_plays += accepted.plays().size();
}

Status Agent::save(const std::string& path) const {
  return write_save(path, {.agent = state(), .run = {}});
}

Result<Agent> Agent::load(const std::string& path) {
  const Result<SaveFile> save = read_save(path);
  if (!save.ok()) return save.error();
  return from_state(save.value().agent, path);
}

std::string Agent::state() const {
  const Parts& parts = *parts_;
  const AgentSettings& settings = parts.settings;
  ByteWriter out;
  out.text(settings.agent);
  out.f64(settings.alpha);
  out.f64(settings.delta);
  out.f64(settings.reserve);
  out.u64(settings.seed);
  out.u8(static_cast<std::uint8_t>(settings.baseline_known));
  out.u8(static_cast<std::uint8_t>(settings.layout.shape));
  out.u64(settings.layout.feature_count);
  out.u64(settings.layout.block_count);
  out.u64(parts.decisions);
  parts.ledger.save(out);
  parts.gate->save(out);
  parts.policy->save(out);
  parts.pending.save(out);
  out.u64(parts.logged_plays);
  return std::string(out.bytes());
}

Result<Agent> Agent::from_state(std::string_view bytes, std::string_view place) {
  const std::string where = std::string(place) + ": ";
  ByteReader in(bytes);
  AgentSettings settings;
  settings.agent = in.text();
  settings.alpha = in.f64();
  settings.delta = in.f64();
  settings.reserve = in.f64();
  settings.seed = in.u64();
  const std::uint8_t known = in.u8();
  if (known > static_cast<std::uint8_t>(BaselineKnown::kUnknown)) {
    in.fail("names a kind of baseline cost that does not exist");
  }
  settings.baseline_known = static_cast<BaselineKnown>(known);
  const std::uint8_t shape = in.u8();
  if (shape > static_cast<std::uint8_t>(FeatureShape::kProduct)) {
    in.fail("names a shape of features that does not exist");
  }
  settings.layout.shape = static_cast<FeatureShape>(shape);
  settings.layout.feature_count = in.u64();
  settings.layout.block_count = in.u64();
  if (!in.status().ok()) return Error{where + in.status().error().message};
  Result<Agent> agent = make(settings);
  if (!agent.ok()) return Error{where + agent.error().message};
  Parts& parts = *agent.value().parts_;
  parts.decisions = in.u64();
  for (const Status& loaded : {parts.ledger.load(in), parts.gate->load(in), parts.policy->load(in),
                               parts.pending.load(in)}) {
    if (!loaded.ok()) return Error{where + loaded.error().message};
  }
  parts.logged_plays = in.u64();
  if (!in.status().ok()) return Error{where + in.status().error().message};
  if (!in.at_end()) return Error{where + "has bytes left over after the agent's state"};
  if (!parts.pending_fit()) return Error{where + "has pending decisions of another agent"};
  return agent;
}

const AgentSettings& Agent::settings() const {
  return parts_->settings;
}

const AgentConfig& Agent::config() const {
  return parts_->config;
}

Account Agent::account() const {
  const Parts& parts = *parts_;
  return {.decisions = parts.decisions,
          .explored = parts.ledger.explored(),
          .baseline_played = parts.ledger.baseline_played(),
          .pending = parts.pending.size(),
          .given_up = parts.pending.given_up_count(),
          .slack = parts.gate->slack(parts.ledger.earned()),
          .logged_plays = parts.logged_plays};
}

Isa Agent::isa() const {
  return parts_->isa;
}

std::string_view Agent::regret_bound_source() const {
  if (parts_->given_reg.has_value()) return "given";
  return parts_->policy->regret_bound().has_value() ? "oracle" : "assumed";
}

std::size_t Agent::pending_limit() const {
  return parts_->pending.limit();
}

std::vector<WaitingDecision> Agent::pending() const {
  std::vector<WaitingDecision> waiting;
  for (const PendingDecision* decision : parts_->pending.oldest_first()) {
    waiting.push_back({.sequence = decision->sequence, .arm = decision->arm});
  }
  return waiting;
}

}  // namespace handrail
