// From the cells of a table to the features that a learner sees. Each step can be switched off:
//   indicators  a nominal column becomes one indicator a value, all zero where the cell is missing;
//               without them it becomes the index of its value, scaled like a number
//   missing     a numeric column with missing cells gets an indicator column for them; the cell
//               itself becomes the column's mean
//   scaling     standard: mean 0 and variance 1; minmax: from 0 to 1; none: as in the file
//   constant    a last column of ones, the intercept
//   unit_norm   each row is divided by its length; a zero row stays zero
// Means and spreads are those of the whole table, so that the first round already looks into the
// future, by the same little for every agent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "handrail/base/result.h"
#include "handrail/data/table.h"

namespace handrail {

enum class Scaling : std::uint8_t { kStandard = 0, kMinmax = 1, kNone = 2 };

struct EncodingConfig {
  Scaling scaling = Scaling::kStandard;
  bool indicators = true;
  bool missing = true;
  bool constant = true;
  bool unit_norm = true;

  friend bool operator==(const EncodingConfig&, const EncodingConfig&) = default;
};

class Encoder {
 public:
  // Learns the scales of the given columns; the others are not features. Refuses a choice that
  // leaves no feature, and columns too wide to be scaled in a double.
  static Result<Encoder> make(const Table& table, std::span<const std::size_t> columns,
                              const EncodingConfig& config);

  std::size_t feature_count() const { return feature_count_; }
  // Numeric columns that have the same value in every row: they become 0 when scaled.
  std::size_t constant_column_count() const { return constant_column_count_; }

  // `row` is a row of the table, `out` has feature_count() numbers.
  void encode(std::span<const double> row, std::span<double> out) const;

 private:
  // A column of numbers, nominal indices among them. Its feature is (cell − shift) · factor.
  struct Numeric {
    std::size_t column = 0;
    double mean = 0.0;
    double shift = 0.0;
    double factor = 1.0;
    bool has_indicator = false;
  };
  struct Nominal {
    std::size_t column = 0;
    std::size_t value_count = 0;
  };

  explicit Encoder(const EncodingConfig& config) : config_(config) {}
  Status add_numeric(const Table& table, std::size_t column);

  EncodingConfig config_;
  std::vector<Numeric> numeric_;
  std::vector<Nominal> nominal_;
  std::size_t feature_count_ = 0;
  std::size_t constant_column_count_ = 0;
};

}  // namespace handrail
