#include "handrail/oracle/linear.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "handrail/base/assert.h"
#include "handrail/oracle/kernels/aligned.h"
#include "handrail/oracle/kernels/linear_kernels.h"
#include "handrail/oracle/learning_parameters.h"

namespace handrail {
namespace {

constexpr std::size_t padded(std::size_t count, std::size_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

// What the oracle knows: the numbers of each block side by side, where updates read them.
// Predictions for few block features read, for each feature, the weights of all arms side by side,
// which are kept a second time for that.
//
// The papers' weights w_i and scales s_i (the largest |x_i| so far) are kept as they are, their
// sums of squared gradients G_i as G_i/s_i², and 1/s_i beside s_i. So a prediction is Σ w_i x_i, an
// update computes with x_i/s_i, no larger than 1, and neither divides by a scale.
class LinearModel {
 public:
  LinearModel(const FeatureLayout& layout, std::size_t lane_count)
      : layout_(layout),
        row_size_(padded(layout.feature_count, kLinearPadding)),
        weights_(layout.block_count * row_size_),
        scales_(weights_.size(), kLinearFirstScale),
        inverse_scales_(weights_.size(), 1.0 / kLinearFirstScale),
        gradient_sums_(weights_.size()) {
    if (layout.shape == FeatureShape::kRows) return;
    least_scales_.resize(row_size_, std::numeric_limits<double>::infinity());
    if (layout.feature_count > kShortRow) {
      weight_stride_ = layout.block_count;
      side_by_side_ = kGroupSize;
      return;
    }
    // Of so few features it costs less to read the weights of all arms side by side than to add up
    // each arm's.
    stride_ = padded(layout.block_count, lane_count);
    table_weights_.resize(layout.feature_count * stride_);
    table_scales_.resize(table_weights_.size());
  }

  LinearTable table() const {
    return {.weights = table_weights_.data(),
            .scales = table_scales_.data(),
            .least_scales = least_scales_.data(),
            .stride = stride_};
  }
  LinearRows rows() const {
    return {.weights = weights_.data(),
            .scales = scales_.data(),
            .least_scales = least_scales_.data(),
            .arm_count = layout_.block_count};
  }
  LinearRow row() const { return {.weights = weights_.data(), .scales = scales_.data()}; }
  std::size_t row_size() const { return row_size_; }
  bool has_table() const { return stride_ != 0; }

  LinearBlock block(std::size_t index, double* pushes) {
    const std::size_t first = index * row_size_;
    return {.weights = &weight(index, 0),
            .weight_stride = weight_stride_,
            .inverse_scales = inverse_scales_.data() + first,
            .gradient_sums = gradient_sums_.data() + first,
            .pushes = pushes};
  }

  // Makes every scale of the block at least as large as its feature.
  void widen(std::size_t block, const SparseRowView& features) {
    for (std::size_t n = 0; n < features.count; ++n) {
      const double* const group = features.groups + n * kGroupSize;
      const double* const scales = scales_.data() + shared_place(block, features.offsets[n]);
      bool fits = true;
      for (std::size_t i = 0; i < kGroupSize; ++i) fits &= !(std::abs(group[i]) > scales[i]);
      if (fits) continue;
      for (std::size_t i = 0; i < kGroupSize; ++i) {
        const double size = std::abs(group[i]);
        if (size > scales[i]) widen(block, features.offsets[n] + i, size);
      }
    }
  }

  // To be called where an update changed the weights.
  void publish_weights(std::size_t block) {
    if (!has_table()) return;
    const double* const row = &weight(block, 0);
    double* const column = table_weights_.data() + block;
    for (std::size_t i = 0; i < layout_.feature_count; ++i) column[i * stride_] = row[i];
  }

  void save(ByteWriter& out) const {
    std::vector<double> numbers;
    const auto add = [&](auto number_of) {
      numbers.clear();
      for_each_place([&](std::size_t block, std::size_t feature) {
        numbers.push_back(number_of(block, feature));
      });
      out.doubles(numbers);
    };
    add([&](std::size_t block, std::size_t feature) { return weight(block, feature); });
    add([&](std::size_t block, std::size_t feature) {
      return scales_[shared_place(block, feature)];
    });
    add([&](std::size_t block, std::size_t feature) {
      return gradient_sums_[place(block, feature)];
    });
  }

  void load(ByteReader& in) {
    std::vector<double> numbers(layout_.block_count * layout_.feature_count);
    const auto take = [&](auto number_of) {
      in.doubles(numbers);
      const auto is_finite = [](double number) { return std::isfinite(number); };
      if (!std::ranges::all_of(numbers, is_finite)) in.fail("holds a number that is not finite");
      auto next = numbers.begin();
      for_each_place(
          [&](std::size_t block, std::size_t feature) { number_of(block, feature) = *next++; });
    };
    take([&](std::size_t block, std::size_t feature) -> double& { return weight(block, feature); });
    take([&](std::size_t block, std::size_t feature) -> double& {
      return scales_[shared_place(block, feature)];
    });
    take([&](std::size_t block, std::size_t feature) -> double& {
      return gradient_sums_[place(block, feature)];
    });
    for_each_place([&](std::size_t block, std::size_t feature) {
      const double scale = scales_[shared_place(block, feature)];
      if (!(scale >= kLinearFirstScale)) in.fail("has a scale smaller than the first");
      inverse_scales_[place(block, feature)] = 1.0 / scale;
    });
    for (std::size_t block = 0; block < layout_.block_count; ++block) {
      publish_weights(block);
      for (std::size_t i = 0; i < layout_.feature_count; ++i) {
        publish_scale(block, i, kLinearFirstScale);
      }
    }
  }

 private:
  void widen(std::size_t block, std::size_t feature, double size) {
    const std::size_t at = place(block, feature);
    double& scale = scales_[shared_place(block, feature)];
    const double before = scale;
    const double shrink = before / size;
    weight(block, feature) *= shrink;
    gradient_sums_[at] *= shrink * shrink;
    scale = size;
    inverse_scales_[at] = 1.0 / size;
    publish_scale(block, feature, before);
  }

  std::size_t place(std::size_t block, std::size_t feature) const {
    return block * row_size_ + feature;
  }
  std::size_t shared_place(std::size_t block, std::size_t feature) const {
    const std::size_t lane = feature % side_by_side_;
    return (feature - lane) * weight_stride_ + block * side_by_side_ + lane;
  }
  double& weight(std::size_t block, std::size_t feature) {
    return weights_[shared_place(block, feature)];
  }
  double weight(std::size_t block, std::size_t feature) const {
    return weights_[shared_place(block, feature)];
  }

  template <typename Use>
  void for_each_place(Use use) const {
    for (std::size_t block = 0; block < layout_.block_count; ++block) {
      for (std::size_t i = 0; i < layout_.feature_count; ++i) use(block, i);
    }
  }

  // To be called where a scale became larger than `before`. Arms that never met the feature have
  // the weight 0 and no say in the least scale.
  void publish_scale(std::size_t block, std::size_t feature, double before) {
    const double scale = scales_[shared_place(block, feature)];
    if (layout_.shape == FeatureShape::kRows || scale == kLinearFirstScale) return;
    if (has_table()) table_scales_[feature * stride_ + block] = scale;
    double least = least_scales_[feature];
    if (before == kLinearFirstScale) {
      least_scales_[feature] = std::min(least, scale);
      return;
    }
    if (before > least) return;  // another arm has the least one
    least = std::numeric_limits<double>::infinity();
    for (std::size_t arm = 0; arm < layout_.block_count; ++arm) {
      const double other = scales_[shared_place(arm, feature)];
      if (other != kLinearFirstScale) least = std::min(least, other);
    }
    least_scales_[feature] = least;
  }

  FeatureLayout layout_;
  std::size_t row_size_;
  // Of weights and scales so many neighbours lie side by side for each block in turn.
  std::size_t side_by_side_ = row_size_;
  std::size_t weight_stride_ = 1;
  AlignedDoubles weights_;  // w_i
  AlignedDoubles scales_;   // s_i
  // Block after block.
  AlignedDoubles inverse_scales_;  // 1/s_i
  AlignedDoubles gradient_sums_;   // G_i/s_i²
  AlignedDoubles least_scales_;    // of all arms; empty for features in rows
  // Feature after feature; empty but for few block features.
  std::size_t stride_ = 0;
  AlignedDoubles table_weights_;
  AlignedDoubles table_scales_;
};

class Linear final : public Oracle {
 public:
  Linear(const LinearConfig& config, const FeatureLayout& layout)
      : layout_(layout),
        settings_{.learning_rate = config.learning_rate, .ceiling = config.ceiling},
        kernels_(linear_kernels(config.isa, config.loss)),
        model_(layout, kernels_.lane_count),
        short_row_(layout.feature_count <= kShortRow ? model_.row_size() : 0),
        pushes_(model_.row_size()) {
    HANDRAIL_ASSERT(config.learning_rate > 0.0 && std::isfinite(config.learning_rate));
    HANDRAIL_ASSERT(config.ceiling > 0.0 && config.ceiling <= 1.0);
    for (std::size_t i = 0; i < short_row_.size(); i += kGroupSize) {
      short_offsets_.push_back(static_cast<std::uint32_t>(i));
    }
  }

  void predict(const ArmFeatures& features, std::span<double> costs,
               Scratch& scratch) const override {
    HANDRAIL_ASSERT(features.layout() == layout_ && costs.size() == features.arm_count());
    if (layout_.shape == FeatureShape::kRows) {
      return kernels_.predict_rows(model_.row(), settings_, features.values(), costs);
    }
    if (model_.has_table()) {
      return kernels_.predict_few(model_.table(), settings_, features.values(), costs);
    }
    if (features.listed() == nullptr) scratch.list.list(features.values());
    const SparseRowView listed =
        features.listed() == nullptr ? scratch.list.view() : features.listed()->view();
    std::byte* const memory =
        scratch.bytes.at_least(2 * model_.row_size() / kGroupSize * sizeof(std::uint32_t));
    kernels_.predict_many(model_.rows(), settings_, listed,
                          reinterpret_cast<std::uint32_t*>(memory), costs);
  }

  bool reads_lists() const override {
    return layout_.shape == FeatureShape::kBlock && !model_.has_table();
  }

  void update(const ArmView& arm, double cost) override {
    const bool is_short = layout_.feature_count <= kShortRow;
    HANDRAIL_ASSERT(
        arm.features.size() == layout_.feature_count ||
        (!is_short && arm.listed != nullptr && arm.listed->row_size() == layout_.feature_count));
    HANDRAIL_ASSERT(arm.block < layout_.block_count);
    const LinearBlock block = model_.block(arm.block, pushes_.data());
    const LinearExample example = {.features = listed(arm), .cost = cost};
    if (!kernels_.learn(block, example, settings_, totals_)) {
      model_.widen(arm.block, example.features);
      const bool learned = kernels_.learn(block, example, settings_, totals_);
      HANDRAIL_ASSERT(learned);
    }
    model_.publish_weights(arm.block);
  }

  std::optional<double> regret_bound() const override { return std::nullopt; }

  void save(ByteWriter& out) const override {
    model_.save(out);
    out.f64(totals_.example_count);
    out.f64(totals_.norm_sum);
  }

  Status load(ByteReader& in) override {
    LinearModel loaded(layout_, kernels_.lane_count);
    loaded.load(in);
    LinearTotals totals;
    totals.example_count = in.f64();
    totals.norm_sum = in.f64();
    if (!in.status().ok()) return in.status();
    model_ = std::move(loaded);
    totals_ = totals;
    return {};
  }

 private:
  // All of a short row, and what is in a long one.
  SparseRowView listed(const ArmView& arm) {
    if (!short_row_.empty()) {
      std::ranges::copy(arm.features, short_row_.begin());
      return {.groups = short_row_.data(),
              .offsets = short_offsets_.data(),
              .count = (arm.features.size() + kGroupSize - 1) / kGroupSize};
    }
    if (arm.listed != nullptr) return arm.listed->view();
    list_.list(arm.features);
    return list_.view();
  }

  FeatureLayout layout_;
  LinearSettings settings_;
  const LinearKernels& kernels_;
  LinearModel model_;
  LinearTotals totals_;
  // Scratch of update().
  AlignedDoubles short_row_;  // padded with zeros; empty for long rows
  std::vector<std::uint32_t> short_offsets_;
  SparseRow list_;
  AlignedDoubles pushes_;
};

}  // namespace

std::unique_ptr<Oracle> make_linear(const LinearConfig& config, const FeatureLayout& layout) {
  return std::make_unique<Linear>(config, layout);
}

namespace {

constexpr ParameterSpec kCeilingRow = grouped(
    "oracle", positive_row("ceiling",
                           "linear with log loss: a cost y is learned as the chance ceiling·y, so "
                           "that a finite output predicts a cost of 1",
                           "0.7", 1.0));
constexpr std::array kCommon = {&kLossRow, &kStepRow, &kCeilingRow};

}  // namespace

constinit const OracleEntry kLinearOracle = {
    .name = "linear",
    .meaning = "a linear model with an adaptive, normalised step a coordinate",
    // docs/linear.md has the measurements.
    .step = [](const ParameterValues& values) { return loss_in(values) == Loss::kLog ? 1.5 : 0.5; },
    .gamma_scale = 200.0,
    .common = kCommon,
    .make =
        [](const PartFrame& frame) {
          return make_linear({.loss = loss_in(frame.values),
                              .learning_rate = step_in(frame.values),
                              .ceiling = frame.values.number(kCeilingRow),
                              .isa = frame.isa},
                             frame.layout);
        },
};

}  // namespace handrail
