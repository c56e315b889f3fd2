#include "handrail/oracle/kernels/fast_diagonal.h"

#include <algorithm>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

float inverse_of(double sum) {
  return static_cast<float>(1.0 / sum);
}

}  // namespace

FastDiagonal::FastDiagonal(const FastNetwork& network, double start)
    : network_(network),
      start_(start),
      sums_(network.layout().size(), start),
      inverse_(sums_.size(), inverse_of(start)) {
  HANDRAIL_ASSERT(start > 0.0);
}

void FastDiagonal::measure(const float* parameters, const ArmFeatures& features,
                           AlignedBytes& memory, const ArmMeasures& measures) const {
  const FastNetwork::Weights weights{parameters, inverse_.data()};
  if (features.shape() == FeatureShape::kBlock) {
    return network_.block_measures(weights, features, memory, measures);
  }
  network_.batch_measures(weights, features, memory, measures);
}

void FastDiagonal::meet(const float* parameters, const ArmView& arm) {
  static constexpr float kOne = 1.0F;
  FastBatch batch = network_.batch(1, memory_);
  network_.read(0, arm, batch);
  network_.forward(parameters, batch);
  network_.backward(parameters, {&kOne, 1}, batch);
  const auto scale = static_cast<float>(network_.network().output_scale());
  network_.for_each_product(batch, {&scale, 1}, [&](std::size_t offset, const Products& products) {
    add_squares(offset, products);
  });
}

// The products of one example are its gradient itself.
void FastDiagonal::add_squares(std::size_t offset, const Products& products) {
  const float* const right = products.right[0];
  for (std::size_t n = 0; n < products.input_count; ++n) {
    const std::size_t i = products.inputs[n];
    const float left = products.left[0][i];
    double* const sums = sums_.data() + offset + i * products.stride;
    float* const inverse = inverse_.data() + offset + i * products.stride;
    for (std::size_t j = 0; j < products.width; ++j) {
      const auto slope = static_cast<double>(left * right[j]);
      sums[j] += slope * slope;
      inverse[j] = inverse_of(sums[j]);
    }
  }
}

void FastDiagonal::save(ByteWriter& out) const {
  std::vector<double> numbers(network_.network().parameter_count(), start_);
  network_.layout().gather(sums_.data(), numbers);
  out.doubles(numbers);
}

void FastDiagonal::load(ByteReader& in) {
  std::vector<double> numbers(network_.network().parameter_count());
  in.doubles(numbers);
  if (std::ranges::any_of(numbers, [this](double sum) { return sum < start_; })) {
    in.fail("holds a diagonal below where it starts");
  }
  network_.layout().spread(numbers, sums_.data());
  std::ranges::transform(sums_, inverse_.begin(), inverse_of);
}

}  // namespace handrail
