#include "handrail/config/parameter_list.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

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
                           R"("meaning":"how many"})");
  EXPECT_EQ(written(grouped("walk", kRow)),
            R"({"name":"steps","group":"walk","default":"3",)"
            R"("expected":"a whole number in [1, 9]","meaning":"how many"})");
}

}  // namespace
}  // namespace handrail
