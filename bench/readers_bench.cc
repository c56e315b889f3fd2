// How fast ARFF and CSV are read, against a bare std::from_chars loop over the same text in memory.
// The readers open a file, check every cell and fill a table; the loop adds the numbers up. Prints
// the ratios behind Google Benchmark's own table, and ends with 1 if one is below a half. Times are
// those of the process, the kernel's share included, so that other programs disturb them less.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "handrail/base/random.h"
#include "handrail/base/text.h"
#include "handrail/data/read_table.h"

namespace handrail {
namespace {

constexpr double kLeastRatio = 0.5;
constexpr int kClassCount = 10;

struct Shape {
  const char* name;
  std::size_t columns;  // without the class
  std::size_t rows;
  std::string (*cell)(RandomStream&);
};

// Letter recognition has such cells.
std::string small_integer(RandomStream& stream) {
  return std::to_string(stream.below(16));
}

// Measurements with six digits behind the point.
std::string decimal(RandomStream& stream) {
  std::array<char, 32> text;
  const int size = std::snprintf(text.data(), text.size(), "%.6f", stream.normal());
  return {text.data(), static_cast<std::size_t>(size)};
}

// Four of five pixels of a digit are blank.
std::string pixel(RandomStream& stream) {
  return std::to_string(stream.below(5) == 0 ? stream.below(256) : 0);
}

constexpr std::array<Shape, 3> kShapes = {{
    {"narrow", 16, 200'000, small_integer},
    {"decimals", 16, 100'000, decimal},
    {"pixels", 784, 5'000, pixel},
}};

// The rows of a shape, and files that hold them; gone with the program.
class Sample {
 public:
  explicit Sample(const Shape& shape) : rows_(rows_of(shape)) {
    const auto folder = std::filesystem::temp_directory_path();
    const std::string stem = (folder / ("handrail_bench_" + std::string(shape.name))).string();
    arff_path_ = stem + ".arff";
    csv_path_ = stem + ".csv";
    std::ofstream(arff_path_) << arff_header(shape) << rows_;
    std::ofstream(csv_path_) << csv_header(shape) << rows_;
  }
  ~Sample() {
    std::filesystem::remove(arff_path_);
    std::filesystem::remove(csv_path_);
  }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  const std::string& rows() const { return rows_; }
  const std::string& arff_path() const { return arff_path_; }
  const std::string& csv_path() const { return csv_path_; }

 private:
  static std::string rows_of(const Shape& shape) {
    RandomStream stream(1, Purpose::kTest, 1);
    std::string text;
    for (std::size_t row = 0; row < shape.rows; ++row) {
      for (std::size_t i = 0; i < shape.columns; ++i) text += shape.cell(stream) + ",";
      text += std::to_string(stream.below(kClassCount)) + "\n";
    }
    return text;
  }
  static std::string arff_header(const Shape& shape) {
    std::string text = "@relation bench\n";
    for (std::size_t i = 0; i < shape.columns; ++i) {
      text += "@attribute a" + std::to_string(i) + " real\n";
    }
    return text + "@attribute class {0,1,2,3,4,5,6,7,8,9}\n@data\n";
  }
  static std::string csv_header(const Shape& shape) {
    std::string text;
    for (std::size_t i = 0; i < shape.columns; ++i) text += "a" + std::to_string(i) + ",";
    return text + "class\n";
  }

  std::string rows_;
  std::string arff_path_;
  std::string csv_path_;
};

// No quotes, no missing cells, no names, no checks, nothing kept.
double sum_of_numbers(const std::string& text) {
  double sum = 0.0;
  const char* end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    double value = 0.0;
    at = std::from_chars(at, end, value).ptr + 1;
    sum += value;
  }
  return sum;
}

void count_bytes(benchmark::State& state, const Sample& sample) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(sample.rows().size()));
}

void bench_loop(benchmark::State& state, const Sample& sample) {
  for (auto _ : state) benchmark::DoNotOptimize(sum_of_numbers(sample.rows()));
  count_bytes(state, sample);
}

void bench_reader(benchmark::State& state, const Sample& sample, const std::string& path) {
  const ReadOptions options{.nominal_columns = {""}};
  for (auto _ : state) {
    const Result<Table> table = read_table(path, options);
    if (!table.ok()) state.SkipWithError(table.error().message.c_str());
    benchmark::DoNotOptimize(table);
  }
  count_bytes(state, sample);
}

// Keeps the best time of each benchmark while the console shows them all.
class BestTimes final : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      const double time = run.GetAdjustedCPUTime();
      const auto [best, is_new] = times_.try_emplace(run.run_name.function_name, time);
      if (!is_new) best->second = std::min(best->second, time);
    }
    ConsoleReporter::ReportRuns(runs);
  }

  // How fast `reader` is where the bare loop is 1; none if one of them was not run.
  std::optional<double> ratio(const std::string& shape, const std::string& reader) const {
    const auto loop = times_.find(shape + "/from_chars");
    const auto read = times_.find(shape + "/" + reader);
    if (loop == times_.end() || read == times_.end()) return std::nullopt;
    return loop->second / read->second;
  }

 private:
  std::map<std::string, double> times_;
};

void add_benchmarks(const Shape& shape, const Sample& sample) {
  const std::string prefix = std::string(shape.name) + "/";
  const auto add = [&](const std::string& name, auto function) {
    benchmark::RegisterBenchmark((prefix + name).c_str(), function)
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime();
  };
  add("from_chars", [&](benchmark::State& state) { bench_loop(state, sample); });
  add("arff", [&](benchmark::State& state) { bench_reader(state, sample, sample.arff_path()); });
  add("csv", [&](benchmark::State& state) { bench_reader(state, sample, sample.csv_path()); });
}

// Whether none is below the least one that is promised.
bool print_ratios(const BestTimes& times) {
  bool all_good = true;
  std::printf("\nspeed where the bare loop is 1, by the best of the repetitions\n");
  for (const Shape& shape : kShapes) {
    for (const char* reader : {"arff", "csv"}) {
      const std::optional<double> ratio = times.ratio(shape.name, reader);
      if (!ratio.has_value()) continue;
      std::printf("%-9s %-5s %5.2f\n", shape.name, reader, *ratio);
      all_good = all_good && *ratio >= kLeastRatio;
    }
  }
  return all_good;
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  std::vector<std::unique_ptr<Sample>> samples;
  for (const Shape& shape : kShapes) {
    samples.push_back(std::make_unique<Sample>(shape));
    add_benchmarks(shape, *samples.back());
  }
  BestTimes times;
  benchmark::RunSpecifiedBenchmarks(&times);
  return print_ratios(times) ? 0 : 1;
}

}  // namespace
}  // namespace handrail

int main(int argc, char** argv) {
  return handrail::run(argc, argv);
}
