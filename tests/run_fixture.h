// Runs and their traces, for tests that need one and do not care how it is made.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "handrail/eval/run_config.h"
#include "handrail/eval/trace.h"
#include "handrail/eval/trace_round.h"
#include "tests/temporary_path.h"  // IWYU pragma: export

namespace handrail {

// {{"agent", "uniform"}, …} as if a test's own file had said so.
inline std::vector<Setting> settings_from(
    const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : pairs) settings.push_back({key, value, "at " + key});
  return settings;
}

inline Run run_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  const Result<RunConfig> config = read_run(settings_from(pairs));
  EXPECT_TRUE(config.ok()) << config.error().message;
  EnvironmentShelf shelf{CatalogConfig{}};
  Result<Run> run = start_run(config.value(), shelf);
  EXPECT_TRUE(run.ok()) << run.error().message;
  return std::move(run).value();
}

inline void advance(Run& run, int rounds) {
  for (int i = 0; i < rounds; ++i) run.advance();
}

// The lines of the next rounds, after a header.
inline std::string trace_of(Run& run, int rounds) {
  std::string text = trace_header(run) + "\n";
  for (int i = 0; i < rounds; ++i) {
    run.advance();
    text += trace_line(run.record(), {}) + "\n";
  }
  return text;
}

}  // namespace handrail
