#include "handrail/safety/model_gate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace handrail {
namespace {

TEST(ModelGate, SquareMarginIsTheWorkedExample) {
  EXPECT_NEAR(square_loss_margin(100, 1.0, 0.05), 28.2692, 1e-4);
  EXPECT_NEAR(square_loss_margin(10'000, 1.0, 0.05), 282.692, 1e-3);
  EXPECT_EQ(square_loss_margin(0, 1.0, 0.05), 0.0);
}

TEST(ModelGate, LogMarginIsSmallForSmallCosts) {
  const double d = 2.0 + 2.0 * std::log(20.0);
  EXPECT_DOUBLE_EQ(log_loss_margin(0.0, 2.0, 0.05), d);
  const double total = std::pow(std::sqrt(50.0) + std::sqrt(d), 2.0);
  EXPECT_NEAR(50.0 + log_loss_margin(50.0, 2.0, 0.05), total, 1e-12);
}

TEST(ModelGate, ExposureIsPredictionMarginAndOneMoreCost) {
  ModelGate square({.loss = Loss::kSquare, .delta = 0.05});
  ModelGate log({.loss = Loss::kLog, .delta = 0.05});
  EXPECT_EQ(square.exposure(1.0).value, 1.0);
  for (ModelGate* gate : {&square, &log}) {
    for (int i = 0; i < 4; ++i) gate->book_explored(0.25);
  }
  EXPECT_DOUBLE_EQ(square.exposure(1.0).value, 2.0 + square_loss_margin(4, 1.0, 0.05));
  EXPECT_DOUBLE_EQ(log.exposure(1.0).value, 2.0 + log_loss_margin(1.0, 1.0, 0.05));
  EXPECT_DOUBLE_EQ(log.exposure(1.0).margin, log_loss_margin(1.0, 1.0, 0.05));
}

TEST(ModelGate, SavesAndLoadsEveryBit) {
  ModelGate gate({.loss = Loss::kSquare, .delta = 0.05});
  gate.book_explored(0.1);
  gate.book_explored(0.2);
  ByteWriter out;
  gate.save(out);
  ModelGate loaded({.loss = Loss::kSquare, .delta = 0.05});
  ByteReader in(out.bytes());
  ASSERT_TRUE(loaded.load(in).ok());
  EXPECT_EQ(loaded.exposure(3.0).value, gate.exposure(3.0).value);
}

}  // namespace
}  // namespace handrail
