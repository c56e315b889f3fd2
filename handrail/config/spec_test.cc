#include "handrail/config/spec.h"

#include <gtest/gtest.h>

#include <array>

namespace handrail {
namespace {

Setting given(std::string_view text) {
  return {.key = "agent", .value = std::string(text), .place = "a.toml:1:9"};
}

std::string error_of(std::string_view text) {
  const Result<Spec> spec = parse_spec(given(text));
  return spec.ok() ? "" : spec.error().message;
}

TEST(Spec, ComesApartAndTogetherAgain) {
  for (const char* text : {"igw", "igw:lr=0.1", "igw:lr=0.1,gate=open", "igw:class="}) {
    EXPECT_EQ(to_text(parse_spec(given(text)).value()), text);
  }
  const Spec spec = parse_spec(given("igw:lr=a=b,gate=open")).value();
  EXPECT_EQ(spec.name, "igw");
  ASSERT_EQ(spec.keys.size(), 2U);
  EXPECT_EQ(spec.keys[0].key, "lr");
  EXPECT_EQ(spec.keys[0].value, "a=b");
  EXPECT_EQ(find_key(spec, "gate")->place, "a.toml:1:9");
  EXPECT_EQ(find_key(spec, "bound"), nullptr);
}

TEST(Spec, RefusesWhatIsNoKeyAndOneThatIsGivenTwice) {
  EXPECT_EQ(error_of("igw:lr"), "a.toml:1:9: \"lr\" in \"igw:lr\" is not of the form key=value");
  EXPECT_EQ(error_of("igw:"), "a.toml:1:9: \"\" in \"igw:\" is not of the form key=value");
  EXPECT_EQ(error_of("igw:lr=1,lr=1"),
            "a.toml:1:9: key \"lr\" is given twice in \"igw:lr=1,lr=1\"");
}

TEST(Spec, TheNameOfAPathMayHoldColons) {
  const auto name_of = [](std::string_view text) {
    return parse_spec(given(text), NameForm::kPath).value().name;
  };
  EXPECT_EQ(name_of("openml:letter@1:class=x"), "openml:letter@1");
  EXPECT_EQ(name_of("a:b.csv"), "a:b.csv");
  EXPECT_EQ(name_of("a.csv:cost_max=2"), "a.csv");
  EXPECT_EQ(name_of("C:Data=1.csv"), "C:Data=1.csv");
}

TEST(Spec, ALaterKeyReplacesAnEarlierOne) {
  Spec spec = parse_spec(given("igw:lr=1,gate=open")).value();
  ASSERT_TRUE(set_key(spec, {.key = "lr", .value = "2"}).ok());
  EXPECT_EQ(to_text(spec), "igw:gate=open,lr=2");
}

TEST(Spec, ASubjectStandsBehindEveryPlace) {
  const Spec spec = about("world x", parse_spec(given("x:lr=3")).value());
  EXPECT_EQ(spec.place, "a.toml:1:9: world x");
  EXPECT_EQ(spec.keys[0].place, "a.toml:1:9: world x");
  EXPECT_EQ(about("world x", {.name = "x"}).place, "world x");
}

TEST(Spec, KeysAreReadIntoTheRowsThatTheyName) {
  constexpr std::array<ParameterSpec, 2> kRows = {
      {number_row("lr", "", "1", {.low = 0.0, .high = 2.0}),
       count_row("arms", "", "3", {.low = 1.0, .high = 9.0})}};
  ParameterValues values(kRows);
  EXPECT_TRUE(read_keys(parse_spec(given("x:arms=4")).value().keys, values).ok());
  EXPECT_EQ(print_keys(values), "lr=1,arms=4");
  EXPECT_EQ(read_keys(parse_spec(given("x:arm=4")).value().keys, values).error().message,
            "a.toml:1:9: unknown key \"arm\"; did you mean \"arms\"?");
  EXPECT_EQ(read_keys(parse_spec(given("x:lr=3")).value().keys, values).error().message,
            "a.toml:1:9: lr is \"3\"; a number in [0, 2] was expected");
}

}  // namespace
}  // namespace handrail
