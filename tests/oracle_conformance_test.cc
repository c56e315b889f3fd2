#include <gtest/gtest.h>

#include "handrail/oracle/linear.h"
#include "handrail/oracle/mlp.h"
#include "handrail/oracle/ridge.h"
#include "tests/oracle_suite.h"

namespace handrail {
namespace {

using Layout = FeatureLayout;

std::string name_of(const ::testing::TestParamInfo<OracleSubject>& info) {
  return info.param.name;
}

// The widest vectors of this processor.
Isa widest() {
  return supported_isas().back();
}

// Plain descent: an adaptive step may pass the cost of an example that is predicted well already.
MlpConfig descent(Loss loss) {
  MlpConfig config;
  config.widths = {16};
  config.loss = loss;
  config.update = Update::kOnline;
  config.optimizer = Optimizer::kSgd;
  config.learning_rate = loss == Loss::kSquare ? 0.02 : 0.08;
  return config;
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
                      Loss::kLog},
        OracleSubject{"LinearWidestSquare",
                      [](const Layout& l) { return make_linear({.isa = widest()}, l); }},
        OracleSubject{
            "LinearWidestLog",
            [](const Layout& l) { return make_linear({.loss = Loss::kLog, .isa = widest()}, l); },
            Loss::kLog},
        OracleSubject{"MlpSquare",
                      [](const Layout& l) { return make_mlp(descent(Loss::kSquare), l); },
                      Loss::kSquare, /*warm_up_count=*/0, /*blocks_start_alike=*/false},
        OracleSubject{"MlpLog", [](const Layout& l) { return make_mlp(descent(Loss::kLog), l); },
                      Loss::kLog, /*warm_up_count=*/0, /*blocks_start_alike=*/false}),
    name_of);

}  // namespace
}  // namespace handrail
