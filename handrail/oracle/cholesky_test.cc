#include "handrail/oracle/cholesky.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/dense_ridge.h"

namespace handrail {
namespace {

// λI plus the squares of rows, as a matrix.
std::vector<double> matrix_of(const DenseRidge& dense) {
  std::vector<double> matrix(dense.size * dense.size, 0.0);
  for (std::size_t i = 0; i < dense.size; ++i) {
    matrix[i * dense.size + i] = dense.lambda;
    for (const std::vector<double>& row : dense.rows) {
      for (std::size_t j = 0; j < dense.size; ++j) matrix[i * dense.size + j] += row[i] * row[j];
    }
  }
  return matrix;
}

// V = (4 2; 2 5) = LLᵀ with L = (2 0; 1 2). L⁻ᵀ(2, 2) solves 2a + b = 2, 2b = 2: (1/2, 1).
// V⁻¹(8, 12) solves 4a + 2b = 8, 2a + 5b = 12: (1, 2).
TEST(CholeskyFactor, FollowsAHandComputedCase) {
  CholeskyFactor factor(2, 1.0);
  ASSERT_TRUE(factor.factorise(std::vector<double>{4.0, 2.0, 2.0, 5.0}));
  EXPECT_EQ(std::vector<double>(factor.upper().begin(), factor.upper().end()),
            (std::vector<double>{2.0, 1.0, 0.0, 2.0}));
  std::vector<double> x = {2.0, 2.0};
  factor.solve_transposed(x);
  EXPECT_EQ(x, (std::vector<double>{0.5, 1.0}));
  x = {8.0, 12.0};
  factor.solve(x);
  EXPECT_NEAR(x[0], 1.0, 1e-15);
  EXPECT_NEAR(x[1], 2.0, 1e-15);
}

// I + (√3, 2/√3)(√3, 2/√3)ᵀ = (4 2; 2 7/3) = LLᵀ with L = (2 0; 1 √(4/3)).
TEST(CholeskyFactor, TakesInOneVector) {
  CholeskyFactor factor(2, 1.0);
  factor.add(std::vector<double>{std::sqrt(3.0), 2.0 / std::sqrt(3.0)});
  EXPECT_NEAR(factor.upper()[0], 2.0, 1e-15);
  EXPECT_NEAR(factor.upper()[1], 1.0, 1e-15);
  EXPECT_EQ(factor.upper()[2], 0.0);
  EXPECT_NEAR(factor.upper()[3], std::sqrt(4.0 / 3.0), 1e-15);
}

TEST(CholeskyFactor, StaysTheFactorOfTheMatrixThroughThousandsOfSteps) {
  RandomStream stream(1, Purpose::kTest, 60);
  CholeskyFactor grown(6, 0.1);
  DenseRidge dense = {.lambda = 0.1, .size = 6};
  for (int t = 1; t <= 3000; ++t) {
    std::vector<double> row = random_row(stream, 6);
    if (t % 3 == 0) row[1] = 0.0;
    grown.add(row);
    dense.add(row, 0.0);
    if (t % 1000 != 0) continue;
    CholeskyFactor whole(6, 1.0);
    ASSERT_TRUE(whole.factorise(matrix_of(dense)));
    for (std::size_t i = 0; i < 36; ++i) {
      EXPECT_NEAR(grown.upper()[i], whole.upper()[i], 1e-9) << t;
    }
    std::vector<double> x = random_row(stream, 6);
    const std::vector<double> expected = dense.solve(x).first;
    grown.solve(x);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(x[i], expected[i], 1e-9) << t;
  }
}

TEST(CholeskyFactor, RefusesWhatIsNotPositiveDefinite) {
  CholeskyFactor factor(2, 1.0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double corner : {0.0, -1.0, 1.0, nan, infinite}) {  // (1 1; 1 1) is singular
    EXPECT_FALSE(factor.factorise(std::vector<double>{1.0, 1.0, 1.0, corner})) << corner;
  }
  EXPECT_EQ(std::vector<double>(factor.upper().begin(), factor.upper().end()),
            (std::vector<double>{1.0, 0.0, 0.0, 1.0}));
}

TEST(CholeskyFactor, LoadsWhatItSavedAndNothingElse) {
  CholeskyFactor factor(2, 1.0);
  factor.add(std::vector<double>{0.6, 0.8});
  ByteWriter out;
  factor.save(out);
  CholeskyFactor loaded(2, 1.0);
  ByteReader in(out.bytes());
  loaded.load(in);
  ASSERT_TRUE(in.status().ok());
  EXPECT_TRUE(std::ranges::equal(loaded.upper(), factor.upper()));

  CholeskyFactor other(3, 1.0);
  ByteReader again(out.bytes());
  other.load(again);
  EXPECT_FALSE(again.status().ok());

  ByteWriter zeros;
  zeros.doubles(std::vector<double>(4, 0.0));
  ByteReader bad(zeros.bytes());
  loaded.load(bad);
  EXPECT_FALSE(bad.status().ok());
}

}  // namespace
}  // namespace handrail
