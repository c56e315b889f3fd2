// The paper's perturbed copies over parameters in single precision. A step moves every parameter,
// but those of untouched segments are not looked at before the update ends: what they are due is
// the same S numbers for all, kept until settle(), and a segment that is touched meanwhile is
// brought up to date alone.
#pragma once

#include <span>
#include <vector>

#include "handrail/oracle/ensemble.h"
#include "handrail/oracle/kernels/aligned.h"
#include "handrail/oracle/kernels/step_kernels.h"

namespace handrail {

// The parameters and where they started, laid out in segments.
struct FastParameters {
  AlignedFloats values;
  AlignedFloats initial;
};

class FastEnsemble {
 public:
  FastEnsemble(const SignTable& signs, double kappa, std::span<const Segment> segments, Isa isa);

  std::span<const double> shifts() const { return account_.shifts(); }

  // Before a gradient is taken: the touched segments as they really are.
  void refresh(std::span<const std::size_t> touched, FastParameters& parameters);

  // As those of Ensemble. `gradient` is laid out like the parameters.
  double measure(std::span<const std::size_t> touched, std::span<const double> slopes,
                 const float* gradient, const FastParameters& parameters);
  void step(double rate, std::span<const std::size_t> touched, std::span<const double> slopes,
            const float* gradient, FastParameters& parameters);
  void project(std::span<const double> radii, FastParameters& parameters);

  // Ends an update: all parameters get what they are due. Rounding adds up in the sums, so every
  // thousandth time they are taken from the parameters again.
  void settle(FastParameters& parameters);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  static constexpr std::uint64_t kRemeasurePeriod = 1000;

  void add_due(std::size_t segment, FastParameters& parameters);
  void remeasure(const FastParameters& parameters);

  const StepKernels& kernels_;
  std::vector<Segment> segments_;
  EnsembleAccount account_;
  std::size_t plane_count_;                   // of at most kCopiesPerCode copies each
  std::vector<std::vector<SignCode>> codes_;  // by plane, one a parameter
  std::vector<double> due_;                   // S: since the update began
  std::vector<double> given_;                 // segments × S: of that, what a segment has got
  std::vector<double> coefficients_;          // S
  std::vector<float> plane_;                  // kCopiesPerCode
  std::vector<float> displacement_;           // scratch, as long as the longest segment
  std::vector<double> measured_;              // scratch: S, up to whole codes
  bool is_due_ = false;
  std::uint64_t settled_ = 0;  // updates
};

}  // namespace handrail
