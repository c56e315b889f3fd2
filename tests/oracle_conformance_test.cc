#include <gtest/gtest.h>

#include "handrail/oracle/linear.h"
#include "handrail/oracle/ridge.h"
#include "tests/oracle_suite.h"

namespace handrail {
namespace {

using Layout = FeatureLayout;

std::string name_of(const ::testing::TestParamInfo<OracleSubject>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Oracles, OracleSuite,
    ::testing::Values(
        OracleSubject{"Ridge", [](const Layout& l) { return make_ridge({}, l); }},
        OracleSubject{"RidgeWithRealisedRegret",
                      [](const Layout& l) { return make_ridge({.realised_regret = true}, l); }},
        OracleSubject{"LinearSquare", [](const Layout& l) { return make_linear({}, l); }},
        OracleSubject{"LinearLog",
                      [](const Layout& l) { return make_linear({.loss = Loss::kLog}, l); },
                      Loss::kLog}),
    name_of);

}  // namespace
}  // namespace handrail
