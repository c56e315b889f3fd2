#include "handrail/agent/settings_check.h"

#include "handrail/base/text.h"

namespace handrail {
namespace {

Status check_number(double value, std::string_view name, bool good, std::string_view expected) {
  if (good) return {};
  return Error{std::string(name) + " is " + to_text(value) + "; " + std::string(expected) +
               " was expected"};
}

}  // namespace

// The bounds keep every formula finite; nobody means more.
Status check_terms(const SafetyTerms& t) {
  const bool alpha_good = t.alpha > 0.0 && t.alpha <= 1e6;
  const Status alpha = check_number(t.alpha, "alpha", alpha_good, "a number in (0, 1e6]");
  if (!alpha.ok()) return alpha;
  const Status delta = check_number(t.delta, "delta", t.delta >= 1e-100 && t.delta < 1.0,
                                    "a number in (0, 1), at least 1e-100,");
  if (!delta.ok()) return delta;
  const bool reserve_good = t.reserve >= 0.0 && t.reserve <= 1e12;
  return check_number(t.reserve, "reserve", reserve_good, "a number in [0, 1e12]");
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
