#include "handrail/agent/settings_check.h"

#include <utility>

namespace handrail {
// The bounds keep every formula finite; nobody means more.
constinit const ParameterSpec kAlphaRow = positive_row(
    "alpha", "tolerance: cost stays within (1 + alpha) times the baseline's", "0.1", 1e6);
constinit const ParameterSpec kDeltaRow = {.name = "delta",
                                           .meaning = "chance that the promise may fail",
                                           .fallback = "0.05",
                                           .low = 1e-100,
                                           .high = 1.0,
                                           .high_is_open = true};
constinit const ParameterSpec kReserveRow = number_row(
    "reserve", "allowance given once, in units of cost", "0", {.low = 0.0, .high = 1e12});

Status check_terms(const SafetyTerms& t) {
  for (const auto& [row, number] : {std::pair(&kAlphaRow, t.alpha), std::pair(&kDeltaRow, t.delta),
                                    std::pair(&kReserveRow, t.reserve)}) {
    const Status good = check_number(*row, number);
    if (!good.ok()) return good;
  }
  return {};
}

Status check_settings(const AgentSettings& s) {
  const Status terms = check_terms({.alpha = s.alpha, .delta = s.delta, .reserve = s.reserve});
  if (!terms.ok()) return terms;
  constexpr std::size_t kLargest = std::size_t{1} << 31;  // weights of one linear model
  const std::size_t d = s.layout.feature_count;
  if (d == 0 || s.layout.block_count == 0 || d > kLargest / s.layout.block_count) {
    return Error{"the layout is " + describe(s.layout) +
                 "; at least 1 of each and at most 2^31 together was expected"};
  }
  if (s.layout.shape != FeatureShape::kBlock && s.layout.block_count != 1) {
    const bool rows = s.layout.shape == FeatureShape::kRows;
    return Error{"the layout has " + std::to_string(s.layout.block_count) +
                 " blocks; features in " + (rows ? "rows" : "products") + " have 1"};
  }
  return {};
}

}  // namespace handrail
