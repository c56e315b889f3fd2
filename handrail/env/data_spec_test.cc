#include "handrail/env/data_spec.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "handrail/base/text.h"
#include "handrail/data/csv_reader.h"
#include "handrail/data/format_registry.h"
#include "tests/data_fixture.h"

namespace handrail {
namespace {

std::string refusal(std::string_view spec) {
  const Result<DataConfig> config = parse_data(spec);
  return config.ok() ? "no refusal" : config.error().message;
}

TEST(DataSpec, ANameMayHoldColons) {
  EXPECT_EQ(parse_data("openml:6").value().name, "openml:6");
  EXPECT_EQ(parse_data("openml:letter@1:scale=none").value().name, "openml:letter@1");
  EXPECT_EQ(parse_data("a/b:c.csv").value().name, "a/b:c.csv");
  const DataConfig flipped = parse_data("shuttle:noise=flip:0.1").value();
  EXPECT_EQ(flipped.name, "shuttle");
  EXPECT_EQ(to_text(flipped.noise), "flip:0.1");
}

TEST(DataSpec, WhatIsPrintedReadsBackAsTheSame) {
  for (const std::string spec :
       {"d", "d:class=k,ignore=a|b,scale=minmax,norm=no,noise=bernoulli,delay=uniform:3",
        "d:costs=a|b|c,cost_max=5,baseline=a", "openml:6:low=0.1,high=0.9,baseline=trained:20",
        "x.csv:format=csv,header=no,baseline_known=per_round,shuffle=no"}) {
    const std::string printed = to_spec(parse_data(spec).value());
    EXPECT_EQ(to_spec(parse_data(printed).value()), printed);
  }
}

TEST(DataSpec, EveryRefusalNamesTheDataSetTheKeyAndTheValue) {
  EXPECT_EQ(refusal("d:scael=none"), "data d: unknown key \"scael\"; did you mean \"scale\"?");
  EXPECT_EQ(refusal("d:scale=up"),
            "data d: scale is \"up\"; one of standard, minmax, none was expected");
  EXPECT_EQ(refusal("d:scale=none,scale=none"),
            "key \"scale\" is given twice in \"d:scale=none,scale=none\"");
  EXPECT_EQ(refusal("d:scale=none,up"),
            "\"up\" in \"d:scale=none,up\" is not of the form key=value");
  EXPECT_EQ(refusal("d:low=1,high=0.5"),
            "data d: low is 1 and high 0.5; the right class must cost less");
  EXPECT_EQ(refusal("d:low=2"), "data d: low is \"2\"; a number in [0, 1] was expected");
  EXPECT_EQ(refusal("d:cost_max=nan"),
            "data d: cost_max is \"nan\"; a number in (0, 1e+300] was expected");
  EXPECT_EQ(refusal("d:costs=a"), "data d: costs names one column; two arms or more were expected");
  EXPECT_EQ(refusal("d:format=xls"), "data d: format is \"xls\"; one of auto, " +
                                         join(format_names(), ", ") + " was expected");
  EXPECT_EQ(refusal("d:ignore=a||b"),
            "data d: ignore is \"a||b\"; a list of columns, with | between them, was expected");
  EXPECT_EQ(refusal("d:baseline="),
            "data d: baseline is \"\"; the name of a baseline was expected");
  EXPECT_EQ(refusal("d:costs=a|a"), "data d: costs is \"a|a\"; each column once was expected");
  EXPECT_EQ(refusal("d:costs=a|b,noise=flip:0.1").substr(0, 34),
            "data d: noise is \"flip:0.1\"; flip ");
  EXPECT_EQ(refusal(":scale=none"), "a data set needs a name or a path");
}

// The default of a key stands in its row alone.
TEST(DataSpec, ANameAloneMeansTheDefaultsOfTheRows) {
  const DataConfig config = parse_data("d").value();
  EXPECT_EQ(config.format, nullptr);
  EXPECT_EQ(config.header, HeaderLine::kAuto);
  EXPECT_TRUE(config.has_classes());
  EXPECT_EQ(config.encoding, EncodingConfig());
  EXPECT_TRUE(config.shuffle);
  EXPECT_EQ(config.low, 0.01);
  EXPECT_EQ(config.high, 1.0);
  EXPECT_EQ(config.cost_max, 1.0);
  EXPECT_EQ(config.baseline, "majority");
  EXPECT_EQ(config.baseline_known, BaselineKnown::kMean);
  EXPECT_EQ(config.noise, Noise());
  EXPECT_EQ(config.delay, Delay());
  EXPECT_EQ(to_spec(config),
            "d:format=auto,header=auto,class=,ignore=,scale=standard,indicators=yes,missing=yes,"
            "constant=yes,norm=yes,shuffle=yes,low=0.01,high=1,baseline=majority,"
            "baseline_known=mean,noise=none,delay=none");
}

TEST(DataSpec, EveryKeyIsTyped) {
  const DataConfig config =
      parse_data(
          "d:format=csv,header=no,class=k,ignore=a|b,scale=none,indicators=no,missing=no,"
          "constant=no,norm=no,shuffle=no,low=0.1,high=0.9,baseline=column:c,"
          "baseline_known=floor,noise=flip:0.2,delay=7")
          .value();
  EXPECT_EQ(config.format, &kCsvFormat);
  EXPECT_EQ(config.header, HeaderLine::kAbsent);
  EXPECT_EQ(config.class_column, "k");
  EXPECT_EQ(config.ignored_columns, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(config.encoding, (EncodingConfig{.scaling = Scaling::kNone,
                                             .indicators = false,
                                             .missing = false,
                                             .constant = false,
                                             .unit_norm = false}));
  EXPECT_FALSE(config.shuffle);
  EXPECT_EQ(config.low, 0.1);
  EXPECT_EQ(config.high, 0.9);
  EXPECT_TRUE(config.follows_column());
  EXPECT_EQ(config.followed_column(), "c");
  EXPECT_EQ(config.baseline_known, BaselineKnown::kFloor);
  EXPECT_EQ(to_text(config.noise), "flip:0.2");
  EXPECT_EQ(to_text(config.delay), "7");
  const DataConfig costs = parse_data("d:costs=a|b,cost_max=5").value();
  EXPECT_FALSE(costs.has_classes());
  EXPECT_EQ(costs.cost_columns, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(costs.cost_max, 5.0);
}

// Results and saves must not depend on how a value was typed, and a data set with cost
// columns has no keys of classes.
TEST(DataSpec, HasOneSpelling) {
  EXPECT_EQ(to_spec(parse_data("d:noise=flip:0.10,delay=uniform:007,low=1e-1,high=0.50").value()),
            "d:format=auto,header=auto,class=,ignore=,scale=standard,indicators=yes,missing=yes,"
            "constant=yes,norm=yes,shuffle=yes,low=0.1,high=0.5,baseline=majority,"
            "baseline_known=mean,noise=flip:0.1,delay=uniform:7");
  EXPECT_EQ(to_spec(parse_data("d:cost_max=5.0,costs=a|b").value()),
            "d:format=auto,header=auto,ignore=,costs=a|b,cost_max=5,scale=standard,indicators=yes,"
            "missing=yes,constant=yes,norm=yes,shuffle=yes,baseline=majority,baseline_known=mean,"
            "noise=none,delay=none");
}

TEST(DataSpec, EveryRowSaysWhatItExpectsAndTakesItsDefault) {
  const ParameterValues values(data_rows());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ParameterSpec& row = values.row(i);
    EXPECT_FALSE(row.meaning.empty() || expected(row).empty()) << row.name;
    EXPECT_EQ(print_value(row, values.value(i)), row.fallback) << row.name;
  }
  EXPECT_EQ(expected(data_rows().front()), "one of auto, " + join(format_names(), ", "));
}

}  // namespace
}  // namespace handrail
