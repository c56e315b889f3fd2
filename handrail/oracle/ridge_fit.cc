#include "handrail/oracle/ridge_fit.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "handrail/base/assert.h"

namespace handrail {

std::vector<double> fit_ridge(std::span<const double> features, std::size_t feature_count,
                              std::span<const double> targets, double lambda) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  HANDRAIL_ASSERT(feature_count > 0 && lambda > 0.0 && features.size() % feature_count == 0);
  const std::size_t row_count = features.size() / feature_count;
  HANDRAIL_ASSERT(row_count > 0 && targets.size() % row_count == 0);
  const auto rows = static_cast<Eigen::Index>(row_count);
  const auto d = static_cast<Eigen::Index>(feature_count);
  const auto target_count = static_cast<Eigen::Index>(targets.size() / row_count);
  const Eigen::Map<const RowMajor> x(features.data(), rows, d);
  const Eigen::Map<const RowMajor> y(targets.data(), rows, target_count);
  const Eigen::MatrixXd gram = x.transpose() * x + lambda * Eigen::MatrixXd::Identity(d, d);
  std::vector<double> coefficients(feature_count * static_cast<std::size_t>(target_count));
  Eigen::Map<Eigen::MatrixXd>(coefficients.data(), d, target_count) =
      gram.llt().solve(x.transpose() * y);
  return coefficients;
}

}  // namespace handrail
