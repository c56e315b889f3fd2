// The command line: from words to the verbs of commands.h, and nothing else.
#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "apps/commands.h"
#include "handrail/base/text.h"
#include "handrail/base/version.h"

namespace handrail {
namespace {

struct Flag {
  const char* name;
  const char* meaning;
};
constexpr std::array<Flag, 11> kSettingFlags = {{
    {"agent", "SPEC of the agent, NAME[:key=value,...]; see `handrail agents`"},
    {"world", "SPEC of the built-in world, NAME[:key=value,...]; see `handrail agents`"},
    {"alpha", "tolerance: cost stays within (1 + alpha) times the baseline's [0.1]"},
    {"delta", "chance that the promise may fail [0.05]"},
    {"reserve", "allowance given once, in units of cost [0]"},
    {"rounds", "rounds to play [10000]"},
    {"seed", "seed of the world and of the agent [1]"},
    {"noise", "none or bernoulli [bernoulli]"},
    {"delay", "none, N, uniform:N or outcome:N:M [none]"},
    {"baseline", "rank:N, the N-th cheapest arm of each round"},
    {"baseline-known", "per_round, which is what worlds know [per_round]"},
}};

void add_run(CLI::App& app, RunCommand& command) {
  CLI::App* run = app.add_subcommand("run", "one agent in one world");
  for (const Flag& flag : kSettingFlags) {
    const std::string name = flag.name;
    run->add_option_function<std::string>(
        "--" + name,
        [&command, name](const std::string& value) {
          command.flags.push_back({name, value, "--" + name});
        },
        flag.meaning);
  }
  run->add_option("--config", command.config_path, "TOML file with the same settings");
  run->add_option("--trace", command.trace_path,
                  "write a trace, one JSON object a line; - is stdout");
  run->add_flag("--trace-features", command.trace_features, "add the played arm's features to it");
  run->add_option("--save", command.save_path, "write the state after the last round");
  run->add_option("--resume", command.resume_path, "go on from a saved state, for --rounds more");
  run->add_flag("--json", command.json, "print the results as JSON");
  run->add_flag("--quiet", command.quiet, "no progress");
}

void add_report(CLI::App& app, ReportCommand& command) {
  CLI::App* report = app.add_subcommand("report", "report.html of a comparison, rendered again");
  report->add_option("DIR", command.folder, "folder that `compare -o` wrote")->required();
  report->add_option("-o,--out", command.out_folder, "write there instead of into DIR");
  report->add_flag("--svg", command.svg, "also write each figure as figures/NAME.svg");
  report->add_flag("--png", command.png, "also write each figure as figures/NAME.png");
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> words = app.remaining();
  if (!app.get_subcommands().empty() || words.empty()) {
    return std::string(error.what()) + "; see `handrail --help`";
  }
  std::vector<std::string_view> names;
  std::vector<const CLI::App*> commands = app.get_subcommands(nullptr);
  for (const CLI::App* command : commands) names.emplace_back(command->get_name());
  return "no command is called \"" + words.front() + "\"; the nearest is \"" +
         std::string(nearest(words.front(), names)) + "\"";
}

int dispatch(int argc, char** argv) {
  CLI::App app("Handrail: online learning that never does much worse than what you do today.",
               "handrail");
  app.set_version_flag("--version", "handrail " + std::string(version()));
  app.require_subcommand(1);
  RunCommand run;
  add_run(app, run);
  AuditCommand audit;
  CLI::App* audit_app = app.add_subcommand(
      "audit",
      "recompute every verdict and propensity of a trace; exit 1 at the first that does not "
      "follow");
  audit_app->add_option("FILE", audit.paths, "a trace, or the parts of a resumed one in order")
      ->required();
  audit_app->add_flag("--json", audit.json, "print the finding as JSON");
  bool agents_json = false;
  CLI::App* agents_app =
      app.add_subcommand("agents", "agents, worlds and parameters that can be named");
  agents_app->add_flag("--json", agents_json, "as JSON");
  ReportCommand report;
  add_report(app, report);
  std::string save_path;
  bool inspect_json = false;
  CLI::App* inspect_app = app.add_subcommand("inspect", "what a saved state holds");
  inspect_app->add_option("SAVE", save_path, "file written by run --save")->required();
  inspect_app->add_flag("--json", inspect_json, "as JSON");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return complain(usage_error(app, error));
    return app.exit(error);  // --help and --version
  }
  if (app.got_subcommand("run")) return run_command(run);
  if (app.got_subcommand("audit")) return audit_command(audit);
  if (app.got_subcommand("agents")) return agents_command(agents_json);
  if (app.got_subcommand("report")) return report_command(report);
  return inspect_command(save_path, inspect_json);
}

}  // namespace
}  // namespace handrail

int main(int argc, char** argv) {
  try {
    const int code = handrail::dispatch(argc, argv);
    const bool answered = code == handrail::kExitYes || code == handrail::kExitNo;
    // An answer that nobody could read is none.
    if (answered && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)) {
      return handrail::complain("stdout: cannot write");
    }
    return code;
  } catch (const std::length_error&) {
    return handrail::complain("more was asked than any memory holds");
  } catch (const std::bad_alloc&) {
    return handrail::complain("not enough memory for what was asked");
  }
}
