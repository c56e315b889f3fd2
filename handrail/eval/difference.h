// What an audit finds: a field that does not say what it must.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/eval/trace_round.h"

namespace handrail {

// A field of a round, or the number that one of its lists has for an arm.
class FieldPlace {
 public:
  FieldPlace(RoundField field) : field_(field) {}  // NOLINT(google-explicit-constructor)
  FieldPlace(RoundField field, ArmIndex arm) : field_(field), arm_(arm) {}

  std::string text() const;  // "gamma", "distribution[3]"

 private:
  RoundField field_;
  std::optional<ArmIndex> arm_;
};

// The first field of a round that does not follow.
struct Difference {
  std::string field;
  std::string stated;
  std::string recomputed;
};

// Sums may be taken in another order than the agent took them; nothing else may differ.
inline constexpr double kRelativeRounding = 1e-9;

std::string text_of(const std::optional<double>& number);  // or null

// None if the two agree but for rounding. `scale` is for a difference of larger numbers, whose
// rounding is theirs.
std::optional<Difference> compare(const FieldPlace& field, double stated, double recomputed,
                                  double scale = 0.0);
std::optional<Difference> compare(const FieldPlace& field, const std::optional<double>& stated,
                                  const std::optional<double>& recomputed);

Difference mismatch(const FieldPlace& field, std::string stated, std::string recomputed);
Difference out_of_place(const FieldPlace& field, double stated, std::string_view expected);
std::optional<Difference> check_share(const FieldPlace& field, double value);
std::optional<Difference> check_arm(const FieldPlace& field, std::uint64_t arm, std::uint64_t arms);
// Asserted by Distribution, and a trace is input: look before it is made one.
std::optional<Difference> check_probabilities(RoundField field, const std::vector<double>& p);

template <typename Checks>
std::optional<Difference> first_of(const Checks& checks) {
  for (const std::optional<Difference>& check : checks) {
    if (check.has_value()) return check;
  }
  return std::nullopt;
}

}  // namespace handrail
