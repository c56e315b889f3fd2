#include "handrail/oracle/gram.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

// Keeps the rounding of rank-one updates from building up, at d³/1000 a step. Counted per block and
// saved, so that a loaded model refactorises in the same round as the one it was saved from.
constexpr std::uint64_t kUpdatesPerFactorisation = 1000;

// |φ|²/λ up to which one rank-one step leaves at least six digits of V⁻¹ in the direction of φ.
constexpr double kLargestStep = 1e10;

// |z|²/λ up to which no sum on the way to zᵀV⁻¹z can overflow, however many features there are.
constexpr double kLargestSum = 1e300;

// Of a sum that is too long: anything may be true of it.
constexpr LinearEstimate kUnknown = {.cost = 0.0,
                                     .squared_norm = std::numeric_limits<double>::max()};

// Of an arm that cannot be learned: expensive and beyond doubt, so that nothing is drawn to it.
constexpr LinearEstimate kUnlearnable = {.cost = 1.0, .squared_norm = 0.0};

// Arms whose forms are summed together: few enough for their rows to stay in the first cache,
// enough for a row of the matrix to be read once for all of them.
constexpr std::size_t kArmsTogether = 8;

Eigen::Index index_of(std::size_t size) {
  return static_cast<Eigen::Index>(size);
}

Eigen::Map<const Vector> vector(std::span<const double> values) {
  return {values.data(), index_of(values.size())};
}

Eigen::Map<Vector> vector(std::span<double> values) {
  return {values.data(), index_of(values.size())};
}

Eigen::Map<const Matrix> matrix(std::span<const double> values, std::size_t size) {
  return {values.data(), index_of(size), index_of(size)};
}

Eigen::Map<Matrix> matrix(std::span<double> values, std::size_t size) {
  return {values.data(), index_of(size), index_of(size)};
}

// Piece number `index` of pieces of `size` numbers.
template <typename Number>
std::span<Number> piece(std::span<Number> values, std::size_t index, std::size_t size) {
  return values.subspan(index * size, size);
}

std::span<const double> matrix_of(std::span<const double> matrices, std::size_t block,
                                  std::size_t size) {
  return piece(matrices, block, size * size);
}

// xᵀMx for every row x of `rows`, into one number a row. M is symmetric, so its upper triangle is
// all that is read. A row gets the same bits alone as among others, nothing is allocated, and the
// zeros of sparse features cost nothing.
void quadratic_forms(std::span<const double> rows, std::span<const double> square, std::size_t size,
                     std::span<double> forms) {
  vector(forms).setZero();
  for (std::size_t first = 0; first < forms.size(); first += kArmsTogether) {
    const std::size_t last = std::min(first + kArmsTogether, forms.size());
    for (std::size_t i = 0; i < size; ++i) {
      const std::span<const double> line = piece(square, i, size).subspan(i);
      for (std::size_t row = first; row < last; ++row) {
        const std::span<const double> x = piece(rows, row, size).subspan(i);
        if (x[0] == 0.0) continue;
        const double beside = vector(line.subspan(1)).dot(vector(x.subspan(1)));
        forms[row] += x[0] * (line[0] * x[0] + 2.0 * beside);
      }
    }
  }
}

// A squared norm is never negative, but rounding can leave that of a long vector, in a direction
// seen many times, just below 0.
double squared_norm_of(double form) {
  return std::max(0.0, form);
}

}  // namespace

RegularisedGram::RegularisedGram(const FeatureLayout& layout, double lambda)
    : layout_(layout), lambda_(lambda) {
  HANDRAIL_ASSERT(lambda > 0.0 && std::isfinite(lambda) && std::isfinite(1.0 / lambda));
  HANDRAIL_ASSERT(layout.feature_count > 0 && layout.block_count > 0);
  const std::size_t size = layout.feature_count;
  gram_.resize(layout.block_count * size * size);
  inverse_.resize(gram_.size());
  for (std::size_t block = 0; block < layout.block_count; ++block) {
    matrix(piece(std::span(gram_), block, size * size), size).diagonal().setConstant(lambda);
    matrix(piece(std::span(inverse_), block, size * size), size)
        .diagonal()
        .setConstant(1.0 / lambda);
  }
  response_.resize(layout.block_count * size);
  coefficients_.resize(layout.block_count * size);
  update_counts_.resize(layout.block_count);
  direction_.resize(size);
}

