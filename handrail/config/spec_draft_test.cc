#include "handrail/config/spec_draft.h"

#include <gtest/gtest.h>

namespace handrail {
namespace {

std::string drafted(const std::vector<std::pair<std::string, std::string>>& settings) {
  SpecDraft draft("agent", "preset", NameForm::kPlain);
  for (const auto& [key, value] : settings) {
    const Setting setting = {.key = key, .value = value, .place = "at " + key};
    EXPECT_TRUE(draft.takes(setting));
    const Status set = draft.set(setting);
    if (!set.ok()) return set.error().message;
  }
  return to_text(draft.spec("igw"));
}

TEST(SpecDraft, PartsAreSetOverAWholeSpec) {
  EXPECT_EQ(drafted({}), "igw");
  EXPECT_EQ(drafted({{"agent.lr", "1"}}), "igw:lr=1");
  EXPECT_EQ(drafted({{"agent", "a:lr=2,gate=open"}, {"agent.lr", "1"}}), "a:gate=open,lr=1");
  EXPECT_EQ(drafted({{"agent.lr", "1"}, {"agent.lr", "2"}}), "igw:lr=2");
}

TEST(SpecDraft, AWholeSpecForgetsThePartsAndANameForgetsTheWhole) {
  EXPECT_EQ(drafted({{"agent.lr", "1"}, {"agent", "a"}}), "a");
  EXPECT_EQ(drafted({{"agent.lr", "1"}, {"agent.preset", "a"}}), "a:lr=1");
  EXPECT_EQ(drafted({{"agent", "b:gate=open"}, {"agent.lr", "1"}, {"agent.preset", "a"}}),
            "a:lr=1");
}

TEST(SpecDraft, RefusesWhatIsNoSpecAndNoValue) {
  EXPECT_EQ(drafted({{"agent", ""}}), "at agent: agent is empty; a SPEC was expected");
  EXPECT_EQ(drafted({{"agent.lr", "0,gate=open"}}),
            "at agent.lr: agent.lr is \"0,gate=open\"; a value without commas was expected");
}

TEST(SpecDraft, TakesItsOwnSettingsOnly) {
  const SpecDraft draft("agent", "preset", NameForm::kPlain);
  EXPECT_FALSE(draft.takes({.key = "agents", .value = ""}));
  EXPECT_FALSE(draft.takes({.key = "world", .value = ""}));
  EXPECT_TRUE(draft.takes({.key = "agent.preset", .value = ""}));
}

TEST(SpecDraft, BlamesThePartWhereNothingElseWasGiven) {
  SpecDraft draft("agent", "preset", NameForm::kPlain);
  EXPECT_FALSE(draft.given());
  ASSERT_TRUE(draft.set({.key = "agent.lr", .value = "1", .place = "here"}).ok());
  EXPECT_EQ(draft.place(), "here");
  EXPECT_FALSE(draft.named());
}

}  // namespace
}  // namespace handrail
