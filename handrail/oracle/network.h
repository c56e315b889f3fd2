// A fully connected network with one output, as free arithmetic on an array of parameters: it knows
// where each layer's numbers lie, how they start, and how to run forwards and backwards. It holds
// no state, so one network serves any number of parameter sets.
//
// Two parametrisations, for hidden widths w_1 … w_L and activation φ:
//   standard  h_l = φ(W_l h_{l−1} + b_l),  f = vᵀh_L + c. Weights start as N(0, 2 / inputs), v
//             times output_init, and biases at 0. In the first layer `inputs` counts the features
//             of one block, all that are active at a time. Initialisation::kUniform starts them,
//             and the biases, as PyTorch's Linear does: uniform within ±1/√inputs, where the inputs
//             of an arms' own first layer are those of all blocks.
//   ntk       h_l = φ(w_l^(−1/2) W_l h_{l−1}),  f = w_L^(−1/2) vᵀh_L, without biases: the paper's.
//             Weights start as N(0, σ_0²) with σ_0 = σ_1 / (2(1 + √(log w_l) / √(2 w_l))), v
//             uniform on the unit sphere. The paper has one width; with several, each layer takes
//             its own, and v the last.
//
// Arms in block features have one layer of their own, and share the others:
//   first   W_1 is the arm's, as in the paper's encoding of dK features: arms share what lies above
//   output  v and c are the arm's: all arms share the hidden layers, so that what one arm teaches
//           about the features serves the others, and a round needs one pass through them
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "handrail/core/arm_features.h"
#include "handrail/oracle/activation.h"
#include "handrail/oracle/network_weights.h"

namespace handrail {

enum class Parametrisation : std::uint8_t { kStandard = 0, kNtk = 1 };

enum class OwnLayer : std::uint8_t { kFirst = 0, kOutput = 1 };

enum class Initialisation : std::uint8_t { kNormal = 0, kUniform = 1 };

struct NetworkShape {
  std::vector<std::size_t> widths = {100};  // at least one, each at least 1
  Activation activation = Activation::kRelu;
  Parametrisation parametrisation = Parametrisation::kStandard;
  double sigma_1 = 1.0;  // ntk only
  OwnLayer own_layer = OwnLayer::kFirst;
  double output_init = 1.0;  // factor of the initial weights of the output layer; standard only
  // Whether the output layer sees the features beside the units: f = vᵀh_L + uᵀx + c, u from 0.
  // What is linear is then learned as fast as by a linear model.
  bool skip = false;
  Initialisation initialisation = Initialisation::kNormal;  // standard only
};

// What a network says of every arm: its raw output f, and how much of f's gradient is new,
// Σ_p (∂f/∂θ_p)² / U_p for a diagonal U that grows with
// the gradients met so far.
struct ArmMeasures {
  std::span<double> outputs;
  std::span<double> squared_norms;
};

class Network {
 public:
  Network(const NetworkShape& shape, const FeatureLayout& layout);

  // Segments first_block to first_block + block_count − 1 are the arms' own; the others are dense.
  std::span<const Segment> segments() const { return segments_; }
  std::size_t first_block() const { return first_block_; }
  std::size_t block_count() const { return layout_.block_count; }
  std::size_t layer_count() const { return layers_.size() + 1; }
  std::size_t parameter_count() const { return parameter_count_; }  // gaps included
  std::size_t trace_size() const { return trace_size_; }
  const FeatureLayout& layout() const { return layout_; }

  // A block's initial weights depend on the seed, the layer and the block, not on how many blocks
  // there are.
  std::vector<double> initial_parameters(std::uint64_t seed) const;

  // The output f for each arm of a batch, in two halves: what the hidden layers make of the arms,
  // which goes into `traces` (trace_size numbers an arm, one after the other), and what the output
  // layer makes of one arm's trace. Where arms share the hidden layers and their features, the
  // first half is the same for all.
  void run_hidden(std::span<const double> parameters, std::span<const ArmView> arms,
                  std::span<double> traces) const;
  double output(std::span<const double> parameters, const ArmView& arm,
                std::span<const double> trace) const;
  bool shares_hidden_layers() const { return own_layer_ == OwnLayer::kOutput; }
  // Both halves for one arm. The trace is then what the backward pass reads.
  double forward(std::span<const double> parameters, const ArmView& arm,
                 std::span<double> trace) const;

  // Completes the traces of a forward pass with the slopes of f.
  void backward(std::span<const double> parameters, std::span<const ArmView> arms,
                std::span<double> traces) const;

  // The two uses of complete traces: gradient += coefficient · ∇f, in the arm's own segment and the
  // dense ones, arm after arm; and |∇f|², which needs no gradient, since a layer's is an outer
  // product.
  void add_gradient(std::span<const double> coefficients, std::span<const ArmView> arms,
                    std::span<const double> traces, std::span<double> gradient) const;
  double squared_gradient(const ArmView& arm, std::span<const double> trace) const;

  // Where things lie, for whoever computes with the same parameters in another way.
  //
  // A hidden layer with I inputs and J units. Its trace is three rows of J: the sums that enter φ,
  // the units that leave it, and the slopes of f with respect to W_l h_{l−1} + b_l.
  struct HiddenLayer {
    std::size_t input_count;
    std::size_t unit_count;
    double scale;         // of the sums
    std::size_t weights;  // offset of I × J numbers; in the first layer of block 0
    std::size_t biases;   // offset of J numbers, if there are any
    std::size_t trace;    // offset of the 3 × J numbers of its trace
  };
  std::span<const HiddenLayer> hidden_layers() const { return layers_; }
  bool has_own_first_layer() const { return own_layer_ == OwnLayer::kFirst; }
  std::size_t block_stride() const { return block_stride_; }  // between the arms' own segments
  // The output layer of a block: v, then u with skip, then the output's bias.
  std::size_t output_offset(std::size_t block) const;
  double output_scale() const { return output_scale_; }
  bool has_biases() const { return has_biases_; }
  bool skips() const { return skip_; }

 private:
  void lay_out(const NetworkShape& shape);
  std::vector<double> uniform_parameters(std::uint64_t seed) const;
  std::size_t add_segment(std::size_t size, std::size_t layer);
  std::size_t add_blocks(std::size_t size, std::size_t layer);
  std::span<const double> hidden_weights(std::span<const double> parameters,
                                         const HiddenLayer& layer, std::size_t block) const;
  bool is_own(std::size_t layer) const { return layer == 0 && own_layer_ == OwnLayer::kFirst; }
  std::span<const double> inputs_of(std::size_t layer, const ArmView& arm,
                                    std::span<const double> trace) const;
  void add_output_gradient(double coefficient, const ArmView& arm, std::span<const double> trace,
                           std::span<double> gradient) const;

  FeatureLayout layout_;
  Activation activation_;
  Parametrisation parametrisation_;
  double sigma_1_;
  bool has_biases_;
  OwnLayer own_layer_;
  double output_init_;
  bool skip_;
  Initialisation initialisation_;
  std::vector<HiddenLayer> layers_;  // the hidden ones
  double output_scale_ = 1.0;
  std::size_t output_weights_ = 0;  // offset of v, then u, then the output's bias; of block 0
  std::vector<Segment> segments_;
  std::size_t first_block_ = 0;
  std::size_t block_stride_ = 0;
  std::size_t parameter_count_ = 0;
  std::size_t trace_size_ = 0;
};

}  // namespace handrail
