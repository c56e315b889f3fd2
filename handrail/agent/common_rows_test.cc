#include "handrail/agent/common_rows.h"

#include <gtest/gtest.h>

#include <set>

#include "handrail/config/parameter_values.h"
#include "handrail/oracle/registry.h"
#include "handrail/policy/registry.h"
#include "handrail/safety/registry.h"

namespace handrail {
namespace {

// Saves and traces spell these in this order, and are read by later programs: rows may be added to
// a part's own, never here.
TEST(CommonRows, AreSpelledInTheOrderThatSavesHold) {
  std::string spelled;
  for (const ParameterSpec* row : common_rows()) spelled += std::string(row->name) + " ";
  EXPECT_EQ(spelled,
            "policy weighting gamma gamma_scale gamma_exponent best_cost floor epsilon bonus_scale "
            "oracle loss lr ceiling lambda radius ridge_regret sigma width activation "
            "parametrisation sigma_1 output_init skip own_layer update period reading optimizer "
            "batch batches newest buffer clip pull rho rho_1 step_scaling ensemble c_p precision "
            "gate members bound margin_scale margin_rounds regret_bound checkpoint_every "
            "future_cost baseline_floor delta_split arm_width budget_regret learn_from_baseline "
            "pending_limit ");
}

template <typename Entry>
void expect_own_names(std::span<const Entry* const> entries, const ParameterValues& common) {
  for (const Entry* entry : entries) {
    for (const ParameterSpec& row : entry->parameters) {
      EXPECT_FALSE(common.has(row.name)) << entry->name << " " << row.name;
    }
  }
}

// Or a SPEC could not say which of them it means.
TEST(CommonRows, ShareNoNameWithAPartsOwn) {
  ParameterValues common;
  for (const ParameterSpec* row : common_rows()) common.add(*row);
  expect_own_names(oracles(), common);
  expect_own_names(policies(), common);
  expect_own_names(gates(), common);
}

TEST(CommonRows, EachHasAMeaningAndAGroup) {
  for (const ParameterSpec* row : common_rows()) {
    EXPECT_FALSE(row->meaning.empty()) << row->name;
    EXPECT_FALSE(row->group.empty()) << row->name;
  }
}

}  // namespace
}  // namespace handrail
