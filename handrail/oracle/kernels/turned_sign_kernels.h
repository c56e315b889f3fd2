// The random signs of a layer of a plain network, as steps on one example need them: summed up over
// the inputs, for every copy and unit. In single precision and for one instruction set each; a set
// bit is the sign +1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "handrail/oracle/kernels/isa.h"
#include "handrail/oracle/kernels/sign_kernels.h"

namespace handrail {

// The signs that lead from a layer's inputs to its units, turned: a byte holds those of eight
// inputs for one copy and unit. A row has a byte for each unit of each copy. They are made row
// after row, and then brought into the order of an instruction set.
using SignByte = std::uint8_t;
inline constexpr std::size_t kInputsPerByte = 8;
inline constexpr std::size_t kRowsPerLookup = 2;
struct TurnedSigns {
  const SignByte* rows = nullptr;  // kSignAlignment bytes more than these may be read
  std::size_t row_count = 0;       // a multiple of kRowsPerLookup, and enough for all inputs
  std::size_t stride = 0;          // of rows: padded copies times units
};

// Rows of numbers, one a copy, `stride` apart. kRowAlignment numbers more may be read.
struct CopyRows {
  const float* rows = nullptr;
  std::size_t stride = 0;
};

// The gradient of a plain network's f for one example, by its layers: the units, padded, and what
// their slopes are for those that are not 0; and the dots and signs that it is multiplied with.
// Output weights may be read as far as the units.
struct CopyGradient {
  const float* units = nullptr;
  const float* output_weights = nullptr;
  std::size_t width = 0;  // units
  float slope = 0.0F;     // by a unit's sum, for an output weight of 1
  float top = 0.0F;       // by an output weight, for a unit of 1
  CopyRows dots;
  CopyRows output_signs;
};

struct TurnedSignKernels {
  // Brings rows of bytes into the order in which dots() reads them.
  void (*arrange)(SignByte* rows, const TurnedSigns& shape);
  // dots[k] = start[k] + Σ_i inputs[i] ε_{k,i} for all k below the stride; `start` may be null.
  // There are as many inputs as the rows have room for. With SSE4 and AVX2 every 16 of them are
  // read as whole multiples of their own unit, some 2^-19 of the sum of their sizes.
  void (*dots)(const TurnedSigns& signs, const float* inputs, const float* start, float* dots);

  // to[j] = from[j] + Σ_s numbers[s] rows[s, j] for `count` numbers; `from` may be null or `to`.
  // Small numbers of many copies are added up before `from` gets them. Up to the end of the last
  // vector behind `count`, `to` gets what `from` has there, or zeros.
  void (*add_copies)(std::span<const float> numbers, const CopyRows& rows, const float* from,
                     float* to, std::size_t count);
  // sums[s] = Σ_j slopes[j] dots[s, j] + Σ_j top units[j] output_signs[s, j].
  void (*along_signs)(const CopyGradient& gradient, std::span<float> sums);
};

const TurnedSignKernels& turned_sign_kernels(Isa isa);

}  // namespace handrail
