// What this machine can do at most on one core: read bandwidth from each level of the cache and
// from memory, and float multiply-adds a second. Kernels are measured against these. Prints one
// JSON object.
//
// The loops are GCC's vector types in functions compiled for one instruction set each, so that they
// use whole registers whatever the rest of the build assumes of the processor.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "handrail/base/json.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kAlignment = 4096;
// Enough independent sums to hide the latency of an addition (4 cycles, 2 a cycle at most), and few
// enough for the 16 registers of the oldest set.
constexpr std::size_t kSumCount = 12;
constexpr std::size_t kKilobyte = 1024;

using Vector16 [[gnu::vector_size(16), gnu::may_alias]] = float;
using Vector32 [[gnu::vector_size(32), gnu::may_alias]] = float;
using Vector64 [[gnu::vector_size(64), gnu::may_alias]] = float;

// What lies in memory may be another number from here on, as far as the compiler knows: each pass
// reads it anew.
[[gnu::always_inline]] inline void forget_memory() {
  asm volatile("" : : : "memory");
}

// Adds the numbers up, again in every pass. Always inlined: it gets the instruction set of its
// caller.
template <typename Vector>
[[gnu::always_inline]] inline float sum_of(std::span<const float> values, std::size_t passes) {
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(float);
  const auto* const vectors = reinterpret_cast<const Vector*>(values.data());
  const std::size_t vector_count = values.size() / kLanes;
  Vector sums[kSumCount] = {};
  for (std::size_t pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i + kSumCount <= vector_count; i += kSumCount) {
#pragma GCC unroll 12
      for (std::size_t k = 0; k < kSumCount; ++k) sums[k] += vectors[i + k];
    }
    forget_memory();
  }
  float total = 0.0F;
  for (const Vector& sum : sums) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) total += sum[lane];
  }
  return total;
}

// `steps` multiply-adds on each of kSumCount registers, which converge and stay ordinary numbers.
template <typename Vector>
[[gnu::always_inline]] inline float multiply_add(std::size_t steps, float factor, float term) {
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(float);
  Vector sums[kSumCount];
  for (std::size_t k = 0; k < kSumCount; ++k) sums[k] = Vector{} + static_cast<float>(k);
  const Vector factors = Vector{} + factor;
  const Vector terms = Vector{} + term;
  for (std::size_t i = 0; i < steps; ++i) {
#pragma GCC unroll 12
    for (Vector& sum : sums) sum = sum * factors + terms;
  }
  float total = 0.0F;
  for (const Vector& sum : sums) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) total += sum[lane];
  }
  return total;
}

float sum_sse(std::span<const float> values, std::size_t passes) {
  return sum_of<Vector16>(values, passes);
}
float multiply_add_sse(std::size_t steps, float factor, float term) {
  return multiply_add<Vector16>(steps, factor, term);
}
[[gnu::target("avx2,fma")]] float sum_avx2(std::span<const float> values, std::size_t passes) {
  return sum_of<Vector32>(values, passes);
}
[[gnu::target("avx2,fma")]] float multiply_add_avx2(std::size_t steps, float factor, float term) {
  return multiply_add<Vector32>(steps, factor, term);
}
[[gnu::target("avx512f")]] float sum_avx512(std::span<const float> values, std::size_t passes) {
  return sum_of<Vector64>(values, passes);
}
[[gnu::target("avx512f")]] float multiply_add_avx512(std::size_t steps, float factor, float term) {
  return multiply_add<Vector64>(steps, factor, term);
}

struct Instructions {
  const char* name;
  std::size_t lanes;
  float (*sum)(std::span<const float>, std::size_t);
  float (*multiply_add)(std::size_t, float, float);
};

// Every set that the processor has; the widest is not always the fastest.
std::vector<Instructions> available() {
  std::vector<Instructions> all = {{"sse", 4, sum_sse, multiply_add_sse}};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    all.push_back({"avx2", 8, sum_avx2, multiply_add_avx2});
  }
  if (__builtin_cpu_supports("avx512f")) {
    all.push_back({"avx512", 16, sum_avx512, multiply_add_avx512});
  }
  return all;
}

// A result that nobody reads would let the compiler drop the loop.
void keep(float value) {
  asm volatile("" : : "g"(value) : "memory");
}

// Seconds of one call of `work`, the best of what fits into the time budget.
template <typename Work>
double best_seconds(double budget, const Work& work) {
  double best = 1e300;
  const Clock::time_point start = Clock::now();
  for (double spent = 0.0; spent < budget;) {
    const Clock::time_point begin = Clock::now();
    work();
    const Clock::time_point end = Clock::now();
    best = std::min(best, std::chrono::duration<double>(end - begin).count());
    spent = std::chrono::duration<double>(end - start).count();
  }
  return best;
}

struct FreeAligned {
  void operator()(float* memory) const {
    ::operator delete[](memory, std::align_val_t(kAlignment));
  }
};

