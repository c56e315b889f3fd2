#include "handrail/report/results.h"

#include <array>

#include "handrail/agent/config.h"
#include "handrail/base/version.h"

namespace handrail {
namespace {

const AgentConfig& config_of(const ComparedAgent& agent) {
  return agent.candidates.front().config;
}

// The values that matter when the gate is open.
std::vector<std::string> ungated(const AgentConfig& config) {
  std::vector<std::string> rest;
  for (const ParameterValues* values : {&config.common, &config.policy_own, &config.oracle_own}) {
    for (std::size_t i = 0; i < values->size(); ++i) {
      const std::string_view group = values->row(i).group;
      if (group == "gate" || group == "agent") continue;
      rest.push_back(print_value(values->row(i), values->value(i)));
    }
  }
  return rest;
}

// The agent of the list that is this one without its gate.
const ComparedAgent* control_of(const ComparisonPlan& plan, const AgentConfig& gated) {
  if (gated.gate->traits.is_control) return nullptr;
  for (const ComparedAgent& other : plan.agents) {
    const AgentConfig& config = config_of(other);
    const bool is_open = config.gate->traits.is_control && !config.gate->traits.never_admits;
    if (is_open && ungated(config) == ungated(gated)) return &other;
  }
  return nullptr;
}

EnvironmentRecord environment_of(const ComparedEnvironment& environment,
                                 const EnvironmentFacts& facts) {
  return {.data = environment.text,
          .kind = std::string(to_text(environment.plan.kind)),
          .spec = facts.spec,
          .checksum = facts.fingerprint,
          .arms = facts.arms,
          .features = facts.features,
          .rows = facts.rows,
          .passes = facts.passes,
          .baseline = facts.baseline,
          .baseline_arm = facts.baseline_arm,
          .baseline_share = facts.baseline_share,
          .baseline_known = std::string(to_text(facts.baseline_known)),
          .baseline_cost = facts.baseline_cost,
          .noise = facts.noise,
          .notes = facts.notes};
}

std::vector<AgentRecord> agents_of(const ResultsInput& input) {
  std::vector<AgentRecord> agents;
  for (const ComparedAgent& agent : input.plan.agents) {
    const AgentConfig& config = config_of(agent);
    const ComparedAgent* const control = control_of(input.plan, config);
    AgentRecord& record = agents.emplace_back();
    record.agent = agent.text;
    record.spec = print_spec(config);
    record.gate = config.gate->name;
    record.conservative = !config.gate->traits.is_control;
    if (control != nullptr) record.control = control->text;
  }
  return agents;
}

// For any record that names a cell.
template <typename Record>
Record named_after(const Cell& cell, const ComparisonPlan& plan) {
  Record record;
  record.data = plan.environments[cell.environment].text;
  record.agent = plan.agents[cell.agent].text;
  record.alpha = plan.alphas[cell.alpha];
  return record;
}

CellRecord cell_of(const CellSummary& cell, const ComparisonPlan& plan) {
  const std::vector<Candidate>& candidates = plan.agents[cell.cell.agent].candidates;
  auto record = named_after<CellRecord>(cell.cell, plan);
  if (candidates.size() > 1) record.chosen = candidates[cell.candidate].text;
  record.runs = plan.runs;
  record.rounds = plan.rounds;
  record.columns = cell.columns;
  record.place = cell.cell;
  return record;
}

DifferenceRecord difference_of(const RegretDifference& difference, const ComparisonPlan& plan) {
  auto record = named_after<DifferenceRecord>(difference.cell, plan);
  record.against = plan.agents[difference.against].text;
  record.mean = difference.regret.mean;
  if (difference.interval.has_value()) {
    record.low = difference.interval->low;
    record.high = difference.interval->high;
  }
  return record;
}

TuningRecord tuning_of(const TuningSummary& tuning, const ComparisonPlan& plan) {
  auto record = named_after<TuningRecord>(tuning.cell, plan);
  record.runs = plan.tuning_runs;
  for (const CandidateSummary& candidate : tuning.candidates) {
    record.candidates.push_back(
        {.agent = plan.agents[tuning.cell.agent].candidates[candidate.candidate].text,
         .mean = candidate.regret.mean,
         .standard_error = candidate.regret.standard_error,
         .chosen = candidate.candidate == tuning.chosen});
  }
  return record;
}

}  // namespace

ComparisonResults results_of(const ResultsInput& input) {
  const ComparisonPlan& plan = input.plan;
  ComparisonResults results;
  results.version = version();
  results.command = input.command;
  if (!plan.title.empty()) results.title = plan.title;
  results.runs = plan.runs;
  results.rounds = plan.rounds;
  results.seed = plan.seed;
  results.delta = plan.delta;
  results.reserve = plan.reserve;
  results.alphas = plan.alphas;
  for (std::size_t i = 0; i < input.facts.size(); ++i) {
    results.environments.push_back(environment_of(plan.environments[i], input.facts[i]));
  }
  results.agents = agents_of(input);
  for (const CellSummary& cell : input.summary.cells) {
    results.cells.push_back(cell_of(cell, plan));
  }
  for (const RegretDifference& difference : input.summary.differences) {
    results.differences.push_back(difference_of(difference, plan));
  }
  for (const TuningSummary& tuning : input.summary.tunings) {
    results.tunings.push_back(tuning_of(tuning, plan));
  }
  return results;
}

Result<std::vector<Curve>> curves_of(const ResultsInput& input, const Journal& journal) {
  const std::vector<std::uint64_t> points = checkpoints(input.plan.rounds);
  std::vector<Curve> curves;
  for (const CellSummary& cell : input.summary.cells) {
    std::array<std::size_t, kCurveMetrics.size()> place = {};  // in `curves`, from 1; 0: none yet
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Result<CurveSummaries> summed = summarise_curve(input.plan, journal, cell, i);
      if (!summed.ok()) return summed.error();
      for (std::size_t quantity = 0; quantity < kCurveMetrics.size(); ++quantity) {
        if (!summed.value()[quantity].has_value()) continue;
        if (place[quantity] == 0) {
          curves.push_back({.cell = cell.cell, .quantity = quantity, .rounds = {}, .values = {}});
          place[quantity] = curves.size();
        }
        Curve& curve = curves[place[quantity] - 1];
        curve.rounds.push_back(points[i]);
        curve.values.push_back(*summed.value()[quantity]);
      }
    }
  }
  return curves;
}

ComparisonTiming timing_of(const ResultsInput& input, const Timing& timing) {
  const auto rounds = static_cast<double>(input.plan.rounds * input.plan.runs);
  ComparisonTiming timed;
  timed.threads = timing.threads;
  timed.seconds = timing.seconds;
  for (const CellSummary& cell : input.summary.cells) {
    auto record = named_after<TimedCellRecord>(cell.cell, input.plan);
    record.seconds = cell.number(column_index("seconds"));
    record.rounds_per_second = rounds / *record.seconds;
    timed.cells.push_back(std::move(record));
  }
  return timed;
}

}  // namespace handrail
