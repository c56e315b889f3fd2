#include "handrail/oracle/linear.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "handrail/base/assert.h"
#include "handrail/oracle/kernels/aligned.h"
#include "handrail/oracle/kernels/linear_kernels.h"

namespace handrail {
namespace {

// What the oracle knows, kept twice. Updates read the numbers of one block side by side. With block
// features predictions read, for each feature, the weights of all arms side by side: one pass over
// the features that are not 0.
//
// The papers' weights w_i and scales s_i (the largest |x_i| so far) are kept as they are, their
// sums of squared gradients G_i as G_i/s_i², and 1/s_i beside s_i. So a prediction is Σ w_i x_i, an
// update computes with x_i/s_i, no larger than 1, and neither divides by a scale.
class LinearModel {
 public:
  LinearModel(const FeatureLayout& layout, std::size_t lane_count)
      : layout_(layout),
        row_size_(round_up(layout.feature_count, kLinearPadding)),
        weights_(layout.block_count * row_size_),
        scales_(weights_.size(), kLinearFirstScale),
        inverse_scales_(weights_.size(), 1.0 / kLinearFirstScale),
        gradient_sums_(weights_.size()) {
    if (layout.shape == FeatureShape::kRows) return;
    stride_ = round_up(layout.block_count, lane_count);
    table_weights_.resize(layout.feature_count * stride_);
    table_scales_.resize(table_weights_.size());
    least_scales_.resize(layout.feature_count, std::numeric_limits<double>::infinity());
  }

  LinearTable table() const {
    return {.weights = table_weights_.data(),
            .scales = table_scales_.data(),
            .least_scales = least_scales_.data(),
            .stride = stride_};
  }
  LinearRow row() const { return {.weights = weights_.data(), .scales = scales_.data()}; }
  std::size_t row_size() const { return row_size_; }

  LinearBlock block(std::size_t index, double* pushes) {
    const std::size_t first = index * row_size_;
    return {.weights = weights_.data() + first,
            .inverse_scales = inverse_scales_.data() + first,
            .gradient_sums = gradient_sums_.data() + first,
            .pushes = pushes};
  }

  // Makes every scale of the block at least as large as its feature.
  void widen(const ArmView& arm) {
    for (std::size_t i = 0; i < arm.features.size(); ++i) {
      const double size = std::abs(arm.features[i]);
      const std::size_t place = arm.block * row_size_ + i;
      if (size <= scales_[place]) continue;
      const double shrink = scales_[place] / size;
      weights_[place] *= shrink;
      gradient_sums_[place] *= shrink * shrink;
      scales_[place] = size;
      inverse_scales_[place] = 1.0 / size;
      publish_scale(arm.block, i);
    }
  }

  // To be called for the weights that an update changed.
  void publish_weights(std::size_t block, std::span<const std::uint32_t> features) {
    if (!has_table()) return;
    const double* const row = weights_.data() + block * row_size_;
    double* const column = table_weights_.data() + block;
    for (const std::size_t feature : features) column[feature * stride_] = row[feature];
  }
  void publish_all_weights(std::size_t block) {
    if (!has_table()) return;
    const double* const row = weights_.data() + block * row_size_;
    double* const column = table_weights_.data() + block;
    for (std::size_t i = 0; i < layout_.feature_count; ++i) column[i * stride_] = row[i];
  }

  void save(ByteWriter& out) const {
    for (const AlignedDoubles* numbers : {&weights_, &scales_, &gradient_sums_}) {
      out.doubles(without_padding(*numbers));
    }
  }

  void load(ByteReader& in) {
    for (AlignedDoubles* numbers : {&weights_, &scales_, &gradient_sums_}) {
      std::vector<double> read(layout_.block_count * layout_.feature_count);
      in.doubles(read);
      const auto is_finite = [](double number) { return std::isfinite(number); };
      if (!std::ranges::all_of(read, is_finite)) in.fail("holds a number that is not finite");
      for (std::size_t block = 0; block < layout_.block_count; ++block) {
        std::copy_n(read.begin() + offset(block * layout_.feature_count), layout_.feature_count,
                    numbers->begin() + offset(block * row_size_));
      }
    }
    for (std::size_t i = 0; i < scales_.size(); ++i) {
      if (!(scales_[i] >= kLinearFirstScale)) in.fail("has a scale smaller than the first");
      inverse_scales_[i] = 1.0 / scales_[i];
    }
    for (std::size_t block = 0; block < layout_.block_count; ++block) {
      publish_all_weights(block);
      for (std::size_t i = 0; i < layout_.feature_count; ++i) publish_scale(block, i);
    }
  }

 private:
  bool has_table() const { return stride_ != 0; }
  static std::ptrdiff_t offset(std::size_t count) { return static_cast<std::ptrdiff_t>(count); }

  std::vector<double> without_padding(const AlignedDoubles& numbers) const {
    std::vector<double> copied;
    for (std::size_t block = 0; block < layout_.block_count; ++block) {
      const auto row = numbers.begin() + offset(block * row_size_);
      copied.insert(copied.end(), row, row + offset(layout_.feature_count));
    }
    return copied;
  }

