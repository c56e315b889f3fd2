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

Status check_settings(const AgentSettings& s) {
  // The upper bounds keep every formula finite; nobody means more.
  const bool alpha_good = s.alpha > 0.0 && s.alpha <= 1e6;
  const Status alpha = check_number(s.alpha, "alpha", alpha_good, "a number in (0, 1e6]");
  if (!alpha.ok()) return alpha;
  const Status delta = check_number(s.delta, "delta", s.delta >= 1e-100 && s.delta < 1.0,
                                    "a number in (0, 1), at least 1e-100,");
  if (!delta.ok()) return delta;
  const bool reserve_good = s.reserve >= 0.0 && s.reserve <= 1e12;
  const Status reserve = check_number(s.reserve, "reserve", reserve_good, "a number in [0, 1e12]");
  if (!reserve.ok()) return reserve;
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
