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

// Of a vector that is too long: anything may be true of it.
constexpr LinearEstimate kUnknown = {.cost = 0.0,
                                     .squared_norm = std::numeric_limits<double>::max()};

// Arms whose products are built together: few enough for their rows to stay in the first cache,
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

// products = rows · square, for rows of `size` numbers. Each number is a sum of scaled rows of the
// matrix in the order of the features: the same bits for one arm as for many, nothing allocated,
// and the zeros of sparse features cost nothing.
void multiply(std::span<const double> rows, std::span<const double> square, std::size_t size,
              std::span<double> products) {
  const std::size_t row_count = rows.size() / size;
  vector(products).setZero();
  for (std::size_t first = 0; first < row_count; first += kArmsTogether) {
    const std::size_t last = std::min(first + kArmsTogether, row_count);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t row = first; row < last; ++row) {
        const double value = rows[row * size + i];
        if (value == 0.0) continue;
        vector(piece(products, row, size)) += value * vector(piece(square, i, size));
      }
    }
  }
}

// What the model says of φ, where `product` is V⁻¹φ. Rounding can leave the squared norm of a long
// arm, seen many times, just below the 0 that it cannot pass.
LinearEstimate estimate_of(std::span<const double> phi, std::span<const double> product,
                           std::span<const double> theta) {
  return {.cost = vector(phi).dot(vector(theta)),
          .squared_norm = std::max(0.0, vector(phi).dot(vector(product)))};
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
                               std::span<double> squared_norms,
                               std::vector<double>& scratch) const {
  HANDRAIL_ASSERT(features.layout() == layout_);
  HANDRAIL_ASSERT(costs.size() == features.arm_count());
  HANDRAIL_ASSERT(squared_norms.size() == features.arm_count());
  const std::size_t size = layout_.feature_count;
  scratch.resize(features.arm_count() * size);
  const std::span<double> products(scratch);
  if (layout_.shape == FeatureShape::kRows) {
    multiply(features.values(), inverse_, size, products);
  } else {
    for (std::size_t block = 0; block < layout_.block_count; ++block) {
      multiply(features.values(), matrix_of(inverse_, block, size), size,
               piece(products, block, size));
    }
  }
  for (std::size_t index = 0; index < features.arm_count(); ++index) {
    const ArmView arm = features.arm(static_cast<ArmIndex>(index));
    const auto theta = piece(std::span(coefficients_), arm.block, size);
    const LinearEstimate estimate =
        learnable(arm) ? estimate_of(arm.features, piece(products, index, size), theta) : kUnknown;
    costs[index] = estimate.cost;
    squared_norms[index] = estimate.squared_norm;
  }
}

LinearEstimate RegularisedGram::estimate_stacked(std::span<const double> stacked,
                                                 std::vector<double>& scratch) const {
  HANDRAIL_ASSERT(stacked.size() == coefficients_.size());
  // |z|²/λ bounds every number below, V⁻¹ being at most 1/λ: none of them can overflow.
  if (!std::isfinite(vector(stacked).squaredNorm() / lambda_)) return kUnknown;
  const std::size_t size = layout_.feature_count;
  scratch.resize(size);
  LinearEstimate sum;
  for (std::size_t block = 0; block < layout_.block_count; ++block) {
    const std::span<const double> part = piece(stacked, block, size);
    multiply(part, matrix_of(inverse_, block, size), size, scratch);
    const LinearEstimate estimate =
        estimate_of(part, scratch, piece(std::span(coefficients_), block, size));
    sum.cost += estimate.cost;
    sum.squared_norm += estimate.squared_norm;
  }
  return sum;
}

LinearEstimate RegularisedGram::add(const ArmView& arm, double cost) {
  HANDRAIL_ASSERT(arm.features.size() == layout_.feature_count && arm.block < layout_.block_count);
  if (!learnable(arm)) {
    ++ignored_count_;
    return kUnknown;
  }
  const std::size_t size = layout_.feature_count;
  const auto phi = vector(arm.features);
  multiply(arm.features, matrix_of(inverse_, arm.block, size), size, direction_);
  auto direction = vector(std::span(direction_));
  const auto theta = piece(std::span(coefficients_), arm.block, size);
  const LinearEstimate before = estimate_of(arm.features, direction_, theta);

  // Sherman-Morrison, as V⁻¹ − wwᵀ with w = V⁻¹φ/√(1 + φᵀV⁻¹φ), which stays symmetric to the bit.
  const double growth = 1.0 + before.squared_norm;
  vector(theta) += direction * ((cost - before.cost) / growth);
  direction /= std::sqrt(growth);
  matrix(piece(std::span(inverse_), arm.block, size * size), size).noalias() -=
      direction * direction.transpose();
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

double parameter_radius(std::optional<double> radius, const FeatureLayout& layout) {
  return radius.value_or(std::sqrt(static_cast<double>(layout.block_count)));
}

}  // namespace handrail
