#include "handrail/oracle/kernels/row_kernels.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "handrail/oracle/kernels/dispatch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "handrail/oracle/kernels/row_kernels.cc"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set

#include <hwy/highway.h>

#include "handrail/oracle/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {
namespace {

// The next doubles as floats.
HWY_INLINE Vector load_doubles(const double* from) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(kTag, static_cast<float>(*from));  // Highway's would clamp what overflows
#else
  constexpr hn::Rebind<double, hn::Half<Tag> > kDoubleTag;
  constexpr hn::Half<Tag> kHalfTag;
  const auto low = hn::DemoteTo(kHalfTag, hn::LoadU(kDoubleTag, from));
  const auto high = hn::DemoteTo(kHalfTag, hn::LoadU(kDoubleTag, from + kLanes / 2));
  return hn::Combine(kTag, high, low);
#endif
}

// A list of numbers that are not 0, and of where they stand.
struct Listing {
  std::uint32_t* HWY_RESTRICT indices;
  float* HWY_RESTRICT values;
  std::size_t count = 0;

  // Without a branch, which would be missed half of the time.
  HWY_INLINE void add(float number, std::size_t place) {
    indices[count] = static_cast<std::uint32_t>(place);
    values[count] = number;
    count += static_cast<std::size_t>(number != 0.0F);
  }
  // `row` is where the same numbers stand.
  HWY_INLINE void add_vector(Vector numbers, const float* HWY_RESTRICT row, std::size_t first) {
    // What is no number is not 0 either; Highway's own Ne() says that it is.
    const auto some = hn::Not(hn::Eq(numbers, hn::Zero(kTag)));
#if HWY_TARGET == HWY_AVX3
    // The processor brings them together by itself, fast if not on its way to memory. What lies
    // behind the list may be written: there is room for the whole row.
    constexpr hn::RebindToUnsigned<Tag> kPlaceTag;
    // Highway's Iota() writes number by number, and waits until it can read that as a vector.
    alignas(64) static constexpr std::uint32_t kLanesInOrder[] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                                  8, 9, 10, 11, 12, 13, 14, 15};
    const auto places = hn::Add(hn::Load(kPlaceTag, kLanesInOrder),
                                hn::Set(kPlaceTag, static_cast<std::uint32_t>(first)));
    hn::StoreU(hn::Compress(places, hn::RebindMask(kPlaceTag, some)), kPlaceTag, indices + count);
    hn::StoreU(hn::Compress(numbers, some), kTag, values + count);
    count += hn::CountTrue(kTag, some);
    static_cast<void>(row);
#else
    // Images have stretches of zeros. Highway's own compression copies its table every time.
    if (hn::AllFalse(kTag, some)) return;
    for (std::size_t lane = 0; lane < kLanes; ++lane) add(row[lane], first + lane);
#endif
  }
};

std::size_t compress(const float* HWY_RESTRICT row, std::size_t count, std::uint32_t* indices,
                     float* values) {
  Listing listing{indices, values};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) listing.add_vector(hn::LoadU(kTag, row + i), row + i, i);
  for (; i < count; ++i) listing.add(row[i], i);
  return listing.count;
}

// A vector that is written and then read number by number costs more than it saves in a short row.
constexpr std::size_t kFew = HWY_TARGET == HWY_AVX3 ? kLanes : 64;

// Whether a row is short and has no 0, as most short rows have none; then its list is the row, and
// written. The last vector may lie across the one before it.
HWY_INLINE bool list_whole(const double* HWY_RESTRICT from, std::size_t count,
                           std::uint32_t* indices, float* values) {
  if (count < kLanes || count >= kFew) return false;
  constexpr hn::RebindToUnsigned<Tag> kPlaceTag;
  alignas(64) static constexpr auto kPlaces = [] {
    std::array<std::uint32_t, kFew> places{};
    std::iota(places.begin(), places.end(), 0U);
    return places;
  }();
  auto zeros = hn::Zero(kTag);
  for (std::size_t next = 0; next < count; next += kLanes) {
    const std::size_t i = std::min(next, count - kLanes);
    const Vector numbers = load_doubles(from + i);
    hn::StoreU(numbers, kTag, values + i);
    hn::StoreU(hn::LoadU(kPlaceTag, kPlaces.data() + i), kPlaceTag, indices + i);
    zeros = hn::Or(zeros, hn::VecFromMask(kTag, hn::Eq(numbers, hn::Zero(kTag))));
  }
  return hn::AllFalse(kTag, hn::MaskFromVec(zeros));
}

std::size_t list(const double* HWY_RESTRICT from, std::size_t count, std::uint32_t* indices,
                 float* values) {
  if (list_whole(from, count, indices, values)) return count;
  Listing listing{indices, values};
  std::size_t i = 0;
  for (; count >= kFew && i + kLanes <= count; i += kLanes) {
    const Vector numbers = load_doubles(from + i);
    alignas(64) float lanes[kLanes];
    hn::Store(numbers, kTag, lanes);
    listing.add_vector(numbers, lanes, i);
  }
  for (; i < count; ++i) listing.add(static_cast<float>(from[i]), i);
  return listing.count;
}

std::size_t read(const double* HWY_RESTRICT from, std::size_t count, float* HWY_RESTRICT row,
                 std::uint32_t* indices, float* values) {
  if (list_whole(from, count, indices, values)) {
    std::copy(values, values + count, row);
    return count;
  }
  Listing listing{indices, values};
  std::size_t i = 0;
  for (; count >= kFew && i + kLanes <= count; i += kLanes) {
    const Vector numbers = load_doubles(from + i);
    hn::StoreU(numbers, kTag, row + i);
    listing.add_vector(numbers, row + i, i);
  }
  for (; i < count; ++i) {
    row[i] = static_cast<float>(from[i]);
    listing.add(row[i], i);
  }
  return listing.count;
}

}  // namespace

const RowKernels& row_table() {
  static constexpr RowKernels kTable{.list = list, .read = read, .compress = compress};
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace handrail {

const RowKernels& row_kernels(Isa isa) {
  return table_of<RowKernels>(isa, HANDRAIL_EACH_ISA(row_table()));
}

}  // namespace handrail
#endif
