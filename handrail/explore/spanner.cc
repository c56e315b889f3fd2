#include "handrail/explore/spanner.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "handrail/base/assert.h"
#include "handrail/base/inner_product.h"
#include "handrail/explore/weighting.h"

namespace handrail {
namespace {

// Cosine up to which an arm counts as lying in the span of the others: rounding leaves far less.
constexpr double kLeastCosine = 1e-9;

// Calls use(factor, first row, offset among the features) for every factor of a product, where rows
// are counted over all factors.
template <typename Use>
void for_each_factor(std::span<const Factor> factors, Use use) {
  std::size_t row = 0;
  std::size_t offset = 0;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    use(f, row, offset);
    row += factors[f].choice_count;
    offset += factors[f].feature_count;
  }
}

// Writes the product of every row of the round with c, or of a product's rows with their part of c.
void project(const ArmFeatures& features, std::span<const double> c, std::vector<double>& out) {
  const std::span<const double> values = features.values();
  const std::size_t d = features.feature_count();
  out.clear();
  if (features.shape() == FeatureShape::kRows) {
    for (std::size_t first = 0; first < values.size(); first += d) {
      out.push_back(inner_product(values.subspan(first, d), c));
    }
    return;
  }
  std::size_t first = 0;
  for_each_factor(features.factors(), [&](std::size_t f, std::size_t, std::size_t offset) {
    const auto [choice_count, size] = features.factors()[f];
    for (std::size_t choice = 0; choice < choice_count; ++choice, first += size) {
      out.push_back(inner_product(values.subspan(first, size), c.subspan(offset, size)));
    }
  });
}

}  // namespace

// memory.costs keeps ι·gap of every row; memory.numbers the products with c.
WeightedArms::WeightedArms(const ArmFeatures& features, std::span<const double> theta, double iota,
                           SearchMemory& memory)
    : features_(features), memory_(memory) {
  HANDRAIL_ASSERT(features.shape() != FeatureShape::kBlock && iota >= 0.0);
  HANDRAIL_ASSERT(theta.size() == features.feature_count());
  measure_gaps(theta, iota);
}

void WeightedArms::measure_gaps(std::span<const double> theta, double iota) {
  std::vector<double>& gaps = memory_.costs;
  project(features_, theta, gaps);
  const auto relate = [&](std::span<double> rows) {
    const std::size_t best = greedy_arm(rows);
    const double least = rows[best];
    for (double& row : rows) row = iota * (row - least);
    return best;
  };
  if (features_.shape() == FeatureShape::kRows) {
    cheapest_ = static_cast<ArmIndex>(relate(gaps));
    return;
  }
  const std::span<const Factor> factors = features_.factors();
  memory_.choices.resize(factors.size());
  for_each_factor(factors, [&](std::size_t f, std::size_t first, std::size_t) {
    memory_.choices[f] = relate(std::span(gaps).subspan(first, factors[f].choice_count));
  });
  cheapest_ = arm_of(factors, memory_.choices);
}

double WeightedArms::squared_weight(ArmIndex arm) const {
  double squared = 1.0 + static_cast<double>(dimension());
  if (features_.shape() == FeatureShape::kRows) return squared + memory_.costs[arm];
  memory_.choices.resize(features_.factors().size());
  choices_of(features_.factors(), arm, memory_.choices);
  for_each_factor(features_.factors(), [&](std::size_t f, std::size_t first, std::size_t) {
    squared += memory_.costs[first + memory_.choices[f]];
  });
  return squared;
}

void WeightedArms::copy(ArmIndex arm, std::span<double> out) const {
  features_.copy_arm(arm, out);
  const double weight = std::sqrt(squared_weight(arm));
  for (double& value : out) value /= weight;
}

WeightedArms::Farthest WeightedArms::farthest(std::span<const double> c) const {
  project(features_, c, memory_.numbers);
  if (features_.shape() == FeatureShape::kRows) return farthest_row(c);
  const Farthest up = farthest_product(1.0);
  const Farthest down = farthest_product(-1.0);
  return std::abs(down.coordinate) > std::abs(up.coordinate) ? down : up;
}

WeightedArms::Farthest WeightedArms::farthest_row(std::span<const double> c) const {
  const double base = 1.0 + static_cast<double>(c.size());
  Farthest best;
  double largest = -1.0;
  for (std::size_t arm = 0; arm < memory_.numbers.size(); ++arm) {
    const double n = memory_.numbers[arm];
    const double squared = n * n / (base + memory_.costs[arm]);
    if (squared <= largest) continue;
    largest = squared;
    best = {.arm = static_cast<ArmIndex>(arm),
            .coordinate = n / std::sqrt(base + memory_.costs[arm])};
  }
  return best;
}

// Sets the factor's choice at s = 0, the one with the largest product, and adds the steps along its
// envelope: from each choice the first that a cheaper one overtakes it at.
void WeightedArms::collect_steps(std::size_t factor, std::size_t first_row, double sign) const {
  const std::size_t choice_count = features_.factors()[factor].choice_count;
  const double* const n = memory_.numbers.data() + first_row;
  const double* const gap = memory_.costs.data() + first_row;
  std::size_t present = 0;
  for (std::size_t choice = 1; choice < choice_count; ++choice) {
    const double more = sign * (n[choice] - n[present]);
    if (more > 0.0 || (more == 0.0 && gap[choice] < gap[present])) present = choice;
  }
  memory_.choices[factor] = present;
  for (double at = 0.0;;) {
    double next_at = std::numeric_limits<double>::infinity();
    std::size_t next = present;
    for (std::size_t choice = 0; choice < choice_count; ++choice) {
      if (!(gap[choice] < gap[present])) continue;
      const double s = 2.0 * sign * (n[present] - n[choice]) / (gap[present] - gap[choice]);
      if (s < next_at) {
        next_at = s;
        next = choice;
      }
    }
    if (next == present) return;
    at = std::max(at, next_at);  // never back, whatever rounding says
    memory_.steps.push_back(
        {.at = at, .order = memory_.steps.size(), .factor = factor, .choice = next});
    present = next;
  }
}

