// The paper's perturbed copies of a network, f~_s(x) = f(θ; x) + κ⟨θ − θ_0, ε_s⟩ with random signs
// ε_s, trained on the mean of the copies' losses (Deb, Ghavamzadeh and Banerjee, Section 5).
//
// The perturbation does not depend on x, so a copy is one number, the shift κ r_s with
// r_s = ⟨Δ, ε_s⟩: a prediction is one forward pass and S scalars. Every step moves every parameter,
// those of untouched blocks too, since ε_s is dense; a version that moved only the touched block
// would make r_s depend on the arm.
//
// A network without copies is one copy with shift 0, and goes through the same three functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "handrail/base/bytes.h"
#include "handrail/oracle/gradient.h"
#include "handrail/oracle/network_weights.h"
#include "handrail/oracle/oracle.h"
#include "handrail/oracle/signs.h"

namespace handrail {

// mean_s ŷ_s, clipped to [0, 1] (log loss: [10^-6, 1 − 10^-6]); ŷ_s is f~_s, or σ(f~_s) with log
// loss. The paper also writes the sigmoid of the mean; its definition is the mean of the sigmoids.
// If a copy's output is not finite, the prediction is the highest in the range: a network that has
// diverged must look expensive, not attractive.
double predicted_cost(Loss loss, double output, std::span<const double> shifts);
// The same for many outputs, in their place. With square loss the mean over the copies is one copy
// with the mean shift.
void predict_costs(Loss loss, std::span<const double> shifts, std::span<double> outputs);

// mean_s ℓ(f~_s, cost).
double ensemble_loss(Loss loss, double output, double cost, std::span<const double> shifts);

// slopes[s] += weight · g_s with g_s = ∂ℓ/∂f~_s. Returns weight · mean_s g_s.
struct Target {
  double output = 0.0;
  double cost = 0.0;
  double weight = 1.0;  // 1 / number of examples in the batch
};
double add_slopes(Loss loss, const Target& target, std::span<const double> shifts,
                  std::span<double> slopes);

// What is measured of a gradient beside the ⟨G, ε_s⟩: |G|², which clipping asks for, and ⟨Δ, G⟩,
// without which nothing can be projected.
enum class Measures : std::uint8_t { kSigns, kNorms, kDistances };

// The numbers of S perturbed copies under plain gradient descent, without the parameters. The sums
// r_{s,l} and the squared distances N_l = |Δ_l|², layer by layer, follow each step from the step's
// own numbers and the Gram matrices of the signs, without a pass over the parameters. A step is
// along D = G + κ/S Σ_s g_s ε_s, where G is the gradient of the batch and g_s are its slopes.
class EnsembleAccount {
 public:
  // `segments` lists a layer's segments one after the other, the layers in order.
  EnsembleAccount(const SignTable& signs, double kappa, std::span<const Segment> segments,
                  Measures measures = Measures::kDistances);

  std::size_t copy_count() const { return copy_count_; }
  std::size_t layer_count() const { return squared_distances_.size(); }
  std::span<const double> shifts() const { return shifts_; }

  // To measure a gradient: begin(), add what each touched segment has to those of its layer's three
  // measures that are asked for, then finish(), which returns |D|², or 0 without norms.
  void begin();
  double& along_displacement(std::size_t layer) { return along_displacement_[layer]; }  // ⟨Δ, G⟩
  double& squared_norm(std::size_t layer) { return squared_norms_[layer]; }             // |G|²
  std::span<double> along_signs(std::size_t layer);  // ⟨G, ε_s⟩
  double finish(std::span<const double> slopes);

  // θ −= rate · D, for the gradient that was measured: what becomes of the sums and distances, and
  // what the parameters get, G apart: Σ_s coefficients[s] ε_s.
  void step(double rate);
  void dense_coefficients(double rate, std::span<const double> slopes,
                          std::span<double> coefficients) const;

  // Projects the layer onto |Δ_l| ≤ radius. Returns the factor that Δ_l has to be multiplied with.
  double project(std::size_t layer, double radius);

  double sign_sum(std::size_t copy, std::size_t layer) const;                             // r_{s,l}
  double squared_distance(std::size_t layer) const { return squared_distances_[layer]; }  // N_l
  // Replaces what the steps added up with what the parameters themselves say.
  void remeasure(std::size_t layer, double squared_distance, std::span<const double> sign_sums);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  static constexpr std::size_t kGramLanes = 8;  // sums that four SSE2 registers hold
  static constexpr std::size_t kFewLanes = 2;   // or one

  void make_gram(const SignTable& signs, std::span<const Segment> segments);
  template <std::size_t LANES>
  void fill_dense(const double* gram, double k, std::span<const double> slopes,
                  double* dense) const;
  void refresh_shifts();

  std::size_t copy_count_;
  std::size_t gram_stride_;  // a whole number of lanes
  double kappa_;
  Measures measures_;
  std::vector<double> gram_;  // layers × S × stride: ⟨ε_s, ε_s'⟩ within the layer, then 0

  std::vector<double> sign_sums_;          // layers × S: r_{s,l}
  std::vector<double> squared_distances_;  // layers: N_l
  std::vector<double> shifts_;             // S: κ Σ_l r_{s,l}

  // What finish() leaves for step(), for D.
  std::vector<double> along_displacement_;  // layers: ⟨Δ_l, D_l⟩
  std::vector<double> squared_norms_;       // layers: |D_l|²
  std::vector<double> along_signs_;         // layers × S: ⟨D_l, ε_{s,l}⟩
  std::vector<double> dense_;               // scratch, stride: ⟨k Σ g ε, ε_s⟩ within a layer
};

// The copies of the reference network.
class Ensemble {
 public:
  Ensemble(SignTable signs, double kappa, std::span<const Segment> segments);

  std::span<const double> shifts() const { return account_.shifts(); }

  // Measures the gradient and returns |D|². Call before step().
  double measure(const GradientView& gradient, const NetworkWeights& parameters);

  // θ −= rate · D, for the gradient that was measured.
  void step(double rate, const GradientView& gradient, NetworkWeights& parameters);

  // Layer by layer onto |Δ_l| ≤ radii[l].
  void project(std::span<const double> radii, NetworkWeights& parameters);

  double sign_sum(std::size_t copy, std::size_t layer) const;  // r_{s,l}
  double squared_distance(std::size_t layer) const;            // N_l

  void save(ByteWriter& out) const { account_.save(out); }
  void load(ByteReader& in) { account_.load(in); }

 private:
  SignTable signs_;
  std::vector<Segment> segments_;
  EnsembleAccount account_;
  std::vector<double> coefficients_;  // S
};

}  // namespace handrail
