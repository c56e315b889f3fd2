// Ridge regression as a textbook has it: keeps every example as a vector over all blocks, builds
// the matrix anew for each question and eliminates. Shares no line with the library, so that the
// two can check each other.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "handrail/base/random.h"
#include "handrail/core/arm_features.h"

namespace handrail {

inline double inner(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The arm in its block of block_count * feature_count numbers, zero elsewhere.
inline std::vector<double> stacked(const ArmView& arm, const FeatureLayout& layout) {
  std::vector<double> vector(layout.block_count * layout.feature_count, 0.0);
  for (std::size_t i = 0; i < arm.features.size(); ++i) {
    vector[arm.block * layout.feature_count + i] = arm.features[i];
  }
  return vector;
}

// A row of numbers in (-1, 1), the last of them 1, scaled to length 1.
inline std::vector<double> random_row(RandomStream& stream, std::size_t size) {
  std::vector<double> row(size);
  for (double& value : row) value = 2.0 * stream.uniform() - 1.0;
  row.back() = 1.0;
  const double length = std::sqrt(inner(row, row));
  for (double& value : row) value /= length;
  return row;
}

struct DenseRidge {
  double lambda = 1.0;
  std::size_t size = 0;
  std::vector<std::vector<double>> rows = {};
  std::vector<double> costs = {};

  void add(std::vector<double> row, double cost) {
    rows.push_back(std::move(row));
    costs.push_back(cost);
  }

  // V⁻¹ · right, and log det(V/λ).
  std::pair<std::vector<double>, double> solve(std::vector<double> right) const {
    std::vector<std::vector<double>> v(size, std::vector<double>(size, 0.0));
    for (std::size_t i = 0; i < size; ++i) v[i][i] = lambda;
    for (const std::vector<double>& row : rows) {
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) v[i][j] += row[i] * row[j];
      }
    }
    double log_det = 0.0;  // V is positive definite: no pivoting
    for (std::size_t pivot = 0; pivot < size; ++pivot) {
      log_det += std::log(v[pivot][pivot] / lambda);
      for (std::size_t i = pivot + 1; i < size; ++i) {
        const double factor = v[i][pivot] / v[pivot][pivot];
        for (std::size_t j = pivot; j < size; ++j) v[i][j] -= factor * v[pivot][j];
        right[i] -= factor * right[pivot];
      }
    }
    for (std::size_t i = size; i-- > 0;) {
      for (std::size_t j = i + 1; j < size; ++j) right[i] -= v[i][j] * right[j];
      right[i] /= v[i][i];
    }
    return {right, log_det};
  }

  double log_det() const { return solve(std::vector<double>(size, 0.0)).second; }

  double squared_norm(const std::vector<double>& z) const { return inner(z, solve(z).first); }

  std::vector<double> theta() const {
    std::vector<double> response(size, 0.0);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      for (std::size_t i = 0; i < size; ++i) response[i] += costs[t] * rows[t][i];
    }
    return solve(std::move(response)).first;
  }

  // min over θ of Σ(φᵀθ − y)² + λ|θ|², at its minimiser.
  double minimum() const {
    const std::vector<double> best = theta();
    double sum = lambda * inner(best, best);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      sum += std::pow(inner(rows[t], best) - costs[t], 2);
    }
    return sum;
  }
};

}  // namespace handrail
