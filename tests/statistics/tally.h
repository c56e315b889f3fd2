// What the statistical tests share: how many failing runs chance can explain, what a run counts,
// and the rows that they print. Every row is a line of a Markdown table, so that
//
//   handrail_statistics | grep -E '^(###|\|)'
//
// is what docs/guarantees-measured.md shows. Seeds are fixed: a test that fails once fails always.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "handrail/eval/metrics.h"

namespace handrail {

inline constexpr double kAlpha = 0.1;
inline constexpr double kDelta = 0.05;

// If each run fails with probability at most kDelta, and runs are independent, more failing runs
// than these have a probability below 1e-6: a failure is a bug and not bad luck. Do not raise them;
// find the cause. More than so many failing runs also disprove, at the same level, that a gate
// keeps its promise.
inline constexpr int kMostOf400 = 44;
inline constexpr int kMostOf2000 = 149;

// A sum of n independent terms in [0, 1] is further than this from its mean with a probability of
// at most 1e-6 (Hoeffding, both sides).
double hoeffding_deviation(double n);

// Watches one run. A certified slack is wrong if the true one, which only the environment's side
// can know, was ever below it by more than the rounding of the two sums.
class SlackWatch {
 public:
  void look(const Metrics& metrics, std::optional<double> slack);
  bool ever_wrong() const { return ever_wrong_; }
  bool ever_said() const { return ever_said_; }

 private:
  bool ever_said_ = false;
  bool ever_wrong_ = false;
};

// Counts and means over runs.
class Tally {
 public:
  void add(const Metrics& metrics, const SlackWatch& slack);

  int runs() const { return runs_; }
  int violating() const { return violating_; }                  // with any violation
  int violating_at_once() const { return violating_at_once_; }  // with one in round one
  int slack_wrong() const { return slack_wrong_; }
  bool slack_said() const { return slack_said_; }  // none but the certified gate says any
  double baseline_rounds() const { return baseline_rounds_ / runs_; }
  double regret() const { return regret_ / runs_; }
  double cost_ratio() const { return cost_ratio_ / runs_; }  // charged, over the baseline's

 private:
  int runs_ = 0;
  int violating_ = 0;
  int violating_at_once_ = 0;
  int slack_wrong_ = 0;
  bool slack_said_ = false;
  double baseline_rounds_ = 0.0;
  double regret_ = 0.0;
  double cost_ratio_ = 0.0;
};

// What the runs of a row were made from.
struct RowName {
  std::string world;
  std::string delay;
  std::string agent;
  std::uint64_t rounds = 0;
};

void print_heading(std::string_view title);
void print_row(const RowName& name, const Tally& tally);

}  // namespace handrail
