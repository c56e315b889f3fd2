// The loops of the linear oracle, for one instruction set each. What the numbers mean stands in
// linear.cc; here is only how they lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "handrail/oracle/kernels/isa.h"
#include "handrail/oracle/oracle.h"

namespace handrail {

// Rows that a kernel reads or writes as a whole are padded to a multiple of this, with zeros.
inline constexpr std::size_t kLinearPadding = 8;

// With so few features it costs less to compute with zeros than to look for them.
inline constexpr std::size_t kFewLinearFeatures = 32;

// Every scale starts here, so that no inverse is infinite. A coordinate whose scale is still this
// one is not learned: no feature that means something is as small.
inline constexpr double kLinearFirstScale = 0x1p-960;

// Block features: for each feature the numbers of all arms side by side, `stride` apart from those
// of the next feature. All of them begin at a cache line.
struct LinearTable {
  const double* weights;       // w
  const double* scales;        // s
  const double* least_scales;  // one a feature: no arm with a weight has a lesser scale
  std::size_t stride;          // a multiple of LinearKernels::lane_count
};

// Features in rows: what all arms share, padded.
struct LinearRow {
  const double* weights;  // w
  const double* scales;   // s
};

// The numbers of one block side by side, padded.
struct LinearBlock {
  double* weights;         // w
  double* inverse_scales;  // 1/s
  double* gradient_sums;   // G/s²
  double* pushes;          // memory that learn() may use
};

struct LinearExample {
  std::span<const double> features;
  double cost;
};

// Constant for an oracle.
struct LinearSettings {
  double learning_rate;  // η
  double ceiling;        // with log loss the chance that stands for a cost of 1
};

// What all blocks share.
struct LinearTotals {
  double example_count = 0.0;  // n
  double norm_sum = 0.0;       // N
};

struct LinearKernels {
  std::size_t lane_count;

  // The predicted costs of all arms, each feature x read as min(max(x, −s), s).
  void (*predict_block)(const LinearTable& table, const LinearSettings& settings,
                        std::span<const double> features, std::span<double> costs);
  // The same for features in rows.
  void (*predict_rows)(const LinearRow& shared, const LinearSettings& settings,
                       std::span<const double> rows, std::span<double> costs);

  // Writes the places of what is not 0, ascending, and returns how many there are. `places` has
  // room for 8 more than there are features.
  std::size_t (*find_nonzero)(std::span<const double> features, std::uint32_t* places);

  // One update. Changes nothing and returns false if a feature is larger than its scale.
  bool (*learn)(const LinearBlock& block, const LinearExample& example,
                const LinearSettings& settings, LinearTotals& totals);
};

const LinearKernels& linear_kernels(Isa isa, Loss loss);

}  // namespace handrail
