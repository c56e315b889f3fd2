#include "tests/statistics/agent_runs.h"

#include <array>
#include <utility>

#include "handrail/base/assert.h"
#include "handrail/base/text.h"
#include "handrail/eval/run_config.h"

namespace handrail {

Run start(const AgentRuns& what, std::uint64_t seed) {
  const std::string place = "test";
  const std::array<Setting, 6> settings = {{{"agent", what.agent, place},
                                            {"world", what.world, place},
                                            {"delay", what.delay, place},
                                            {"alpha", to_text(kAlpha), place},
                                            {"delta", to_text(kDelta), place},
                                            {"seed", std::to_string(seed), place}}};
  const Result<RunConfig> config = read_run(settings);
  HANDRAIL_ASSERT(config.ok());
  EnvironmentShelf shelf{CatalogConfig{}};
  Result<Run> run = start_run(config.value(), shelf);
  HANDRAIL_ASSERT(run.ok());
  return std::move(run).value();
}

Tally run_all(const AgentRuns& what) {
  Tally tally;
  for (int i = 1; i <= what.runs; ++i) {
    Run run = start(what, static_cast<std::uint64_t>(i));
    SlackWatch slack;
    while (run.rounds() < what.rounds) {
      run.advance();
      slack.look(run.metrics(), run.record().slack);
    }
    tally.add(run.metrics(), slack);
  }
  print_row({what.world, what.delay, what.agent, what.rounds}, tally);
  return tally;
}

}  // namespace handrail
