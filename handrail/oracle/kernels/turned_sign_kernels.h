// The random signs of a layer of a plain network, as steps on one example need them: summed up over
// the inputs, for every copy and unit. In single precision and for one instruction set each; a set
// bit is the sign +1.
#pragma once

#include <cstddef>
#include <cstdint>

#include "handrail/oracle/kernels/isa.h"
#include "handrail/oracle/kernels/sign_kernels.h"

namespace handrail {

// The signs that lead from a layer's inputs to its units, turned: a byte holds those of eight
// inputs for one copy and unit. A row has a byte for each unit of each copy. They are made row
// after row, and then brought into the order of an instruction set.
using SignByte = std::uint8_t;
inline constexpr std::size_t kInputsPerByte = 8;
inline constexpr std::size_t kRowsPerLookup = 4;
struct TurnedSigns {
  const SignByte* rows = nullptr;  // kSignAlignment bytes more than these may be read
  std::size_t row_count = 0;       // a multiple of kRowsPerLookup, and enough for all inputs
  std::size_t stride = 0;          // of rows: padded copies times units
};

struct TurnedSignKernels {
  // Brings rows of bytes into the order in which dots() reads them.
  void (*arrange)(SignByte* rows, const TurnedSigns& shape);
  // dots[k] = start[k] + Σ_i inputs[i] ε_{k,i} for all k below the stride; `start` may be null.
  // There are as many inputs as the rows have room for. With SSE4 and AVX2 every 32 of them are
  // read as whole multiples of their own unit, 2^-19 of the sum of their sizes.
  void (*dots)(const TurnedSigns& signs, const float* inputs, const float* start, float* dots);
};

const TurnedSignKernels& turned_sign_kernels(Isa isa);

}  // namespace handrail
