// Steps over arrays of parameters in single precision, for one instruction set each: the rules of
// the optimizers, and sums. Arrays lie like the parameters; a kernel reads and writes exactly
// `count` numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "handrail/oracle/kernels/isa.h"

namespace handrail {

struct AdaGradNumbers {
  float rate = 0.0F;
  float factor = 1.0F;  // of the gradient
};

struct AdamNumbers {
  float rate = 0.0F;
  float factor = 1.0F;
  float first_correction = 1.0F;  // 1 / (1 − decay^steps), of the two moments
  float second_correction = 1.0F;
};

struct StepKernels {
  // target *= factor; target += factor · source.
  void (*scale)(float factor, float* target, std::size_t count);
  void (*add_scaled)(float factor, const float* source, float* target, std::size_t count);
  void (*adagrad)(const AdaGradNumbers& numbers, const float* gradient, float* sums, float* target,
                  std::size_t count);
  void (*adam)(const AdamNumbers& numbers, const float* gradient, float* first, float* second,
               float* target, std::size_t count);

  // gradient += factor · (now − start); now = start + factor · (now − start).
  void (*add_displacement)(float factor, const float* now, const float* start, float* gradient,
                           std::size_t count);
  void (*shrink)(float factor, const float* start, float* now, std::size_t count);

  // Σ values²; Σ (now − start)²; Σ (now − start) · direction.
  double (*squared_norm)(const float* values, std::size_t count);
  double (*squared_distance)(const float* now, const float* start, std::size_t count);
  double (*along_displacement)(const float* now, const float* start, const float* direction,
                               std::size_t count);
};

const StepKernels& step_kernels(Isa isa);

}  // namespace handrail
