// What the paper's perturbed copies need of their random signs, in single precision and for one
// instruction set each. A set bit is the sign +1.
#pragma once

#include <cstddef>
#include <cstdint>

#include "handrail/oracle/kernels/isa.h"

namespace handrail {

// The signs of 16 copies for one parameter, a bit each.
using SignWord = std::uint16_t;
inline constexpr std::size_t kCopiesPerWord = 16;

// Σ_s steps[s] ε_s for up to 16 copies and whole steps, as it is looked up: a few copies a table, a
// place for each pattern of their signs. An instruction set uses one of the two kinds.
struct SignTables {
  static constexpr int kMostSteps = 32'767;  // the sizes of all steps added up

  std::size_t copy_count = 0;  // whose steps are not 0 for sure

  // Four copies a table, the low and the high bytes of the sums apart.
  static constexpr std::size_t kCopiesPerTable = 4;
  static constexpr std::size_t kTableCount = kCopiesPerWord / kCopiesPerTable;
  alignas(16) std::uint8_t bytes[kTableCount][2][1 << kCopiesPerTable] = {};

  // Five copies a table, whole sums; the last table has the copy that is left. AVX-512 looks 32 of
  // them up at once.
  static constexpr std::size_t kCopiesPerWordTable = 5;
  static constexpr std::size_t kWordTableCount = 4;
  alignas(64) std::int16_t words[kWordTableCount][1 << kCopiesPerWordTable] = {};
};

// Kernels of signs read whole groups of so many parameters: what lies behind a segment gets its
// steps too, and must be 0 where it is summed up.
inline constexpr std::size_t kSignAlignment = 64;
constexpr std::size_t sign_padded(std::size_t count) {
  return (count + kSignAlignment - 1) / kSignAlignment * kSignAlignment;
}

struct SignKernels {
  // Brings the words of a padded row of parameters into the form in which the others read them.
  void (*arrange)(SignWord* words, std::size_t count);
  // For up to 16 whole steps, the others 0.
  void (*fill_tables)(const float (&steps)[kCopiesPerWord], SignTables& tables);
  // target[i] += unit · Σ_s steps[s] ε_{s,i}.
  void (*add_steps)(const SignTables& tables, float unit, const SignWord* words, float* target,
                    std::size_t count);
  // sums[s] += Σ_i values[i] ε_{s,i}, for the first copy_count of the 16 copies.
  void (*dots)(const float* values, const SignWord* words, std::size_t count,
               std::size_t copy_count, double* sums);
};

const SignKernels& sign_kernels(Isa isa);

}  // namespace handrail
