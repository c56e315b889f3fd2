// A network in single precision: the same layers, parameters and formulas as Network, on batches of
// examples, with kernels and in a layout of its own. It holds no parameters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "handrail/base/aligned_bytes.h"
#include "handrail/oracle/kernels/fast_layout.h"
#include "handrail/oracle/kernels/layer_kernels.h"
#include "handrail/oracle/kernels/product_kernels.h"
#include "handrail/oracle/kernels/row_kernels.h"
#include "handrail/oracle/network.h"

namespace handrail {

// The rows of one layer, one an example.
struct FastRows {
  float** units = nullptr;   // what leaves φ
  float** sums = nullptr;    // what enters it; the same rows where that is not needed (ReLU)
  float** slopes = nullptr;  // ∂f/∂ sums
};

// A few examples on their way through the network and back. Views memory that its maker lends.
struct FastBatch {
  std::size_t count = 0;
  float** features = nullptr;        // x, then 1 for the bias
  RowEntries* sparse = nullptr;      // the features that are not 0, or all if few are
  std::uint32_t* indices = nullptr;  // scratch of those rows
  float* numbers = nullptr;
  std::uint32_t* blocks = nullptr;
  std::uint32_t* order = nullptr;  // the examples, sorted by block where arms have weights
  FastRows* layers = nullptr;
  float** tops = nullptr;  // what the output layer sees: units, with skip the features, then 1
  float* outputs = nullptr;
  std::uint32_t* starts = nullptr;  // scratch: where each block begins in the order
  std::uint32_t* inputs = nullptr;  // scratch: a list of inputs
  float* values = nullptr;          // scratch: their numbers
  std::uint8_t* seen = nullptr;     // scratch: which inputs are on it
  float* squares = nullptr;         // scratch: rows as long as the longest
  float* weighted = nullptr;
  const float** left = nullptr;  // scratch: rows of a group, inputs and
  float** right = nullptr;       //   slopes, or sums to fill
  bool is_sparse = false;        // most features are 0
};

class FastNetwork {
 public:
  FastNetwork(const Network& network, Activation activation, Isa isa);

  const Network& network() const { return network_; }
  const FastLayout& layout() const { return layout_; }

  FastBatch batch(std::size_t count, AlignedBytes& memory) const;
  // Example b becomes this arm.
  void read(std::size_t b, const ArmView& arm, FastBatch& batch) const;

  // Fills units, tops and outputs of a batch whose examples were read.
  void forward(const float* parameters, FastBatch& batch) const;
  // Fills the slopes of coefficients[b] · f_b.
  void backward(const float* parameters, std::span<const float> coefficients,
                FastBatch& batch) const;
  // The same in pieces, so that the units of an example are still near when it goes back: forward()
  // is run_hidden() and then run_output() for each example, backward() is begin_backward() for each
  // and then finish_backward().
  void run_hidden(const float* parameters, FastBatch& batch) const;
  void run_output(const float* parameters, std::size_t b, FastBatch& batch) const;
  void begin_backward(const float* parameters, std::size_t b, float coefficient,
                      FastBatch& batch) const;
  void finish_backward(const float* parameters, FastBatch& batch) const;
  // |∇f|² of example b, if the slopes are those of f.
  double squared_gradient(const FastBatch& batch, std::size_t b) const;
  // Σ_p diagonal[p] · (∂f/∂θ_p)² of example b, with `diagonal` laid out like the parameters: the
  // squared bonus of NeuralUCB for the inverse of its diagonal. One pass over the layers' diagonal,
  // since a layer's gradient is an outer product. Slopes must be those of f.
  double weighted_squared_gradient(const float* diagonal, FastBatch& batch, std::size_t b) const;

  // A layer of these parameters; and how f comes of the weighted sum of all that an output layer
  // sees but for its bias.
  LayerView layer_view(const float* parameters, std::size_t layer, std::size_t block) const;
  struct Output {
    float scale;
    float bias;
    float of(float sum) const { return scale * (sum + bias); }
  };
  Output output(const float* weights) const;

  // Whether it is one hidden layer of ReLU units for each arm, and an output that sees only those.
  bool is_plain() const {
    return network_.hidden_layers().size() == 1 && activation_ == Activation::kRelu &&
           !network_.skips() && network_.has_own_first_layer();
  }
  // f for every arm: of block features in the way that suits the network, or of any features as a
  // batch.
  void block_outputs(const float* parameters, const ArmFeatures& features, AlignedBytes& memory,
                     std::span<double> outputs) const;
  void batch_outputs(const float* parameters, const ArmFeatures& features, AlignedBytes& memory,
                     std::span<double> outputs) const;

  // The same with Σ_p inverse[p] · (∂f/∂θ_p)² for every arm, for `inverse` laid out like the
  // parameters.
  struct Weights {
    const float* parameters;
    const float* inverse;
  };
  void block_measures(const Weights& weights, const ArmFeatures& features, AlignedBytes& memory,
                      const ArmMeasures& measures) const;
  void batch_measures(const Weights& weights, const ArmFeatures& features, AlignedBytes& memory,
                      const ArmMeasures& measures) const;

