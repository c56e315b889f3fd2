#include "handrail/eval/run.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "handrail/agent/save_file.h"

namespace handrail {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What two readings of the clock are apart with nothing between them. Every interval holds that
// much of the clock itself, which at a few hundred nanoseconds a decision would be seen.
double least_interval() {
  constexpr int kReadings = 100;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kReadings; ++i) least = std::min(least, seconds_since(Clock::now()));
  return least;
}

}  // namespace

Run::Run(std::unique_ptr<Environment> environment, Agent agent)
    : environment_(std::move(environment)),
      agent_(std::move(agent)),
      metrics_(agent_.settings().alpha, agent_.settings().reserve),
      clock_seconds_(least_interval()) {}

void Run::advance() {
  const std::uint64_t t = rounds() + 1;
  environment_->fill(t, round_);
  const FeatureLayout& layout = agent_.settings().layout;
  const Clock::time_point start = Clock::now();
  const Result<Decision> planned = agent_.plan(round_of(round_, layout), workspace_);
  HANDRAIL_ASSERT(planned.ok());  // the agent was made for this environment's layout
  decision_ = planned.value();
  agent_.apply(decision_);
  seconds_ += seconds_since(start) - clock_seconds_;
  outcome_ = environment_->outcome(round_, decision_.arm);
  under_way_.push({outcome_.arrives, {.sequence = t, .cost = outcome_.cost}});
  expected_cost_ = environment_->expected_cost(round_, decision_.arm);
  best_cost_ = environment_->best_cost(round_);
  book_costs();
  collect_arrivals(t);
  const Clock::time_point arrival = Clock::now();
  deliver();
  seconds_ += seconds_since(arrival) - clock_seconds_;
  ++rounds_here_;
  book_slack();
}

void Run::book_costs() {
  const double baseline_expected_cost = environment_->expected_cost(round_, round_.baseline.arm);
  // What nobody knows cannot be charged: then the truth stands on both sides.
  const bool unknown = agent_.settings().baseline_known == BaselineKnown::kUnknown;
  metrics_.add({.choice = decision_.choice,
                .baseline_cost = unknown ? baseline_expected_cost : round_.baseline.cost,
                .expected_cost = expected_cost_,
                .best_cost = best_cost_,
                .baseline_expected_cost = baseline_expected_cost});
}

void Run::collect_arrivals(std::uint64_t t) {
  arrived_.clear();
  while (!under_way_.empty() && under_way_.top().arrives <= t) {
    arrived_.push_back(under_way_.top().feedback);
    under_way_.pop();
  }
}

void Run::deliver() {
  for (const Feedback& feedback : arrived_) {
    // Refused only if the decision was given up; the agent counts those.
    const Result<AcceptedFeedback> accepted = agent_.accept(feedback);
    if (accepted.ok()) agent_.apply(accepted.value());
  }
}

void Run::book_slack() {
  const std::optional<double> slack = agent_.account().slack;
  if (!slack.has_value()) return;
  min_slack_ = min_slack_.has_value() ? std::min(*min_slack_, *slack) : *slack;
}

bool Run::next_gives_up() const {
  return agent_.account().pending == agent_.pending_limit();
}

MeasuredRun Run::measured() const {
  const Account account = agent_.account();
  return {.metrics = metrics_,
          .slack = account.slack,
          .min_slack = min_slack_,
          .warm_start_rows = account.logged_plays,
          .given_up = account.given_up,
          .rounds_here = rounds_here_,
          .seconds = seconds_};
}

RoundRecord Run::record() const {
  HANDRAIL_ASSERT(rounds() > 0);
  return {.round = round_,
          .decision = decision_,
          .workspace = workspace_,
          .outcome = outcome_,
          .expected_cost = expected_cost_,
          .best_cost = best_cost_,
          .slack = agent_.account().slack};
}

Status Run::save(const std::string& path) const {
  ByteWriter out;
  out.u8(static_cast<std::uint8_t>(environment_->kind()));
  out.text(environment_->name());
  out.u32(environment_->fingerprint());
  metrics_.save(out);
  out.u8(min_slack_.has_value() ? 1 : 0);
  out.f64(min_slack_.value_or(0.0));
  return write_save(path, {.agent = agent_.state(), .run = std::string(out.bytes())});
}

Result<Run> Run::resume(const std::string& path, EnvironmentShelf& shelf) {
  const Result<SaveFile> save = read_save(path);
  if (!save.ok()) return save.error();
  if (save.value().run.empty()) {
    return Error{path + ": holds an agent that was saved alone, not a run to go on with"};
  }
  Result<Agent> agent = Agent::from_state(save.value().agent, path);
  if (!agent.ok()) return agent.error();
  ByteReader in(save.value().run);
  const std::uint8_t kind_number = in.u8();
  if (kind_number > static_cast<std::uint8_t>(EnvironmentKind::kData)) {
    return Error{path + ": names a kind of environment that does not exist"};
  }
  const auto kind = static_cast<EnvironmentKind>(kind_number);
  const Result<Spec> spec = parse_spec(
      {.key = std::string(to_text(kind)), .value = in.text(), .place = path}, name_form(kind));
  if (!spec.ok()) return spec.error();
  const Result<EnvironmentConfig> plan =
      read_environment(kind, spec.value(), {}, Precedence::kSpec);
  if (!plan.ok()) return plan.error();
  Result<std::unique_ptr<Environment>> environment =
      shelf.make(plan.value(), agent.value().settings().seed);
  if (!environment.ok()) return Error{path + ": " + environment.error().message};
  if (in.u32() != environment.value()->fingerprint()) {
    return Error{path + ": was played on other cells than " + environment.value()->name() +
                 " has now"};
  }
  Run run(std::move(environment).value(), std::move(agent).value());
  const Status metrics = run.metrics_.load(in);
  if (!metrics.ok()) return Error{path + ": " + metrics.error().message};
  const bool has_slack = in.u8() != 0;
  const double slack = in.f64();
  if (has_slack) run.min_slack_ = slack;
  if (run.rounds() != run.agent_.account().decisions) in.fail("counts rounds and decisions apart");
  if (run.environment_->layout() != run.agent_.settings().layout) {
    in.fail("has an agent of another layout than its environment");
  }
  if (!in.at_end()) in.fail("has bytes left over after the run's state");
  if (!in.status().ok()) return Error{path + ": " + in.status().error().message};
  // What is under way is a function of the environment and the pending decisions: nothing to save.
  for (const WaitingDecision& waiting : run.agent_.pending()) {
    run.environment_->fill(waiting.sequence, run.round_);
    const Outcome outcome = run.environment_->outcome(run.round_, waiting.arm);
    run.under_way_.push({outcome.arrives, {.sequence = waiting.sequence, .cost = outcome.cost}});
  }
  return run;
}

}  // namespace handrail
