// A barycentric spanner of the arms of a round (Awerbuch and Kleinberg 2004): a few arms of which
// every other arm is a combination with small coefficients, so that who knows what they cost knows
// it of all. Arms are weighted down by their gap, so that a spanner prefers good ones.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "handrail/explore/search_memory.h"

namespace handrail {

// C: no arm has a coordinate above it in size, in the basis that the spanner is.
inline constexpr double kSpannerStretch = 2.0;

// The arms of a round, in rows or a product, as the vectors x_a/w_a with w_a = √(1 + d + ι·gap_a),
// where gap_a = ⟨θ, x_a⟩ − min_b ⟨θ, x_b⟩ is by how much a linear model with coefficients θ
// predicts the arm to be dearer than the cheapest. A view of features and θ; works in `memory`.
class WeightedArms {
 public:
  WeightedArms(const ArmFeatures& features, std::span<const double> theta, double iota,
               SearchMemory& memory);

  std::size_t dimension() const { return features_.feature_count(); }
  ArmIndex cheapest() const { return cheapest_; }

  struct Farthest {
    ArmIndex arm = 0;
    double coordinate = 0.0;  // ⟨c, x_a⟩/w_a
  };
  // An arm whose vector has the largest product with c in size. Of rows every arm is looked at. Of
  // a product few are, and still none is better: maximal n²/D, n = ⟨c, x_a⟩ and D = w_a², is max_s
  // (2sn − s²D), and for each s that is a sum over factors. As s grows from 0, a factor's best
  // choice follows the upper envelope of the lines 2n − sιg, its part of the product and of the
  // gap, and the arm changes at most once for each choice.
  Farthest farthest(std::span<const double> c) const;

  void copy(ArmIndex arm, std::span<double> out) const;  // x_a/w_a

 private:
  double squared_weight(ArmIndex arm) const;
  void measure_gaps(std::span<const double> theta, double iota);
  Farthest farthest_row(std::span<const double> c) const;
  Farthest measured() const;
  Farthest farthest_product(double sign) const;
  void collect_steps(std::size_t factor, std::size_t first_row, double sign) const;

  const ArmFeatures& features_;
  SearchMemory& memory_;
  ArmIndex cheapest_ = 0;
};

struct Spanner {
  // log of |det| of the basis: the vectors of the arms, and unit vectors where there is no arm.
  double log_det = 0.0;
  bool complete = true;  // whether the swaps ended before their bound, which only rounding prevents
};

// Fills `slots`, one for each of the d dimensions, with different arms; none in a slot where the
// arms span fewer dimensions. Uses d² numbers of `memory.matrix`, which then holds the inverse of
// the basis, row by row: coordinates are its products with a vector.
Spanner find_spanner(const WeightedArms& arms, SearchMemory& memory,
                     std::vector<std::optional<ArmIndex>>& slots);

}  // namespace handrail
