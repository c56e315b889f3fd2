#include "handrail/eval/trace_round.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/run_fixture.h"

namespace handrail {
namespace {

std::string line_of(const std::string& agent, const std::string& world, bool features) {
  auto run = run_of({{"agent", agent}, {"world", world}});
  run.advance();
  return trace_line(run.record(), {.features = features});
}

bool has_field(const std::string& line, const std::string& name) {
  return line.find("\"" + name + "\":") != std::string::npos;
}

TEST(TraceRound, EveryFieldHasANameOfItsOwnAndAMeaning) {
  std::set<std::string_view> names;
  for (const RoundFieldText& text : round_field_texts()) {
    EXPECT_TRUE(names.insert(text.name).second) << text.name;
    EXPECT_FALSE(text.type.empty() || text.meaning.empty()) << text.name;
  }
}

TEST(TraceRound, ALineHasEveryFieldInTheOrderOfTheTable) {
  const std::string line = line_of("smooth-igw:oracle=ridge", "product", true);
  std::size_t place = 0;
  for (const RoundFieldText& text : round_field_texts()) {
    const std::string_view field = nested_name(text.name).field;
    const std::size_t found = line.find("\"" + std::string(field) + "\":", place);
    ASSERT_NE(found, std::string::npos) << text.name;
    place = found;
  }
}

TEST(TraceRound, SomeFieldsAreThereOnlyWhereTheyMeanSomething) {
  const std::string error(name_of(RoundField::kPropensityError));
  const std::string features(name_of(RoundField::kFeatures));
  const std::string dense = line_of("uniform", "linear:arms=3,dim=2", false);
  EXPECT_FALSE(has_field(dense, error));
  EXPECT_FALSE(has_field(dense, features));
  EXPECT_TRUE(has_field(line_of("uniform", "linear:arms=3,dim=2", true), features));
  EXPECT_TRUE(has_field(line_of("smooth-igw:oracle=ridge", "product", false), error));
}

}  // namespace
}  // namespace handrail
