#include "handrail/agent/save_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "handrail/agent/agent.h"
#include "handrail/base/bytes.h"
#include "handrail/base/random.h"
#include "tests/run_fixture.h"

namespace handrail {
namespace {

TEST(SaveFile, ReadsBackWhatWasWritten) {
  const std::string path = temporary_path("save");
  ASSERT_TRUE(write_save(path, {.agent = std::string("a\0b", 3), .run = "run"}).ok());
  const SaveFile save = read_save(path).value();
  EXPECT_EQ(save.agent, std::string("a\0b", 3));
  EXPECT_EQ(save.run, "run");
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
}

TEST(SaveFile, ReplacesAnEarlierOne) {
  const std::string path = temporary_path("save");
  ASSERT_TRUE(write_save(path, {.agent = "first", .run = ""}).ok());
  ASSERT_TRUE(write_save(path, {.agent = "second", .run = ""}).ok());
  EXPECT_EQ(read_save(path).value().agent, "second");
}

// A link stands for the device, so that a mistake here can destroy the link and nothing else.
TEST(SaveFile, DoesNotReplaceWhatIsNoFile) {
  const std::string link = temporary_path("device");
  std::filesystem::remove(link);
  std::filesystem::create_symlink("/dev/null", link);
  EXPECT_EQ(write_save(link, {}).error().message,
            link + ": is not a file that a save could replace");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_FALSE(write_save(::testing::TempDir(), {}).ok());
}

TEST(SaveFile, BytesLeftOverAreRefused) {
  const std::string path = temporary_path("save");
  ByteWriter out;
  out.text("agent");
  out.text("run");
  out.u8(0);
  ASSERT_TRUE(write_file(path, seal(out.bytes())).ok());
  EXPECT_EQ(read_save(path).error().message, path + ": byte 24: has bytes left over at its end");
}

// The bytes of a small run's save, with decisions that wait for their cost.
std::string small_save() {
  const std::string path = temporary_path("whole");
  Run run = run_of(
      {{"agent", "uniform:gate=certified"}, {"world", "linear:arms=3,dim=2"}, {"delay", "3"}});
  advance(run, 6);
  EXPECT_TRUE(run.save(path).ok());
  return read_file(path).value();
}

void expect_refused(const std::string& bytes, std::size_t place) {
  const std::string path = temporary_path("bad");
  // Not write_file(), which waits for the disk: there are thousands of these.
  ASSERT_TRUE(std::ofstream(path, std::ios::binary) << bytes);
  const Result<Agent> agent = Agent::load(path);
  ASSERT_FALSE(agent.ok()) << place;
  EXPECT_TRUE(agent.error().message.starts_with(path + ": ")) << agent.error().message;
  EnvironmentShelf shelf{CatalogConfig{}};
  EXPECT_FALSE(Run::resume(path, shelf).ok()) << place;
}

TEST(SaveFile, EveryFlippedByteIsFound) {
  const std::string whole = small_save();
  for (std::size_t place = 0; place < whole.size(); ++place) {
    std::string flipped = whole;
    flipped[place] = static_cast<char>(~flipped[place]);
    expect_refused(flipped, place);
  }
}

TEST(SaveFile, EveryCutIsFound) {
  const std::string whole = small_save();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    expect_refused(whole.substr(0, length), length);
  }
}

// Long rows wait as lists and are saved as rows: an agent that was loaded meanwhile learns the
// same.
TEST(SaveFile, DecisionsOnLongRowsGoOnWithTheSameBits) {
  constexpr std::size_t kFeatures = 60;
  AgentSettings settings;
  settings.agent = "squarecb:oracle=linear";
  settings.layout = {.shape = FeatureShape::kBlock, .feature_count = kFeatures, .block_count = 3};
  Agent agent = Agent::make(settings).value();
  Workspace workspace;
  std::vector<double> row(kFeatures);
  for (std::uint64_t t = 1; t <= 40; ++t) {
    RandomStream stream(1, Purpose::kTest, t);
    for (double& value : row) value = stream.below(4) == 0 ? stream.normal() : 0.0;
    const Round round = Round::make(ArmFeatures::block(row, 3), {}).value();
    agent.apply(agent.plan(round, workspace).value());
    if (t <= 5) continue;
    Agent loaded = Agent::from_state(agent.state(), "here").value();
    for (Agent* one : {&agent, &loaded}) {
      one->apply(one->accept({.sequence = t - 5, .cost = t % 3 == 0 ? 1.0 : 0.01}).value());
    }
    ASSERT_EQ(agent.state(), loaded.state()) << "round " << t;
  }
}

// Behind the checksum, where only a program that means harm gets: cut states are refused too.
TEST(SaveFile, EveryCutOfASealedStateIsFound) {
  const auto run = run_of({{"agent", "uniform:gate=certified"}, {"world", "armed:arms=3"}});
  const std::string state = run.agent().state();
  for (std::size_t length = 0; length < state.size(); ++length) {
    EXPECT_FALSE(Agent::from_state(state.substr(0, length), "here").ok()) << length;
  }
  EXPECT_FALSE(Agent::from_state(state + "x", "here").ok());
}

}  // namespace
}  // namespace handrail