  // The gradient of Σ_b coefficients[b] · f_b is a sum of products, layer by layer and, where arms
  // have weights, arm by arm. Calls use(offset of the layer's weights, products) for each; the
  // slopes must be those of coefficients[b] · f_b, and `top_coefficients` the coefficients times
  // the output's scale.
  template <typename Use>
  void for_each_product(FastBatch& batch, std::span<const float> top_coefficients, Use use) const;

 private:
  struct Group {
    std::size_t begin;  // in the batch's order
    std::size_t end;
    std::size_t block;
  };
  template <typename Use>
  void for_each_group(const FastBatch& batch, bool by_block, Use use) const;

  void fused_outputs(const float* parameters, const ArmFeatures& features, AlignedBytes& memory,
                     std::span<double> outputs) const;
  void fused_measures(const Weights& weights, const ArmFeatures& features, AlignedBytes& memory,
                      const ArmMeasures& measures) const;
  BlockLayers block_layers(const float* parameters, std::size_t block_count) const;
  void head_outputs(const float* parameters, const ArmFeatures& features, AlignedBytes& memory,
                    std::span<double> outputs) const;
  const float* inputs_of(const FastBatch& batch, std::size_t layer, std::size_t b) const;
  void run_first_layer(const float* parameters, FastBatch& batch) const;
  void run_layer(const float* parameters, std::size_t layer, FastBatch& batch) const;
  void activate_layer(std::size_t layer, FastBatch& batch) const;
  void finish_tops(FastBatch& batch) const;
  // slopes = factor · incoming · φ'(sums), of one example.
  void stop_at_units(std::size_t layer, std::size_t b, float factor, const float* incoming,
                     FastBatch& batch) const;
  void sort_by_block(FastBatch& batch) const;
  std::size_t list_inputs(const Group& group, FastBatch& batch) const;
  bool is_own(std::size_t layer) const { return layer == 0 && network_.has_own_first_layer(); }
  // Whether a layer's biases lie behind its weights, like those of one more input that is 1.
  bool bias_is_row(std::size_t layer) const { return network_.has_biases() && !is_own(layer); }

  const Network& network_;
  FastLayout layout_;
  Activation activation_;
  const LayerKernels& kernels_;
  const RowKernels& row_kernels_;
  std::size_t feature_count_;
  std::size_t longest_;                    // row of inputs or units
  std::size_t top_count_;                  // numbers that the output layer sees
  std::vector<std::uint32_t> all_inputs_;  // 0, 1, 2, …
};

// Implementation of the two walks.

template <typename Use>
void FastNetwork::for_each_group(const FastBatch& batch, bool by_block, Use use) const {
  if (!by_block || network_.block_count() == 1) return use(Group{0, batch.count, 0});
  for (std::size_t begin = 0; begin < batch.count;) {
    const std::uint32_t block = batch.blocks[batch.order[begin]];
    std::size_t end = begin + 1;
    while (end < batch.count && batch.blocks[batch.order[end]] == block) ++end;
    use(Group{begin, end, block});
    begin = end;
  }
}

template <typename Use>
void FastNetwork::for_each_product(FastBatch& batch, std::span<const float> top_coefficients,
                                   Use use) const {
  static constexpr float kOne = 1.0F;
  const auto layers = network_.hidden_layers();
  for (std::size_t l = 0; l < layers.size(); ++l) {
    for_each_group(batch, is_own(l), [&](const Group& group) {
      const std::size_t count = group.end - group.begin;
      for (std::size_t g = 0; g < count; ++g) {
        const std::size_t b = batch.order[group.begin + g];
        batch.left[g] = inputs_of(batch, l, b);
        batch.right[g] = batch.layers[l].slopes[b];
      }
      const std::size_t bias = bias_is_row(l) ? 1 : 0;
      const bool listed = l == 0 && batch.is_sparse;
      Products products{.inputs = listed ? batch.inputs : all_inputs_.data(),
                        .input_count = layers[l].input_count + bias,
                        .left = batch.left,
                        .right = batch.right,
                        .count = count,
                        .width = layers[l].unit_count,
                        .stride = layout_.layer(l).stride};
      if (listed) products.input_count = list_inputs(group, batch);
      use(layout_.layer(l).weights + group.block * (is_own(l) ? layout_.block_stride() : 0),
          products);
    });
    if (network_.has_biases() && is_own(l)) {
      for (std::size_t b = 0; b < batch.count; ++b) {
        batch.left[b] = &kOne;
        batch.right[b] = batch.layers[l].slopes[b];
      }
      use(layout_.layer(l).biases, Products{.inputs = all_inputs_.data(),
                                            .input_count = 1,
                                            .left = batch.left,
                                            .right = batch.right,
                                            .count = batch.count,
                                            .width = layers[l].unit_count});
    }
  }
  for_each_group(batch, network_.shares_hidden_layers(), [&](const Group& group) {
    for (std::size_t g = 0; g < group.end - group.begin; ++g) {
      const std::size_t b = batch.order[group.begin + g];
      batch.left[g] = top_coefficients.data() + b;
      batch.right[g] = batch.tops[b];
    }
    use(layout_.output_offset(group.block), Products{.inputs = all_inputs_.data(),
                                                     .input_count = 1,
                                                     .left = batch.left,
                                                     .right = batch.right,
                                                     .count = group.end - group.begin,
                                                     .width = top_count_});
  });
}

}  // namespace handrail
