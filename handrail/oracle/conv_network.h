// A convolution with one channel, then a fully connected network with one hidden ReLU layer and one
// output, as free arithmetic on an array of parameters:
//   o_p = c + Σ_k w_k x_{p·stride + k},   f = vᵀrelu(W o + b) + e.
// Nothing lies between the convolution and W, as in the code of EE-Net. It holds no state, so that
// one serves any number of parameter sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "handrail/oracle/network.h"
#include "handrail/oracle/uniform_init.h"

namespace handrail {

struct ConvShape {
  std::size_t input_count = 0;  // at least `kernel`
  std::size_t kernel = 100;
  std::size_t stride = 50;
  std::size_t unit_count = 100;  // of the hidden layer
};

class ConvNetwork {
 public:
  explicit ConvNetwork(const ConvShape& shape);

  std::size_t parameter_count() const;  // w, c, then those of the network above
  std::size_t trace_size() const { return 2 * position_count_ + above_.trace_size(); }
  std::size_t position_count() const { return position_count_; }  // p < this

  // PyTorch's default.
  std::vector<double> initial_parameters(const UniformInit& init) const;

  // The output f. The trace is then what the backward pass reads.
  double forward(std::span<const double> parameters, std::span<const double> inputs,
                 std::span<double> trace) const;

  // An example after its forward pass; the backward pass completes the trace.
  struct Example {
    std::span<const double> inputs;
    std::span<double> trace;
    double coefficient = 1.0;
  };
  // gradient += coefficient · ∇f.
  void add_gradient(std::span<const double> parameters, const Example& example,
                    std::span<double> gradient) const;

 private:
  std::size_t above_offset() const { return shape_.kernel + 1; }

  ConvShape shape_;
  std::size_t position_count_;
  Network above_;
};

}  // namespace handrail
