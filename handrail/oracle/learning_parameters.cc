#include "handrail/oracle/learning_parameters.h"

#include <array>
#include <string>

#include "handrail/base/assert.h"
#include "handrail/base/text.h"
#include "handrail/oracle/registry.h"

namespace handrail {
namespace {

// In the order of LossWord.
constexpr std::array<std::string_view, 3> kLossWords = {"auto", "square", "log"};
enum class LossWord : std::uint8_t { kAuto, kSquare, kLog };
constexpr double kLargestStep = 1e3;

std::string_view word_of(Loss loss) {
  return kLossWords[static_cast<std::size_t>(loss == Loss::kLog ? LossWord::kLog
                                                                : LossWord::kSquare)];
}

std::string names_with_any_loss() {
  std::string names;
  for (const OracleEntry* each : oracles()) {
    if (each->only_loss.has_value()) continue;
    names.append(names.empty() ? "" : " or ").append(each->name);
  }
  return names;
}

}  // namespace

constinit const ParameterSpec kLossRow = grouped(
    "oracle", word_row("loss",
                       "what the oracle minimises; auto: log, or the one loss that the oracle has; "
                       "NAME@paper has square with absolute gaps",
                       "auto", kLossWords));

constinit const ParameterSpec kStepRow = grouped(
    "oracle",
    or_words(positive_row("lr", "step size; auto: what the oracle learns best with, by its loss",
                          "auto", kLargestStep),
             kAutoWord));

Status settle_learning(const OracleEntry& oracle, ParameterValues& values) {
  const auto given = values.choice<LossWord>(kLossRow);
  if (given == LossWord::kAuto) {
    // Log loss also for square gaps: 2(p − q)² is at most its divergence, so whoever has little
    // regret in log loss has little in square loss; and it learns faster (docs/defaults.md).
    values.settle(kLossRow, word_of(oracle.only_loss.value_or(Loss::kLog)));
  } else if (oracle.only_loss.has_value() && loss_in(values) != *oracle.only_loss) {
    return Error{"oracle=" + std::string(oracle.name) +
                 " minimises loss=" + std::string(word_of(*oracle.only_loss)) +
                 " only; for loss=" + std::string(values.text(kLossRow.name)) +
                 " another oracle was expected: " + names_with_any_loss()};
  }
  if (oracle.step == nullptr || values.optional_number(kStepRow).has_value()) return {};
  values.settle(kStepRow, to_text(oracle.step(values)));
  return {};
}

Loss loss_in(const ParameterValues& values) {
  const auto given = values.choice<LossWord>(kLossRow);
  HANDRAIL_ASSERT(given != LossWord::kAuto);
  return given == LossWord::kLog ? Loss::kLog : Loss::kSquare;
}

double step_in(const ParameterValues& values) {
  return values.number(kStepRow);
}

}  // namespace handrail
