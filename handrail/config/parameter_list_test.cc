#include "handrail/config/parameter_list.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

constexpr std::array<std::string_view, 2> kGaits = {"walk", "run"};
constexpr ParameterSpec kRow = count_row("steps", "how many", "3", {.low = 1.0, .high = 9.0});

TEST(ParameterList, ARowIsTwoLinesOfText) {
  EXPECT_EQ(parameter_as_text(kRow),
            "  steps                3          how many\n"
            "                                    a whole number in [1, 9]\n");
  EXPECT_EQ(parameter_as_text(kRow, "4").substr(0, 34), "  steps                4          ");
}

TEST(ParameterList, ARowIsAnObjectWithItsBounds) {
  const auto written = [](const ParameterSpec& row) {
    std::string text;
    JsonWriter json(text);
    write_parameter(json, row);
    return text;
  };
  EXPECT_EQ(written(kRow), R"({"name":"steps","default":"3","expected":"a whole number in [1, 9]",)"
                           R"("low":1,"high":9,"meaning":"how many"})");
  EXPECT_EQ(written(grouped("walk", kRow)),
            R"({"name":"steps","group":"walk","default":"3",)"
            R"("expected":"a whole number in [1, 9]","low":1,"high":9,"meaning":"how many"})");
  EXPECT_EQ(written(word_row("gait", "how", "walk", kGaits)),
            R"({"name":"gait","default":"walk","expected":"one of walk, run",)"
            R"("words":["walk","run"],"meaning":"how"})");
}

}  // namespace
}  // namespace handrail
