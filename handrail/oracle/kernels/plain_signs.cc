#include "handrail/oracle/kernels/plain_signs.h"

#include <algorithm>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

std::size_t rows_for(std::size_t input_count) {
  return round_up(input_count, kRowsPerLookup * kInputsPerByte) / kInputsPerByte;
}

}  // namespace

PlainSigns::PlainSigns(const SignTable& signs, const Network& network, Isa isa)
    : kernels_(turned_sign_kernels(isa)),
      input_count_(network.layout().feature_count),
      unit_count_(network.hidden_layers()[0].unit_count),
      output_count_(unit_count_ + (network.has_biases() ? 1 : 0)),
      unit_stride_(round_up(unit_count_, kColumnAlignment)),
      output_stride_(padded(output_count_)),
      shape_{.rows = nullptr,
             .row_count = rows_for(input_count_),
             .stride = sign_padded(signs.copy_count() * unit_stride_)},
      rows_(network.block_count() * shape_.row_count * shape_.stride + kSignAlignment, 0),
      bias_signs_(shape_.stride, 0.0F),
      output_signs_(signs.copy_count() * output_stride_ + kRowAlignment, 0.0F),
      inputs_(shape_.row_count * kInputsPerByte, 0.0F),
      dots_(shape_.stride + kRowAlignment, 0.0F),
      numbers_(signs.copy_count(), 0.0F),
      start_(padded(unit_count_), 0.0F),
      along_signs_(signs.copy_count(), 0.0F) {
  HANDRAIL_ASSERT(network.has_own_first_layer() && network.hidden_layers().size() == 1);
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
  const auto spread_row = [&](std::size_t copy, std::size_t offset, std::span<float> row) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      row[j] = static_cast<float>(signs.sign(copy, offset + j));
    }
  };
  for (std::size_t s = 0; s < copy_count(); ++s) {
    spread_row(s, network.output_offset(0),
               std::span(output_signs_).subspan(s * output_stride_, output_count_));
    if (!network.has_biases()) continue;
    spread_row(s, network.hidden_layers()[0].biases,
               std::span(bias_signs_).subspan(s * unit_stride_, unit_count_));
  }
}

std::span<const float> PlainSigns::as_floats(std::span<const double> numbers) {
  std::ranges::transform(numbers, numbers_.begin(), [](double x) { return static_cast<float>(x); });
  return numbers_;
}

void PlainSigns::look_up(std::size_t block, const RowEntries& features, std::span<const double> due,
                         const float* biases) {
  std::ranges::fill(inputs_, 0.0F);
  for (std::size_t n = 0; n < features.count; ++n)
    inputs_[features.indices[n]] = features.values[n];
  TurnedSigns signs = shape_;
  signs.rows = rows_.data() + block * shape_.row_count * shape_.stride;
  kernels_.dots(signs, inputs_.data(), biases == nullptr ? nullptr : bias_signs_.data(),
                dots_.data());
  kernels_.add_copies(as_floats(due), dots(), biases, start_.data(), unit_count_);
}

std::span<const float> PlainSigns::along_signs(const PlainExample& example,
                                               const float* output_weights) {
  kernels_.along_signs({.units = example.units,
                        .output_weights = output_weights,
                        .width = unit_count_,
                        .slope = example.slope,
                        .top = example.top,
                        .dots = dots(),
                        .output_signs = output_signs()},
                       along_signs_);
  // A bias is a weight whose unit is 1.
  for (std::size_t s = 0; output_count_ > unit_count_ && s < along_signs_.size(); ++s) {
    along_signs_[s] += example.top * output_signs_[s * output_stride_ + unit_count_];
  }
  return along_signs_;
}

void PlainSigns::add_to_outputs(std::span<const double> coefficients, float* outputs) {
  kernels_.add_copies(as_floats(coefficients), output_signs(), outputs, outputs, output_count_);
}

}  // namespace handrail
