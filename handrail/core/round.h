// One round as the agent meets it: K arms, and what the baseline would do and cost.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "handrail/base/result.h"
#include "handrail/core/arm_features.h"

namespace handrail {

// What the cost in a Baseline is; it decides what a gate may promise (docs/guarantees.md). The
// values are part of every saved agent.
enum class BaselineKnown : std::uint8_t {
  kPerRound = 0,  // the expected cost of its arm in this round
  kMean = 1,      // the mean of those over rounds
  kFloor = 2,     // a number below each of them
  kUnknown = 3,   // nothing is known: 0
};

// In the order of the values.
inline constexpr std::array<std::string_view, 4> kBaselineKnownWords = {"per_round", "mean",
                                                                        "floor", "unknown"};
std::string_view to_text(BaselineKnown known);
// Nothing if the word is none of these.
std::optional<BaselineKnown> to_baseline_known(std::string_view word);

// What is done today.
struct Baseline {
  ArmIndex arm = 0;
  double cost = 0.0;
};

// A Round that exists is valid; everything behind make() relies on that. It is a view of the
// caller's features.
class Round {
 public:
  // Refuses: no arms, features that are not finite, a baseline arm that is not there, a baseline
  // cost outside [0, 1].
  static Result<Round> make(const ArmFeatures& features, Baseline baseline) {
    const Status sound = check(features, baseline);
    if (!sound.ok()) return sound.error();
    return Result<Round>::of([&] { return Round(features, baseline); });
  }

  // The same round with what SparseRow::list() made of its shared row, which must outlive it.
  Round with_list(const SparseRow& listed) const {
    return Round(features_.with_list(listed), baseline_);
  }

  const ArmFeatures& features() const { return features_; }
  const Baseline& baseline() const { return baseline_; }
  std::size_t arm_count() const { return features_.arm_count(); }

 private:
  Round(const ArmFeatures& features, Baseline baseline)
      : features_(features), baseline_(baseline) {}

  static Status check(const ArmFeatures& features, const Baseline& baseline);

  ArmFeatures features_;
  Baseline baseline_;
};

// Whether it is in [0, 1]; NaN is not.
inline bool is_cost(double value) {
  return value >= 0.0 && value <= 1.0;
}
// Ok for a cost in [0, 1]; otherwise a sentence about `what`, which was found to be `cost`.
Status check_cost(double cost, std::string_view what);

}  // namespace handrail
