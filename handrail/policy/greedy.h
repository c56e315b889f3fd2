// Plays the arm with the least predicted cost, and with probability ε any arm. ε = 0 is plain
// greedy.
#pragma once

#include <memory>

#include "handrail/policy/entry.h"

namespace handrail {

std::unique_ptr<Policy> make_greedy(double epsilon, std::unique_ptr<Oracle> oracle);

extern const PolicyEntry kGreedyPolicy;
extern const PolicyEntry kEpsilonGreedyPolicy;

}  // namespace handrail
