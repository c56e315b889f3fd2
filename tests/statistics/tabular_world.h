// A world of few contexts and few arms, and the oracle that belongs to it: a running mean for each
// pair. Small enough that its best can be said exactly, and its worst be arranged.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "handrail/env/environment.h"
#include "handrail/oracle/oracle.h"

namespace handrail {

enum class Trouble : std::uint8_t {
  kNone,
  kBlind,            // two arms cost 0.95, and the oracle takes them for 0.05 whatever it is told
  kSwitch,           // half way, every arm but the baseline's jumps to a cost of 1
  kCheaperBaseline,  // after a third, the baseline's arm costs a tenth of what it did
};

struct TabularConfig {
  Trouble trouble = Trouble::kNone;
  std::string delay = "none";
  std::uint64_t rounds = 3000;
  std::uint64_t seed = 1;
};

// 5 arms, 10 contexts in random order, Bernoulli costs with means between 0.1 and 0.9. The
// baseline, arm 0, costs 0.5 in every context, unless it is the trouble.
std::unique_ptr<Environment> make_tabular_world(const TabularConfig& config);

// Predicts the mean of a pair's costs and one half; its regret bound is the realised regret in
// squared loss against the best table of means.
std::unique_ptr<Oracle> make_running_mean(Trouble trouble);

}  // namespace handrail
