// The products on every instruction set against plain loops in double.
#include "handrail/oracle/kernels/product_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/kernel_fixture.h"

namespace handrail {
namespace {

using kernel_fixture::each_row;
using kernel_fixture::kInputs;
using kernel_fixture::kTolerance;

class ProductKernelsTest : public kernel_fixture::KernelTest {
 protected:
  // Σ_b left[b][i] · right[b][j].
  double product(std::size_t i, std::size_t j) const {
    double sum = 0.0;
    for (std::size_t b = 0; b < left_.size(); ++b) {
      sum += static_cast<double>(left_[b][i]) * static_cast<double>(right_[b][j]);
    }
    return sum;
  }

  void draw(std::size_t count) {
    left_ = rows(count, kInputs);
    right_ = rows(count, width());
    left_rows_ = const_pointers(left_);
    right_rows_ = const_pointers(right_);
  }

  Products products() const {
    return {inputs_.data(), inputs_.size(), left_rows_.data(), right_rows_.data(),
            left_.size(),   width(),        stride()};
  }
  bool is_listed(std::size_t i) const {
    return std::ranges::find(inputs_, static_cast<std::uint32_t>(i)) != inputs_.end();
  }

  std::vector<std::uint32_t> inputs_ = {0, 1, 2, 4, 5, 7, 11, 12, 13, 22};
  std::vector<AlignedFloats> left_;
  std::vector<AlignedFloats> right_;
  std::vector<const float*> left_rows_;
  std::vector<const float*> right_rows_;
};

TEST_P(ProductKernelsTest, AddsThemToTheListedRowsOnly) {
  for (const Isa isa : supported_isas()) {
    for (const std::size_t count : {1u, 5u, 32u}) {
      draw(count);
      AlignedFloats target = numbers(kInputs * stride());
      const AlignedFloats before = target;
      product_kernels(isa).add(products(), -0.5F, target.data());
      for (std::size_t i = 0; i < kInputs; ++i) {
        for (std::size_t j = 0; j < width(); ++j) {
          const std::size_t place = i * stride() + j;
          const double change = is_listed(i) ? -0.5 * product(i, j) : 0.0;
          ASSERT_NEAR(static_cast<double>(target[place]),
                      static_cast<double>(before[place]) + change, kTolerance)
              << to_text(isa);
        }
      }
    }
  }
}

TEST_P(ProductKernelsTest, StepsWithAdaGradInTheListedRowsOnly) {
  for (const Isa isa : supported_isas()) {
    draw(3);
    AlignedFloats target = numbers(kInputs * stride());
    const AlignedFloats before = target;
    AlignedFloats sums = numbers(kInputs * stride());
    for (float& sum : sums) sum = sum * sum;
    sums[0] = 0.0F;
    const AlignedFloats sums_before = sums;
    product_kernels(isa).adagrad(products(), 0.1F, sums.data(), target.data());
    for (std::size_t i = 0; i < kInputs; ++i) {
      for (std::size_t j = 0; j < width(); ++j) {
        const std::size_t place = i * stride() + j;
        const double g = is_listed(i) ? product(i, j) : 0.0;
        const double squares = static_cast<double>(sums_before[place]) + g * g;
        ASSERT_NEAR(static_cast<double>(sums[place]), squares, 1e-4 * std::max(1.0, squares));
        const double step = g == 0.0 ? 0.0 : 0.1 * g / std::sqrt(squares);
        ASSERT_NEAR(static_cast<double>(target[place]), static_cast<double>(before[place]) - step,
                    kTolerance)
            << to_text(isa);
      }
    }
  }
}

// θ −= rate · gradient of the loss through an output over ReLU units, written out.
TEST_P(ProductKernelsTest, DescendsThroughOneHiddenLayer) {
  constexpr double kRate = 0.25;
  const AlignedFloats numbers_of_row = numbers(inputs_.size());
  AlignedFloats units = numbers(width());
  for (std::size_t j = 0; j < width(); j += 3) units[j] = 0.0F;  // units that do not fire
  units[width()] = 1.0F;                                         // what lies behind is not a unit
  const PlainExample example{.row = {inputs_.data(), numbers_of_row.data(), inputs_.size()},
                             .units = units.data(),
                             .top = 0.5F,
                             .slope = -2.0F};
  for (const Isa isa : supported_isas()) {
    for (const bool has_biases : {false, true}) {
      AlignedFloats weights = numbers(kInputs * stride());
      AlignedFloats biases = numbers(width());
      AlignedFloats outputs = numbers(width() + 1);
      const AlignedFloats weights_before = weights;
      const AlignedFloats biases_before = biases;
      const AlignedFloats outputs_before = outputs;
      product_kernels(isa).descend(example, static_cast<float>(kRate),
                                   {.weights = weights.data(),
                                    .biases = has_biases ? biases.data() : nullptr,
                                    .outputs = outputs.data(),
                                    .width = width(),
                                    .stride = stride()});
      const auto near = [&](float now, float before, double gradient) {
        ASSERT_NEAR(static_cast<double>(now), static_cast<double>(before) - kRate * gradient,
                    kTolerance)
            << to_text(isa);
      };
      for (std::size_t j = 0; j < width(); ++j) {
        const double slope = units[j] > 0.0F ? -2.0 * static_cast<double>(outputs_before[j]) : 0.0;
        near(outputs[j], outputs_before[j], 0.5 * static_cast<double>(units[j]));
        near(biases[j], biases_before[j], has_biases ? slope : 0.0);
        for (std::size_t i = 0; i < kInputs; ++i) {
          const auto found = std::ranges::find(inputs_, static_cast<std::uint32_t>(i));
          const double x =
              found == inputs_.end()
                  ? 0.0
                  : static_cast<double>(
                        numbers_of_row[static_cast<std::size_t>(found - inputs_.begin())]);
          near(weights[i * stride() + j], weights_before[i * stride() + j], slope * x);
        }
      }
      near(outputs[width()], outputs_before[width()], has_biases ? 0.5 : 0.0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, ProductKernelsTest, each_row());

}  // namespace
}  // namespace handrail