void RegularisedGram::estimate(const ArmFeatures& features, std::span<double> costs,
                               std::span<double> squared_norms) const {
  HANDRAIL_ASSERT(features.layout() == layout_);
  HANDRAIL_ASSERT(costs.size() == features.arm_count());
  HANDRAIL_ASSERT(squared_norms.size() == features.arm_count());
  const std::size_t size = layout_.feature_count;
  if (layout_.shape == FeatureShape::kRows) {
    quadratic_forms(features.values(), inverse_, size, squared_norms);
  } else {
    for (std::size_t block = 0; block < layout_.block_count; ++block) {
      quadratic_forms(features.values(), matrix_of(inverse_, block, size), size,
                      squared_norms.subspan(block, 1));
    }
  }
  for (std::size_t index = 0; index < features.arm_count(); ++index) {
    const ArmView arm = features.arm(static_cast<ArmIndex>(index));
    const bool known = learnable(arm);
    costs[index] = known ? cost_of(arm) : kUnlearnable.cost;
    squared_norms[index] =
        known ? squared_norm_of(squared_norms[index]) : kUnlearnable.squared_norm;
  }
}

void RegularisedGram::estimate_costs(const ArmFeatures& features, std::span<double> costs) const {
  HANDRAIL_ASSERT(features.layout() == layout_);
  HANDRAIL_ASSERT(costs.size() == features.arm_count());
  for (std::size_t index = 0; index < features.arm_count(); ++index) {
    const ArmView arm = features.arm(static_cast<ArmIndex>(index));
    costs[index] = learnable(arm) ? cost_of(arm) : kUnlearnable.cost;
  }
}

LinearEstimate RegularisedGram::estimate_stacked(std::span<const double> stacked) const {
  HANDRAIL_ASSERT(stacked.size() == coefficients_.size());
  if (!(vector(stacked).squaredNorm() <= kLargestSum * lambda_)) return kUnknown;  // or NaN
  const std::size_t size = layout_.feature_count;
  LinearEstimate sum = {.cost = vector(stacked).dot(vector(coefficients_)), .squared_norm = 0.0};
  for (std::size_t block = 0; block < layout_.block_count; ++block) {
    double form = 0.0;
    quadratic_forms(piece(stacked, block, size), matrix_of(inverse_, block, size), size,
                    std::span(&form, 1));
    sum.squared_norm += squared_norm_of(form);
  }
  return sum;
}

LinearEstimate RegularisedGram::estimate_arm(const ArmView& arm) const {
  HANDRAIL_ASSERT(arm.features.size() == layout_.feature_count && arm.block < layout_.block_count);
  if (!(vector(arm.features).squaredNorm() <= kLargestSum * lambda_)) return kUnknown;  // or NaN
  const std::size_t size = layout_.feature_count;
  const auto theta = piece(std::span(coefficients_), arm.block, size);
  double form = 0.0;
  quadratic_forms(arm.features, matrix_of(inverse_, arm.block, size), size, std::span(&form, 1));
  return {.cost = vector(arm.features).dot(vector(theta)), .squared_norm = squared_norm_of(form)};
}

LinearEstimate RegularisedGram::add(const ArmView& arm, double cost) {
  HANDRAIL_ASSERT(arm.features.size() == layout_.feature_count && arm.block < layout_.block_count);
  if (!learnable(arm)) {
    ++ignored_count_;
    return kUnlearnable;
  }
  const std::size_t size = layout_.feature_count;
  const auto phi = vector(arm.features);
  auto theta = vector(piece(std::span(coefficients_), arm.block, size));
  auto inverse = matrix(piece(std::span(inverse_), arm.block, size * size), size);
  auto direction = vector(std::span(direction_));
  direction.setZero();  // V⁻¹φ, as a sum of rows
  for (std::size_t i = 0; i < size; ++i) {
    if (arm.features[i] != 0.0) direction += arm.features[i] * inverse.row(index_of(i));
  }
  const LinearEstimate before = {.cost = phi.dot(theta),
                                 .squared_norm = squared_norm_of(phi.dot(direction))};

  // Sherman-Morrison, as V⁻¹ − wwᵀ with w = V⁻¹φ/√(1 + φᵀV⁻¹φ), which stays symmetric to the bit.
  const double growth = 1.0 + before.squared_norm;
  theta += direction * ((cost - before.cost) / growth);
  direction /= std::sqrt(growth);
  inverse.noalias() -= direction * direction.transpose();
  matrix(piece(std::span(gram_), arm.block, size * size), size).noalias() += phi * phi.transpose();
  vector(piece(std::span(response_), arm.block, size)) += cost * phi;
  log_det_ += std::log1p(before.squared_norm);
  squared_cost_sum_ += cost * cost;

  ++update_counts_[arm.block];
  if (update_counts_[arm.block] % kUpdatesPerFactorisation == 0) refactorise(arm.block);
  return before;
}

