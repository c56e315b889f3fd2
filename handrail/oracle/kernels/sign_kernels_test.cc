// Every kernel of signs on every instruction set against plain loops in double.
#include "handrail/oracle/kernels/sign_kernels.h"

#include <gtest/gtest.h>

#include <vector>

#include "handrail/base/random.h"

namespace handrail {
namespace {

class SignKernelsTest : public testing::TestWithParam<std::size_t> {
 protected:
  std::size_t count() const { return GetParam(); }

  std::vector<float> numbers(std::size_t size) {
    std::vector<float> result(size);
    for (float& number : result) number = static_cast<float>(stream_.normal());
    return result;
  }
  std::vector<SignWord> words() {
    std::vector<SignWord> result(sign_padded(count()));
    for (SignWord& word : result) word = static_cast<SignWord>(stream_.below(65'536));
    return result;
  }
  static std::vector<SignWord> arranged(std::vector<SignWord> words, Isa isa) {
    sign_kernels(isa).arrange(words.data(), words.size());
    return words;
  }
  static double sign(unsigned bits, std::size_t bit) { return ((bits >> bit) & 1) != 0 ? 1 : -1; }

  RandomStream stream_{8, Purpose::kTest, 0};
};

TEST_P(SignKernelsTest, AddsSteps) {
  const std::vector<SignWord> signs = words();
  const std::vector<float> values = numbers(signs.size());
  for (const std::size_t copy_count : {1u, 8u, 10u, 16u}) {
    // Steps whose sizes come near to the most there may be.
    float steps[kCopiesPerWord] = {};
    const std::size_t most = 2 * SignTables::kMostSteps / copy_count;
    const std::size_t half = most / 2;
    for (std::size_t s = 0; s < copy_count; ++s) {
      steps[s] = static_cast<float>(stream_.below(most)) - static_cast<float>(half);
    }
    for (const Isa isa : supported_isas()) {
      std::vector<float> target = values;
      const std::vector<SignWord> used = arranged(signs, isa);
      SignTables tables;
      tables.copy_count = copy_count;
      sign_kernels(isa).fill_tables(steps, tables);
      sign_kernels(isa).add_steps(tables, 1e-4F, used.data(), target.data(), target.size());
      for (std::size_t i = 0; i < target.size(); ++i) {
        double sum = 0.0;
        for (std::size_t s = 0; s < copy_count; ++s) {
          sum += static_cast<double>(steps[s]) * sign(signs[i], s);
        }
        const double expected = static_cast<double>(values[i]) + 1e-4 * sum;
        ASSERT_NEAR(static_cast<double>(target[i]), expected, 2e-6) << to_text(isa) << " at " << i;
      }
    }
  }
}

TEST_P(SignKernelsTest, SumsWithSigns) {
  const std::vector<SignWord> signs = words();
  std::vector<float> values = numbers(count());
  values.resize(signs.size(), 0.0F);
  for (const std::size_t copy_count : {1u, 2u, 7u, 8u, 10u, 16u}) {
    std::vector<double> expected(kCopiesPerWord, 1.0);
    for (std::size_t i = 0; i < count(); ++i) {
      for (std::size_t s = 0; s < copy_count; ++s) {
        expected[s] += sign(signs[i], s) * static_cast<double>(values[i]);
      }
    }
    for (const Isa isa : supported_isas()) {
      std::vector<double> sums(kCopiesPerWord, 1.0);
      const std::vector<SignWord> used = arranged(signs, isa);
      sign_kernels(isa).dots(values.data(), used.data(), used.size(), copy_count, sums.data());
      for (std::size_t s = 0; s < sums.size(); ++s) {
        EXPECT_NEAR(sums[s], expected[s], 1e-6 * static_cast<double>(count() + 10))
            << to_text(isa) << " copy " << s;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, SignKernelsTest, testing::Values(1, 7, 8, 16, 37, 100, 128, 1700));

}  // namespace
}  // namespace handrail
