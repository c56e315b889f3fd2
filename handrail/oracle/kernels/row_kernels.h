// Rows on their way into a network: from doubles to floats, and without their zeros, for one
// instruction set each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "handrail/oracle/kernels/isa.h"

namespace handrail {

// The numbers of a row that are not 0, and where they stand.
struct RowEntries {
  const std::uint32_t* indices = nullptr;
  const float* values = nullptr;
  std::size_t count = 0;
};

struct RowKernels {
  // Lists the numbers of a row of doubles that are not 0, as floats, in order and with room for
  // `count` of them. Returns how many there are.
  std::size_t (*list)(const double* from, std::size_t count, std::uint32_t* indices, float* values);
  // The same, and the whole row as floats.
  std::size_t (*read)(const double* from, std::size_t count, float* row, std::uint32_t* indices,
                      float* values);
  // The same list of a row that is there as floats.
  std::size_t (*compress)(const float* row, std::size_t count, std::uint32_t* indices,
                          float* values);
};

const RowKernels& row_kernels(Isa isa);

}  // namespace handrail
