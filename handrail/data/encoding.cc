#include "handrail/data/encoding.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "handrail/base/assert.h"
#include "handrail/base/text.h"

namespace handrail {
namespace {

// What a column's present cells are like.
struct Summary {
  std::size_t missing_count = 0;
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();
  double mean = 0.0;
  double deviation = 0.0;
};

// Two passes: the mean first, then the squares around it, which lose no digits to a large mean.
Summary summarise(const Table& table, std::size_t column) {
  Summary summary;
  double sum = 0.0;
  for (std::size_t i = 0; i < table.row_count(); ++i) {
    const double cell = table.row(i)[column];
    if (std::isnan(cell)) {
      ++summary.missing_count;
      continue;
    }
    summary.least = std::min(summary.least, cell);
    summary.greatest = std::max(summary.greatest, cell);
    sum += cell;
  }
  const std::size_t count = table.row_count() - summary.missing_count;
  if (count == 0) return {.missing_count = summary.missing_count, .least = 0.0, .greatest = 0.0};
  summary.mean = sum / static_cast<double>(count);
  double squares = 0.0;
  for (std::size_t i = 0; i < table.row_count(); ++i) {
    const double cell = table.row(i)[column];
    if (!std::isnan(cell)) squares += (cell - summary.mean) * (cell - summary.mean);
  }
  summary.deviation = std::sqrt(squares / static_cast<double>(count));
  return summary;
}

// Divided by the greatest entry first: the squares of what is left neither overflow nor vanish.
void divide_by_norm(std::span<double> features) {
  double greatest = 0.0;
  for (const double feature : features) greatest = std::max(greatest, std::abs(feature));
  if (greatest == 0.0) return;
  double squares = 0.0;
  for (double& feature : features) {
    feature /= greatest;
    squares += feature * feature;
  }
  const double norm = std::sqrt(squares);
  for (double& feature : features) feature /= norm;
}

}  // namespace

Result<Encoder> Encoder::make(const Table& table, std::span<const std::size_t> columns,
                              const EncodingConfig& config) {
  Encoder encoder(config);
  for (const std::size_t column : columns) {
    const Column& described = table.columns()[column];
    if (described.kind == ColumnKind::kNominal && config.indicators) {
      encoder.nominal_.push_back({.column = column, .value_count = described.values.size()});
      encoder.feature_count_ += described.values.size();
      continue;
    }
    const Status added = encoder.add_numeric(table, column);
    if (!added.ok()) return added.error();
  }
  if (config.constant) ++encoder.feature_count_;
  if (encoder.feature_count_ == 0) {
    return Error{"no column is left to learn from, and the constant is switched off"};
  }
  return encoder;
}

Status Encoder::add_numeric(const Table& table, std::size_t column) {
  const Summary summary = summarise(table, column);
  const bool standard = config_.scaling == Scaling::kStandard;
  const double range = summary.greatest - summary.least;
  const double width = standard ? summary.deviation : range;
  const bool scaled = config_.scaling != Scaling::kNone;
  if (!std::isfinite(summary.mean) || (scaled && !std::isfinite(width))) {
    return Error{"column '" + table.columns()[column].name + "' reaches from " +
                 to_text(summary.least) + " to " + to_text(summary.greatest) +
                 ", too wide for its mean and spread to be computed"};
  }
  Numeric numeric{.column = column,
                  .mean = summary.mean,
                  .has_indicator = config_.missing && summary.missing_count > 0};
  const bool constant = summary.least == summary.greatest;
  if (constant) ++constant_column_count_;
  if (scaled) {
    // A column whose width is below the smallest normal double says nothing that could be scaled.
    const bool flat = constant || width < std::numeric_limits<double>::min();
    numeric.shift = standard ? summary.mean : summary.least;
    numeric.factor = flat ? 0.0 : 1.0 / width;
  }
  numeric_.push_back(numeric);
  feature_count_ += numeric.has_indicator ? 2 : 1;
  return {};
}

void Encoder::encode(std::span<const double> row, std::span<double> out) const {
  HANDRAIL_ASSERT(out.size() == feature_count_);
  std::size_t next = 0;
  for (const Numeric& numeric : numeric_) {
    const double cell = row[numeric.column];
    const bool missing = std::isnan(cell);
    out[next++] = ((missing ? numeric.mean : cell) - numeric.shift) * numeric.factor;
    if (numeric.has_indicator) out[next++] = missing ? 1.0 : 0.0;
  }
  for (const Nominal& nominal : nominal_) {
    const std::span<double> indicators = out.subspan(next, nominal.value_count);
    std::ranges::fill(indicators, 0.0);
    const double cell = row[nominal.column];
    if (!std::isnan(cell)) indicators[static_cast<std::size_t>(cell)] = 1.0;
    next += nominal.value_count;
  }
  if (config_.constant) out[next] = 1.0;
  if (config_.unit_norm) divide_by_norm(out);
}

}  // namespace handrail
