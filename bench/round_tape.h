// Rounds encoded ahead into memory, so that a benchmark times deciding and learning and nothing
// else. A tape can be written to a file that bench/torch_reference.py reads too: both then see the
// same numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/core/round.h"

namespace handrail {

struct RoundTape {
  std::string name;          // as it was asked for
  bool is_synthetic = true;  // numbers of the same shape in place of a data set
  FeatureLayout layout;      // always block features
  BaselineKnown baseline_known = BaselineKnown::kMean;
  std::size_t round_count = 0;
  std::vector<double> features;        // a row a round
  std::vector<double> costs;           // of every arm, a row a round
  std::vector<double> baseline_costs;  // one a round, like the arms
  std::vector<double> baseline_arms;
  std::vector<SparseRow> lists;  // the rows again, once list_rows() made them

  std::size_t arm_count() const { return layout.block_count; }
  std::span<const double> features_of(std::size_t round) const {
    return std::span(features).subspan(round * layout.feature_count, layout.feature_count);
  }
  ArmFeatures arms_of(std::size_t round) const {
    return lists.empty() ? ArmFeatures::block(features_of(round), arm_count())
                         : ArmFeatures::sparse_block(lists[round], arm_count());
  }
  std::span<const double> costs_of(std::size_t round) const {
    return std::span(costs).subspan(round * arm_count(), arm_count());
  }
  Baseline baseline_of(std::size_t round) const {
    return {.arm = static_cast<ArmIndex>(baseline_arms[round]), .cost = baseline_costs[round]};
  }
};

// Records the first `round_count` rounds of a stream by the order of `seed`:
//   letter, shuttle, mnist          the data sets in the data folder (HANDRAIL_DATA); where one is
//                                   missing, a synthetic stream of its shape, and stderr says so
//   letter-16, shuttle-9, mnist-784 the same without a constant column
//   synthetic:arms=K,features=D,density=P   each key may be left out
//   anything else                   a data SPEC
Result<RoundTape> record_tape(std::string_view stream, std::size_t round_count, std::uint64_t seed);

// From now on the rounds come as lists of what is not 0.
void list_rows(RoundTape& tape);

Status write_tape(const RoundTape& tape, const std::string& path);
Result<RoundTape> read_tape(const std::string& path);

}  // namespace handrail
