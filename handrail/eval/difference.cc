#include "handrail/eval/difference.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "handrail/base/text.h"
#include "handrail/core/distribution.h"

namespace handrail {
std::optional<Difference> compare(std::string_view field, double stated, double recomputed,
                                  double scale) {
  const double size = std::max({scale, std::abs(stated), std::abs(recomputed)});
  const double distance = std::abs(stated - recomputed);
  if (std::isfinite(size) && distance <= kRelativeRounding * size) return std::nullopt;
  return Difference{std::string(field), to_text(stated), to_text(recomputed)};
}

std::string text_of(const std::optional<double>& number) {
  return number.has_value() ? to_text(*number) : "null";
}

std::optional<Difference> compare(std::string_view field, const std::optional<double>& stated,
                                  const std::optional<double>& recomputed) {
  if (stated.has_value() && recomputed.has_value()) return compare(field, *stated, *recomputed);
  if (stated.has_value() == recomputed.has_value()) return std::nullopt;
  return Difference{std::string(field), text_of(stated), text_of(recomputed)};
}

Difference out_of_place(std::string_view field, double stated, std::string_view expected) {
  return {std::string(field), to_text(stated), std::string(expected)};
}

std::optional<Difference> check_share(std::string_view field, double value) {
  if (value >= 0.0 && value <= 1.0) return std::nullopt;
  return out_of_place(field, value, "a number in [0, 1]");
}

std::optional<Difference> check_arm(std::string_view field, std::uint64_t arm, std::uint64_t arms) {
  if (arm < arms) return std::nullopt;
  return out_of_place(field, static_cast<double>(arm), "an arm below " + std::to_string(arms));
}

std::optional<Difference> check_probabilities(const std::vector<double>& p) {
  for (std::size_t a = 0; a < p.size(); ++a) {
    const auto bad = check_share("distribution[" + std::to_string(a) + "]", p[a]);
    if (bad.has_value()) return bad;
  }
  if (Distribution::sum_to_one(p)) return std::nullopt;
  return out_of_place("distribution", std::accumulate(p.begin(), p.end(), 0.0),
                      "probabilities that sum to 1");
}

}  // namespace handrail
