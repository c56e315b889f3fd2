#include "handrail/eval/metric_table.h"

#include <gtest/gtest.h>

#include <set>

namespace handrail {
namespace {

TEST(MetricTable, NoTwoMetricsAndNoTwoColumnsShareAName) {
  std::set<std::string_view> metrics;
  for (const Metric& metric : kMetrics) EXPECT_TRUE(metrics.insert(metric.name).second);
  std::set<std::string_view> columns;
  for (const CellColumn& column : kCellColumns) {
    EXPECT_TRUE(columns.insert(column.shown.name).second) << column.shown.name;
  }
}

TEST(MetricTable, EveryRowSaysWhatItMeansAndIsShownSomewhere) {
  for (const Metric& metric : kMetrics) {
    EXPECT_FALSE(metric.meaning.empty()) << metric.name;
    const bool shown =
        metric.run_output != RunOutput::kNone || metric.in_curves || has_columns(metric);
    EXPECT_TRUE(shown) << metric.name;
  }
}

// Else the object would be opened twice.
TEST(MetricTable, ColumnsOfOneObjectAreNeighbours) {
  std::set<std::string_view> closed;
  std::string_view open;
  for (const CellColumn& column : kCellColumns) {
    const std::string_view object = nested_name(column.shown.name).object;
    if (object == open) continue;
    EXPECT_TRUE(open.empty() || closed.insert(open).second) << open;
    EXPECT_FALSE(closed.contains(object)) << object;
    open = object;
  }
}

// A mean is of a number that every run has.
TEST(MetricTable, OnlyLeastAndGreatestAndCountsAreMadeOfWhatARunMayLack) {
  for (const CellColumn& column : kCellColumns) {
    const MetricKind kind = kMetrics[column.metric].kind;
    if (kind != MetricKind::kNumberOrNone && kind != MetricKind::kRoundOrNone) continue;
    const Reduction reduction = column.shown.reduction;
    EXPECT_TRUE(reduction != Reduction::kMean && reduction != Reduction::kMeanWithError &&
                reduction != Reduction::kSum)
        << column.shown.name;
  }
}

TEST(MetricTable, ReadsARunThatBrokeTheConstraint) {
  Metrics metrics(0.1, 0.0);
  for (const double cost : {0.5, 0.5, 1.0, 0.0}) {
    metrics.add({.choice = Choice::kExplore,
                 .baseline_cost = 0.5,
                 .expected_cost = cost,
                 .best_cost = 0.0,
                 .baseline_expected_cost = 1.0});
  }
  const MeasuredRun run{.metrics = metrics, .min_slack = -0.5, .rounds_here = 4, .seconds = 0.5};
  const auto value = [&](std::size_t metric) { return kMetrics[metric].read(run); };
  EXPECT_EQ(value(metric_index("regret")), 2.0);
  EXPECT_EQ(value(metric_index("cost_ratio")), 1.0);
  EXPECT_EQ(value(metric_index("explored_share")), 1.0);
  EXPECT_EQ(value(metric_index("violated_rounds_share")), 0.25);
  EXPECT_EQ(value(metric_index("first_violation")), 3.0);
  EXPECT_NEAR(value(metric_index("largest_excess")).value(), 0.35, 1e-15);
  EXPECT_EQ(value(metric_index("slack")), std::nullopt);
  EXPECT_EQ(value(metric_index("min_slack")), -0.5);
  EXPECT_EQ(value(metric_index("hindsight_violating")), 0.0);
  EXPECT_EQ(value(metric_index("rounds_per_second")), 8.0);
}

TEST(MetricTable, CountsAreWrittenWithoutAPoint) {
  std::string text;
  JsonWriter json(text);
  write_value(json, MetricKind::kCount, 100000.0);
  write_value(json, MetricKind::kRoundOrNone, std::nullopt);
  write_value(json, MetricKind::kNumber, 100000.0);
  EXPECT_EQ(text, "100000,null,1e+05");
}

}  // namespace
}  // namespace handrail
