#include "handrail/env/data_spec.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

std::string refusal(std::string_view spec) {
  const Result<DataConfig> config = parse_data_spec(spec);
  return config.ok() ? "no refusal" : config.error().message;
}

TEST(DataSpec, ANameMayHoldColons) {
  EXPECT_EQ(parse_data_spec("openml:6").value().name, "openml:6");
  EXPECT_EQ(parse_data_spec("openml:letter@1:scale=none").value().name, "openml:letter@1");
  EXPECT_EQ(parse_data_spec("a/b:c.csv").value().name, "a/b:c.csv");
  const DataConfig flipped = parse_data_spec("shuttle:noise=flip:0.1").value();
  EXPECT_EQ(flipped.name, "shuttle");
  EXPECT_EQ(to_text(flipped.noise), "flip:0.1");
}

TEST(DataSpec, WhatIsPrintedReadsBackAsTheSame) {
  for (const std::string spec :
       {"d", "d:class=k,ignore=a|b,scale=minmax,norm=no,noise=bernoulli,delay=uniform:3",
        "d:costs=a|b|c,cost_max=5,baseline=a", "openml:6:low=0.1,high=0.9,baseline=trained:20",
        "x.csv:format=csv,header=no,baseline_known=per_round,shuffle=no"}) {
    const std::string printed = to_spec(parse_data_spec(spec).value());
    EXPECT_EQ(to_spec(parse_data_spec(printed).value()), printed);
  }
}

TEST(DataSpec, EveryRefusalNamesTheDataSetTheKeyAndTheValue) {
  EXPECT_EQ(refusal("d:scael=none"), "data d: unknown key \"scael\"; did you mean \"scale\"?");
  EXPECT_EQ(refusal("d:scale=up"),
            "data d: scale is \"up\"; one of standard, minmax, none was expected");
  EXPECT_EQ(refusal("d:scale=none,scale=none"), "data d: key \"scale\" is given twice");
  EXPECT_EQ(refusal("d:scale=none,up"), "data d: \"up\" is not of the form key=value");
  EXPECT_EQ(refusal("d:low=1,high=0.5"),
            "data d: low is 1 and high 0.5; the right class must cost less");
  EXPECT_EQ(refusal("d:low=2"), "data d: low is \"2\"; a number in [0, 1] was expected");
  EXPECT_EQ(refusal("d:cost_max=nan"),
            "data d: cost_max is \"nan\"; a number in (0, 1e300] was expected");
  EXPECT_EQ(refusal("d:costs=a"), "data d: costs names one column; two arms or more were expected");
  EXPECT_EQ(refusal("d:costs=a|a"), "data d: costs is \"a|a\"; each column once was expected");
  EXPECT_EQ(refusal("d:costs=a|b,noise=flip:0.1").substr(0, 34),
            "data d: noise is \"flip:0.1\"; flip ");
  EXPECT_EQ(refusal(":scale=none"), "a data set needs a name or a path");
}

}  // namespace
}  // namespace handrail
