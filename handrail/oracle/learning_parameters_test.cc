#include "handrail/oracle/learning_parameters.h"

#include <gtest/gtest.h>

#include "handrail/oracle/registry.h"

namespace handrail {
namespace {

// The values of an oracle's own and common rows, settled.
Result<ParameterValues> settled(const OracleEntry& oracle, std::string_view loss) {
  ParameterValues values;
  for (const OracleEntry* each : oracles()) {
    for (const ParameterSpec* row : each->common) values.add(*row);
  }
  EXPECT_TRUE(values.set("loss", loss).ok());
  const Status done = settle_learning(oracle, values);
  if (!done.ok()) return done.error();
  return values;
}

const OracleEntry& oracle_by(std::string_view name) {
  for (const OracleEntry* each : oracles()) {
    if (each->name == name) return *each;
  }
  ADD_FAILURE() << name;
  return *oracles().front();
}

TEST(LearningParameters, AutoIsTheLossThatTheOracleLearnsBestWith) {
  EXPECT_EQ(loss_in(settled(oracle_by("mlp"), "auto").value()), Loss::kLog);
  EXPECT_EQ(loss_in(settled(oracle_by("linear"), "auto").value()), Loss::kLog);
  EXPECT_EQ(loss_in(settled(oracle_by("ridge"), "auto").value()), Loss::kSquare);
}

TEST(LearningParameters, TheStepFollowsTheLossThatWasSettled) {
  EXPECT_EQ(step_in(settled(oracle_by("linear"), "auto").value()), 1.5);
  EXPECT_EQ(step_in(settled(oracle_by("linear"), "square").value()), 0.5);
  EXPECT_EQ(step_in(settled(oracle_by("mlp"), "auto").value()), 0.15);
  EXPECT_EQ(step_in(settled(oracle_by("mlp"), "square").value()), 0.1);
}

TEST(LearningParameters, AnOracleWithOneLossRefusesTheOther) {
  EXPECT_TRUE(settled(oracle_by("ridge"), "square").ok());
  const Result<ParameterValues> refused = settled(oracle_by("ridge"), "log");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            "oracle=ridge minimises loss=square only; for loss=log another oracle was expected: "
            "linear or mlp");
}

}  // namespace
}  // namespace handrail
