#include "handrail/oracle/kernels/fast_layout.h"

#include <algorithm>

#include "handrail/base/aligned_bytes.h"
#include "handrail/base/assert.h"
#include "handrail/oracle/kernels/layer_kernels.h"

namespace handrail {
namespace {

// Of the smallest processors with AVX-512.
constexpr std::size_t kFirstLevelCacheBytes = std::size_t{32} << 10;

// Of a segment: the width of its rows of weights, or all of it.
std::size_t row_width(const Network& network, const Segment& segment) {
  const bool is_hidden = segment.layer < network.hidden_layers().size();
  return is_hidden ? network.hidden_layers()[segment.layer].unit_count : segment.size;
}

// Where vectors are wider than columns, a network that stays in the first-level cache is read as
// fast as vectors are wide, and its rows are filled up to whole ones. A larger one is read as fast
// as its bytes come, so they had better be few.
std::size_t alignment_of_rows(const Network& network, Isa isa) {
  if (isa != Isa::kAvx512) return kColumnAlignment;
  std::size_t size = 0;
  for (const Segment& segment : network.segments()) {
    const std::size_t width = row_width(network, segment);
    size += segment.size / width * padded(width);
  }
  return size * sizeof(float) <= kFirstLevelCacheBytes ? kRowAlignment : kColumnAlignment;
}

}  // namespace

FastLayout::FastLayout(const Network& network, Isa isa)
    : row_alignment_(alignment_of_rows(network, isa)) {
  std::size_t next = 0;
  for (const Segment& segment : network.segments()) {
    const std::size_t width = row_width(network, segment);
    const Rows rows{.number = segment.offset,
                    .count = segment.size / width,
                    .width = width,
                    .stride = round_up(width, row_alignment_)};
    const std::size_t size = rows.count * rows.stride;
    segments_.push_back({.offset = next, .size = size, .layer = segment.layer});
    rows_.push_back(rows);
    next += round_up(size, kSegmentAlignment);
  }
  size_ = next + kRowAlignment;
  block_stride_ = round_up(segments_[network.first_block()].size, kSegmentAlignment);
  for (const Network::HiddenLayer& layer : network.hidden_layers()) {
    layers_.push_back({.weights = row_of(layer.weights).place,
                       .biases = network.has_biases() ? row_of(layer.biases).place : 0,
                       .stride = row_of(layer.weights).stride});
  }
  output_offset_ = row_of(network.output_offset(0)).place;
  output_stride_ = network.shares_hidden_layers() ? block_stride_ : 0;
}

FastLayout::Row FastLayout::row_of(std::size_t number) const {
  const auto holds = [number](const Rows& rows) {
    return number >= rows.number && number < rows.number + rows.count * rows.width;
  };
  const auto found = static_cast<std::size_t>(std::ranges::find_if(rows_, holds) - rows_.begin());
  HANDRAIL_ASSERT(found < rows_.size());
  const Rows& rows = rows_[found];
  const std::size_t row = (number - rows.number) / rows.width;
  return {.place = segments_[found].offset + row * rows.stride, .stride = rows.stride};
}

AlignedFloats FastLayout::spread(std::span<const double> numbers) const {
  AlignedFloats places(size_, 0.0F);
  spread(numbers, places.data());
  return places;
}

void FastLayout::clear_fillings(std::size_t segment, float* numbers) const {
  const Rows& rows = rows_[segment];
  for (std::size_t r = 0; r < rows.count; ++r) {
    std::fill(numbers + r * rows.stride + rows.width, numbers + (r + 1) * rows.stride, 0.0F);
  }
}

}  // namespace handrail
