// What the linear oracle costs: predicting all arms, learning one of them, and both, as a decision
// and its feedback do. The shapes are those of letter, shuttle and MNIST with their constant
// column; the numbers are synthetic. One line for each instruction set that the processor has.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "handrail/base/random.h"
#include "handrail/oracle/linear.h"

namespace handrail {
namespace {

struct Shape {
  const char* name;
  std::size_t arm_count;
  std::size_t feature_count;
  double nonzero_share;
};

constexpr Shape kShapes[] = {
    {"letter", 26, 17, 1.0},
    {"shuttle", 7, 10, 1.0},
    {"mnist", 10, 785, 0.2},
};
constexpr std::size_t kRowCount = 512;
// No divisor of the number of rows: a row meets another arm when it comes again.
constexpr std::size_t kStepCount = 509;
// Then each arm has met most rows, and few features are larger than what it knows.
constexpr std::size_t kWarmUpCount = 20 * kRowCount;

// Rounds that come again and again, and an oracle that has seen them.
class Stream {
 public:
  Stream(const Shape& shape, Loss loss, Isa isa) : shape_(shape) {
    RandomStream random(1, Purpose::kTest, 1);
    for (std::size_t i = 0; i < kRowCount * shape.feature_count; ++i) {
      const bool is_zero = random.uniform() >= shape.nonzero_share;
      values_.push_back(is_zero ? 0.0 : random.normal());
    }
    for (std::size_t step = 0; step < kStepCount; ++step) {
      arms_.push_back(static_cast<ArmIndex>(random.below(shape.arm_count)));
      costs_.push_back(random.below(4) == 0 ? 0.01 : 1.0);
    }
    oracle_ = make_linear({.loss = loss, .isa = isa},
                          {FeatureShape::kBlock, shape.feature_count, shape.arm_count});
    predicted_.resize(shape.arm_count);
    for (std::size_t i = 0; i < kWarmUpCount; ++i) {
      learn();
      next();
    }
  }

  void predict() {
    oracle_->predict(features(), predicted_, scratch_);
    benchmark::DoNotOptimize(predicted_.data());
    benchmark::ClobberMemory();
  }
  void learn() { oracle_->update(features().arm(arms_[step_]), costs_[step_]); }
  void next() {
    row_ = row_ + 1 == kRowCount ? 0 : row_ + 1;
    step_ = step_ + 1 == kStepCount ? 0 : step_ + 1;
  }

 private:
  ArmFeatures features() const {
    const std::span<const double> row =
        std::span(values_).subspan(row_ * shape_.feature_count, shape_.feature_count);
    return ArmFeatures::block(row, shape_.arm_count);
  }

  Shape shape_;
  std::vector<double> values_;
  std::vector<ArmIndex> arms_;
  std::vector<double> costs_;
  std::unique_ptr<Oracle> oracle_;
  std::vector<double> predicted_;
  Scratch scratch_;
  std::size_t row_ = 0;
  std::size_t step_ = 0;
};

using Step = void (*)(Stream&);
struct Task {
  const char* name;
  Step step;
};
constexpr Task kTasks[] = {
    {"predict", [](Stream& stream) { stream.predict(); }},
    {"update", [](Stream& stream) { stream.learn(); }},
    {"both",
     [](Stream& stream) {
       stream.predict();
       stream.learn();
     }},
};

void measure(benchmark::State& state, Shape shape, Loss loss, Isa isa, Step step) {
  Stream stream(shape, loss, isa);
  for (auto _ : state) {
    step(stream);
    stream.next();
  }
  state.SetItemsProcessed(state.iterations());
}

void add_benchmarks(Isa isa) {
  for (const Shape& shape : kShapes) {
    for (const Loss loss : {Loss::kSquare, Loss::kLog}) {
      for (const Task& task : kTasks) {
        const std::string name = std::string(task.name) + "/" + shape.name + "/" +
                                 (loss == Loss::kLog ? "log" : "square") + "/" +
                                 std::string(to_text(isa));
        benchmark::RegisterBenchmark(name.c_str(), measure, shape, loss, isa, task.step);
      }
    }
  }
}

}  // namespace
}  // namespace handrail

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  for (const handrail::Isa isa : handrail::supported_isas()) handrail::add_benchmarks(isa);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
