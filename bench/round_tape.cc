#include "bench/round_tape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "handrail/base/bytes.h"
#include "handrail/base/random.h"
#include "handrail/base/text.h"
#include "handrail/eval/environment_config.h"

namespace handrail {
namespace {

// What a synthetic stream is like. Features include the constant one, if there is one.
struct Shape {
  double arms = 10;
  double features = 17;
  double density = 1.0;  // share of features that are not 0
  bool has_constant = true;
};

struct KnownStream {
  std::string_view name;
  std::string_view data_spec;
  Shape shape;
};

// Pixels that are scaled by minmax stay 0 where they are blank; standard scaling would fill them.
// With a number of features behind the name: the columns of the data set alone, for networks, which
// have biases of their own.
constexpr std::array<KnownStream, 6> kKnown = {{
    {"letter", "letter", {.arms = 26, .features = 17}},
    {"shuttle", "shuttle", {.arms = 7, .features = 10}},
    {"mnist", "mnist_784:scale=minmax", {.arms = 10, .features = 785, .density = 0.2}},
    {"letter-16", "letter:constant=no", {.arms = 26, .features = 16, .has_constant = false}},
    {"shuttle-9", "shuttle:constant=no", {.arms = 7, .features = 9, .has_constant = false}},
    {"mnist-784",
     "mnist_784:scale=minmax,constant=no",
     {.arms = 10, .features = 784, .density = 0.2, .has_constant = false}},
}};

constexpr std::string_view kSyntheticName = "synthetic";
constexpr std::string_view kMagic = "handrail rounds 1";
constexpr double kLowCost = 0.01;
constexpr double kHighCost = 1.0;
constexpr double kLargestCount = 1e6;  // of arms or features

Status set_key(Shape& shape, std::string_view key, std::string_view text) {
  double* const field = key == "arms"       ? &shape.arms
                        : key == "features" ? &shape.features
                        : key == "density"  ? &shape.density
                                            : nullptr;
  if (field == nullptr) {
    return Error{"synthetic: the key is \"" + std::string(key) +
                 "\"; arms, features or density was expected"};
  }
  const std::optional<double> number = to_number(text);
  const bool is_share = field == &shape.density;
  const bool good = number.has_value() && *number > 0.0 &&
                    *number <= (is_share ? 1.0 : kLargestCount) &&
                    (is_share || *number == std::floor(*number));
  if (!good) {
    return Error{"synthetic: " + std::string(key) + " is \"" + std::string(text) + "\"; a " +
                 (is_share ? "number in (0, 1]" : "whole number from 1 to 1e6") + " was expected"};
  }
  *field = *number;
  return {};
}

Result<Shape> parse_shape(std::string_view keys) {
  Shape shape;
  if (keys.empty()) return shape;
  for (const std::string_view part : split(keys, ',')) {
    const std::size_t sign = std::min(part.find('='), part.size());
    const std::string_view value = part.substr(std::min(sign + 1, part.size()));
    const Status status = set_key(shape, part.substr(0, sign), value);
    if (!status.ok()) return status.error();
  }
  return shape;
}

// A row of unit length, like the encoder's: a constant was 1 before that. Without one the first
// feature is never 0, so that no row is empty.
void draw_features(RandomStream& stream, const Shape& shape, std::span<double> row) {
  for (double& value : row) value = stream.uniform() < shape.density ? stream.normal() : 0.0;
  if (shape.has_constant) {
    row.back() = 1.0;
  } else {
    row.front() = stream.normal();
  }
  double squares = 0.0;
  for (const double value : row) squares += value * value;
  for (double& value : row) value /= std::sqrt(squares);
}

// The class of a row: the one of K random directions that it goes along most.
ArmIndex label_of(std::span<const double> row, std::span<const double> directions) {
  double most = -1e300;
  ArmIndex label = 0;
  for (std::size_t arm = 0; arm * row.size() < directions.size(); ++arm) {
    double sum = 0.0;
    for (std::size_t i = 0; i < row.size(); ++i) sum += row[i] * directions[arm * row.size() + i];
    if (sum <= most) continue;
    most = sum;
    label = static_cast<ArmIndex>(arm);
  }
  return label;
}

RoundTape make_synthetic(const Shape& shape, std::size_t round_count, std::uint64_t seed) {
  const auto K = static_cast<std::size_t>(shape.arms);
  const auto d = static_cast<std::size_t>(shape.features);
  RoundTape tape;
  tape.layout = {.shape = FeatureShape::kBlock, .feature_count = d, .block_count = K};
  tape.round_count = round_count;
  tape.features.resize(round_count * d);
  tape.costs.assign(round_count * K, kHighCost);
  tape.baseline_arms.assign(round_count, 0.0);
  // What any one arm costs on average where all classes are as frequent.
  const double mean_cost = kHighCost - (kHighCost - kLowCost) / static_cast<double>(K);
  tape.baseline_costs.assign(round_count, mean_cost);
  RandomStream world(seed, Purpose::kTest, 0);
  std::vector<double> directions(K * d);
  for (double& value : directions) value = world.normal();
  for (std::size_t t = 0; t < round_count; ++t) {
    RandomStream stream(seed, Purpose::kTest, t + 1);
    const std::span<double> row = std::span(tape.features).subspan(t * d, d);
    draw_features(stream, shape, row);
    tape.costs[t * K + label_of(row, directions)] = kLowCost;
  }
  return tape;
}

Result<RoundTape> record_environment(std::string_view spec, std::size_t round_count,
                                     std::uint64_t seed) {
  const Result<Spec> named =
      parse_spec({.key = "data", .value = std::string(spec), .place = "--stream"}, NameForm::kPath);
  if (!named.ok()) return named.error();
  const Result<EnvironmentConfig> plan =
      read_environment(EnvironmentKind::kData, named.value(), {}, Precedence::kSpec);
  if (!plan.ok()) return plan.error();
  EnvironmentShelf shelf(catalog_config_from_environment());
  const Result<std::unique_ptr<Environment>> made = shelf.make(plan.value(), seed);
  if (!made.ok()) return made.error();
  const Environment& environment = *made.value();
  RoundTape tape;
  tape.is_synthetic = false;
  tape.layout = environment.layout();
  tape.baseline_known = environment.baseline_known();
  tape.round_count = round_count;
  EnvironmentRound round;
  for (std::size_t t = 1; t <= round_count; ++t) {
    environment.fill(t, round);
    tape.features.insert(tape.features.end(), round.features.begin(), round.features.end());
    tape.costs.insert(tape.costs.end(), round.expected_costs.begin(), round.expected_costs.end());
    tape.baseline_arms.push_back(round.baseline.arm);
    tape.baseline_costs.push_back(round.baseline.cost);
  }
  return tape;
}

// Whether the data folder lacks it: a file that is there and broken is an error, not a reason to
// make numbers up.
bool is_absent(std::string_view data_spec) {
  const Result<Spec> spec =
      parse_spec({.key = "data", .value = std::string(data_spec), .place = {}}, NameForm::kPath);
  return spec.ok() && !locate(spec.value().name, catalog_config_from_environment()).ok();
}

Result<RoundTape> record_known(const KnownStream& known, std::size_t round_count,
                               std::uint64_t seed) {
  if (!is_absent(known.data_spec)) return record_environment(known.data_spec, round_count, seed);
  std::fprintf(stderr,
               "%s is not in the data folder (HANDRAIL_DATA): a synthetic stream of its shape "
               "stands in for it\n",
               std::string(known.name).c_str());
  return make_synthetic(known.shape, round_count, seed);
}

Result<RoundTape> record(std::string_view stream, std::size_t round_count, std::uint64_t seed) {
  const auto* const known = std::ranges::find(kKnown, stream, &KnownStream::name);
  if (known != kKnown.end()) return record_known(*known, round_count, seed);
  const std::size_t colon = std::min(stream.find(':'), stream.size());
  if (stream.substr(0, colon) != kSyntheticName) {
    return record_environment(stream, round_count, seed);
  }
  const Result<Shape> shape = parse_shape(stream.substr(std::min(colon + 1, stream.size())));
  if (!shape.ok()) return shape.error();
  return make_synthetic(shape.value(), round_count, seed);
}

// Whether the lists have the lengths that the counts promise, and every arm is one.
bool is_whole(const RoundTape& tape) {
  const std::size_t N = tape.round_count;
  return tape.layout.feature_count > 0 && tape.arm_count() > 0 &&
         tape.features.size() / tape.layout.feature_count == N &&
         tape.features.size() % tape.layout.feature_count == 0 &&
         tape.costs.size() / tape.arm_count() == N && tape.costs.size() % tape.arm_count() == 0 &&
         tape.baseline_arms.size() == N && tape.baseline_costs.size() == N &&
         std::ranges::all_of(tape.baseline_arms, [&](double arm) {
           return arm >= 0.0 && arm < static_cast<double>(tape.arm_count());
         });
}

}  // namespace

Result<RoundTape> record_tape(std::string_view stream, std::size_t round_count,
                              std::uint64_t seed) {
  Result<RoundTape> tape = record(stream, round_count, seed);
  if (tape.ok()) tape.value().name = std::string(stream);
  return tape;
}

void list_rows(RoundTape& tape) {
  SparseRow list;
  tape.lists.resize(tape.round_count);
  for (std::size_t t = 0; t < tape.round_count; ++t) {
    list.list(tape.features_of(t));
    tape.lists[t].copy(list);
  }
}

Status write_tape(const RoundTape& tape, const std::string& path) {
  ByteWriter out;
  out.text(kMagic);
  out.text(tape.name);
  out.u8(tape.is_synthetic ? 1 : 0);
  out.u8(static_cast<std::uint8_t>(tape.baseline_known));
  out.u64(tape.round_count);
  out.u64(tape.arm_count());
  out.u64(tape.layout.feature_count);
  out.doubles(tape.features);
  out.doubles(tape.costs);
  out.doubles(tape.baseline_costs);
  out.doubles(tape.baseline_arms);
  return write_file(path, out.bytes());
}

Result<RoundTape> read_tape(const std::string& path) {
  const Result<std::string> bytes = read_file(path);
  if (!bytes.ok()) return bytes.error();
  ByteReader in(bytes.value());
  if (in.text() != kMagic) return Error{path + ": is no file of rounds that this program writes"};
  RoundTape tape;
  tape.name = in.text();
  tape.is_synthetic = in.u8() != 0;
  const std::uint8_t known = in.u8();
  tape.round_count = in.u64();
  tape.layout.shape = FeatureShape::kBlock;
  tape.layout.block_count = in.u64();
  tape.layout.feature_count = in.u64();
  tape.features = in.doubles();
  tape.costs = in.doubles();
  tape.baseline_costs = in.doubles();
  tape.baseline_arms = in.doubles();
  if (known > static_cast<std::uint8_t>(BaselineKnown::kUnknown)) in.fail("has no such baseline");
  if (!in.at_end() || !is_whole(tape)) in.fail("holds another number of rounds than it says");
  if (!in.status().ok()) return Error{path + ": " + in.status().error().message};
  tape.baseline_known = static_cast<BaselineKnown>(known);
  return tape;
}

}  // namespace handrail
