// Probabilities over the arms of a round. A type of its own, so that costs can never be passed as
// probabilities. The constructor asserts; nothing is clipped or renormalised on the caller's
// behalf.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "handrail/core/arm_features.h"

namespace handrail {

class Distribution {
 public:
  Distribution() = default;  // over no arms: what a workspace holds before its first round

  // Each probability is at least 0 and they sum to 1, up to rounding of K · 2^-52. `greedy_arm` is
  // the arm that a draw falls to if rounding lets none match. `probabilities` keeps its memory:
  // take it back with release().
  Distribution(std::vector<double> probabilities, ArmIndex greedy_arm)
      : probabilities_(std::move(probabilities)), greedy_arm_(greedy_arm) {
    check();
  }

  // Whether numbers that are at least 0 sum to 1, up to rounding of K · 2^-52.
  static bool sum_to_one(std::span<const double> probabilities);

  // `recycled` lends its memory; an empty one will do.
  static Distribution certain(std::size_t arm_count, ArmIndex arm, Distribution recycled);
  static Distribution uniform(std::size_t arm_count, Distribution recycled);

  // (1 - floor) · p + floor / K: every arm gets at least floor / K. `floor` is in [0, 1].
  static Distribution with_floor(Distribution distribution, double floor);

  // (1 - share) · p + share · 1_arm. `share` is in [0, 1].
  static Distribution toward(Distribution distribution, ArmIndex arm, double share);

  // p given that the arm is one of those marked in `among`, which have a probability above 0
  // together.
  static Distribution given(Distribution distribution, std::span<const std::uint8_t> among);

  std::size_t size() const { return probabilities_.size(); }
  double operator[](ArmIndex arm) const { return probabilities_[arm]; }
  std::span<const double> probabilities() const { return probabilities_; }
  ArmIndex greedy_arm() const { return greedy_arm_; }

  // The first arm whose cumulative probability exceeds `u`, a number in [0, 1).
  ArmIndex sample(double u) const;

  // Σ_a p_a · values[a]. 0 for no values.
  double mean(std::span<const double> values) const;

  // Gives the memory back for the next round.
  std::vector<double> release() && { return std::move(probabilities_); }

 private:
  void check() const;

  std::vector<double> probabilities_;
  ArmIndex greedy_arm_ = 0;
};

}  // namespace handrail
