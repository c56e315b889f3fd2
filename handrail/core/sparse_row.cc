#include "handrail/core/sparse_row.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>

#include "handrail/base/assert.h"

namespace handrail {
namespace {

constexpr std::size_t groups_of(std::size_t row_size) {
  return (row_size + kGroupSize - 1) / kGroupSize;
}

// Whether a number of the group is not +0. By their bits, which are sooner combined than compared;
// that a group with −0 is listed too does no harm.
bool has_bits(const double* group) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kGroupSize; ++i) bits |= std::bit_cast<std::uint64_t>(group[i]);
  return bits != 0;
}

// Bit i says whether group i has_bits(), for at most 64 groups.
std::uint64_t filled_groups(const double* groups, std::size_t count) {
  constexpr std::size_t kStep = 8;  // a constant, so that the compiler knows the shifts
  std::uint64_t filled = 0;
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    std::uint64_t few = 0;
    for (std::size_t j = 0; j < kStep; ++j) {
      few |= std::uint64_t{has_bits(groups + (i + j) * kGroupSize)} << j;
    }
    filled |= few << i;
  }
  for (; i < count; ++i) filled |= std::uint64_t{has_bits(groups + i * kGroupSize)} << i;
  return filled;
}

}  // namespace

void SparseRow::make_room(std::size_t group_count) {
  if (offsets_.size() >= group_count) return;
  offsets_.resize(group_count);
  groups_.resize(group_count * kGroupSize);
}

void SparseRow::list(std::span<const double> row) {
  HANDRAIL_ASSERT(row.size() <= std::numeric_limits<std::uint32_t>::max());
  make_room(groups_of(row.size()));
  row_size_ = row.size();
  row_ = row.data();
  constexpr std::size_t kWord = 64;  // groups that a word has bits for
  const std::size_t whole_count = row.size() / kGroupSize;
  std::size_t count = 0;
  const auto add = [&](const double* group, std::size_t offset) {
    std::memcpy(groups_.data() + count * kGroupSize, group, kGroupSize * sizeof(double));
    offsets_[count] = static_cast<std::uint32_t>(offset);
    ++count;
  };
  // First which groups to list, then those: a branch at every group would be missed half of the
  // time.
  for (std::size_t first = 0; first < whole_count; first += kWord) {
    std::uint64_t filled =
        filled_groups(row.data() + first * kGroupSize, std::min(kWord, whole_count - first));
    for (; filled != 0; filled &= filled - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(filled));
      const std::size_t offset = (first + i) * kGroupSize;
      add(row.data() + offset, offset);
    }
  }
  if (whole_count * kGroupSize < row.size()) {
    double last[kGroupSize] = {};
    std::ranges::copy(row.subspan(whole_count * kGroupSize), last);
    if (has_bits(last)) add(last, whole_count * kGroupSize);
  }
  count_ = count;
}

Status SparseRow::assign(std::size_t row_size, std::span<const std::uint32_t> places,
                         std::span<const double> values) {
  clear();
  if (row_size > std::numeric_limits<std::uint32_t>::max()) {
    return Error{"a row has " + std::to_string(row_size) + " numbers; at most 2^32 - 1 fit"};
  }
  if (places.size() != values.size()) {
    return Error{std::to_string(places.size()) + " places have " + std::to_string(values.size()) +
                 " values; one each was expected"};
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] >= row_size) {
      return Error{"place " + std::to_string(places[i]) + " is not in a row of " +
                   std::to_string(row_size) + " numbers, counted from 0"};
    }
    if (i > 0 && places[i] <= places[i - 1]) {
      return Error{"place " + std::to_string(places[i]) + " comes behind place " +
                   std::to_string(places[i - 1]) + "; rising places were expected"};
    }
  }
  make_room(std::min(places.size(), groups_of(row_size)));
  row_size_ = row_size;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::uint32_t lane = places[i] % kGroupSize;
    const std::uint32_t offset = places[i] - lane;
    if (count_ == 0 || offsets_[count_ - 1] != offset) {
      std::fill_n(groups_.data() + count_ * kGroupSize, kGroupSize, 0.0);
      offsets_[count_] = offset;
      ++count_;
    }
    groups_[(count_ - 1) * kGroupSize + lane] = values[i];
  }
  return {};
}

void SparseRow::copy(const SparseRow& other) {
  make_room(other.count_);
  row_size_ = other.row_size_;
  row_ = nullptr;
  std::copy_n(other.groups_.data(), other.count_ * kGroupSize, groups_.data());
  std::copy_n(other.offsets_.data(), other.count_, offsets_.data());
  count_ = other.count_;
}

void SparseRow::write_row(std::span<double> out) const {
  HANDRAIL_ASSERT(out.size() == row_size_);
  std::ranges::fill(out, 0.0);
  for (std::size_t n = 0; n < count_; ++n) {
    const std::size_t size = std::min(kGroupSize, row_size_ - offsets_[n]);
    std::copy_n(groups_.data() + n * kGroupSize, size, out.data() + offsets_[n]);
  }
}

}  // namespace handrail
