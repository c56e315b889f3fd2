#include "handrail/eval/environment_config.h"

#include <gtest/gtest.h>

#include <vector>

namespace handrail {
namespace {

constexpr EnvironmentKind kWorld = EnvironmentKind::kWorld;
constexpr EnvironmentKind kData = EnvironmentKind::kData;

using Flags = std::vector<std::pair<std::string, std::string>>;

Result<EnvironmentConfig> read(EnvironmentKind kind, const std::string& text, const Flags& given,
                               Precedence precedence = Precedence::kFlag) {
  std::vector<Setting> flags;
  for (const auto& [key, value] : given) flags.push_back({key, value, "--" + key});
  const Result<Spec> spec =
      parse_spec({.key = "x", .value = text, .place = "x.toml:1:1"}, name_form(kind));
  if (!spec.ok()) return spec.error();
  return read_environment(kind, spec.value(), flags, precedence);
}

std::string refusal(EnvironmentKind kind, const std::string& text, const Flags& given) {
  const Result<EnvironmentConfig> made = read(kind, text, given);
  return made.ok() ? "no refusal" : made.error().message;
}

TEST(EnvironmentConfig, FlagsAreSetOverTheSpecOrUnderIt) {
  const Flags flags = {{"noise", "none"}, {"baseline", "rank:2"}, {"baseline-known", "per_round"}};
  const std::string spec = "armed:arms=4,rank=1";
  EXPECT_EQ(to_spec(read(kWorld, spec, flags).value()),
            "armed:arms=4,rank=2,noise=none,delay=none");
  EXPECT_EQ(to_spec(read(kWorld, spec, flags, Precedence::kSpec).value()),
            "armed:arms=4,rank=1,noise=none,delay=none");
  const EnvironmentConfig data =
      read(kData, "a:b.csv:cost_max=2", {{"costs", "x,y"}, {"cost-max", "3"}}).value();
  EXPECT_EQ(data.data.name, "a:b.csv");
  EXPECT_EQ(data.data.cost_columns, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(data.data.cost_max, 3.0);
}

TEST(EnvironmentConfig, AnErrorNamesThePlaceThatIsToBlame) {
  EXPECT_EQ(refusal(kWorld, "armed:arms=x", {{"noise", "none"}}).substr(0, 30),
            "x.toml:1:1: world armed: arms ");
  EXPECT_EQ(refusal(kWorld, "armed", {{"noise", "loud"}, {"delay", "3"}}).substr(0, 22),
            "--noise: world armed: ");
  // If several keys clash, the last flag is to blame where the SPEC is good without it.
  EXPECT_EQ(
      refusal(kWorld, "armed:arms=2", {{"baseline", "rank:3"}}),
      "--baseline: world armed: rank is \"3\"; auto or a whole number in [1, 2] was expected");
  EXPECT_EQ(refusal(kWorld, "armed:arms=2,rank=3", {{"noise", "none"}}).substr(0, 12),
            "x.toml:1:1: ");
  EXPECT_EQ(refusal(kData, "d:low=0.5,high=0.4", {}).substr(0, 20), "x.toml:1:1: data d: ");
  EXPECT_EQ(refusal(kData, "d", {{"class", "a,b"}}).substr(0, 9), "--class: ");
}

TEST(EnvironmentConfig, SaysWhatAFlagWouldBeToMakeTheSame) {
  const EnvironmentConfig world = read(kWorld, "armed:arms=9", {}).value();
  EXPECT_EQ(value_of_flag(world, "baseline"), "rank:3");
  EXPECT_EQ(value_of_flag(world, "noise"), "bernoulli");
  EXPECT_EQ(value_of_flag(world, "class"), "");
  const EnvironmentConfig data = read(kData, "d:noise=flip:0.10", {}).value();
  EXPECT_EQ(value_of_flag(data, "baseline"), "majority");
  EXPECT_EQ(value_of_flag(data, "noise"), "flip:0.1");
}

}  // namespace
}  // namespace handrail
