// A decision with its feedback allocates nothing once everything has grown. This program replaces
// operator new by one that counts; what a library takes from malloc itself it does not see.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "handrail/agent/agent.h"
#include "handrail/base/random.h"

namespace {

std::uint64_t allocation_count = 0;

void* counted(std::size_t size) {
  ++allocation_count;
  void* memory = std::malloc(size);
  if (memory == nullptr) std::abort();
  return memory;
}

void* counted(std::size_t size, std::align_val_t alignment) {
  ++allocation_count;
  const auto step = static_cast<std::size_t>(alignment);
  void* memory = std::aligned_alloc(step, (size + step - 1) / step * step);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(size);
}
void* operator new[](std::size_t size) {
  return counted(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted(size, alignment);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace handrail {
namespace {

constexpr std::size_t kArms = 7;
constexpr std::size_t kFeatures = 10;
constexpr std::uint64_t kWarmUp = 100;
constexpr std::uint64_t kRounds = 1000;

// Decides round after round; costs come back `delay` rounds later, but for the first, which is
// lost if `loses_first`. Rows come as lists if `lists`.
class Player {
 public:
  Player(const std::string& spec, std::uint64_t delay, bool loses_first,
         std::size_t feature_count = kFeatures, bool lists = false)
      : agent_(make(spec, feature_count)),
        row_(feature_count),
        delay_(delay),
        next_answer_(loses_first ? 2 : 1),
        lists_(lists) {}

  void play(std::uint64_t rounds) {
    for (std::uint64_t i = 0; i < rounds; ++i) {
      RandomStream stream(1, Purpose::kTest, ++t_);
      for (double& value : row_) value = std::max(0.0, stream.uniform() - 0.5);
      if (lists_) list_.list(row_);
      const ArmFeatures shown =
          lists_ ? ArmFeatures::sparse_block(list_, kArms) : ArmFeatures::block(row_, kArms);
      const Round round = Round::make(shown, {.arm = 0, .cost = 0.5}).value();
      const Decision decision = agent_.plan(round, workspace_).value();
      agent_.apply(decision);
      while (next_answer_ + delay_ <= t_) answer(next_answer_++);
    }
  }
  const Agent& agent() const { return agent_; }

 private:
  static Agent make(const std::string& spec, std::size_t feature_count) {
    AgentSettings settings;
    settings.agent = spec;
    settings.reserve = 50.0;  // so that the certified gate opens at once, and shuts now and then
    settings.layout = {
        .shape = FeatureShape::kBlock, .feature_count = feature_count, .block_count = kArms};
    return Agent::make(settings).value();
  }
  void answer(std::uint64_t sequence) {
    const double cost = RandomStream(1, Purpose::kNoise, sequence).uniform();
    agent_.apply(agent_.accept({.sequence = sequence, .cost = cost}).value());
  }

  Agent agent_;
  Workspace workspace_;
  std::vector<double> row_;
  SparseRow list_;
  std::uint64_t delay_;
  std::uint64_t next_answer_;
  bool lists_;
  std::uint64_t t_ = 0;
};

std::uint64_t allocations_of(Player& player, std::uint64_t rounds) {
  const std::uint64_t before = allocation_count;
  player.play(rounds);
  return allocation_count - before;
}

TEST(Allocation, IsCounted) {
  const std::uint64_t before = allocation_count;
  const std::vector<double> numbers(100);
  EXPECT_EQ(allocation_count, before + 1);
}

class AllocationOfAnAgent : public ::testing::TestWithParam<std::string> {};

TEST_P(AllocationOfAnAgent, EndsWithWarmUp) {
  Player player(GetParam(), 0, false);
  player.play(kWarmUp);
  EXPECT_EQ(allocations_of(player, kRounds), 0u);
  EXPECT_GT(player.agent().account().explored, kRounds / 10);
}

INSTANTIATE_TEST_SUITE_P(
    Agents, AllocationOfAnAgent,
    ::testing::Values(
        "uniform", "uniform:gate=certified", "squarecb:oracle=linear", "c-squarecb:oracle=linear",
        "fastcb:oracle=linear", "squarecb:oracle=ridge", "c-squarecb:oracle=ridge",
        "c-squarecb:oracle=ridge,gate=paper,margin_scale=0", "lints", "c-lints:draws=5",
        "squarecb:oracle=mlp,buffer=64", "c-squarecb:oracle=mlp,buffer=64",
        "neural-ucb:memory=64,train_steps=9,train_every=7",
        "neural-ucb:gate=certified,memory=64,train_steps=9",
        "neural-ts:memory=64,train_steps=2,train_every=7",
        "neural-ts:draws=9,memory=64,train_steps=2", "c-smooth-igw:oracle=linear",
        "smooth-igw:oracle=ridge", "c-squarecb:oracle=linear,gate=certified-ips",
        "c-squarecb:oracle=linear,gate=certified-dr", "uniform:gate=certified-stationary"));

// The list of pending decisions turns around once before all its memory was used.
TEST(Allocation, EndsWithWarmUpWhereCostsAreLate) {
  Player player("c-squarecb:oracle=linear", 20, false);
  player.play(kWarmUp);
  EXPECT_EQ(allocations_of(player, kRounds), 0u);
}

// Lists of what is not 0 have another length every time.
TEST(Allocation, EndsWithWarmUpWhereRowsAreLong) {
  constexpr std::size_t kManyFeatures = 100;
  for (const char* spec :
       {"c-squarecb:oracle=linear", "greedy:oracle=linear", "c-squarecb:oracle=ridge"}) {
    for (const bool lists : {false, true}) {
      Player player(spec, 5, false, kManyFeatures, lists);
      player.play(kWarmUp);
      EXPECT_EQ(allocations_of(player, kRounds), 0u) << spec << (lists ? ", as lists" : "");
    }
  }
}

TEST(Allocation, EndsWithWarmUpWhereACostIsLost) {
  Player player("c-squarecb:oracle=linear", 0, true);
  player.play(kWarmUp);
  EXPECT_EQ(allocations_of(player, kRounds), 0u);
  EXPECT_EQ(player.agent().account().pending, 1u);
}

// Rows are put together and spanners built in memory that is kept.
TEST(Allocation, EndsWithWarmUpWhereArmsAreProducts) {
  const std::vector<Factor> factors = {{4, 2}, {3, 2}, {1, 1}};
  for (const char* spec : {"c-smooth-igw:oracle=ridge", "spanner-igw"}) {
    AgentSettings settings;
    settings.agent = spec;
    settings.reserve = 50.0;
    settings.layout = {.shape = FeatureShape::kProduct, .feature_count = 5};
    Agent agent = Agent::make(settings).value();
    Workspace workspace;
    std::vector<double> values(15);
    std::uint64_t before = 0;
    for (std::uint64_t t = 1; t <= kWarmUp + kRounds; ++t) {
      if (t == kWarmUp + 1) before = allocation_count;
      RandomStream stream(1, Purpose::kTest, t);
      for (double& value : values) value = stream.uniform();
      const Round round = Round::make(ArmFeatures::product(values, factors), {1, 0.5}).value();
      agent.apply(agent.plan(round, workspace).value());
      agent.apply(agent.accept({.sequence = t, .cost = stream.uniform()}).value());
    }
    EXPECT_EQ(allocation_count, before) << spec;
    EXPECT_GT(agent.account().explored, kRounds / 10) << spec;
  }
}

}  // namespace
}  // namespace handrail