// Of the arm that memory_.choices names. Summed anew for every arm: along a walk ι·gap falls from
// huge to nothing, and differences would leave nothing but rounding.
WeightedArms::Farthest WeightedArms::measured() const {
  double n = 0.0;
  double squared = 1.0 + static_cast<double>(dimension());
  const std::span<const Factor> factors = features_.factors();
  for_each_factor(factors, [&](std::size_t f, std::size_t first, std::size_t) {
    n += memory_.numbers[first + memory_.choices[f]];
    squared += memory_.costs[first + memory_.choices[f]];
  });
  return {.arm = arm_of(factors, memory_.choices), .coordinate = n / std::sqrt(squared)};
}

// Walks along the envelopes of all factors and keeps the best arm that it meets.
WeightedArms::Farthest WeightedArms::farthest_product(double sign) const {
  memory_.choices.resize(features_.factors().size());
  memory_.steps.clear();
  for_each_factor(features_.factors(), [&](std::size_t f, std::size_t first, std::size_t) {
    collect_steps(f, first, sign);
  });
  std::ranges::sort(memory_.steps, [](const SearchStep& a, const SearchStep& b) {
    return a.at != b.at ? a.at < b.at : a.order < b.order;
  });
  Farthest best = measured();
  for (const SearchStep& step : memory_.steps) {
    memory_.choices[step.factor] = step.choice;
    const Farthest met = measured();
    if (std::abs(met.coordinate) > std::abs(best.coordinate)) best = met;
  }
  return best;
}

namespace {

// The basis of a spanner under construction, as its inverse.
class Basis {
 public:
  Basis(const WeightedArms& arms, SearchMemory& memory, std::vector<std::optional<ArmIndex>>& slots)
      : arms_(arms), memory_(memory), slots_(slots), d_(arms.dimension()) {
    slots_.assign(d_, std::nullopt);
    memory_.rows.resize(d_);
    memory_.direction.resize(d_);
    memory_.matrix.assign(d_ * d_, 0.0);
    for (std::size_t i = 0; i < d_; ++i) memory_.matrix[i * d_ + i] = 1.0;
  }

  // Puts the arm into the slot that makes |det| the largest; none if all lie in the span of the
  // other slots.
  void fill(std::size_t slot) {
    const WeightedArms::Farthest found = arms_.farthest(row(slot));
    arms_.copy(found.arm, memory_.rows);
    const double length =
        std::sqrt(inner_product(row(slot), row(slot)) * inner_product(memory_.rows, memory_.rows));
    if (std::abs(found.coordinate) > kLeastCosine * length) replace(slot, found.arm);
  }
  // The same for a slot that has an arm, if |det| grows by the factor C at least.
  bool swap(std::size_t slot) {
    const WeightedArms::Farthest found = arms_.farthest(row(slot));
    if (std::abs(found.coordinate) < kSpannerStretch) return false;
    replace(slot, found.arm);
    return true;
  }
  double log_det() const { return log_det_; }

 private:
  std::span<double> row(std::size_t slot) {
    return std::span(memory_.matrix).subspan(slot * d_, d_);
  }

  // With u the arm's coordinates: row i becomes row_i/u_i, every other row_j − u_j·row_i/u_i.
  void replace(std::size_t slot, ArmIndex arm) {
    arms_.copy(arm, memory_.rows);
    for (std::size_t j = 0; j < d_; ++j) memory_.direction[j] = inner_product(row(j), memory_.rows);
    const double pivot = memory_.direction[slot];
    for (double& entry : row(slot)) entry /= pivot;
    for (std::size_t j = 0; j < d_; ++j) {
      if (j == slot) continue;
      const double u = memory_.direction[j];
      const std::span<const double> from = row(slot);
      const std::span<double> to = row(j);
      for (std::size_t k = 0; k < d_; ++k) to[k] -= u * from[k];
    }
    slots_[slot] = arm;
    log_det_ += std::log(std::abs(pivot));
  }

  const WeightedArms& arms_;
  SearchMemory& memory_;
  std::vector<std::optional<ArmIndex>>& slots_;
  std::size_t d_;
  double log_det_ = 0.0;
};

}  // namespace

Spanner find_spanner(const WeightedArms& arms, SearchMemory& memory,
                     std::vector<std::optional<ArmIndex>>& slots) {
  const std::size_t d = arms.dimension();
  Basis basis(arms, memory, slots);
  for (std::size_t slot = 0; slot < d; ++slot) basis.fill(slot);
  // Every swap multiplies |det| by C at least, and filling left it within a factor of d! of the
  // largest: there are at most log_C d! ≤ d log₂ d swaps. The bound is twice that and more.
  const auto dimension = static_cast<double>(d);
  auto swaps_left = static_cast<std::size_t>(2.0 * dimension * (1.0 + std::log2(dimension))) + 1;
  std::size_t settled = 0;  // slots in a row that needed no swap
  for (std::size_t slot = 0; settled < d && swaps_left > 0; slot = (slot + 1) % d) {
    const bool swapped = slots[slot].has_value() && basis.swap(slot);
    settled = swapped ? 0 : settled + 1;
    if (swapped) --swaps_left;
  }
  return {.log_det = basis.log_det(), .complete = settled >= d};
}

}  // namespace handrail
