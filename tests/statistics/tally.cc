#include "tests/statistics/tally.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace handrail {

double hoeffding_deviation(double n) {
  return std::sqrt(n * std::log(2e6) / 2.0);
}

void SlackWatch::look(const Metrics& metrics, std::optional<double> slack) {
  if (!slack.has_value()) return;
  ever_said_ = true;
  constexpr double kRounding = 1e-9;
  const double limit = (1.0 + kAlpha) * metrics.promised().baseline_cost_sum();
  const double true_slack = limit - metrics.promised().charged_sum();
  if (*slack > true_slack + kRounding * std::max(1.0, limit)) ever_wrong_ = true;
}

void Tally::add(const Metrics& metrics, const SlackWatch& slack) {
  ++runs_;
  if (metrics.promised().first_violation().has_value()) ++violating_;
  if (metrics.promised().first_violation() == 1) ++violating_at_once_;
  if (slack.ever_wrong()) ++slack_wrong_;
  if (slack.ever_said()) slack_said_ = true;
  baseline_rounds_ += static_cast<double>(metrics.baseline_played());
  regret_ += metrics.regret();
  cost_ratio_ += metrics.promised().charged_sum() / metrics.promised().baseline_cost_sum();
}

void print_heading(std::string_view title) {
  std::printf("### %.*s\n", static_cast<int>(title.size()), title.data());
  std::printf("| world | delay | agent | rounds | runs | broke the constraint | in round one ");
  std::printf("| slack wrong | baseline rounds | regret | cost ratio |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|---|---|\n");
}

void print_row(const RowName& name, const Tally& tally) {
  const std::string wrong = tally.slack_said() ? std::to_string(tally.slack_wrong()) : "none said";
  std::printf("| %s | %s | %s | %llu | %d | %d | %d | %s | %.0f | %.0f | %.3f |\n",
              name.world.c_str(), name.delay.c_str(), name.agent.c_str(),
              static_cast<unsigned long long>(name.rounds), tally.runs(), tally.violating(),
              tally.violating_at_once(), wrong.c_str(), tally.baseline_rounds(), tally.regret(),
              tally.cost_ratio());
  std::fflush(stdout);
}

}  // namespace handrail
