// Where the parameters of a network lie in single precision: segment by segment as Network has
// them, but every row of weights begins where a vector begins, so that none lies across two cache
// lines. What fills a row up means nothing, as long as it is finite.
//
// Signs, initial weights and files know parameters by Network's numbers.
#pragma once

#include <span>
#include <vector>

#include "handrail/oracle/kernels/aligned.h"
#include "handrail/oracle/kernels/isa.h"
#include "handrail/oracle/network.h"

namespace handrail {

class FastLayout {
 public:
  FastLayout(const Network& network, Isa isa);

  std::span<const Segment> segments() const { return segments_; }
  std::size_t size() const { return size_; }  // with room behind the end for whole vectors

  // Of a hidden layer, as in Network::HiddenLayer.
  struct Layer {
    std::size_t weights;
    std::size_t biases;
    std::size_t stride;  // of rows of weights
  };
  const Layer& layer(std::size_t index) const { return layers_[index]; }
  // Where rows of weights begin: at multiples of this.
  std::size_t row_alignment() const { return row_alignment_; }
  std::size_t block_stride() const { return block_stride_; }
  std::size_t output_offset(std::size_t block) const {
    return output_offset_ + block * output_stride_;
  }

  // Between the two orders. Of what a parameter is not, gather() leaves `numbers` as it is.
  AlignedFloats spread(std::span<const double> numbers) const;
  template <typename Number>
  void spread(std::span<const double> numbers, Number* places) const {
    for_each_parameter([&](std::size_t number, std::size_t place) {
      places[place] = static_cast<Number>(numbers[number]);
    });
  }
  template <typename Number>
  void gather(const Number* places, std::span<double> numbers) const {
    for_each_parameter([&](std::size_t number, std::size_t place) {
      numbers[number] = static_cast<double>(places[place]);
    });
  }
  // Calls use(Network's number, place here) for each parameter, in rising order.
  template <typename Use>
  void for_each_parameter(Use use) const {
    for (std::size_t index = 0; index < rows_.size(); ++index) {
      const Rows& rows = rows_[index];
      for (std::size_t r = 0; r < rows.count; ++r) {
        for (std::size_t j = 0; j < rows.width; ++j) {
          use(rows.number + r * rows.width + j, segments_[index].offset + r * rows.stride + j);
        }
      }
    }
  }

  // Sets what fills a segment's rows up to 0; `numbers` begin where the segment does.
  void clear_fillings(std::size_t segment, float* numbers) const;

 private:
  // A segment: rows of weights, or one row of other parameters.
  struct Rows {
    std::size_t number;  // of the first parameter
    std::size_t count;
    std::size_t width;
    std::size_t stride;
  };
  // The row that holds one of Network's numbers.
  struct Row {
    std::size_t place;
    std::size_t stride;
  };
  Row row_of(std::size_t number) const;

  std::size_t row_alignment_;
  std::vector<Segment> segments_;
  std::vector<Rows> rows_;  // by segment
  std::vector<Layer> layers_;
  std::size_t block_stride_ = 0;
  std::size_t output_offset_ = 0;
  std::size_t output_stride_ = 0;  // 0 where all arms share the output layer
  std::size_t size_ = 0;
};

}  // namespace handrail
