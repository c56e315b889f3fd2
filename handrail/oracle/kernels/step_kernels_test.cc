// Every step kernel on every instruction set against plain loops in double.
#include "handrail/oracle/kernels/step_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "handrail/base/random.h"
#include "handrail/oracle/optimizer.h"

namespace handrail {
namespace {

class StepKernelsTest : public testing::TestWithParam<std::size_t> {
 protected:
  std::size_t count() const { return GetParam(); }

  std::vector<float> numbers() {
    std::vector<float> result(count());
    for (float& number : result) number = static_cast<float>(stream_.normal());
    return result;
  }
  std::vector<float> squares() {
    std::vector<float> result = numbers();
    for (float& number : result) number *= number;
    return result;
  }
  static std::vector<double> widened(const std::vector<float>& numbers) {
    return {numbers.begin(), numbers.end()};
  }
  static void expect_near(const std::vector<float>& got, const std::vector<double>& expected) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(got[i]), expected[i], 2e-5) << i;
    }
  }

  RandomStream stream_{8, Purpose::kTest, 0};
};

TEST_P(StepKernelsTest, PlainDescent) {
  for (const Isa isa : supported_isas()) {
    const std::vector<float> gradient = numbers();
    std::vector<float> target = numbers();
    std::vector<double> expected = widened(target);
    sgd_step(0.25, widened(gradient), expected);
    step_kernels(isa).add_scaled(-0.25F, gradient.data(), target.data(), count());
    expect_near(target, expected);
  }
}

TEST_P(StepKernelsTest, AdaGrad) {
  for (const Isa isa : supported_isas()) {
    std::vector<float> gradient = numbers();
    gradient[0] = 0.0F;
    std::vector<float> sums = squares();
    sums[0] = 0.0F;
    std::vector<float> target = numbers();
    std::vector<double> expected = widened(target);
    std::vector<double> expected_sums = widened(sums);
    adagrad_step({.rate = 0.1, .factor = 0.5}, widened(gradient), expected_sums, expected);
    step_kernels(isa).adagrad({.rate = 0.1F, .factor = 0.5F}, gradient.data(), sums.data(),
                              target.data(), count());
    expect_near(target, expected);
    expect_near(sums, expected_sums);
  }
}

TEST_P(StepKernelsTest, Adam) {
  for (const Isa isa : supported_isas()) {
    const std::vector<float> gradient = numbers();
    std::vector<float> first = numbers();
    std::vector<float> second = squares();
    std::vector<float> target = numbers();
    std::vector<double> expected = widened(target);
    std::vector<double> expected_first = widened(first);
    std::vector<double> expected_second = widened(second);
    adam_step({.rate = 0.1, .factor = 0.5, .count = 3}, widened(gradient),
              {expected_first, expected_second}, expected);
    const AdamNumbers adam{
        .rate = 0.1F,
        .factor = 0.5F,
        .first_correction = static_cast<float>(1.0 / (1.0 - std::pow(0.9, 3))),
        .second_correction = static_cast<float>(1.0 / (1.0 - std::pow(0.999, 3)))};
    step_kernels(isa).adam(adam, gradient.data(), first.data(), second.data(), target.data(),
                           count());
    expect_near(first, expected_first);
    expect_near(second, expected_second);
    for (std::size_t i = 0; i < count(); ++i) {
      const double scale = std::max(1.0, std::abs(expected[i]));
      ASSERT_NEAR(static_cast<double>(target[i]), expected[i], 1e-3 * scale);
    }
  }
}

TEST_P(StepKernelsTest, SumsAndDisplacements) {
  for (const Isa isa : supported_isas()) {
    const StepKernels& kernels = step_kernels(isa);
    const std::vector<float> now = numbers();
    const std::vector<float> start = numbers();
    const std::vector<float> direction = numbers();
    double norm = 0.0;
    double distance = 0.0;
    double along = 0.0;
    for (std::size_t i = 0; i < count(); ++i) {
      const double delta = static_cast<double>(now[i]) - static_cast<double>(start[i]);
      norm += static_cast<double>(now[i]) * static_cast<double>(now[i]);
      distance += delta * delta;
      along += delta * static_cast<double>(direction[i]);
    }
    const double tolerance = 1e-6 * static_cast<double>(count() + 10);
    EXPECT_NEAR(kernels.squared_norm(now.data(), count()), norm, tolerance);
    EXPECT_NEAR(kernels.squared_distance(now.data(), start.data(), count()), distance, tolerance);
    EXPECT_NEAR(kernels.along_displacement(now.data(), start.data(), direction.data(), count()),
                along, tolerance);
    std::vector<float> pulled = direction;
    kernels.add_displacement(0.5F, now.data(), start.data(), pulled.data(), count());
    std::vector<float> shrunk = now;
    kernels.shrink(0.25F, start.data(), shrunk.data(), count());
    for (std::size_t i = 0; i < count(); ++i) {
      ASSERT_NEAR(pulled[i], direction[i] + 0.5F * (now[i] - start[i]), 1e-6F);
      ASSERT_NEAR(shrunk[i], start[i] + 0.25F * (now[i] - start[i]), 1e-6F);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, StepKernelsTest, testing::Values(1, 7, 8, 16, 37, 128, 5000));

}  // namespace
}  // namespace handrail
