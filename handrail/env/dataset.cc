#include "handrail/env/dataset.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "handrail/base/assert.h"
#include "handrail/base/bytes.h"
#include "handrail/base/inner_product.h"
#include "handrail/base/text.h"
#include "handrail/env/data_table.h"
#include "handrail/env/shuffle.h"
#include "handrail/oracle/ridge_fit.h"

namespace handrail {
namespace {

constexpr std::string_view kTrained = "trained:";

Error about(const DataConfig& config, std::string_view message) {
  return Error{config.name + ": " + std::string(message)};
}

std::uint32_t fingerprint_of(const Table& table) {
  ByteWriter out;
  for (const Column& column : table.columns()) {
    out.text(column.name);
    for (const std::string& value : column.values) out.text(value);
  }
  std::uint32_t sum = checksum(out.bytes());
  for (std::size_t i = 0; i < table.row_count(); ++i) {
    ByteWriter row;
    row.u32(sum);
    row.doubles(table.row(i));
    sum = checksum(row.bytes());
  }
  return sum;
}

}  // namespace

Result<Dataset> Dataset::make(Table table, const DataConfig& config) {
  if (table.row_count() == 0) return about(config, "has no rows");
  const Result<ColumnRoles> roles = roles_of_columns(table, config);
  if (!roles.ok()) return about(config, roles.error().message);
  Result<Encoder> encoder = Encoder::make(table, roles.value().features, config.encoding);
  if (!encoder.ok()) return about(config, encoder.error().message);
  Dataset dataset(std::move(table), config, std::move(encoder).value());
  dataset.rows_.resize(dataset.table_.row_count());
  std::iota(dataset.rows_.begin(), dataset.rows_.end(), 0U);
  const Status arms = roles.value().class_column.has_value()
                          ? dataset.read_labels(*roles.value().class_column)
                          : dataset.check_costs(roles.value().cost_columns);
  if (!arms.ok()) return about(config, arms.error().message);
  const Status baseline = dataset.choose_baseline();
  if (!baseline.ok()) return about(config, baseline.error().message);
  dataset.summarise();
  if (dataset.told_baseline_sum_ == 0.0) {
    return about(config,
                 "the baseline is said to cost nothing in every row, and nothing can be "
                 "compared with that");
  }
  dataset.fingerprint_ = fingerprint_of(dataset.table_);
  return dataset;
}

// Arms are the classes that occur, in the order in which the file lists them.
Status Dataset::read_labels(std::size_t column) {
  const Column& described = table_.columns()[column];
  std::vector<bool> occurs(described.values.size(), false);
  for (std::size_t i = 0; i < table_.row_count(); ++i) {
    const double cell = table_.row(i)[column];
    if (std::isnan(cell)) {
      return Error{"row " + std::to_string(i + 1) + " has no class: its column " +
                   quoted(described.name) + " is missing"};
    }
    occurs[static_cast<std::size_t>(cell)] = true;
  }
  std::vector<ArmIndex> arm_of_value(described.values.size(), 0);
  for (std::size_t value = 0; value < occurs.size(); ++value) {
    if (!occurs[value]) continue;
    arm_of_value[value] = static_cast<ArmIndex>(arm_names_.size());
    arm_names_.push_back(described.values[value]);
  }
  if (arm_names_.size() < 2) {
    return Error{"column " + quoted(described.name) + " has one class only, " +
                 quoted(arm_names_.front()) + ": there is nothing to choose"};
  }
  labels_.reserve(table_.row_count());
  for (std::size_t i = 0; i < table_.row_count(); ++i) {
    labels_.push_back(arm_of_value[static_cast<std::size_t>(table_.row(i)[column])]);
  }
  return {};
}

Status Dataset::check_costs(std::span<const std::size_t> columns) {
  for (const std::size_t column : columns) {
    const Column& described = table_.columns()[column];
    if (described.kind == ColumnKind::kNominal) {
      return Error{"cost column " + quoted(described.name) + " holds names; numbers were expected"};
    }
    for (std::size_t i = 0; i < table_.row_count(); ++i) {
      const double cell = table_.row(i)[column];
      if (cell >= 0.0 && cell <= config_.cost_max) continue;
      return Error{"row " + std::to_string(i + 1) + ": cost column " + quoted(described.name) +
                   (std::isnan(cell) ? " is missing" : " is " + to_text(cell)) +
                   "; a number in [0, " + to_text(config_.cost_max) +
                   "] was expected (--cost-max)"};
    }
    arm_names_.push_back(described.name);
    cost_columns_.push_back(column);
  }
  return {};
}

double Dataset::expected_cost(std::size_t row, ArmIndex arm) const {
  const std::size_t index = rows_[row];
  if (!has_labels()) return table_.row(index)[cost_columns_[arm]] / config_.cost_max;
  return labelled_cost(labels_[index] == arm);
}

double Dataset::labelled_cost(bool right) const {
  if (config_.noise.kind != NoiseKind::kFlip) return right ? config_.low : config_.high;
  const double rate = config_.noise.rate;
  if (right) return (1.0 - rate) * config_.low + rate * config_.high;
  const auto others = static_cast<double>(arm_count() - 1);
  return config_.high - rate * (config_.high - config_.low) / others;
}

double Dataset::told_baseline_cost(std::size_t row) const {
  switch (config_.baseline_known) {
    case BaselineKnown::kPerRound:
      return expected_cost(row, baseline_arm(row));
    case BaselineKnown::kMean:
      return mean_baseline_cost_;
    case BaselineKnown::kFloor:
      return floor_baseline_cost_;
    case BaselineKnown::kUnknown:
      return 0.0;
  }
  HANDRAIL_ASSERT(false);
}

Status Dataset::choose_baseline() {
  const std::string_view baseline = config_.baseline;
  if (baseline.starts_with(kTrained)) return train(baseline.substr(kTrained.size()));
  if (config_.follows_column()) return follow_column(config_.followed_column());
  const Result<ArmIndex> arm = constant_arm();
  if (!arm.ok()) return arm.error();
  baseline_arms_.assign(table_.row_count(), arm.value());
  constant_baseline_ = arm.value();
  return {};
}

// What always playing an arm would cost on the whole file. With labels it comes from their counts,
// so that classes of equal size tie exactly.
std::vector<double> Dataset::cost_sums() const {
  std::vector<double> sums(arm_count(), 0.0);
  if (!has_labels()) {
    for (std::size_t row = 0; row < row_count(); ++row) {
      for (ArmIndex arm = 0; arm < sums.size(); ++arm) sums[arm] += expected_cost(row, arm);
    }
    return sums;
  }
  std::vector<std::size_t> counts(arm_count(), 0);
  for (const ArmIndex label : labels_) ++counts[label];
  for (ArmIndex arm = 0; arm < sums.size(); ++arm) {
    const auto right = static_cast<double>(counts[arm]);
    const auto wrong = static_cast<double>(labels_.size() - counts[arm]);
    sums[arm] = right * labelled_cost(true) + wrong * labelled_cost(false);
  }
  return sums;
}

// A name wins over an index: classes are often called 0, 1, 2, and then they are usually the same.
Result<ArmIndex> Dataset::constant_arm() const {
  const std::string& baseline = config_.baseline;
  const auto named = std::ranges::find(arm_names_, baseline);
  if (named != arm_names_.end()) return static_cast<ArmIndex>(named - arm_names_.begin());
  if (baseline == "majority" || baseline == "minority") {
    const std::vector<double> sums = cost_sums();
    const auto chosen =
        baseline == "majority" ? std::ranges::min_element(sums) : std::ranges::max_element(sums);
    return static_cast<ArmIndex>(chosen - sums.begin());
  }
  const std::optional<std::uint64_t> index = to_count(baseline);
  if (index.has_value() && *index < arm_count()) return static_cast<ArmIndex>(*index);
  std::vector<std::string_view> names(arm_names_.begin(), arm_names_.end());
  names.insert(names.end(), {"majority", "minority"});
  return Error{"baseline is " + quoted(baseline) +
               "; majority, minority, trained:N, column:NAME, "
               "an index below " +
               std::to_string(arm_count()) +
               " or the name of an arm was "
               "expected; the nearest is " +
               quoted(nearest(baseline, names))};
}

Status Dataset::follow_column(std::string_view name) {
  const std::size_t column = *table_.find_column(name);  // roles_of_columns() found it
  const Column& described = table_.columns()[column];
  if (described.kind == ColumnKind::kNumeric) {
    return Error{"baseline column " + quoted(name) + " is numeric; names of arms were expected"};
  }
  for (std::size_t i = 0; i < table_.row_count(); ++i) {
    const double cell = table_.row(i)[column];
    const std::string value =
        std::isnan(cell) ? "" : described.values[static_cast<std::size_t>(cell)];
    const auto arm = std::ranges::find(arm_names_, value);
    if (arm == arm_names_.end()) {
      return Error{"row " + std::to_string(i + 1) + ": baseline column " + quoted(name) + " is " +
                   quoted(value) + "; the name of an arm was expected"};
    }
    baseline_arms_.push_back(static_cast<ArmIndex>(arm - arm_names_.begin()));
  }
  return {};
}

// The company's present model: each arm's cost regressed on the features of N rows, which are then
// not played. They are the same rows for every seed, as the model in production is one model.
Status Dataset::train(std::string_view text) {
  constexpr std::uint64_t kSplitSeed = 0;
  constexpr double kLambda = 1.0;
  const std::optional<std::uint64_t> count = to_count(text);
  const std::size_t total = table_.row_count();
  if (!count.has_value() || *count == 0 || *count >= total) {
    return Error{"baseline is trained:" + std::string(text) + "; a whole number from 1 to " +
                 std::to_string(total - 1) + " was expected, since one row at least is played"};
  }
  const std::size_t d = feature_count();
  std::vector<double> features(*count * d);
  std::vector<double> costs(*count * arm_count());
  std::vector<bool> set_aside(total, false);
  for (std::size_t i = 0; i < *count; ++i) {
    const std::size_t row = shuffled(i, total, kSplitSeed, 0);
    set_aside[row] = true;
    encoder_.encode(table_.row(row), std::span(features).subspan(i * d, d));
    for (ArmIndex arm = 0; arm < arm_count(); ++arm) {
      costs[i * arm_count() + arm] = expected_cost(row, arm);
    }
  }
  const std::vector<double> model = fit_ridge(features, d, costs, kLambda);
  std::vector<double> row_features(d);
  for (std::size_t row = 0; row < total; ++row) {
    encoder_.encode(table_.row(row), row_features);
    ArmIndex cheapest = 0;
    double least = 0.0;
    for (ArmIndex arm = 0; arm < arm_count(); ++arm) {
      const double cost = inner_product(row_features, std::span(model).subspan(arm * d, d));
      if (arm > 0 && cost >= least) continue;
      cheapest = arm;
      least = cost;
    }
    baseline_arms_.push_back(cheapest);
  }
  std::erase_if(rows_, [&](std::uint32_t row) { return set_aside[row]; });
  return {};
}

void Dataset::summarise() {
  double sum = 0.0;
  double least = 1.0;
  std::size_t right = 0;
  for (std::size_t row = 0; row < row_count(); ++row) {
    const double cost = expected_cost(row, baseline_arm(row));
    sum += cost;
    least = std::min(least, cost);
    bool best = true;
    for (ArmIndex arm = 0; arm < arm_count(); ++arm) {
      best &= expected_cost(row, arm) >= cost;
      largest_cost_ = std::max(largest_cost_, expected_cost(row, arm));
    }
    right += best ? 1 : 0;
  }
  const auto rows = static_cast<double>(row_count());
  mean_baseline_cost_ = sum / rows;
  floor_baseline_cost_ = least;
  baseline_right_share_ = static_cast<double>(right) / rows;
  told_baseline_sum_ = config_.baseline_known == BaselineKnown::kFloor ? least * rows : sum;
}

}  // namespace handrail
