// How a gradient becomes a step: plain descent, AdaGrad (Duchi, Hazan and Singer 2011), Adam
// (Kingma and Ba 2015), or RMSProp, each on one segment of the parameters at a time. Segments that
// a step does not touch keep their memory as it is; in particular Adam's moments do not decay
// there, and its bias correction counts each segment's own steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/oracle/network_weights.h"

namespace handrail {

enum class Optimizer : std::uint8_t { kSgd = 0, kAdaGrad = 1, kAdam = 2 };

// parameters[i] −= rate · gradient[i].
void sgd_step(double rate, std::span<const double> gradient, std::span<double> parameters);

// With g = factor · gradient[i]: sums[i] += g², parameters[i] −= rate · g / (√sums[i] + 10^-10).
struct AdaGradStep {
  double rate;
  double factor;
};
void adagrad_step(AdaGradStep step, std::span<const double> gradient, std::span<double> sums,
                  std::span<double> parameters);

// With g = factor · gradient[i]: first[i] and second[i] follow g and g² with decay 0.9 and 0.999,
// and parameters[i] −= rate · m / (√v + 10^-8) for m and v, the two corrected for starting at 0.
struct AdamStep {
  double rate;
  double factor;
  std::uint64_t count;  // of this segment's steps, this one included
};
struct AdamMoments {
  std::span<double> first;
  std::span<double> second;
};
void adam_step(AdamStep step, std::span<const double> gradient, AdamMoments moments,
               std::span<double> parameters);

// RMSProp as TensorFlow has it. With g = factor · gradient[i]: squares[i] follows g² with decay
// 0.9, from 1 and not from 0, so that first steps are short; parameters[i] −= rate · g /
// √(squares[i] + 10^-10). The network oracle does not offer it: its one user trains in double
// (policy neural-linear).
struct RmsPropStep {
  double rate;
  double factor;
};
void rmsprop_step(RmsPropStep step, std::span<const double> gradient, std::span<double> squares,
                  std::span<double> parameters);

// The constants of the rules. The small ones only make 0 / 0 no step: a coordinate whose gradient
// was always 0 stays.
inline constexpr double kAdaGradNoDivisionByZero = 1e-10;
inline constexpr double kAdamFirstDecay = 0.9;
inline constexpr double kAdamSecondDecay = 0.999;
inline constexpr double kAdamNoDivisionByZero = 1e-8;
inline constexpr double kRmsPropDecay = 0.9;
inline constexpr double kRmsPropNoDivisionByZero = 1e-10;
inline constexpr double kRmsPropFirstSquare = 1.0;

// An optimizer with its memory, for parameters laid out in `segments`.
class OptimizerState {
 public:
  OptimizerState(Optimizer optimizer, double learning_rate, std::span<const Segment> segments);

  // One step along factor · gradient in one segment. The spans cover all parameters.
  void step(std::size_t segment_index, double factor, std::span<const double> gradient,
            std::span<double> parameters);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  Optimizer optimizer_;
  double learning_rate_;
  std::vector<Segment> segments_;
  std::vector<double> first_;               // Adam: mean of gradients
  std::vector<double> second_;              // AdaGrad: sum of squares; Adam: their mean
  std::vector<std::uint64_t> step_counts_;  // Adam: by segment
};

// Adam on all of some parameters at once, for as long as one training lasts.
class AdamDescent {
 public:
  AdamDescent(double learning_rate, std::span<double> parameters);

  // All zeros: for the caller to add to, before step().
  std::span<double> new_gradient();
  void step() { state_.step(0, 1.0, gradient_, parameters_); }

 private:
  std::span<double> parameters_;
  std::vector<double> gradient_;
  OptimizerState state_;
};

}  // namespace handrail
