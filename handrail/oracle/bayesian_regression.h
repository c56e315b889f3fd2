// Bayesian linear regression with unknown noise, the conjugate one: for rows Z and costs y,
//   precision P = ZᵀZ + λI,  mean μ = P⁻¹Zᵀy,  a = a_0 + n/2,  b = b_0 + (yᵀy − μᵀPμ)/2,
// and a draw is σ² ~ InvGamma(a, b), then w ~ N(μ, σ²P⁻¹). P keeps its Cholesky factor P = LLᵀ, so
// that a draw is μ + σ L⁻ᵀg for normal g.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/base/random.h"
#include "handrail/oracle/cholesky.h"

namespace handrail {

struct RegressionPrior {
  double lambda = 0.25;
  double shape = 6.0;  // a_0
  double scale = 6.0;  // b_0
};

// A value.
class BayesianRegression {
 public:
  BayesianRegression(std::size_t size, const RegressionPrior& prior);

  // Back to the prior.
  void clear();
  void add(std::span<const double> row, double cost);
  // Computes the posterior of all rows so far, in O(size³). What follows is about the rows before
  // the last settle().
  void settle();

  // Whether the numbers were good enough for a Cholesky factor. Rows that are not finite, or so
  // large that λ is lost beside them, leave none, and then nothing below may be asked.
  bool sound() const { return sound_; }
  std::span<const double> mean() const { return mean_; }  // μ
  double shape() const;                                   // a
  double scale() const { return scale_; }                 // b
  std::uint64_t row_count() const { return row_count_; }  // n

  // Fills `weights` with a draw of w.
  void draw(RandomStream& stream, std::span<double> weights) const;

  // The sums that the posterior follows from; load() settles.
  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  std::size_t size_;
  RegressionPrior prior_;
  std::vector<double> precision_;  // row by row; the upper triangle alone
  std::vector<double> response_;   // Zᵀy
  double squares_ = 0.0;           // yᵀy
  std::uint64_t row_count_ = 0;

  CholeskyFactor factor_;  // of the precision
  std::vector<double> mean_;
  double scale_;
  bool sound_ = true;
};

}  // namespace handrail
