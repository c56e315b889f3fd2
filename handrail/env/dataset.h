// A data set that can be played: rows become rounds, classes (or cost columns) become arms, and one
// policy is the baseline. Everything here is the same for all runs; what depends on a seed is in
// the environment made from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/core/arm_features.h"
#include "handrail/data/encoding.h"
#include "handrail/data/table.h"
#include "handrail/env/data_spec.h"

namespace handrail {

class Dataset {
 public:
  // Refuses what cannot be played: no class column, a numeric one, fewer than two classes, missing
  // classes or costs, costs outside [0, cost_max], a baseline that names nothing.
  static Result<Dataset> make(Table table, const DataConfig& config);

  const DataConfig& config() const { return config_; }
  std::size_t arm_count() const { return arm_names_.size(); }
  std::span<const std::string> arm_names() const { return arm_names_; }
  std::size_t feature_count() const { return encoder_.feature_count(); }
  std::size_t row_count() const { return rows_.size(); }  // that are played
  const Table& table() const { return table_; }
  const Encoder& encoder() const { return encoder_; }
  // A 32-bit checksum of all names and cells, to notice a file that has changed.
  std::uint32_t fingerprint() const { return fingerprint_; }

  void encode(std::size_t row, std::span<double> out) const {
    encoder_.encode(table_.row(rows_[row]), out);
  }
  bool has_labels() const { return config_.has_classes(); }
  ArmIndex label(std::size_t row) const { return labels_[rows_[row]]; }  // if has_labels()
  // h: what playing the arm costs on average over the noise, given the row.
  double expected_cost(std::size_t row, ArmIndex arm) const;
  // What it costs if the row's label is `label`; only if has_labels().
  double cost_of(ArmIndex arm, ArmIndex label) const {
    return arm == label ? config_.low : config_.high;
  }

  ArmIndex baseline_arm(std::size_t row) const { return baseline_arms_[rows_[row]]; }
  // What the agent is told that the baseline costs, by config().baseline_known.
  double told_baseline_cost(std::size_t row) const;
  double mean_baseline_cost() const { return mean_baseline_cost_; }
  // The mean of what counts as the baseline's cost, and the most that any arm costs in any row.
  double accounted_baseline_cost() const {
    return told_baseline_sum_ / static_cast<double>(row_count());
  }
  double largest_cost() const { return largest_cost_; }
  // The share of played rows in which no arm is cheaper than the baseline's.
  double baseline_right_share() const { return baseline_right_share_; }
  // The one arm that the baseline plays, or -1 if it depends on the row.
  std::ptrdiff_t constant_baseline() const { return constant_baseline_; }

 private:
  Dataset(Table table, DataConfig config, Encoder encoder)
      : config_(std::move(config)), table_(std::move(table)), encoder_(std::move(encoder)) {}

  Status read_labels(std::size_t column);
  Status check_costs(std::span<const std::size_t> columns);
  Status choose_baseline();
  Result<ArmIndex> constant_arm() const;
  std::vector<double> cost_sums() const;
  double labelled_cost(bool right) const;
  Status follow_column(std::string_view name);
  Status train(std::string_view count);
  void summarise();

  DataConfig config_;
  Table table_;
  Encoder encoder_;
  std::vector<std::string> arm_names_;
  std::vector<std::uint32_t> rows_;        // of the table, that are played
  std::vector<ArmIndex> labels_;           // one a row of the table
  std::vector<std::size_t> cost_columns_;  // one an arm
  std::vector<ArmIndex> baseline_arms_;    // one a row of the table
  std::ptrdiff_t constant_baseline_ = -1;
  double mean_baseline_cost_ = 0.0;
  double floor_baseline_cost_ = 0.0;
  double baseline_right_share_ = 0.0;
  double told_baseline_sum_ = 0.0;
  double largest_cost_ = 0.0;
  std::uint32_t fingerprint_ = 0;
};

}  // namespace handrail
