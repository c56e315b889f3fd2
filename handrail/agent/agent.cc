#include "handrail/agent/agent.h"

#include "handrail/agent/agent_parts.h"
#include "handrail/agent/save_file.h"
#include "handrail/agent/settings_check.h"
#include "handrail/base/bytes.h"

namespace handrail {
namespace {

std::string name_of(std::uint64_t sequence) {
  return "decision " + std::to_string(sequence);
}

}  // namespace

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
