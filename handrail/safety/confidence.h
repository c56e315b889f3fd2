// An upper bound, valid at all rounds at once, on the sum of the conditional mean costs of chosen
// rounds (the members). It assumes that costs are in [0, 1], and nothing else: no model, no
// stationarity, no independence, no bound on delays. This is what the certified gate stands on.
//
// Theorem. Member i has conditional mean c_i and observed cost y_i; its centre v_i ∈ [0, 1] is any
// number fixed before y_i is drawn. Fix λ_j ∈ (0, 1) and weights w_j > 0 with Σ w_j ≤ 1, and let
//   V = Σ v_i,   L_j = Σ log(1 + λ_j (v_i − y_i)).
// With probability at least 1 − δ, for all n at once, Σ c_i stays below the x that solves
//   Σ_j w_j exp(λ_j (x − V) + L_j) = 1/δ                                               (mixture)
// and so below   V + min_j [log(1 / (δ w_j)) − L_j] / λ_j                              (minimum).
// Proof. E[1 + λ(v − y)] · exp(λ(c − v)) ≤ 1 since 1 + s ≤ exp(s). So exp(λ(Σc − V) + L) is a
// supermartingale that starts at 1, the mixture is one too, and Ville's inequality bounds the
// chance that it ever reaches 1/δ. It grows with x, so the event inverts. ∎
#pragma once

#include <cstddef>
#include <cstdint>

#include "handrail/base/bytes.h"
#include "handrail/config/parameter_values.h"
#include "handrail/safety/log_growth.h"

namespace handrail {

// w_j = 1 / ((j+1)(j+2)): they sum to 0.96.
double rate_weight(std::size_t j);

// What the bounds need of δ, computed once.
struct BoundTerms {
  explicit BoundTerms(double delta);

  RateArray log_prices;    // log(1 / (δ w_j))
  RateArray log_weights;   // log w_j
  double log_price_total;  // log(1 / δ)
};

// The two bounds of the theorem, from the sums V and L.
double minimum_bound(double centre_sum, const RateArray& growth, const BoundTerms& terms);
double mixture_bound(double centre_sum, const RateArray& growth, const BoundTerms& terms);

enum class BoundKind : std::uint8_t { kMinimum = 0, kMixture = 1 };

extern const ParameterSpec kBoundRow;
BoundKind bound_in(const ParameterValues& values);

double bound_of(BoundKind kind, double centre_sum, const RateArray& growth,
                const BoundTerms& terms);

// V and L: what the bound is a function of.
struct GrowthSums {
  double centre_sum = 0.0;
  RateArray growth{};

  // A member whose cost is unknown, and so counts 1; and the correction once it is known.
  void add(double centre);
  void correct(double centre, double cost);

  // log_growth(newest_centre, 1) of the member that was added last: its cost is often the next to
  // become known, and need not compute it again. A function of the centre alone, so no state.
  double newest_centre = 1.0;
  RateArray newest_growth{};
};

// A conditional mean is at most 1: one more member adds at most that, and n members cost at most n.
double upper_after_member(double upper, std::uint64_t member_count, double bound);

// The bound as costs come in. A member's cost counts 1 until it is known; the bound grows with
// every cost, so that is safe, also if the delay depends on the outcome. (Leaving unknown members
// out would not be, when slow feedback goes with high cost.)
class CostBound {
 public:
  CostBound(double delta, BoundKind kind);

  // A member whose cost is not known yet, and its centre.
  void add_member(double centre);
  // The cost of an earlier member; `centre` is the one it was added with.
  void reveal(double centre, double cost);

  // Ub: at least the sum of the members' conditional means, at most their number.
  double upper() const { return upper_; }
  double observed() const { return observed_; }  // Σ y with unknown costs as 1
  std::uint64_t member_count() const { return member_count_; }

  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  // Constant after construction.
  BoundTerms terms_;
  BoundKind kind_;

  GrowthSums sums_;
  double upper_ = 0.0;
  double observed_ = 0.0;
  std::uint64_t member_count_ = 0;
};

}  // namespace handrail
