// The Rademacher vectors ε_s of the paper's perturbed copies: one random sign for each copy s and
// parameter i, packed into bits. Bit i of copy s is bit (i mod 128) of one Philox block, so that
// the signs are a function of the seed, and those of any segment can be drawn alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "handrail/oracle/network_weights.h"

namespace handrail {

// The bits of parameters 128 · first_group onwards, two words a group of 128.
void draw_signs(std::uint64_t seed, std::size_t copy, std::size_t first_group,
                std::span<std::uint64_t> words);

class SignTable {
 public:
  // `parameter_count` is a multiple of 128.
  static SignTable draw(std::uint64_t seed, std::size_t copy_count, std::size_t parameter_count);

  // Copy after copy, 64 signs a word, the lowest bit first; a set bit is +1.
  SignTable(std::size_t copy_count, std::vector<std::uint64_t> words);

  std::size_t copy_count() const { return copy_count_; }
  double sign(std::size_t copy, std::size_t parameter) const;

  // ⟨values, ε_copy⟩ over one segment, of which `values` holds the numbers.
  double dot(std::size_t copy, const Segment& segment, std::span<const double> values) const;

  // values += Σ_s coefficients[s] ε_s over one segment.
  void add(std::span<const double> coefficients, const Segment& segment,
           std::span<double> values) const;

  // ⟨ε_one, ε_other⟩ over one segment, by counting the bits in which they differ.
  double inner_product(std::size_t one, std::size_t other, const Segment& segment) const;

 private:
  const std::uint64_t* first_word(std::size_t copy, const Segment& segment) const;

  std::size_t copy_count_;
  std::size_t words_per_copy_;
  std::vector<std::uint64_t> words_;
};

}  // namespace handrail
