// The command line: from words to the verbs of commands.h, and nothing else.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "apps/commands.h"
#include "handrail/base/text.h"
#include "handrail/base/version.h"
#include "handrail/data/format_registry.h"
#include "handrail/eval/comparison_plan.h"
#include "handrail/eval/run_config.h"

namespace handrail {
namespace {

// Where data sets are looked for, for every command that names one.
void add_catalog_flags(CLI::App* command, CatalogConfig& catalog) {
  command->add_option("--data-dir", catalog.data_dir,
                      "folder of data sets, found by name [$HANDRAIL_DATA]");
  command->add_option("--cache-dir", catalog.cache_dir,
                      "where fetched data sets are kept [$HANDRAIL_CACHE, else ~/.cache/handrail]");
  command->add_flag("--offline", catalog.offline, "no network: OpenML's sets from the cache only");
  command->add_option("--openml", catalog.openml_address, "address of OpenML [$HANDRAIL_OPENML]");
  command
      ->add_option_function<double>(
          "--retry-wait",
          [&catalog](double seconds) {
            catalog.retry_wait = std::chrono::milliseconds(std::llround(1000.0 * seconds));
          },
          "seconds before the network is tried again; doubles each time [0.5]")
      ->check(CLI::Range(0.0, 60.0));
}

void add_run(CLI::App& app, RunCommand& command) {
  CLI::App* run = app.add_subcommand("run", "one agent in one world");
  for (const SettingHelp& setting : run_help()) {
    const std::string name(setting.name);
    run->add_option_function<std::string>(
        "--" + name,
        [&command, name](const std::string& value) {
          command.flags.push_back({name, value, "--" + name});
        },
        setting.meaning);
  }
  add_catalog_flags(run, command.catalog);
  run->add_option("--config", command.config_path, "TOML file with the same settings");
  run->add_option("--trace", command.trace_path,
                  "write a trace, one JSON object a line; - is stdout");
  run->add_flag("--trace-features", command.trace_features, "add the played arm's features to it");
  run->add_option("--log", command.log_path,
                  "write a log of plays for --warm-start: CSV if it ends in .csv, else JSON lines");
  run->add_option("--save", command.save_path, "write the state after the last round");
  run->add_option("--resume", command.resume_path, "go on from a saved state, for --rounds more");
  run->add_flag("--json", command.json, "print the results as JSON");
  run->add_flag("--quiet", command.quiet, "no progress");
}

// A word as a shell would need it.
std::string quoted_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void add_compare(CLI::App& app, CompareCommand& command) {
  CLI::App* compare = app.add_subcommand(
      "compare", "agents on data sets and worlds: a table, results.json, curves.csv, report.html");
  for (const SettingHelp& setting : comparison_help()) {
    const std::string name(setting.name);
    CLI::Option* option = compare->add_option_function<std::vector<std::string>>(
        "--" + name,
        [&command, name](const std::vector<std::string>& values) {
          for (const std::string& value : values) {
            command.flags.push_back({name, value, "--" + name});
          }
        },
        setting.meaning);
    option->expected(1)->allow_extra_args(false);
    if (setting.repeatable) option->take_all();
  }
  compare->add_option("--config", command.config_path,
                      "TOML file with the same settings; flags replace what it says");
  add_catalog_flags(compare, command.catalog);
  compare->add_option("--threads", command.threads, "runs at a time [one a core]")
      ->check(CLI::Range(1, 4096));
  compare
      ->add_option("-o,--output", command.directory,
                   "directory for the results; an interrupted comparison goes on there")
      ->check([](const std::string& text) {
        return text.empty() ? std::string("an empty name is no directory") : std::string();
      });
  compare->add_flag("--json", command.json, "print results.json instead of the table");
  compare->add_flag("--quiet", command.quiet, "no progress");
}

void add_data(CLI::App& app, DataCommand& command) {
  CLI::App* verbs =
      app.add_subcommand("data", "data sets: what there is, what is in one, fetch one");
  verbs->require_subcommand(1);
  CLI::App* list = verbs->add_subcommand("list", "what can be named without the network");
  CLI::App* describe = verbs->add_subcommand("describe", "rows, columns, classes, missing cells");
  CLI::App* fetch = verbs->add_subcommand("fetch", "from OpenML into the cache");
  const std::string names =
      "openml:ID, openml:NAME[@VERSION], a path, -, or a name that `list` shows";
  describe
      ->add_option("SPEC", command.name, "NAME[:key=value,...], as `compare` takes it; " + names)
      ->required();
  fetch->add_option("NAME", command.name, names)->required();
  for (CLI::App* verb : {describe, fetch}) {
    verb->add_option("--class", command.class_column, "the class column [OpenML's, else the last]");
  }
  describe->add_option("--format", command.format,
                       join(format_names(), ", ") + " [by the name's ending]");
  for (CLI::App* verb : {list, describe, fetch}) {
    add_catalog_flags(verb, command.catalog);
    verb->add_flag("--json", command.json, "as JSON");
    verb->add_flag("--quiet", command.quiet, "no progress");
  }
}

int data_command(const CLI::App& app, const DataCommand& command) {
  const CLI::App* verbs = app.get_subcommand("data");
  if (verbs->got_subcommand("list")) return data_list_command(command);
  if (verbs->got_subcommand("describe")) return data_describe_command(command);
  return data_fetch_command(command);
}

void add_report(CLI::App& app, ReportCommand& command) {
  CLI::App* report = app.add_subcommand("report", "report.html of a comparison, rendered again");
  report->add_option("DIR", command.folder, "folder that `compare -o` wrote")->required();
  report->add_option("-o,--out", command.out_folder, "write there instead of into DIR");
  report->add_flag("--svg", command.svg, "also write each figure as figures/NAME.svg");
  report->add_flag("--png", command.png, "also write each figure as figures/NAME.png");
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* level = &app;
  while (!level->get_subcommands().empty()) level = level->get_subcommands().front();
  const std::vector<const CLI::App*> commands = level->get_subcommands(nullptr);
  const std::vector<std::string> words = level->remaining();
  if (commands.empty() || words.empty()) {
    return std::string(error.what()) + "; see `handrail --help`";
  }
  std::vector<std::string_view> names;
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
  DataCommand data;
  add_data(app, data);
  CompareCommand compare;
  compare.words = "handrail";
  for (int i = 1; i < argc; ++i) compare.words += " " + quoted_word(argv[i]);
  add_compare(app, compare);
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
  if (app.got_subcommand("data")) return data_command(app, data);
  if (app.got_subcommand("compare")) return compare_command(compare);
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
    // Flush and check stdout: output that could not be written is an error.
    if (answered && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)) {
      return handrail::complain("stdout: cannot write");
    }
    return code;
  } catch (const std::length_error&) {
    return handrail::complain("more was asked than any memory holds");
  } catch (const std::system_error& error) {  // a thread that cannot be started
    return handrail::complain(std::string("the system refuses: ") + error.what());
  } catch (const std::bad_alloc&) {
    return handrail::complain("not enough memory for what was asked");
  }
}
