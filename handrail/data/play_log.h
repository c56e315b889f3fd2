// Logs of plays: what was played in the past, and what it cost. An agent may learn from one before
// its first decision (Agent::accept). Two formats, told apart by how the file begins; plain, gzip
// or zstd. docs/warm-start.md has examples.
//
//   CSV         a header with the columns arm and cost, and propensity if it is known; every other
//               column is a feature, in the order of the columns
//   JSON lines  {"features":[0.1,0.9],"arm":3,"cost":0.25,"propensity":0.5}, the last if known
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "handrail/core/decision.h"

namespace handrail {

// A log in memory.
class PlayLog {
 public:
  explicit PlayLog(std::size_t feature_count) : feature_count_(feature_count) {}

  // One that check_play() finds good.
  void add(const LoggedPlay& play);
  std::size_t size() const { return plays_.size(); }
  // Views this log, until it changes or goes away.
  std::vector<LoggedPlay> plays() const;

 private:
  std::size_t feature_count_;
  std::vector<double> features_;   // one play behind the other
  std::vector<LoggedPlay> plays_;  // without their features
};

// Every play fits the layout. Errors name file, line and field, the value and what was expected.
Result<PlayLog> read_play_log(const std::string& path, const FeatureLayout& layout);

enum class PlayLogFormat : std::uint8_t { kJsonLines = 0, kCsv = 1 };
// CSV for a name that ends in .csv, else JSON lines.
PlayLogFormat play_log_format(const std::string& path);

// The header line of the format, empty if it has none; and the line of one play.
std::string play_log_header(PlayLogFormat format, std::size_t feature_count);
std::string play_log_line(PlayLogFormat format, const LoggedPlay& play);

}  // namespace handrail
