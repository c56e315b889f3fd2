// Every oracle of the registry under the suite of oracle_suite.h, with each loss that it knows.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "handrail/oracle/registry.h"
#include "tests/oracle_suite.h"

namespace handrail {
namespace {

// Parameters under which an oracle learns as the suite expects, where it does not by default.
struct Plain {
  std::string_view oracle;
  std::string_view keys_of_square;
  std::string_view keys_of_log;
};
constexpr std::array kPlain = {
    // Plain descent: an adaptive step may pass the cost of an example that is predicted well.
    Plain{"mlp", ",width=16,update=online,optimizer=sgd,lr=0.02",
          ",width=16,update=online,optimizer=sgd,lr=0.08"},
};

std::string keys_of(const OracleEntry& oracle, Loss loss) {
  const auto found = std::ranges::find(kPlain, oracle.name, &Plain::oracle);
  if (found == kPlain.end()) return "";
  return std::string(loss == Loss::kLog ? found->keys_of_log : found->keys_of_square);
}

OracleSubject subject_of(const OracleEntry& oracle, Loss loss) {
  const bool is_log = loss == Loss::kLog;
  OracleSubject subject;
  subject.name = std::string(oracle.name) + (is_log ? "_log" : "_square");
  subject.spec = "squarecb:oracle=" + std::string(oracle.name) +
                 (is_log ? ",loss=log" : ",loss=square") + keys_of(oracle, loss);
  subject.loss = loss;
  if (oracle.name == "mlp") {
    subject.warm_up_count = 0;
    subject.blocks_start_alike = false;
  }
  return subject;
}

std::vector<OracleSubject> subjects() {
  std::vector<OracleSubject> all;
  for (const OracleEntry* oracle : oracles()) {
    for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
      if (oracle->only_loss.value_or(loss) == loss) all.push_back(subject_of(*oracle, loss));
    }
  }
  OracleSubject realised;
  realised.name = "ridge_realised";
  realised.spec = "squarecb:oracle=ridge,ridge_regret=realised";
  all.push_back(realised);
  // The kernels of this processor; the others are portable.
  for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
    OracleSubject widest;
    widest.name = std::string("linear_widest_") + (loss == Loss::kLog ? "log" : "square");
    widest.spec =
        std::string("squarecb:oracle=linear,loss=") + (loss == Loss::kLog ? "log" : "square");
    widest.loss = loss;
    widest.isa = supported_isas().back();
    all.push_back(widest);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Oracles, OracleSuite, ::testing::ValuesIn(subjects()),
                         [](const ::testing::TestParamInfo<OracleSubject>& each) {
                           std::string name = each.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace handrail
