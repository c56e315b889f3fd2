// What a run has cost and whether it broke the constraint, from expected costs on both sides and
// never from observed ones: luck convicts nobody.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "handrail/base/bytes.h"
#include "handrail/core/decision.h"

namespace handrail {

// One played round, as only the environment's side of a run may see it.
struct PlayedRound {
  Choice choice = Choice::kBaseline;
  double baseline_cost = 0.0;  // what the round said the baseline costs: exact, a bound or a mean
  double expected_cost = 0.0;  // of the played arm
  double best_cost = 0.0;      // of the cheapest arm
  double baseline_expected_cost = 0.0;  // of the baseline's arm, whatever the round said of it
};

// Watches Σ charged ≤ (1 + α) Σ baseline + reserve, round after round.
class ConstraintWatch {
 public:
  ConstraintWatch(double alpha, double reserve) : alpha_(alpha), reserve_(reserve) {}

  void add(double charged, double baseline_cost);

  double charged_sum() const { return charged_sum_; }
  double baseline_cost_sum() const { return baseline_cost_sum_; }
  bool violated() const { return violated_; }  // after the last round
  std::uint64_t violated_rounds() const { return violated_rounds_; }
  std::optional<std::uint64_t> first_violation() const {
    return violated_rounds_ > 0 ? std::optional(first_violation_) : std::nullopt;
  }
  // The greatest of left side − right side over all rounds, negative if the constraint was never
  // met exactly; minus infinity before the first round.
  double largest_excess() const { return largest_excess_; }

  void save(ByteWriter& out) const;
  // Refuses another alpha or reserve, and numbers that no run of `rounds` rounds can have.
  void load(ByteReader& in, std::uint64_t rounds);

 private:
  double alpha_;
  double reserve_;
  std::uint64_t rounds_ = 0;
  double charged_sum_ = 0.0;
  double baseline_cost_sum_ = 0.0;
  bool violated_ = false;
  std::uint64_t violated_rounds_ = 0;
  std::uint64_t first_violation_ = 0;  // 0: none
  double largest_excess_ = -std::numeric_limits<double>::infinity();
};

class Metrics {
 public:
  Metrics(double alpha, double reserve) : promised_(alpha, reserve), hindsight_(alpha, reserve) {}

  void add(const PlayedRound& round);

  std::uint64_t rounds() const { return explored_ + baseline_played_; }
  std::uint64_t explored() const { return explored_; }
  std::uint64_t baseline_played() const { return baseline_played_; }
  double regret() const { return regret_; }      // Σ expected cost of the played arm − best cost
  double cost_sum() const { return cost_sum_; }  // Σ expected cost of the played arm

  // The constraint that gates promise: a baseline round is charged what the round said the baseline
  // costs. With costs known per round the charges add up to cost_sum(); with a mean they make
  // "always the baseline" exactly one times the baseline, where the labels' luck would convict it.
  const ConstraintWatch& promised() const { return promised_; }
  // The same with expected costs on both sides in every round, in hindsight. Where the baseline's
  // cost is a mean this holds the luck of the rounds, of order √T, which no gate promises.
  const ConstraintWatch& hindsight() const { return hindsight_; }

  // The whole state. load() refuses the metrics of another alpha or reserve, and numbers that no
  // run can have.
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  std::uint64_t explored_ = 0;
  std::uint64_t baseline_played_ = 0;
  double regret_ = 0.0;
  double cost_sum_ = 0.0;
  ConstraintWatch promised_;
  ConstraintWatch hindsight_;
};

}  // namespace handrail
