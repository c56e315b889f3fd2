// One agent, many policies, many gates: every policy of the registry behind every gate, in a world
// with arms that are the same in every round, in one where they are not, and in one with more of
// them than most policies look at, with late costs. Either
// the pair is refused with a sentence, or it plays, its trace follows, and it goes on from what it
// saved with the same bits.
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "handrail/eval/audit.h"
#include "handrail/oracle/registry.h"
#include "handrail/policy/registry.h"
#include "handrail/safety/registry.h"
#include "tests/run_fixture.h"

namespace handrail {
namespace {

constexpr int kRounds = 200;
constexpr int kMoreRounds = 20;

struct Quick {
  std::string_view policy;
  std::string_view settings;
};
// What makes a policy learn in short steps, so that sanitizers get to the end of it.
constexpr std::array kQuick = {
    Quick{"greedy", "oracle=mlp,width=8,batch=4"},
    Quick{"neural-ucb", "hidden=8,train_steps=4,train_every=10,train_until=20"},
    Quick{"neural-ts", "hidden=8,train_steps=2,train_every=20"},
    Quick{"neural-linear", "units=6,train_batch=8,train_epochs=5"},
    Quick{"ee-net", "units=6,pool=3,train_steps=10"},
};

constexpr std::array<std::string_view, 3> kWorlds = {"armed:arms=4", "linear:arms=4,dim=3",
                                                     "product:factors=3,choices=4,features=2"};

std::string spec_of(const PolicyEntry& policy, std::string_view gate) {
  std::string spec = "uniform:policy=" + std::string(policy.name) + ",gate=" + std::string(gate) +
                     ",regret_bound=2,future_cost=0.1,budget_regret=2";
  for (const Quick& quick : kQuick) {
    if (quick.policy == policy.name) return spec + "," + std::string(quick.settings);
  }
  return spec + ",oracle=ridge";
}

// "" if the agent can be made for the world; else the sentence that refuses it.
std::string refusal_of(const std::string& spec, std::string_view world) {
  const Result<RunConfig> config = read_run(settings_from(
      {{"agent", spec}, {"world", std::string(world)}, {"delay", "uniform:5"}, {"alpha", "0.5"}}));
  if (!config.ok()) return config.error().message;
  EnvironmentShelf shelf{CatalogConfig{}};
  const Result<Run> run = start_run(config.value(), shelf);
  return run.ok() ? "" : run.error().message;
}

Run start(const std::string& spec, std::string_view world) {
  return run_of(
      {{"agent", spec}, {"world", std::string(world)}, {"delay", "uniform:5"}, {"alpha", "0.5"}});
}

void expect_trace_follows(const std::string& trace) {
  std::istringstream in(trace);
  TraceReader reader(in, "trace");
  const Result<TraceHeader> header = reader.header();
  ASSERT_TRUE(header.ok()) << header.error().message;
  Result<Auditor> auditor = Auditor::make(header.value());
  ASSERT_TRUE(auditor.ok()) << auditor.error().message;
  for (;;) {
    const Result<std::optional<TraceRound>> round = reader.next();
    ASSERT_TRUE(round.ok()) << round.error().message;
    if (!round.value().has_value()) break;
    const std::optional<Difference> difference = auditor.value().check(*round.value());
    ASSERT_FALSE(difference.has_value())
        << "round " << round.value()->t << ": " << difference->field << " is " << difference->stated
        << ", not " << difference->recomputed;
  }
}

void expect_goes_on_from_its_save(Run& run) {
  const std::string path = temporary_path("save");
  ASSERT_TRUE(run.save(path).ok());
  EnvironmentShelf shelf{CatalogConfig{}};
  Result<Run> again = Run::resume(path, shelf);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(trace_of(again.value(), kMoreRounds), trace_of(run, kMoreRounds));
}

class Frame : public ::testing::TestWithParam<std::string_view> {};

TEST_P(Frame, PlaysBehindEveryGateThatTakesIt) {
  const PolicyEntry& policy = *find_policy(GetParam());
  int played = 0;
  for (const GateEntry* gate : gates()) {
    for (const std::string_view world : kWorlds) {
      const std::string spec = spec_of(policy, gate->name);
      SCOPED_TRACE(spec + " in " + std::string(world));
      const std::string refusal = refusal_of(spec, world);
      if (!refusal.empty()) {
        EXPECT_GT(refusal.size(), 20U) << refusal;
        continue;
      }
      ++played;
      handrail::Run run = start(spec, world);
      expect_trace_follows(trace_of(run, kRounds));
      expect_goes_on_from_its_save(run);
      if (HasFatalFailure()) return;
    }
  }
  // The trivial gates take everything.
  EXPECT_GE(played, 2);
}

std::vector<std::string_view> policy_names() {
  std::vector<std::string_view> names;
  for (const PolicyEntry* policy : policies()) names.push_back(policy->name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Policies, Frame, ::testing::ValuesIn(policy_names()),
                         [](const ::testing::TestParamInfo<std::string_view>& policy) {
                           std::string name(policy.param);
                           std::erase(name, '-');
                           return name;
                         });

// Calls check() with every part of every kind.
template <typename Check>
void for_every_part(Check check) {
  for (const OracleEntry* entry : oracles()) check(*entry);
  for (const PolicyEntry* entry : policies()) check(*entry);
  for (const GateEntry* entry : gates()) check(*entry);
}

TEST(Registry, FallbacksAreValuesThatMayBeGiven) {
  for_every_part([](const auto& entry) {
    for (const ParameterSpec& row : entry.parameters) {
      EXPECT_TRUE(parse_value(row, row.fallback).ok()) << entry.name << ": " << row.name;
      EXPECT_FALSE(row.meaning.empty());
    }
  });
}

TEST(Registry, EveryPartSaysWhatItIsAndHowItIsMade) {
  for_every_part([](const auto& entry) {
    EXPECT_FALSE(entry.name.empty());
    EXPECT_FALSE(entry.meaning.empty()) << entry.name;
    EXPECT_NE(entry.make, nullptr) << entry.name;
  });
}

TEST(Registry, FindsByName) {
  for (const PolicyEntry* policy : policies()) EXPECT_EQ(find_policy(policy->name), policy);
  EXPECT_EQ(find_policy("nobody"), nullptr);
  for (const GateEntry* gate : gates()) EXPECT_EQ(find_gate(gate->name), gate);
  EXPECT_EQ(find_gate("nobody"), nullptr);
}

}  // namespace
}  // namespace handrail