bool RegularisedGram::learnable(const ArmView& arm) const {
  return vector(arm.features).squaredNorm() <= kLargestStep * lambda_;
}

double RegularisedGram::cost_of(const ArmView& arm) const {
  const auto theta = piece(std::span(coefficients_), arm.block, layout_.feature_count);
  return vector(arm.features).dot(vector(theta));
}

double RegularisedGram::ridge_minimum() const {
  return squared_cost_sum_ - vector(response_).dot(vector(coefficients_));
}

void RegularisedGram::save(ByteWriter& out) const {
  out.f64(lambda_);
  out.doubles(gram_);
  out.doubles(inverse_);
  out.doubles(response_);
  out.doubles(coefficients_);
  for (const std::uint64_t count : update_counts_) out.u64(count);
  out.u64(ignored_count_);
  out.f64(log_det_);
  out.f64(squared_cost_sum_);
}

Status RegularisedGram::load(ByteReader& in) {
  RegularisedGram loaded = *this;
  if (in.f64() != lambda_) in.fail("was saved with another lambda");
  in.doubles(loaded.gram_);
  in.doubles(loaded.inverse_);
  in.doubles(loaded.response_);
  in.doubles(loaded.coefficients_);
  for (std::uint64_t& count : loaded.update_counts_) count = in.u64();
  loaded.ignored_count_ = in.u64();
  loaded.log_det_ = in.f64();
  loaded.squared_cost_sum_ = in.f64();
  const Status status = in.status();
  if (!status.ok()) return status;
  *this = std::move(loaded);
  return {};
}

void RegularisedGram::refactorise(std::size_t block) {
  const std::size_t size = layout_.feature_count;
  const Eigen::LLT<Matrix> factor(matrix(matrix_of(gram_, block, size), size));
  // Fails only where λ is lost beside the sum of the arms; the inverse of the rank-one steps then
  // knows more than V does.
  if (factor.info() != Eigen::Success) return;
  const Matrix inverse = factor.solve(Matrix::Identity(index_of(size), index_of(size)));
  matrix(piece(std::span(inverse_), block, size * size), size) =
      inverse.selfadjointView<Eigen::Lower>();
  vector(piece(std::span(coefficients_), block, size)) =
      factor.solve(vector(std::span<const double>(piece(std::span(response_), block, size))));
}

void add_scaled(const ArmView& arm, double scale, std::span<double> stacked) {
  const std::size_t first = arm.block * arm.features.size();
  HANDRAIL_ASSERT(first + arm.features.size() <= stacked.size());
  for (std::size_t i = 0; i < arm.features.size(); ++i) {
    stacked[first + i] += scale * arm.features[i];
  }
}

double parameter_radius(std::optional<double> radius, const FeatureLayout& layout) {
  return radius.value_or(std::sqrt(static_cast<double>(layout.block_count)));
}

// Divided, not multiplied: the product may not fit a number.
Status check_matrices(const FeatureLayout& layout) {
  constexpr std::size_t kLargest = std::size_t{1} << 28;  // numbers: 2 GiB, and as much again
  const std::size_t d = layout.feature_count;
  if (d <= kLargest / d / layout.block_count) return {};
  return Error{"a linear model of " + describe(layout) +
               " needs a square matrix a block, more than 2^28 numbers; oracle=linear needs none"};
}

}  // namespace handrail
