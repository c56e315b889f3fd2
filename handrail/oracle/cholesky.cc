#include "handrail/oracle/cholesky.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "handrail/base/assert.h"

namespace handrail {

CholeskyFactor::CholeskyFactor(std::size_t size, double lambda)
    : size_(size), upper_(size * size, 0.0), rest_(size, 0.0) {
  HANDRAIL_ASSERT(size > 0 && lambda > 0.0 && std::isfinite(lambda));
  for (std::size_t i = 0; i < size; ++i) upper_[i * size + i] = std::sqrt(lambda);
}

// Row after row of Lᵀ, a rotation moves what is left of x into the factor.
void CholeskyFactor::add(std::span<const double> x) {
  HANDRAIL_ASSERT(x.size() == size_);
  std::ranges::copy(x, rest_.begin());
  for (std::size_t k = 0; k < size_; ++k) {
    if (rest_[k] == 0.0) continue;
    double* const row = upper_.data() + k * size_;
    const double length = std::hypot(row[k], rest_[k]);
    const double cosine = row[k] / length;
    const double sine = rest_[k] / length;
    row[k] = length;
    for (std::size_t j = k + 1; j < size_; ++j) {
      const double before = row[j];
      row[j] = cosine * before + sine * rest_[j];
      rest_[j] = cosine * rest_[j] - sine * before;
    }
  }
}

bool CholeskyFactor::factorise(std::span<const double> matrix) {
  HANDRAIL_ASSERT(matrix.size() == upper_.size());
  std::vector<double> rest(matrix.begin(), matrix.end());
  for (std::size_t k = 0; k < size_; ++k) {
    double* const row = rest.data() + k * size_;
    std::fill_n(row, k, 0.0);
    if (!(row[k] > 0.0) || !std::isfinite(row[k])) return false;
    const double diagonal = std::sqrt(row[k]);
    for (std::size_t j = k; j < size_; ++j) row[j] /= diagonal;
    for (std::size_t i = k + 1; i < size_; ++i) {
      double* const below = rest.data() + i * size_;
      for (std::size_t j = i; j < size_; ++j) below[j] -= row[i] * row[j];
    }
  }
  upper_ = std::move(rest);
  return true;
}

void CholeskyFactor::solve_transposed(std::span<double> x) const {
  HANDRAIL_ASSERT(x.size() == size_);
  for (std::size_t i = size_; i-- > 0;) {
    const double* const row = upper_.data() + i * size_;
    double rest = x[i];
    for (std::size_t j = i + 1; j < size_; ++j) rest -= row[j] * x[j];
    x[i] = rest / row[i];
  }
}

void CholeskyFactor::solve(std::span<double> x) const {
  HANDRAIL_ASSERT(x.size() == size_);
  for (std::size_t i = 0; i < size_; ++i) {
    const double* const row = upper_.data() + i * size_;
    x[i] /= row[i];
    for (std::size_t j = i + 1; j < size_; ++j) x[j] -= row[j] * x[i];
  }
  solve_transposed(x);
}

void CholeskyFactor::save(ByteWriter& out) const {
  out.doubles(upper_);
}

void CholeskyFactor::load(ByteReader& in) {
  in.doubles(upper_);
  if (!in.status().ok()) return;
  for (std::size_t i = 0; i < size_; ++i) {
    const double diagonal = upper_[i * size_ + i];
    if (diagonal > 0.0 && std::isfinite(diagonal)) continue;
    in.fail("holds a factor whose diagonal is not positive");
    return;
  }
}

}  // namespace handrail