// Bytes a second by the fastest set of instructions. A call reads the buffer so often that the
// clock's own cost vanishes, and for long enough: now and then a processor is a third faster for a
// few microseconds, which nothing can be held against.
double read_bandwidth(std::size_t bytes, double budget) {
  constexpr std::size_t kBytesPerCall = std::size_t{64} << 20;
  constexpr std::size_t kStep = kSumCount * sizeof(Vector64) / sizeof(float);
  const std::size_t count = bytes / sizeof(float) / kStep * kStep;
  const std::unique_ptr<float[], FreeAligned> buffer(
      new (std::align_val_t(kAlignment)) float[count]);
  const std::span<float> values(buffer.get(), count);
  std::ranges::fill(values, 1.0F);
  const std::size_t passes = std::max<std::size_t>(1, kBytesPerCall / bytes);
  const std::vector<Instructions> sets = available();
  double best = 0.0;
  for (const Instructions& set : sets) {
    const double seconds = best_seconds(budget / static_cast<double>(sets.size()),
                                        [&] { keep(set.sum(values, passes)); });
    best = std::max(best, static_cast<double>(passes * values.size_bytes()) / seconds);
  }
  return best;
}

struct FlopsPeak {
  double flops = 0.0;
  const char* instructions = "";
};

FlopsPeak multiply_add_peak(double budget) {
  constexpr std::size_t kSteps = 20'000;
  const std::vector<Instructions> sets = available();
  FlopsPeak peak;
  for (const Instructions& set : sets) {
    const double seconds = best_seconds(budget / static_cast<double>(sets.size()),
                                        [&] { keep(set.multiply_add(kSteps, 0.75F, 0.25F)); });
    const double flops = 2.0 * static_cast<double>(kSteps * kSumCount * set.lanes) / seconds;
    if (flops > peak.flops) peak = {.flops = flops, .instructions = set.name};
  }
  return peak;
}

std::string first_word(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

// Bytes of the data cache of a level, from what Linux says of the first processor.
std::optional<std::size_t> cache_bytes(int level) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    if (first_word(folder + "type") == "Instruction") continue;
    if (first_word(folder + "level") != std::to_string(level)) continue;
    std::string size = first_word(folder + "size");  // such as 512K
    if (size.empty() || size.back() != 'K') return std::nullopt;
    size.pop_back();
    const std::optional<std::uint64_t> kilobytes = to_count(size);
    if (!kilobytes.has_value() || *kilobytes == 0) return std::nullopt;
    return *kilobytes * kKilobyte;
  }
  return std::nullopt;
}

void write_level(JsonWriter& json, const char* name, std::size_t bytes, double budget) {
  json.key(name);
  json.begin_object();
  json.field("buffer_bytes", bytes);
  json.field("bytes_per_second", read_bandwidth(bytes, budget));
  json.end_object();
}

// Half a level leaves room for what else lives there and is still far more than the level below.
// How fast the second level is may depend on how much of it is read in turn, so it is measured with
// as many bytes, too, as the weights have that letter's forward pass reads. The third level is
// shared with others, so a few megabytes of it have to do; memory is what no cache of this machine
// can hold, up to a limit that every machine has.
std::string measure(double budget) {
  constexpr std::size_t kMegabyte = kKilobyte * kKilobyte;
  constexpr std::size_t kLetterBytes = 26 * 16 * 100 * sizeof(float);
  const std::size_t first = cache_bytes(1).value_or(32 * kKilobyte);
  const std::size_t second = cache_bytes(2).value_or(512 * kKilobyte);
  const std::size_t third = cache_bytes(3).value_or(8 * kMegabyte);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_level(json, "l1", first / 2, budget);
  write_level(json, "l2", second / 2, budget);
  write_level(json, "l2_letter", std::min(kLetterBytes, second / 2), budget);
  write_level(json, "l3", std::max(4 * second, third / 8), budget);
  write_level(json, "memory", std::min(4 * third, 256 * kMegabyte), budget);
  const FlopsPeak peak = multiply_add_peak(budget);
  json.field("flops_per_second", peak.flops);
  json.field("instructions", std::string_view(peak.instructions));
  json.end_object();
  return text;
}

int run(int argc, char** argv) {
  constexpr double kDefaultBudget = 0.5;
  const std::optional<double> budget =
      argc == 2 ? to_number(argv[1]) : std::optional(kDefaultBudget);
  if (argc > 2 || !budget.has_value() || !(*budget > 0.0 && *budget <= 60.0)) {
    std::fprintf(stderr, "usage: handrail_bench_ceilings [SECONDS], in (0, 60] a measurement\n");
    return 2;
  }
  std::puts(measure(*budget).c_str());
  return 0;
}

}  // namespace
}  // namespace handrail

int main(int argc, char** argv) {
  return handrail::run(argc, argv);
}
