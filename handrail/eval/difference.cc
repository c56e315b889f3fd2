#include "handrail/eval/difference.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "handrail/base/text.h"
#include "handrail/core/distribution.h"

namespace handrail {

std::string FieldPlace::text() const {
  const std::string name(name_of(field_));
  return arm_.has_value() ? name + "[" + std::to_string(*arm_) + "]" : name;
}

std::optional<Difference> compare(const FieldPlace& field, double stated, double recomputed,
                                  double scale) {
  const double size = std::max({scale, std::abs(stated), std::abs(recomputed)});
  const double distance = std::abs(stated - recomputed);
  if (std::isfinite(size) && distance <= kRelativeRounding * size) return std::nullopt;
  return Difference{field.text(), to_text(stated), to_text(recomputed)};
}

std::string text_of(const std::optional<double>& number) {
  return number.has_value() ? to_text(*number) : "null";
}

std::optional<Difference> compare(const FieldPlace& field, const std::optional<double>& stated,
                                  const std::optional<double>& recomputed) {
  if (stated.has_value() && recomputed.has_value()) return compare(field, *stated, *recomputed);
  if (stated.has_value() == recomputed.has_value()) return std::nullopt;
  return Difference{field.text(), text_of(stated), text_of(recomputed)};
}

Difference mismatch(const FieldPlace& field, std::string stated, std::string recomputed) {
  return {field.text(), std::move(stated), std::move(recomputed)};
}

Difference out_of_place(const FieldPlace& field, double stated, std::string_view expected) {
  return {field.text(), to_text(stated), std::string(expected)};
}

std::optional<Difference> check_share(const FieldPlace& field, double value) {
  if (value >= 0.0 && value <= 1.0) return std::nullopt;
  return out_of_place(field, value, "a number in [0, 1]");
}

std::optional<Difference> check_arm(const FieldPlace& field, std::uint64_t arm,
                                    std::uint64_t arms) {
  if (arm < arms) return std::nullopt;
  return out_of_place(field, static_cast<double>(arm), "an arm below " + std::to_string(arms));
}

std::optional<Difference> check_probabilities(RoundField field, const std::vector<double>& p) {
  for (ArmIndex a = 0; a < p.size(); ++a) {
    const auto bad = check_share({field, a}, p[a]);
    if (bad.has_value()) return bad;
  }
  if (Distribution::sum_to_one(p)) return std::nullopt;
  return out_of_place(field, std::accumulate(p.begin(), p.end(), 0.0),
                      "probabilities that sum to 1");
}

}  // namespace handrail
