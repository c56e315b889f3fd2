#include "handrail/oracle/bayesian_regression.h"

#include <cmath>

#include "handrail/base/assert.h"
#include "handrail/base/gamma_draw.h"
#include "handrail/oracle/dense.h"

namespace handrail {

BayesianRegression::BayesianRegression(std::size_t size, const RegressionPrior& prior)
    : size_(size), prior_(prior), factor_(size, prior.lambda), scale_(prior.scale) {
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
    add_scaled(row[i], row.subspan(i), std::span(precision_).subspan(i * (size_ + 1), size_ - i));
  }
  add_scaled(cost, row, response_);
  squares_ += cost * cost;
  ++row_count_;
}

void BayesianRegression::settle() {
  sound_ = factor_.factorise(precision_);
  if (!sound_) return;
  mean_ = response_;
  factor_.solve(mean_);
  const double explained = dot(mean_, response_);  // μᵀPμ, since Pμ = Zᵀy
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
  factor_.solve_transposed(weights);
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
