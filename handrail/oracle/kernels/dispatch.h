// Which of a kernel's tables to use: each kernel source is compiled once for every instruction set,
// and hands in what came of it.
#pragma once

#include <array>
#include <cstddef>

#include "handrail/oracle/kernels/isa.h"

namespace handrail {

// One table an instruction set, in the order of Isa.
template <typename Table>
using TableOfEachIsa = std::array<const Table*, 4>;

template <typename Table>
const Table& table_of(Isa isa, const TableOfEachIsa<Table>& tables) {
  return *tables[static_cast<std::size_t>(isa)];
}

}  // namespace handrail

// What `call` gives in the namespace of each instruction set, in the order of Isa: the one place
// that names them all.
#define HANDRAIL_EACH_ISA(call) \
  { &N_SCALAR::call, &N_SSE4::call, &N_AVX2::call, &N_AVX3::call }
