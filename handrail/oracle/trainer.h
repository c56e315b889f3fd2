// A network with its weights: what it says of arms, and how it steps. There are two: the reference
// in double, plain loops that read like the formulas, and the fast one in single precision, whose
// kernels are tested against it.
#pragma once

#include <memory>
#include <span>

#include "handrail/base/bytes.h"
#include "handrail/oracle/mlp_config.h"
#include "handrail/oracle/oracle.h"
#include "handrail/oracle/replay_buffer.h"

namespace handrail {

struct Descent {
  double decay = 0.0;
  std::size_t steps = 1;
};

class Trainer {
 public:
  Trainer() = default;
  virtual ~Trainer() = default;
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  // The network's raw output f for every arm.
  virtual void outputs(const ArmFeatures& features, std::span<double> outputs,
                       Scratch& scratch) const = 0;
  // κ r_s of the perturbed copies; one 0 without any.
  virtual std::span<const double> shifts() const = 0;

  // One step on the mean loss of a batch, then the projection.
  virtual void step(std::span<const Example> batch) = 0;
  // Steps of plain descent on the same batch with weight decay, θ ← θ − rate · (g + decay · θ) in
  // every parameter, those of untouched blocks too. Returns the mean loss of the batch before the
  // last step. For networks of which descends_plainly() says so.
  virtual double descend(std::span<const Example> batch, const Descent& descent) = 0;
  // Ends an update of one or more steps; outputs() may be asked only after that.
  virtual void settle() = 0;

  // The gradients that a network has met, for configurations with a diagonal: U_p grows by
  // (∂f/∂θ_p)² of an arm, at the weights of this moment.
  virtual void measure(const ArmFeatures& features, const ArmMeasures& measures,
                       Scratch& scratch) const = 0;
  virtual void meet(const ArmView& arm) = 0;

  // Weights, diagonal and the optimizer's memory. load() is for a trainer that has not stepped yet;
  // where it fails `in`, the trainer is good for nothing.
  virtual void save(ByteWriter& out) const = 0;
  virtual void load(ByteReader& in) = 0;
};

// What a gradient is multiplied with before the optimizer sees it: clipping first, then the scaling
// of the step by the mean of |∇f|².
struct GradientNorms {
  double squared_norm = 0.0;
  double squared_output_gradient = 0.0;
};
double step_factor(const MlpConfig& config, const GradientNorms& norms);

// Whether descend() is how this network steps: plain descent without clipping, scaling, pull, radii
// or copies.
bool descends_plainly(const MlpConfig& config);

// A network without perturbed copies is one copy that nothing shifts.
std::span<const double> no_shift();

// κ of the perturbed copies: c_p · width^(−1/4), with the last hidden width.
double perturbation_scale(const MlpConfig& config);

// The radii of the balls that each layer is projected onto.
std::vector<double> radii_of(const MlpConfig& config);

std::unique_ptr<Trainer> make_reference_trainer(const MlpConfig& config,
                                                const FeatureLayout& layout);

}  // namespace handrail
