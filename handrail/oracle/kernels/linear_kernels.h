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

// Every scale starts here, so that no inverse is infinite. A coordinate whose scale is still this
// one is not learned: no feature that means something is as small.
inline constexpr double kLinearFirstScale = 0x1p-960;

// Few block features: for each feature the numbers of all arms side by side, `stride` apart from
// those of the next feature. All of them begin at a cache line.
struct LinearTable {
  const double* weights;       // w
  const double* scales;        // s
  const double* least_scales;  // one a feature: no arm with a weight has a lesser scale
  std::size_t stride;          // a multiple of LinearKernels::lane_count
};

// Many block features. Of the features of a group the weights of all arms lie side by side, and so
// do the scales, so that a prediction reads them in a row.
struct LinearRows {
  const double* weights;       // w
  const double* scales;        // s
  const double* least_scales;  // as above, padded
  std::size_t arm_count;
};

// Features in rows: what all arms share, padded.
struct LinearRow {
  const double* weights;  // w
  const double* scales;   // s
};

// The numbers of one block side by side, padded; of the weights only a group is side by side, and
// the group from feature i on stands at i · weight_stride.
struct LinearBlock {
  double* weights;  // w
  std::size_t weight_stride;
  double* inverse_scales;  // 1/s
  double* gradient_sums;   // G/s²
  double* pushes;          // memory that learn() may use
};

struct LinearExample {
  SparseRowView features;
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
  void (*predict_few)(const LinearTable& table, const LinearSettings& settings,
                      std::span<const double> features, std::span<double> costs);
  // `memory` has room for two numbers for each listed group.
  void (*predict_many)(const LinearRows& rows, const LinearSettings& settings,
                       const SparseRowView& features, std::uint32_t* memory,
                       std::span<double> costs);
  // The same for features in rows.
  void (*predict_rows)(const LinearRow& shared, const LinearSettings& settings,
                       std::span<const double> rows, std::span<double> costs);

  // One update. Changes nothing and returns false if a feature is larger than its scale.
  bool (*learn)(const LinearBlock& block, const LinearExample& example,
                const LinearSettings& settings, LinearTotals& totals);
};

const LinearKernels& linear_kernels(Isa isa, Loss loss);

}  // namespace handrail
