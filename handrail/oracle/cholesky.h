// The factor L of V = LLᵀ for a matrix that grows by rank-one steps: what a draw from N(0, V⁻¹) and
// a Newton step need, where RegularisedGram keeps the inverse. Every operation is O(d²) but the
// factorisation of a matrix given whole. Only positive terms are ever added, each by a rotation of
// the factor: rounding errors add up but are not amplified, so no factorisation in between is
// needed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "handrail/base/bytes.h"

namespace handrail {

// A value.
class CholeskyFactor {
 public:
  // Of λI, with λ > 0.
  CholeskyFactor(std::size_t size, double lambda);

  std::size_t size() const { return size_; }

  // V ← V + xxᵀ. Numbers whose squares are finite.
  void add(std::span<const double> x);

  // L of the matrix whose rows are `matrix`, of which the upper triangle is read. False, and
  // nothing changes, if it is not positive definite as far as rounding can tell.
  bool factorise(std::span<const double> matrix);

  // x ← L⁻ᵀx. Of independent standard normals it makes a draw from N(0, V⁻¹).
  void solve_transposed(std::span<double> x) const;
  // x ← V⁻¹x.
  void solve(std::span<double> x) const;

  // Lᵀ row by row: the numbers left of the diagonal are 0.
  std::span<const double> upper() const { return upper_; }

  void save(ByteWriter& out) const;
  // On a factor of the same size. Refuses what no factor can be.
  void load(ByteReader& in);

 private:
  std::size_t size_;
  std::vector<double> upper_;  // Lᵀ, so that every loop runs along a row
  std::vector<double> rest_;   // scratch of add()
};

}  // namespace handrail
