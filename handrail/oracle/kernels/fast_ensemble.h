// The paper's perturbed copies over parameters in single precision. A step moves every parameter,
// but those of untouched segments are not looked at before the update ends: what they are due is
// the same S numbers for all, kept until settle(), and a segment that is touched meanwhile is
// brought up to date alone.
//
// A segment gets what it is due as whole multiples of a unit, some 2^-12 of it. The rest, no more
// than a float's rounding as a rule, stays due.
#pragma once

#include <span>
#include <vector>

#include "handrail/oracle/ensemble.h"
#include "handrail/oracle/kernels/aligned.h"
#include "handrail/oracle/kernels/fast_network.h"
#include "handrail/oracle/kernels/sign_kernels.h"
#include "handrail/oracle/kernels/step_kernels.h"

namespace handrail {

// The parameters and where they started, laid out in segments.
struct FastParameters {
  AlignedFloats values;
  AlignedFloats initial;
};

class FastEnsemble {
 public:
  // The parameters lie as the layout of the network says, with room for whole groups behind each
  // segment, as kSignAlignment says. Keeps a reference to it.
  FastEnsemble(const SignTable& signs, double kappa, const FastNetwork& network, Measures measures,
               Isa isa);

  std::span<const double> shifts() const { return account_.shifts(); }

  // Before a gradient is taken: the touched segments as they really are.
  void refresh(std::span<const std::size_t> touched, FastParameters& parameters);
  // Or: the last segment as it really is, and all others due the same, Σ_s due[s] ε_s. They stay
  // level until step() or refresh().
  void level(FastParameters& parameters);
  std::span<const double> due() const { return due_; }

  // Measures a gradient: begin(), then each of its segments, once, then finish(), which returns
  // |D|² if norms are measured. `gradient` is laid out like the parameters, and 0 behind the
  // segments. Without distances it is enough to be told, in place of all before finish(), that G is
  // `slope` times something whose |·|² and ⟨·, ε_s⟩ are these.
  void begin() { account_.begin(); }
  void measure(std::span<const std::size_t> touched, const float* gradient,
               const FastParameters& parameters);
  void set_measured(double slope, double squared_norm, std::span<const float> along_signs);
  double finish(std::span<const double> slopes) { return account_.finish(slopes); }

  // θ −= rate · D for the gradient that was measured.
  void step(double rate, std::span<const std::size_t> touched, std::span<const double> slopes,
            const float* gradient, FastParameters& parameters);
  // The same for parameters that are level, without touching any: returns the S numbers that they
  // are due for this step. Whoever asks gives them to the last segment.
  std::span<const double> advance(double rate, std::span<const double> slopes);
  void project(std::span<const double> radii, FastParameters& parameters);

  // Ends an update: all parameters get what they are due. Rounding adds up in the sums, so every
  // thousandth time they are taken from the parameters again.
  void settle(FastParameters& parameters);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  static constexpr std::uint64_t kRemeasurePeriod = 1000;

  // What some segment is due, in steps. Segments that are due the same follow each other.
  struct Steps {
    std::vector<double> due;  // S; what the rest was made for
    std::vector<double> given;
    std::vector<SignTables> tables;
    float unit = 0.0F;
  };

  // Segments that follow each other.
  struct SegmentRun {
    std::size_t first;
    std::size_t end;
  };

  void join_runs();
  void part_runs();
  void owe(double rate, std::span<const double> slopes);
  void settle_run(const SegmentRun& run, FastParameters& parameters);
  void spread_accounts(std::span<double> given) const;
  void add_due(const SegmentRun& run, FastParameters& parameters);
  double* given_of(std::size_t segment) { return given_.data() + segment * due_.size(); }
  bool have_got_same(std::size_t one, std::size_t other);
  void prepare_steps();
  void remeasure(const FastParameters& parameters);
  void add_dots(const float* values, const Segment& segment, double* sums) const;

  const FastLayout& layout_;
  const SignKernels& signs_;
  const StepKernels& kernels_;
  Measures measures_;
  std::vector<Segment> segments_;
  EnsembleAccount account_;
  std::vector<AlignedVector<SignWord>> words_;  // by 16 copies, one a parameter
  std::vector<double> due_;                     // S: since the last update ended
  std::vector<double> given_;                   // segments × S: of that, what a segment has got
  // While parameters are level: those segments but the last that have got the same, as the account
  // of the first says. Otherwise empty, and every account is right.
  std::vector<SegmentRun> runs_;
  Steps steps_;
  std::vector<double> wanted_;        // scratch: S
  std::vector<double> coefficients_;  // scratch: S
  std::vector<float> displacement_;   // scratch, as long as the longest segment
  std::vector<double> measured_;      // scratch: S
  bool is_due_ = false;
  std::uint64_t settled_ = 0;  // times
};

}  // namespace handrail
