#include "handrail/oracle/kernels/first_layer_signs.h"

#include <algorithm>
#include <numeric>

#include "handrail/base/assert.h"

namespace handrail {

FirstLayerSigns::FirstLayerSigns(const SignTable& signs, const Network& network, Isa isa)
    : kernels_(sign_kernels(isa)),
      layers_(layer_kernels(isa)),
      input_count_(network.layout().feature_count + (network.has_biases() ? 1 : 0)),
      unit_count_(network.hidden_layers()[0].unit_count),
      shape_{.rows = nullptr,
             .row_count = (input_count_ + kInputsPerByte - 1) / kInputsPerByte,
             .stride = sign_padded(signs.copy_count() * unit_count_)},
      rows_(network.block_count() * shape_.row_count * shape_.stride, 0),
      inputs_(shape_.row_count * kInputsPerByte, 0.0F),
      dots_(shape_.stride + kRowAlignment, 0.0F),
      copies_(signs.copy_count()),
      due_(signs.copy_count(), 0.0F),
      start_(padded(unit_count_), 0.0F),
      along_signs_(signs.copy_count(), 0.0F) {
  HANDRAIL_ASSERT(network.has_own_first_layer());
  std::iota(copies_.begin(), copies_.end(), 0U);
  turn(signs, network);
}

void FirstLayerSigns::turn(const SignTable& signs, const Network& network) {
  const auto& layer = network.hidden_layers()[0];
  for (std::size_t block = 0; block < network.block_count(); ++block) {
    const std::size_t weights = layer.weights + block * network.block_stride();
    SignByte* const rows = rows_.data() + block * shape_.row_count * shape_.stride;
    for (std::size_t i = 0; i < input_count_; ++i) {
      const bool is_bias = i == layer.input_count;
      const std::size_t offset = is_bias ? layer.biases : weights + i * unit_count_;
      SignByte* const row = rows + i / kInputsPerByte * shape_.stride;
      for (std::size_t s = 0; s < along_signs_.size(); ++s) {
        for (std::size_t j = 0; j < unit_count_; ++j) {
          const unsigned bit = signs.sign(s, offset + j) > 0.0 ? 1U : 0U;
          SignByte& byte = row[s * unit_count_ + j];
          byte = static_cast<SignByte>(byte | (bit << (i % kInputsPerByte)));
        }
      }
    }
  }
  kernels_.arrange(rows_.data(), rows_.size());
}

void FirstLayerSigns::look_up(std::size_t block, const float* features, std::span<const double> due,
                              const float* biases) {
  std::copy(features, features + input_count_, inputs_.begin());
  TurnedSigns signs = shape_;
  signs.rows = rows_.data() + block * shape_.row_count * shape_.stride;
  kernels_.turned_dots(signs, inputs_.data(), dots_.data());
  std::ranges::transform(due, due_.begin(), [](double x) { return static_cast<float>(x); });
  layers_.sparse_forward({.indices = copies_.data(), .values = due_.data(), .count = due_.size()},
                         {.weights = dots_.data(),
                          .start = biases,
                          .input_count = due_.size(),
                          .width = unit_count_,
                          .scale = 1.0F},
                         start_.data());
}

std::span<const float> FirstLayerSigns::along_signs(const float* slopes) {
  layers_.row_dots(slopes, unit_count_, dots_.data(), unit_count_, along_signs_.size(),
                   along_signs_.data());
  return along_signs_;
}

}  // namespace handrail
