#include "handrail/oracle/mlp_entry.h"

#include <gtest/gtest.h>

#include "handrail/oracle/learning_parameters.h"

namespace handrail {
namespace {

ParameterValues fallbacks() {
  ParameterValues values;
  for (const ParameterSpec* row : kMlpOracle.common) values.add(*row);
  EXPECT_TRUE(settle_learning(kMlpOracle, values).ok());
  return values;
}

// A network that is made without a SPEC is the one that a SPEC without parameters makes.
TEST(MlpEntry, FallBackToTheDefaultsOfTheConfiguration) {
  const ParameterValues values = fallbacks();
  const MlpConfig made = network_in(PartFrame({.seed = 0}, values));
  const MlpConfig plain;
  EXPECT_EQ(made.widths, plain.widths);
  EXPECT_EQ(made.activation, plain.activation);
  EXPECT_EQ(made.parametrisation, plain.parametrisation);
  EXPECT_EQ(made.sigma_1, plain.sigma_1);
  EXPECT_EQ(made.own_layer, plain.own_layer);
  EXPECT_EQ(made.output_init, plain.output_init);
  EXPECT_EQ(made.skip, plain.skip);
  EXPECT_EQ(made.update, plain.update);
  EXPECT_EQ(made.period, plain.period);
  EXPECT_EQ(made.reading, plain.reading);
  EXPECT_EQ(made.buffer_limit, plain.buffer_limit);
  EXPECT_EQ(made.batch, plain.batch);
  EXPECT_EQ(made.batches, plain.batches);
  EXPECT_EQ(made.newest_share, plain.newest_share);
  EXPECT_EQ(made.optimizer, plain.optimizer);
  EXPECT_EQ(made.step_scaling, plain.step_scaling);
  EXPECT_EQ(made.clip, plain.clip);
  EXPECT_EQ(made.pull, plain.pull);
  EXPECT_EQ(made.rho, plain.rho);
  EXPECT_EQ(made.rho_1, plain.rho_1);
  EXPECT_EQ(made.ensemble, plain.ensemble);
  EXPECT_EQ(made.perturbation, plain.perturbation);
  EXPECT_EQ(made.precision, plain.precision);
}

TEST(MlpEntry, ReachTheFieldsThatTheyName) {
  ParameterValues values = fallbacks();
  for (const auto& [name, text] : {std::pair("width", "7x3"),
                                   {"buffer", "90"},
                                   {"newest", "0.25"},
                                   {"c_p", "2"},
                                   {"own_layer", "first"},
                                   {"optimizer", "adam"},
                                   {"precision", "double"},
                                   {"skip", "yes"}}) {
    ASSERT_TRUE(values.set(name, text).ok()) << name;
  }
  const MlpConfig made = network_in(PartFrame({.seed = 5, .isa = Isa::kPortable}, values));
  EXPECT_EQ(made.widths, (std::vector<std::size_t>{7, 3}));
  EXPECT_EQ(made.buffer_limit, 90U);
  EXPECT_EQ(made.newest_share, 0.25);
  EXPECT_EQ(made.perturbation, 2.0);
  EXPECT_EQ(made.own_layer, OwnLayer::kFirst);
  EXPECT_EQ(made.optimizer, Optimizer::kAdam);
  EXPECT_EQ(made.precision, Precision::kDouble);
  EXPECT_TRUE(made.skip);
  EXPECT_EQ(made.seed, 5U);
}

}  // namespace
}  // namespace handrail
