#include "tests/statistics/tabular_runs.h"

#include "handrail/policy/igw.h"
#include "tests/statistics/reference_loop.h"

namespace handrail {

const char* name_of(Trouble trouble) {
  switch (trouble) {
    case Trouble::kNone:
      return "tabular, good oracle";
    case Trouble::kBlind:
      return "tabular, blind oracle";
    case Trouble::kSwitch:
      return "tabular, costs jump half way";
    case Trouble::kCheaperBaseline:
      return "tabular, the baseline becomes cheap";
  }
  return "";
}

Tally run_all(const TabularRuns& what) {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const auto world = make_tabular_world(
        {.trouble = what.trouble, .delay = what.delay, .rounds = what.rounds, .seed = seed});
    IgwConfig igw;
    igw.gamma.scale = 5.0;
    run_to_end({*world, make_igw(igw, make_running_mean(what.trouble)), what.gate, seed},
               what.rounds, tally);
  }
  print_row({name_of(what.trouble), what.delay, what.gate_name, what.rounds}, tally);
  return tally;
}

}  // namespace handrail
