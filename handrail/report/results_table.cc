// The table of a comparison, for a terminal.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "handrail/base/text.h"
#include "handrail/report/results.h"

namespace handrail {
namespace {

using Row = std::vector<std::string>;

std::string fixed(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  std::array<char, 64> buffer;
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, value);
  return {buffer.data(), std::min(static_cast<std::size_t>(length), buffer.size() - 1)};
}

std::string percent(double share) {
  return fixed(100.0 * share, 1) + " %";
}

Row row_of(const ResultsInput& input, const CellSummary& cell) {
  const auto rounds = static_cast<double>(input.plan.rounds * input.plan.runs);
  const Reduced& regret = cell.columns[column_index("regret")];
  const MetricValue& first_violation = cell.columns[column_index("first_violation")].value;
  return {input.plan.agents[cell.cell.agent].text,
          fixed(regret.value.value(), 1) +
              (input.plan.runs > 1 ? " ± " + fixed(regret.standard_error, 1) : ""),
          fixed(cell.number(column_index("cost_ratio")), 3),
          percent(cell.number(column_index("explored_share"))),
          percent(cell.number(column_index("violated_rounds_share"))),
          percent(cell.number(column_index("violating_runs_share"))),
          first_violation.has_value() ? fixed(*first_violation, 0) : "-",
          fixed(rounds / cell.number(column_index("seconds")), 0)};
}

// Columns, not bytes: "±" is two bytes wide and one column.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string lines_of(const std::vector<Row>& rows, std::size_t bold_row) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += r == bold_row ? "\033[1m  " : "  ";
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      const std::string padding(widths[i] - width_of(rows[r][i]), ' ');
      text += i == 0 ? rows[r][i] + padding : "  " + padding + rows[r][i];
    }
    text += r == bold_row ? "\033[0m\n" : "\n";
  }
  return text;
}

// The cell with the least regret among those that kept the promise, which allows a share delta of
// runs to fail; among all if none did.
std::size_t best_of(std::span<const CellSummary> cells, const ComparisonPlan& plan) {
  const auto broke = [&](const CellSummary& cell) {
    return cell.number(column_index("violating_runs")) >
           plan.delta * static_cast<double>(plan.runs);
  };
  const auto better = [&](const CellSummary& a, const CellSummary& b) {
    const std::size_t regret = column_index("regret");
    return broke(a) != broke(b) ? broke(b) : a.number(regret) < b.number(regret);
  };
  return static_cast<std::size_t>(std::ranges::min_element(cells, better) - cells.begin());
}

std::string heading(const ResultsInput& input, const Cell& cell) {
  const EnvironmentFacts& facts = input.facts[cell.environment];
  std::string text = input.plan.environments[cell.environment].text + ", alpha " +
                     to_text(input.plan.alphas[cell.alpha]) + "  (" + std::to_string(facts.arms) +
                     " arms, " + std::to_string(facts.features) + " features, baseline " +
                     facts.baseline;
  if (facts.baseline_arm.has_value()) text += " = " + *facts.baseline_arm;
  if (facts.baseline_cost.has_value()) text += ", costs " + fixed(*facts.baseline_cost, 3);
  return text + ", known " + std::string(to_text(facts.baseline_known)) + ", noise " + facts.noise +
         ")\n";
}

// Which agents of a group differ from the one in bold beyond luck.
std::string difference_lines(const ResultsInput& input, const Cell& best) {
  std::string text;
  for (const RegretDifference& difference : input.summary.differences) {
    const Cell& cell = difference.cell;
    if (cell.environment != best.environment || cell.alpha != best.alpha) continue;
    const bool first = cell.agent == best.agent;
    if (!first && difference.against != best.agent) continue;
    if (!difference.interval.has_value()) continue;
    const double sign = first ? -1.0 : 1.0;  // the other minus the best
    const double one = sign * difference.interval->low;
    const double two = sign * difference.interval->high;
    const std::size_t other = first ? difference.against : cell.agent;
    text += "    " + input.plan.agents[other].text + " minus " +
            input.plan.agents[best.agent].text + ": " + fixed(sign * difference.regret.mean, 1) +
            "  [" + fixed(std::min(one, two), 1) + ", " + fixed(std::max(one, two), 1) + "]\n";
  }
  return text.empty() ? "" : "  paired differences of regret, 95 % intervals\n" + text;
}

}  // namespace

std::string results_table(const ResultsInput& input, bool bold) {
  const std::size_t group_size = input.plan.agents.size();
  const std::span<const CellSummary> cells = input.summary.cells;
  std::string text;
  for (std::size_t begin = 0; begin < cells.size(); begin += group_size) {
    const std::span<const CellSummary> group = cells.subspan(begin, group_size);
    std::vector<Row> rows = {{"agent", "regret", "cost/baseline", "explored", "rounds violated",
                              "runs violated", "first", "rounds/s"}};
    for (const CellSummary& cell : group) rows.push_back(row_of(input, cell));
    const std::size_t best = best_of(group, input.plan);
    if (begin > 0) text += "\n";
    text += heading(input, group.front().cell);
    text += lines_of(rows, bold ? best + 1 : rows.size());
    text += difference_lines(input, group[best].cell);
    for (const std::string& note : input.facts[group.front().cell.environment].notes) {
      text += "  " + note + "\n";
    }
  }
  return text;
}

}  // namespace handrail
