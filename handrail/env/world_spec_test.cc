#include "handrail/env/world_spec.h"

#include <gtest/gtest.h>

#include "handrail/env/nonlinear_world.h"
#include "tests/world_fixture.h"

namespace handrail {
namespace {

std::string refusal(std::string_view spec) {
  const Result<WorldConfig> parsed = parse_world(spec);
  return parsed.ok() ? "accepted" : parsed.error().message;
}

TEST(WorldSpec, SpellsOutEveryKeyThatApplies) {
  const auto spelled = [](std::string_view spec) { return to_spec(parse_world(spec).value()); };
  EXPECT_EQ(spelled("linear"), "linear:arms=10,dim=10,rank=4,noise=bernoulli,delay=none");
  EXPECT_EQ(spelled("nonlinear"),
            "nonlinear:arms=10,dim=10,rank=4,shape=quadratic,noise=bernoulli,delay=none");
  EXPECT_EQ(spelled("misspecified:arms=3"),
            "misspecified:arms=3,dim=10,rank=1,noise=bernoulli,delay=none");
  EXPECT_EQ(spelled("drifting:delay=outcome:5:300,noise=none"),
            "drifting:arms=10,dim=10,rank=4,jump=1500,noise=none,delay=outcome:5:300");
  EXPECT_EQ(spelled("armed:rank=10"), "armed:arms=10,rank=10,noise=bernoulli,delay=none");
  EXPECT_EQ(
      spelled("product"),
      "product:rank=4,noise=bernoulli,delay=none,factors=5,choices=10,features=4,curve=linear");
}

TEST(WorldSpec, ReadsEveryKey) {
  const WorldConfig nonlinear =
      parse_world("nonlinear:arms=7,dim=3,rank=2,shape=cosine,noise=none,delay=uniform:9").value();
  EXPECT_EQ(nonlinear.entry, &kNonlinearWorld);
  EXPECT_EQ(nonlinear.values.count("arms"), 7u);
  EXPECT_EQ(nonlinear.values.count("dim"), 3u);
  EXPECT_EQ(nonlinear.values.count("rank"), 2u);
  EXPECT_EQ(nonlinear.values.text("shape"), "cosine");
  EXPECT_EQ(nonlinear.values.text("noise"), "none");
  EXPECT_EQ(nonlinear.values.text("delay"), "uniform:9");
  EXPECT_EQ(parse_world("drifting:jump=0").value().values.count("jump"), 0u);
}

// Results and saves must not depend on how a value was typed.
TEST(WorldSpec, HasOneSpelling) {
  EXPECT_EQ(to_spec(parse_world("armed:delay=uniform:007,arms=04,rank=auto").value()),
            "armed:arms=4,rank=2,noise=bernoulli,delay=uniform:7");
}

TEST(WorldSpec, NamesWhatWasMeant) {
  EXPECT_EQ(refusal("liner"), "unknown world \"liner\"; did you mean \"linear\"?");
  EXPECT_EQ(refusal("mispecified:arms=5"),
            "unknown world \"mispecified\"; did you mean \"misspecified\"?");
  EXPECT_EQ(refusal("linear:arm=5"), "world linear: unknown key \"arm\"; did you mean \"arms\"?");
  EXPECT_EQ(refusal("linear:delay=none,nosie=none"),
            "world linear: unknown key \"nosie\"; did you mean \"noise\"?");
}

TEST(WorldSpec, RefusesKeysOfOtherWorlds) {
  EXPECT_EQ(refusal("linear:jump=5"), "world linear: key \"jump\" is for drifting only");
  EXPECT_EQ(refusal("drifting:shape=cosine"),
            "world drifting: key \"shape\" is for nonlinear only");
  EXPECT_EQ(refusal("armed:dim=5"),
            "world armed: key \"dim\" is for linear, nonlinear, misspecified, drifting only");
}

TEST(WorldSpec, BoundsTheArmsOfAProduct) {
  EXPECT_EQ(world("product")->arm_count(), 100'000u);
  EXPECT_EQ(world("product:factors=24,choices=2")->arm_count(), 1u << 24);
  EXPECT_EQ(refusal("product:factors=25,choices=2"),
            "world product: choices is 2 and factors is 25; at most 2^24 arms were expected");
  EXPECT_EQ(refusal("product:factors=200,choices=4000"),
            "world product: choices is 4000 and factors is 200; at most 2^24 arms were expected");
  EXPECT_EQ(refusal("product:choices=3,rank=4"),
            "world product: rank is \"4\"; auto or a whole number in [1, 3] was expected");
  EXPECT_EQ(refusal("product:arms=4"),
            "world product: key \"arms\" is for linear, nonlinear, misspecified, drifting, armed "
            "only");
  EXPECT_EQ(refusal("product:curve=bent"),
            "world product: curve is \"bent\"; one of linear, square was expected");
  EXPECT_EQ(refusal("product:features=0"),
            "world product: features is \"0\"; a whole number in [1, 4096] was expected");
}

TEST(WorldSpec, RefusesPairsThatAreNone) {
  EXPECT_EQ(refusal("linear:"), "\"\" in \"linear:\" is not of the form key=value");
  EXPECT_EQ(refusal("linear:arms"), "\"arms\" in \"linear:arms\" is not of the form key=value");
  EXPECT_EQ(refusal("linear:arms=5,"), "\"\" in \"linear:arms=5,\" is not of the form key=value");
  EXPECT_EQ(refusal("linear:arms=5,arms=5"),
            "key \"arms\" is given twice in \"linear:arms=5,arms=5\"");
}

TEST(WorldSpec, RefusesValuesThatAreNone) {
  EXPECT_EQ(refusal("linear:arms=ten"),
            "world linear: arms is \"ten\"; a whole number in [1, 65536] was expected");
  EXPECT_EQ(refusal("linear:rank="),
            "world linear: rank is \"\"; auto or a whole number in [1, 65536] was expected");
  EXPECT_EQ(refusal("nonlinear:shape=cubic"),
            "world nonlinear: shape is \"cubic\"; one of quadratic, bilinear, cosine was expected");
  EXPECT_EQ(refusal("linear:noise=loud"),
            "world linear: noise is \"loud\"; none, bernoulli or flip:RATE was expected, "
            "RATE a number in [0, 1]");
  EXPECT_EQ(refusal("linear:noise=flip:0.1"),
            "world linear: noise is \"flip:0.1\"; flip needs labels, which a world has not: "
            "none or bernoulli was expected");
  EXPECT_EQ(refusal("linear:delay=uniform"),
            "world linear: delay is \"uniform\"; none, N, uniform:N or outcome:N:M was expected, "
            "N and M whole numbers");
}

TEST(WorldSpec, RefusesValuesOutOfBounds) {
  EXPECT_EQ(refusal("linear:arms=0"),
            "world linear: arms is \"0\"; a whole number in [1, 65536] was expected");
  EXPECT_EQ(refusal("armed:arms=18446744073709551615"),
            "world armed: arms is \"18446744073709551615\"; "
            "a whole number in [1, 65536] was expected");
  EXPECT_EQ(refusal("misspecified:arms=2"),
            "world misspecified: arms is \"2\"; a whole number in [3, 65536] was expected");
  EXPECT_EQ(refusal("linear:dim=4097"),
            "world linear: dim is \"4097\"; a whole number in [1, 4096] was expected");
  EXPECT_EQ(refusal("linear:rank=11"),
            "world linear: rank is \"11\"; auto or a whole number in [1, 10] was expected");
  EXPECT_EQ(refusal("linear:rank=0"),
            "world linear: rank is \"0\"; auto or a whole number in [1, 65536] was expected");
  EXPECT_EQ(refusal("misspecified:rank=9"),
            "world misspecified: rank is \"9\"; auto or a whole number in [1, 8] was expected");
  EXPECT_EQ(refusal("drifting:jump=1099511627777"),
            "world drifting: jump is \"1099511627777\"; "
            "a whole number in [0, 1099511627776] was expected");
  EXPECT_EQ(refusal("linear:arms=65536,dim=4096"),
            "world linear: arms times dim is 268435456; at most 16777216 was expected");
  EXPECT_EQ(refusal("linear:arms=1,dim=1,rank=1"), "accepted");
  EXPECT_EQ(refusal("armed:arms=1,rank=2"),
            "world armed: rank is \"2\"; auto or a whole number in [1, 1] was expected");
}

TEST(WorldSpec, AnErrorNamesThePlaceOfItsKey) {
  Spec spec = parse_spec({.key = "world", .value = "linear:arms=4", .place = "a.toml:1:9"}).value();
  ASSERT_TRUE(set_key(spec, {.key = "dim", .value = "x", .place = "--dim"}).ok());
  EXPECT_EQ(read_world(spec).error().message,
            "--dim: world linear: dim is \"x\"; a whole number in [1, 4096] was expected");
  ASSERT_TRUE(set_key(spec, {.key = "dim", .value = "1", .place = "--dim"}).ok());
  ASSERT_TRUE(set_key(spec, {.key = "rank", .value = "5", .place = "--baseline"}).ok());
  EXPECT_EQ(
      read_world(spec).error().message,
      "a.toml:1:9: world linear: rank is \"5\"; auto or a whole number in [1, 4] was expected");
}

}  // namespace
}  // namespace handrail
