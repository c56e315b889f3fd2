// FALCON (Simchi-Levi and Xu 2022): inverse gap weighting over an oracle that is fitted anew to all
// past costs at the start of each epoch, and predicts unchanged until the next. explore/epochs.h
// has epochs and γ. FALCON+ fits to the last epoch alone, so that its fit knows nothing that it
// chose the data by, and takes γ from a bound on the excess risk.
//
// Epochs count the costs that were learned, not rounds: costs that are late, and rounds that were
// not learned from, begin no epoch.
//
// A fit feeds the examples to a fresh oracle, oldest first, `passes` times. That is least squares
// with ridge (whose forecast counts the features it is asked about as seen) and one pass; with
// other oracles it is an approximation. It happens at once, when the last cost of an epoch is
// learned: O(1) updates a round over time with doubling epochs, but all of them in one round.
//
// The newest `history` examples are kept, n·d numbers; past that a fit sees no others, and γ counts
// those it saw.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "handrail/explore/epochs.h"
#include "handrail/policy/entry.h"

namespace handrail {

struct FalconConfig {
  FalconGamma gamma = {};
  std::optional<std::uint64_t> horizon = std::nullopt;  // T of the slower epochs; none: they double
  std::uint64_t passes = 1;
  std::size_t history = 100'000;
};

// `oracle` is fresh: every fit begins with its state at this moment. Whatever it promises of its
// regret holds for predictions one at a time, and is not handed on.
std::unique_ptr<Policy> make_falcon(const FalconConfig& config, const FeatureLayout& layout,
                                    std::unique_ptr<Oracle> oracle);

extern const PolicyEntry kFalconPolicy;

}  // namespace handrail
