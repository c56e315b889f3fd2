#include "handrail/explore/round_costs.h"

#include <algorithm>

#include "handrail/explore/weighting.h"

namespace handrail {

// The row of the arm found so far stands at the end of memory_.rows' first feature_count numbers;
// behind it, the same row once for every choice of the factor.
bool RoundCosts::improve(std::size_t factor, std::span<const double> table) {
  const auto [choice_count, row_size] = features_.factors()[factor];
  const std::size_t d = features_.feature_count();
  std::size_t offset = 0;
  for (std::size_t f = 0; f < factor; ++f) offset += features_.factors()[f].feature_count;
  memory_.rows.resize((choice_count + 1) * d);
  const std::span<double> current = std::span(memory_.rows).first(d);
  for (std::size_t choice = 0; choice < choice_count; ++choice) {
    const std::span<double> row = std::span(memory_.rows).subspan((choice + 1) * d, d);
    std::ranges::copy(current, row.begin());
    std::ranges::copy(table.subspan(choice * row_size, row_size), row.subspan(offset).begin());
  }
  memory_.costs.resize(choice_count);
  oracle_.predict(ArmFeatures::rows(std::span(memory_.rows).subspan(d), d), memory_.costs,
                  scratch_);
  const std::size_t best = greedy_arm(memory_.costs);
  std::size_t& choice = memory_.choices[factor];
  if (!(memory_.costs[best] < memory_.costs[choice])) return false;
  choice = best;
  std::ranges::copy(table.subspan(best * row_size, row_size), current.subspan(offset).begin());
  return true;
}

ArmIndex RoundCosts::cheapest(ArmIndex start, std::size_t sweeps) {
  if (features_.shape() != FeatureShape::kProduct) {
    memory_.costs.resize(features_.arm_count());
    oracle_.predict(features_, memory_.costs, scratch_);
    return greedy_arm(memory_.costs);
  }
  const std::span<const Factor> factors = features_.factors();
  memory_.choices.resize(factors.size());
  choices_of(factors, start, memory_.choices);
  memory_.rows.resize(features_.feature_count());
  features_.copy_arm(start, memory_.rows);
  bool changed = true;
  for (std::size_t sweep = 0; changed && sweep < sweeps; ++sweep) {
    changed = false;
    std::span<const double> left = features_.values();
    for (std::size_t f = 0; f < factors.size(); ++f) {
      const std::size_t size = factors[f].choice_count * factors[f].feature_count;
      if (factors[f].choice_count > 1) changed |= improve(f, left.first(size));
      left = left.subspan(size);
    }
  }
  return arm_of(factors, memory_.choices);
}

void RoundCosts::predict(std::span<const ArmIndex> arms, std::span<double> costs) {
  if (features_.shape() != FeatureShape::kProduct) {
    for (std::size_t i = 0; i < arms.size(); ++i) costs[i] = memory_.costs[arms[i]];
    return;
  }
  const std::size_t d = features_.feature_count();
  memory_.rows.resize(arms.size() * d);
  for (std::size_t i = 0; i < arms.size(); ++i) {
    features_.copy_arm(arms[i], std::span(memory_.rows).subspan(i * d, d));
  }
  oracle_.predict(ArmFeatures::rows(memory_.rows, d), costs, scratch_);
}

}  // namespace handrail
