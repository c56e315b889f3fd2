// Everything that can be chosen about the network oracle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/oracle/kernels/isa.h"
#include "handrail/oracle/network.h"
#include "handrail/oracle/optimizer.h"
#include "handrail/oracle/oracle.h"

namespace handrail {

// When a network learns, and from what.
//   kReplay    at every update, from minibatches: some of each are the newest examples, the others
//              are drawn uniformly (with replacement) from a buffer of the newest `buffer_limit`;
//              from all of them while they are fewer than a minibatch.
//   kOnline    at every update, one step on the new example.
//   kPeriodic  at every `period`-th update; the paper updates "every 10th round" and does not say
//              how, hence the readings.
enum class Update : std::uint8_t { kReplay = 0, kOnline = 1, kPeriodic = 2 };

//   kSteps   a step on each of the `period` newest examples, oldest first
//   kMean    one step on the mean of their gradients
//   kNewest  one step on the newest
enum class PeriodicReading : std::uint8_t { kSteps = 0, kMean = 1, kNewest = 2 };

// Whether a step is divided by |∇f|² (the mean over its examples). Where the gradient is 0 there is
// then no step. kAuto: on for plain descent under the ntk parametrisation, where |∇f|² is some
// 10^-3 at width 100 and a literal step of 0.01 would move a prediction by 2·10^-5 of its error.
// AdaGrad and Adam divide by the gradient's size themselves, so it is off for them, and kOn is
// refused.
enum class StepScaling : std::uint8_t { kAuto = 0, kOn = 1, kOff = 2 };

// In which numbers it computes: single precision with kernels for this processor, or plain loops in
// double, the reference.
enum class Precision : std::uint8_t { kFloat = 0, kDouble = 1 };

struct MlpConfig {
  std::vector<std::size_t> widths = {256};
  Activation activation = Activation::kRelu;
  Parametrisation parametrisation = Parametrisation::kStandard;
  double sigma_1 = 1.0;
  OwnLayer own_layer = OwnLayer::kOutput;
  double output_init = 1.0;
  bool skip = false;
  Loss loss = Loss::kSquare;

  Update update = Update::kReplay;
  std::size_t period = 10;
  PeriodicReading reading = PeriodicReading::kSteps;
  std::size_t buffer_limit = 10'000;
  std::size_t batch = 32;
  std::size_t batches = 1;      // minibatches an update
  double newest_share = 0.125;  // of a minibatch, to the nearest whole example

  Optimizer optimizer = Optimizer::kAdaGrad;
  double learning_rate = 0.05;
  StepScaling step_scaling = StepScaling::kAuto;
  double clip = std::numeric_limits<double>::infinity();  // largest gradient norm

  // Adds pull · |θ − θ_0|² to the loss, in the dense layers and in the blocks of the first layer
  // that a step touches: an untouched block is not moved.
  double pull = 0.0;

  // Radii of the balls around the initial weights that each step is projected onto, one ball a
  // hidden layer and one for the output, biases included.
  double rho = std::numeric_limits<double>::infinity();
  double rho_1 = std::numeric_limits<double>::infinity();

  // The paper's perturbed copies; 0 for none. κ = perturbation · width^(−1/4) with the last hidden
  // width. They need plain descent, whose effect on them is known without a pass over all weights,
  // and no pull, since they are one.
  std::size_t ensemble = 0;
  double perturbation = 0.03;

  Precision precision = Precision::kFloat;
  Isa isa = Isa::kPortable;  // of the kernels

  std::uint64_t seed = 0;

  Initialisation initialisation = Initialisation::kNormal;  // standard only
  // Where the diagonal U of Trainer::measure() starts; 0: the network keeps none.
  double diagonal = 0.0;
};

// Ok, or a sentence that names the value and its bound. The second also bounds the memory that a
// network for these features would take.
Status check(const MlpConfig& config);
Status check(const MlpConfig& config, const FeatureLayout& layout);

bool scales_steps(const MlpConfig& config);
NetworkShape network_shape(const MlpConfig& config);

}  // namespace handrail
