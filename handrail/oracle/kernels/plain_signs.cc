#include "handrail/oracle/kernels/plain_signs.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

std::size_t rows_for(std::size_t input_count) {
  return round_up(input_count, kRowsPerLookup * kInputsPerByte) / kInputsPerByte;
}

}  // namespace

PlainSigns::PlainSigns(const SignTable& signs, const Network& network, Isa isa)
    : kernels_(turned_sign_kernels(isa)),
      layers_(layer_kernels(isa)),
      input_count_(network.layout().feature_count),
      unit_count_(network.hidden_layers()[0].unit_count),
      output_count_(unit_count_ + (network.has_biases() ? 1 : 0)),
      unit_stride_(padded(unit_count_)),
      output_stride_(padded(output_count_)),
      shape_{.rows = nullptr,
             .row_count = rows_for(input_count_),
             .stride = sign_padded(signs.copy_count() * unit_stride_)},
      rows_(network.block_count() * shape_.row_count * shape_.stride + kSignAlignment, 0),
      bias_signs_(shape_.stride, 0.0F),
      output_signs_(signs.copy_count() * output_stride_, 0.0F),
      inputs_(shape_.row_count * kInputsPerByte, 0.0F),
      dots_(shape_.stride, 0.0F),
      copies_(signs.copy_count()),
      numbers_(signs.copy_count(), 0.0F),
      start_(unit_stride_, 0.0F),
      outputs_(output_stride_, 0.0F),
      along_signs_(signs.copy_count(), 0.0F) {
  HANDRAIL_ASSERT(network.has_own_first_layer() && network.hidden_layers().size() == 1);
  std::iota(copies_.begin(), copies_.end(), 0U);
  turn(signs, network);
  spread(signs, network);
}

void PlainSigns::turn(const SignTable& signs, const Network& network) {
  const auto& layer = network.hidden_layers()[0];
  for (std::size_t block = 0; block < network.block_count(); ++block) {
    const std::size_t weights = layer.weights + block * network.block_stride();
    SignByte* const rows = rows_.data() + block * shape_.row_count * shape_.stride;
    for (std::size_t i = 0; i < input_count_; ++i) {
      const std::size_t offset = weights + i * unit_count_;
      SignByte* const row = rows + i / kInputsPerByte * shape_.stride;
      for (std::size_t s = 0; s < copy_count(); ++s) {
        for (std::size_t j = 0; j < unit_count_; ++j) {
          const unsigned bit = signs.sign(s, offset + j) > 0.0 ? 1U : 0U;
          SignByte& byte = row[s * unit_stride_ + j];
          byte = static_cast<SignByte>(byte | (bit << (i % kInputsPerByte)));
        }
      }
    }
    kernels_.arrange(rows, shape_);
  }
}

void PlainSigns::spread(const SignTable& signs, const Network& network) {
  const auto spread_row = [&](std::size_t copy, std::size_t offset, std::size_t count,
                              AlignedFloats& rows) {
    float* const row = rows.data() + copy * padded(count);
    for (std::size_t j = 0; j < count; ++j) {
      row[j] = static_cast<float>(signs.sign(copy, offset + j));
    }
  };
  for (std::size_t s = 0; s < copy_count(); ++s) {
    spread_row(s, network.output_offset(0), output_count_, output_signs_);
    if (!network.has_biases()) continue;
    spread_row(s, network.hidden_layers()[0].biases, unit_count_, bias_signs_);
  }
}

// A number a copy, as weights of rows that stand copy after copy.
SparseRow PlainSigns::by_copy(std::span<const double> numbers) {
  std::ranges::transform(numbers, numbers_.begin(), [](double x) { return static_cast<float>(x); });
  return {.indices = copies_.data(), .values = numbers_.data(), .count = copy_count()};
}

void PlainSigns::look_up(std::size_t block, const SparseRow& features, std::span<const double> due,
                         const float* biases) {
  std::ranges::fill(inputs_, 0.0F);
  for (std::size_t n = 0; n < features.count; ++n)
    inputs_[features.indices[n]] = features.values[n];
  TurnedSigns signs = shape_;
  signs.rows = rows_.data() + block * shape_.row_count * shape_.stride;
  kernels_.dots(signs, inputs_.data(), biases == nullptr ? nullptr : bias_signs_.data(),
                dots_.data());
  layers_.sparse_forward(by_copy(due),
                         {.weights = dots_.data(),
                          .start = biases,
                          .input_count = copy_count(),
                          .width = unit_stride_,
                          .scale = 1.0F},
                         start_.data());
}

std::span<const float> PlainSigns::along_signs(const Gradient& gradient) {
  // The gradient of the output layer: a bias is a weight whose unit is 1.
  std::transform(gradient.units, gradient.units + unit_count_, outputs_.begin(),
                 [&](float unit) { return gradient.top * unit; });
  if (output_count_ > unit_count_) outputs_[unit_count_] = gradient.top;
  const RowsPart hidden{.row = gradient.slopes,
                        .count = unit_count_,
                        .weights = dots_.data(),
                        .stride = unit_stride_};
  const RowsPart last{.row = outputs_.data(),
                      .count = output_count_,
                      .weights = output_signs_.data(),
                      .stride = output_stride_};
  const std::array parts = {hidden, last};
  layers_.row_dots(parts, copy_count(), along_signs_.data());
  return along_signs_;
}

void PlainSigns::add_to_outputs(std::span<const double> coefficients, float* outputs) {
  // A forward pass whose inputs are the copies. Each alone may be too little for an output to show,
  // so they are added up first.
  layers_.sparse_forward(by_copy(coefficients),
                         {.weights = output_signs_.data(),
                          .start = nullptr,
                          .input_count = copy_count(),
                          .width = output_stride_,
                          .scale = 1.0F},
                         outputs_.data());
  for (std::size_t j = 0; j < output_count_; ++j) outputs[j] += outputs_[j];
}

}  // namespace handrail
