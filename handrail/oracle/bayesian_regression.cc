#include "handrail/oracle/bayesian_regression.h"

#include <algorithm>
#include <cmath>

#include "handrail/base/assert.h"
#include "handrail/base/gamma_draw.h"
#include "handrail/oracle/dense.h"

namespace handrail {
namespace {

// The lower triangle of A = LLᵀ into that of L, row by row. False where a pivot is not above 0.
bool factorise(std::span<const double> square, std::size_t size, std::span<double> factor) {
  for (std::size_t i = 0; i < size; ++i) {
    const std::span<double> row = factor.subspan(i * size, i + 1);
    for (std::size_t j = 0; j <= i; ++j) {
      const std::span<const double> other = factor.subspan(j * size, j + 1);
      const double rest = square[i * size + j] - dot(row.first(j), other.first(j));
      if (j < i) {
        row[j] = rest / other[j];
      } else {
        if (!(rest > 0.0 && std::isfinite(rest))) return false;
        row[j] = std::sqrt(rest);
      }
    }
  }
  return true;
}

// x ← L⁻¹x.
void solve_lower(std::span<const double> factor, std::span<double> x) {
  const std::size_t size = x.size();
  for (std::size_t i = 0; i < size; ++i) {
    x[i] = (x[i] - dot(factor.subspan(i * size, i), x.first(i))) / factor[i * size + i];
  }
}

// x ← L⁻ᵀx.
void solve_upper(std::span<const double> factor, std::span<double> x) {
  const std::size_t size = x.size();
  for (std::size_t i = size; i-- > 0;) {
    x[i] /= factor[i * size + i];
    add_scaled(-x[i], factor.subspan(i * size, i), x.first(i));
  }
}

}  // namespace

BayesianRegression::BayesianRegression(std::size_t size, const RegressionPrior& prior)
    : size_(size), prior_(prior), scale_(prior.scale) {
  HANDRAIL_ASSERT(size > 0 && prior.lambda > 0.0 && prior.shape > 0.0 && prior.scale > 0.0);
  clear();
  settle();
}

void BayesianRegression::clear() {
  precision_.assign(size_ * size_, 0.0);
  for (std::size_t i = 0; i < size_; ++i) precision_[i * size_ + i] = prior_.lambda;
  response_.assign(size_, 0.0);
  squares_ = 0.0;
  row_count_ = 0;
}

void BayesianRegression::add(std::span<const double> row, double cost) {
  HANDRAIL_ASSERT(row.size() == size_);
  for (std::size_t i = 0; i < size_; ++i) {
    if (row[i] == 0.0) continue;  // what a ReLU does not let through
    add_scaled(row[i], row.first(i + 1), std::span(precision_).subspan(i * size_, i + 1));
  }
  add_scaled(cost, row, response_);
  squares_ += cost * cost;
  ++row_count_;
}

void BayesianRegression::settle() {
  factor_.resize(size_ * size_);
  sound_ = factorise(precision_, size_, factor_);
  if (!sound_) return;
  mean_ = response_;
  solve_lower(factor_, mean_);
  const double explained = dot(mean_, mean_);  // μᵀPμ = |L⁻¹Zᵀy|²
  solve_upper(factor_, mean_);
  scale_ = prior_.scale + 0.5 * (squares_ - explained);
  sound_ = scale_ > 0.0 && std::isfinite(scale_);
}

double BayesianRegression::shape() const {
  return prior_.shape + 0.5 * static_cast<double>(row_count_);
}

void BayesianRegression::draw(RandomStream& stream, std::span<double> weights) const {
  HANDRAIL_ASSERT(sound_ && weights.size() == size_);
  const double sigma = std::sqrt(scale_ / gamma_draw(shape(), stream));
  for (double& weight : weights) weight = sigma * stream.normal();
  solve_upper(factor_, weights);
  add_scaled(1.0, mean_, weights);
}

void BayesianRegression::save(ByteWriter& out) const {
  out.u64(row_count_);
  out.f64(squares_);
  out.doubles(response_);
  out.doubles(precision_);
}

void BayesianRegression::load(ByteReader& in) {
  row_count_ = in.u64();
  squares_ = in.f64();
  in.doubles(std::span(response_));
  in.doubles(std::span(precision_));
  settle();
}

}  // namespace handrail