  // Arms that never met the feature have the weight 0 and no say in the least scale.
  void publish_scale(std::size_t block, std::size_t feature) {
    const double scale = scales_[block * row_size_ + feature];
    if (!has_table() || scale == kLinearFirstScale) return;
    const std::span<double> row =
        std::span(table_scales_).subspan(feature * stride_, layout_.block_count);
    const double before = std::exchange(row[block], scale);
    double& least = least_scales_[feature];
    if (before != least) {
      least = std::min(least, scale);
      return;
    }
    least = std::numeric_limits<double>::infinity();
    for (const double published : row) {
      if (published > 0.0) least = std::min(least, published);
    }
  }

  FeatureLayout layout_;
  std::size_t row_size_;
  // Block after block.
  AlignedDoubles weights_;         // w_i
  AlignedDoubles scales_;          // s_i
  AlignedDoubles inverse_scales_;  // 1/s_i
  AlignedDoubles gradient_sums_;   // G_i/s_i²
  // Feature after feature; empty for features in rows.
  std::size_t stride_ = 0;
  AlignedDoubles table_weights_;
  AlignedDoubles table_scales_;
  AlignedDoubles least_scales_;
};

class Linear final : public Oracle {
 public:
  Linear(const LinearConfig& config, const FeatureLayout& layout)
      : layout_(layout),
        settings_{.learning_rate = config.learning_rate, .ceiling = config.ceiling},
        kernels_(linear_kernels(config.isa, config.loss)),
        model_(layout, kernels_.lane_count),
        places_(layout.feature_count + 8),
        packed_(5 * model_.row_size()) {
    HANDRAIL_ASSERT(config.learning_rate > 0.0 && std::isfinite(config.learning_rate));
    HANDRAIL_ASSERT(config.ceiling > 0.0 && config.ceiling <= 1.0);
    HANDRAIL_ASSERT(layout.feature_count <= std::numeric_limits<std::uint32_t>::max());
  }

  void predict(const ArmFeatures& features, std::span<double> costs,
               Scratch& /*scratch*/) const override {
    HANDRAIL_ASSERT(features.layout() == layout_ && costs.size() == features.arm_count());
    if (layout_.shape == FeatureShape::kBlock) {
      kernels_.predict_block(model_.table(), settings_, features.values(), costs);
    } else {
      kernels_.predict_rows(model_.row(), settings_, features.values(), costs);
    }
  }

  void update(const ArmView& arm, double cost) override {
    HANDRAIL_ASSERT(arm.features.size() == layout_.feature_count);
    HANDRAIL_ASSERT(arm.block < layout_.block_count);
    std::size_t count = arm.features.size();
    if (count > kFewLinearFeatures) count = kernels_.find_nonzero(arm.features, places_.data());
    const bool is_sparse = 2 * count <= arm.features.size();
    const auto learn = [&] {
      return is_sparse ? learn_some(arm, cost, count) : learn_all(arm, cost);
    };
    if (learn()) return;
    model_.widen(arm);
    const bool learned = learn();
    HANDRAIL_ASSERT(learned);
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
  bool learn_all(const ArmView& arm, double cost) {
    const LinearBlock block = model_.block(arm.block, packed_.data());
    const LinearExample example = {.features = arm.features, .cost = cost};
    if (!kernels_.learn(block, example, settings_, totals_)) return false;
    model_.publish_all_weights(arm.block);
    return true;
  }

  // The same on copies of the coordinates whose features are not 0.
  bool learn_some(const ArmView& arm, double cost, std::size_t count) {
    const std::size_t size = model_.row_size();
    double* const features = packed_.data();
    const LinearBlock packed = {.weights = features + size,
                                .inverse_scales = features + 2 * size,
                                .gradient_sums = features + 3 * size,
                                .pushes = features + 4 * size};
    const LinearBlock block = model_.block(arm.block, nullptr);
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t i = places_[n];
      features[n] = arm.features[i];
      packed.weights[n] = block.weights[i];
      packed.inverse_scales[n] = block.inverse_scales[i];
      packed.gradient_sums[n] = block.gradient_sums[i];
    }
    const LinearExample example = {.features = {features, count}, .cost = cost};
    if (!kernels_.learn(packed, example, settings_, totals_)) return false;
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t i = places_[n];
      block.weights[i] = packed.weights[n];
      block.gradient_sums[i] = packed.gradient_sums[n];
    }
    model_.publish_weights(arm.block, std::span(places_).first(count));
    return true;
  }

  FeatureLayout layout_;
  LinearSettings settings_;
  const LinearKernels& kernels_;
  LinearModel model_;
  LinearTotals totals_;
  std::vector<std::uint32_t> places_;  // of features that are not 0
  AlignedDoubles packed_;              // five rows
};

}  // namespace

std::unique_ptr<Oracle> make_linear(const LinearConfig& config, const FeatureLayout& layout) {
  return std::make_unique<Linear>(config, layout);
}

}  // namespace handrail
