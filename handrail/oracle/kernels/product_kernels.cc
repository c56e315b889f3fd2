#include "handrail/oracle/kernels/product_kernels.h"

#include "handrail/oracle/kernels/dispatch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "handrail/oracle/kernels/product_kernels.cc"
#include <hwy/foreach_target.h>  // compiles what follows once for each instruction set

#include <hwy/highway.h>

#include "handrail/oracle/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace handrail {
namespace HWY_NAMESPACE {
namespace {

// What becomes of a vector of products, at its place in the layer.
struct AddSink {
  Vector factor;
  float* target;
  HWY_INLINE void take(std::size_t place, Vector products) const {
    float* const at = target + place;
    hn::StoreU(hn::MulAdd(factor, products, hn::LoadU(kTag, at)), kTag, at);
  }
};

struct AdagradSink {
  Vector rate;
  float* sums;
  float* target;
  HWY_INLINE void take(std::size_t place, Vector products) const {
    const AdaGradVectors now = adagrad_vector(
        rate, products, {hn::LoadU(kTag, sums + place), hn::LoadU(kTag, target + place)});
    hn::StoreU(now.sums, kTag, sums + place);
    hn::StoreU(now.target, kTag, target + place);
  }
};

// A tile of ROWS inputs × N vectors of units, summed over the examples, then given to the sink. The
// rows of `right` are 0 behind their end, so a vector that reaches into the next row leaves it.
template <std::size_t ROWS, std::size_t N, typename Sink>
HWY_INLINE void product_tile(const Products& p, const std::uint32_t* inputs, std::size_t column,
                             const Sink& sink) {
  Vector acc[ROWS][N];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < ROWS; ++r) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < N; ++v) acc[r][v] = hn::Zero(kTag);
  }
  std::size_t index[ROWS];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < ROWS; ++r) index[r] = inputs[r];
  for (std::size_t b = 0; b < p.count; ++b) {
    const float* const left = p.left[b];
    const float* const right = p.right[b] + column;
    Vector s[N];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < N; ++v) s[v] = hn::LoadU(kTag, right + v * kLanes);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < ROWS; ++r) {
      const Vector x = hn::Set(kTag, left[index[r]]);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < N; ++v) acc[r][v] = hn::MulAdd(x, s[v], acc[r][v]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t r = 0; r < ROWS; ++r) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < N; ++v) {
      sink.take(index[r] * p.stride + column + v * kLanes, acc[r][v]);
    }
  }
}

template <std::size_t ROWS, std::size_t N, typename Sink>
HWY_INLINE void product_panel(const Products& p, std::size_t column, const Sink& sink) {
  std::size_t i = 0;
  for (; i + ROWS <= p.input_count; i += ROWS) {
    product_tile<ROWS, N>(p, p.inputs + i, column, sink);
  }
  for (; i + 2 <= p.input_count; i += 2) product_tile<2, N>(p, p.inputs + i, column, sink);
  for (; i < p.input_count; ++i) product_tile<1, N>(p, p.inputs + i, column, sink);
}

template <typename Sink>
HWY_INLINE void for_products(const Products& p, const Sink& sink) {
  std::size_t column = 0;
  for (; column + 3 * kLanes <= p.width; column += 3 * kLanes) {
    product_panel<4, 3>(p, column, sink);
  }
  for (; column < p.width; column += kLanes) product_panel<8, 1>(p, column, sink);
}

// A row of weights += x · slopes, which stay in registers.
template <typename V, std::size_t N>
HWY_INLINE void add_outer(const V (&slopes)[N], float x, float* at) {
  const hn::DFromV<V> d{};
  const V input = hn::Set(d, x);
  __asm__("" : "+r"(at));
#pragma GCC unroll 16
  for (std::size_t v = 0; v < N; ++v) {
    const V sum = hn::MulAdd(input, slopes[v], hn::LoadU(d, at + v * kLanesOf<hn::DFromV<V>>));
    hn::StoreU(sum, d, at + v * kLanesOf<hn::DFromV<V>>);
  }
}

// Of one example: its slopes stay in registers, and a row of weights is read and written once.
struct AddOuterProduct {
  template <typename D, std::size_t N>
  static HWY_INLINE void run(const Columns& columns, const Products& p, const float& factor,
                             float* const& target) {
    hn::Vec<D> slopes[N];
    load_start(p.right[0] + columns.first, slopes);
    for (std::size_t n = 0; n < p.input_count; ++n) {
      const std::size_t i = p.inputs[n];
      add_outer(slopes, factor * p.left[0][i], target + i * p.stride + columns.first);
    }
  }
};

struct DescendPlainly {
  template <typename D, std::size_t N>
  static HWY_INLINE void run(const Columns& columns, const PlainExample& example, const float& rate,
                             const PlainArm& arm) {
    hn::Vec<D> slopes[N];
    take_outputs(columns, example, rate, arm, slopes);
    if (arm.biases != nullptr) {
      if (columns.first == 0) arm.outputs[arm.width] += -rate * example.top;
      add_outer(slopes, -rate, arm.biases + columns.first);
    }
    const RowEntries row = example.row;
    for (std::size_t n = 0; n < row.count; ++n) {
      add_outer(slopes, -rate * row.values[n],
                arm.weights + row.indices[n] * arm.stride + columns.first);
    }
  }

 private:
  // The slopes of the units, by the output's weights as they were; these get their own step.
  template <typename V, std::size_t N>
  static HWY_INLINE void take_outputs(const Columns& columns, const PlainExample& example,
                                      float rate, const PlainArm& arm, V (&slopes)[N]) {
    using D = hn::DFromV<V>;
    const D d{};
    const V top = hn::Set(d, -rate * example.top);
    const V slope = hn::Set(d, example.slope);
    float* const outputs = arm.outputs + columns.first;
#pragma GCC unroll 16
    for (std::size_t v = 0; v < N; ++v) {
      V unit = hn::LoadU(d, example.units + columns.first + v * kLanesOf<D>);
      if (v == N - 1) unit = keep_first(unit, columns.count - v * kLanesOf<D>);
      const V output = hn::LoadU(d, outputs + v * kLanesOf<D>);
      slopes[v] = hn::IfThenElseZero(hn::Gt(unit, hn::Zero(d)), hn::Mul(slope, output));
      hn::StoreU(hn::MulAdd(top, unit, output), d, outputs + v * kLanesOf<D>);
    }
  }
};

void descend_plainly(const PlainExample& example, float rate, const PlainArm& arm) {
  for_columns<DescendPlainly>(arm.width, arm.stride, example, rate, arm);
}

void add_products(const Products& products, float factor, float* target) {
  if (products.count == 1) {
    return for_columns<AddOuterProduct>(products.width, products.stride, products, factor, target);
  }
  for_products(products, AddSink{hn::Set(kTag, factor), target});
}

void adagrad_products(const Products& products, float rate, float* sums, float* target) {
  for_products(products, AdagradSink{hn::Set(kTag, rate), sums, target});
}

}  // namespace

const ProductKernels& product_table() {
  static constexpr ProductKernels kTable{
      .add = add_products, .descend = descend_plainly, .adagrad = adagrad_products};
  return kTable;
}

}  // namespace HWY_NAMESPACE
}  // namespace handrail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace handrail {

const ProductKernels& product_kernels(Isa isa) {
  return table_of<ProductKernels>(isa, HANDRAIL_EACH_ISA(product_table()));
}

}  // namespace handrail
#endif
