// NeuralUCB (Zhou, Li and Gu 2020) and NeuralTS (Zhang, Zhou, Li and Gu 2021) with a diagonal
// matrix, as in their authors' public code. A network predicts costs; how uncertain it is of an arm
// follows from the gradient g_a of its output and from the gradients met so far:
//
//     σ_a = √(Σ_p λν g_{a,p}² / U_p),    U = λ · 1 at first, U += g² of the arm that was played
//
// NeuralUCB plays the arm with the least μ − σ, NeuralTS the one with the least draw from N(μ, σ²).
// Both have a linear worst case (Deb et al. 2024) and promise nothing here; use them behind a gate.
//
// Where this differs from the public code:
//   - U grows when the cost is learned, at the weights of that moment, since only learning changes
//     a policy. Without delay that is the code's order; with it, rounds in between see an older U.
//   - NeuralUCB's code forgets the examples of rounds in which it does not train, 99 of 100 after
//     round 2000. Here the newest `memory` examples are kept, whether or not it trained on them.
//   - An output or σ that is not finite, of a network that has diverged, makes an index of 1.
// What is the same: one hidden layer of ReLU units on the block encoding, with PyTorch's initial
// weights; weight decay towards 0 in every parameter, biases included; epochs that walk through the
// examples in one order, shuffled anew for each training.
#pragma once

#include <cstdint>
#include <memory>

#include "handrail/oracle/mlp_config.h"
#include "handrail/policy/entry.h"

namespace handrail {

// What a proposal makes of μ and σ.
enum class NeuralChoice : std::uint8_t { kBound = 0, kDraw = 1 };

// A training is `steps` steps, after each of the first `until` observations and then after every
// `every`-th.
//   kSingles  on one example each with weight decay λ, or until an epoch's mean loss is at most
//             10^-3
//   kWhole    on all n examples at once, with weight decay λ / n
enum class NeuralSteps : std::uint8_t { kSingles = 0, kWhole = 1 };
struct NeuralTraining {
  NeuralSteps kind = NeuralSteps::kSingles;
  std::size_t steps = 1000;
  std::uint64_t until = 2000;
  std::uint64_t every = 100;
  std::size_t memory = 15'000;  // the newest examples
};

struct NeuralConfig {
  NeuralChoice choice = NeuralChoice::kBound;
  // kDraw: draws for each proposal. Of one, nobody can say how likely it was; of more, the
  // distribution is the share of draws that each arm won.
  std::size_t draws = 1;
  double nu = 1.0;       // ν
  double ridge = 0.001;  // λ
  NeuralTraining training = {};
  std::size_t hidden = 100;  // units
  double step = 0.01;
  Precision precision = Precision::kFloat;
  Isa isa = Isa::kPortable;
  std::uint64_t seed = 0;
};

// Its predicted costs are μ, clipped to [0, 1]. It learns from every observation that it is given.
// For a configuration whose network check() accepts with this layout.
std::unique_ptr<Policy> make_neural(const NeuralConfig& config, const FeatureLayout& layout);

// The network that it keeps.
MlpConfig network_of(const NeuralConfig& config);

extern const PolicyEntry kNeuralUcbPolicy;
extern const PolicyEntry kNeuralTsPolicy;

}  // namespace handrail
