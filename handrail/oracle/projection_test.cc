#include "handrail/oracle/projection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace handrail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Two blocks of layer 0 at distance 3 and 4 (together 5), layer 1 at distance 2.
struct Layers {
  std::vector<Segment> segments = {{0, 1, 0}, {128, 1, 0}, {256, 1, 1}};
  std::vector<std::size_t> all = {0, 1, 2};
  NetworkWeights parameters{std::vector<double>(257, 1.0), std::vector<double>(257, 1.0)};

  Layers() {
    parameters.values[0] += 3.0;
    parameters.values[128] -= 4.0;
    parameters.values[256] += 2.0;
  }
};

TEST(Projection, ShrinksALayerOverAllItsBlocks) {
  Layers layers;
  Projection projection({1.0, kInfinity}, layers.segments);
  projection.apply(layers.all, layers.parameters);
  EXPECT_DOUBLE_EQ(layers.parameters.values[0], 1.0 + 0.6);
  EXPECT_DOUBLE_EQ(layers.parameters.values[128], 1.0 - 0.8);
  EXPECT_EQ(layers.parameters.values[256], 3.0);
}

TEST(Projection, LeavesWhatLiesInside) {
  Layers layers;
  const std::vector<double> before = layers.parameters.values;
  Projection projection({5.0, 2.0}, layers.segments);
  projection.apply(layers.all, layers.parameters);
  EXPECT_EQ(layers.parameters.values, before);
}

TEST(Projection, RemembersSegmentsThatAStepDoesNotTouch) {
  Layers layers;
  Projection projection({5.0, kInfinity}, layers.segments);
  projection.measure(layers.parameters);
  layers.parameters.values[0] += 9.0;  // distances 12 and 4
  const std::vector<std::size_t> touched = {0};
  projection.apply(touched, layers.parameters);
  const double factor = 5.0 / std::sqrt(160.0);
  EXPECT_DOUBLE_EQ(layers.parameters.values[0], 1.0 + 12.0 * factor);
  EXPECT_DOUBLE_EQ(layers.parameters.values[128], 1.0 - 4.0 * factor);
}

TEST(Projection, RemembersWhereAProjectionLeftThem) {
  Layers layers;
  Projection projection({1.0, kInfinity}, layers.segments);
  projection.apply(layers.all, layers.parameters);  // distances 0.6 and 0.8
  layers.parameters.values[0] = 1.0;
  const std::vector<double> before = layers.parameters.values;
  const std::vector<std::size_t> touched = {0};
  projection.apply(touched, layers.parameters);
  EXPECT_EQ(layers.parameters.values, before);
}

}  // namespace
}  // namespace handrail
