#include "handrail/data/play_log.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/temporary_path.h"

namespace handrail {
namespace {

const FeatureLayout kLayout = {.shape = FeatureShape::kBlock, .feature_count = 2, .block_count = 3};

std::string write(std::string_view text) {
  const std::string path = temporary_path("log");
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

// Without the path before it.
std::string complaint(std::string_view text) {
  const std::string path = write(text);
  const Result<PlayLog> log = read_play_log(path, kLayout);
  if (log.ok()) return "nothing";
  const std::string& message = log.error().message;
  EXPECT_TRUE(message.starts_with(path)) << message;
  return message.substr(path.size());
}

void expect_plays(const Result<PlayLog>& log) {
  ASSERT_TRUE(log.ok()) << log.error().message;
  const std::vector<LoggedPlay> plays = log.value().plays();
  ASSERT_EQ(plays.size(), 2u);
  EXPECT_EQ(plays[0].arm, 2u);
  EXPECT_EQ(plays[0].cost, 0.25);
  EXPECT_EQ(plays[0].propensity, 0.5);
  EXPECT_EQ(plays[0].features[1], 0.9);
  EXPECT_EQ(plays[1].arm, 0u);
  EXPECT_EQ(plays[1].cost, 1.0);
  EXPECT_FALSE(plays[1].propensity.has_value());
  EXPECT_EQ(plays[1].features[0], -1.5);
}

TEST(PlayLog, ReadsCsvWithColumnsInAnyOrder) {
  expect_plays(read_play_log(write("x,arm,y,propensity,cost\n0.1,2,0.9,0.5,0.25\n\n-1.5,0,0,,1\n"),
                             kLayout));
}

TEST(PlayLog, ReadsJsonLines) {
  expect_plays(
      read_play_log(write("{\"features\":[0.1,0.9],\"arm\":2,\"cost\":0.25,\"propensity\":0.5}\n"
                          "{\"cost\":1,\"arm\":0,\"features\":[-1.5,0],\"propensity\":null}\n"),
                    kLayout));
}

TEST(PlayLog, ReadsBackWhatItWrites) {
  const std::vector<double> features = {0.1, -1e-17};
  const LoggedPlay play = {.features = features, .arm = 1, .cost = 1.0 / 3.0, .propensity = 0.7};
  for (const PlayLogFormat format : {PlayLogFormat::kCsv, PlayLogFormat::kJsonLines}) {
    const std::string header = play_log_header(format, 2);
    const std::string line = play_log_line(format, play) + "\n";
    const Result<PlayLog> log =
        read_play_log(write((header.empty() ? "" : header + "\n") + line), kLayout);
    ASSERT_TRUE(log.ok()) << log.error().message;
    const LoggedPlay read = log.value().plays().front();
    EXPECT_EQ(read.arm, play.arm);
    EXPECT_EQ(read.cost, play.cost);
    EXPECT_EQ(read.propensity, play.propensity);
    EXPECT_EQ(std::vector<double>(read.features.begin(), read.features.end()), features);
  }
}

TEST(PlayLog, SaysWhereAndWhatIsWrongInCsv) {
  EXPECT_EQ(complaint("x,y,cost\n"),
            ":1: the header has no column \"arm\"; a log has arm, cost, features and perhaps "
            "propensity");
  EXPECT_EQ(complaint("arm,cost,x,y\n"), ": has a header and no plays");
  EXPECT_EQ(complaint("arm,cost,x,x\n"), ":1: the header has two columns \"x\"");
  EXPECT_EQ(complaint("arm,cost,x,y\n0,1,2\n"), ":2: 3 columns; the header has 4");
  EXPECT_EQ(complaint("arm,cost,x,y\n0,1,2,3,4\n"), ":2: more than the 4 columns of the header");
  EXPECT_EQ(complaint("arm,cost,x,y\n0,1,2,abc\n"),
            ":2: column 4 'y' is \"abc\"; a number was expected");
  EXPECT_EQ(complaint("arm,cost,x,y\n0,0,0,0\n1.5,1,2,3\n"),
            ":3: column 1 'arm' is \"1.5\"; a whole number from 0 on was expected");
  EXPECT_EQ(complaint("arm,cost,x,y\n3,1,2,3\n"), ":2: arm is 3; arms count from 0 to 2");
  EXPECT_EQ(complaint("arm,cost,x,y\n0,1.5,2,3\n"),
            ":2: cost is 1.5; a number in [0, 1] was expected");
  EXPECT_EQ(complaint("arm,cost,x,y,propensity\n0,1,2,3,0\n"),
            ":2: propensity is 0; a number in (0, 1] was expected");
  EXPECT_EQ(complaint("arm,cost,x\n0,1,2\n"), ":2: it has 1 features; 2 were expected");
}

TEST(PlayLog, SaysWhereAndWhatIsWrongInJsonLines) {
  EXPECT_EQ(complaint("{\"features\":[1,2],\"arm\":0\n"),
            ":1: not a whole JSON object; was the line cut?");
  EXPECT_EQ(complaint("{\"features\":[1,2],\"arm\":0}\n"), ":1: field cost is missing");
  EXPECT_EQ(complaint("{\"features\":[1,\"a\"],\"arm\":0,\"cost\":0}\n"),
            ":1: field features[1] is \"a\"; a number was expected");
  EXPECT_EQ(complaint("{\"features\":[1,2],\"arm\":-1,\"cost\":0}\n"),
            ":1: field arm is -1; a whole number from 0 on was expected");
  EXPECT_EQ(complaint("{\"features\":[1,2],\"arm\":0,\"cost\":0}\n"
                      "{\"features\":[1,2],\"arm\":0,\"cost\":0,\"propensty\":1}\n"),
            ":2: field \"propensty\" is none of features, arm, cost, propensity");
  EXPECT_EQ(complaint("{\"features\":[1,2,3],\"arm\":0,\"cost\":0}\n"),
            ":1: it has 3 features; 2 were expected");
}

TEST(PlayLog, RefusesNothingAtAll) {
  EXPECT_NE(complaint(""), "nothing");
  EXPECT_NE(complaint("\n\n"), "nothing");
}

}  // namespace
}  // namespace handrail
