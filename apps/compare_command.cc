#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "apps/commands.h"
#include "apps/terminal.h"
#include "handrail/base/bytes.h"
#include "handrail/base/text.h"
#include "handrail/config/setting.h"
#include "handrail/eval/comparison.h"
#include "handrail/report/html_report.h"
#include "handrail/report/result_files.h"
#include "handrail/report/results.h"

namespace handrail {
namespace {

// A list in a file comes as "agent[]"; for these keys a single value is a list of one.
std::string plain_key(const std::string& key) {
  for (const std::string_view listed : {"data", "world", "agent", "alpha"}) {
    if (key == std::string(listed) + std::string(kListMark)) return std::string(listed);
  }
  return key;
}

// What a flag says replaces all that the file says of the same key: lists are not mixed.
Result<std::vector<Setting>> settings_of(const CompareCommand& command) {
  Result<std::vector<Setting>> from_file = all_settings(command.config_path, {});
  if (!from_file.ok()) return from_file.error();
  std::vector<Setting> settings;
  for (Setting& setting : from_file.value()) {
    setting.key = plain_key(setting.key);
    const auto same = [&](const Setting& flag) { return flag.key == setting.key; };
    if (std::ranges::none_of(command.flags, same)) settings.push_back(setting);
  }
  settings.insert(settings.end(), command.flags.begin(), command.flags.end());
  return settings;
}

class ProgressObserver final : public ComparisonObserver {
 public:
  ProgressObserver(std::uint64_t total, std::uint64_t before, bool shown, RunMonitor& monitor)
      : progress_(total, before, shown), before_(before), monitor_(monitor) {}

  void look(std::uint64_t rounds_played) override {
    if (interrupted()) monitor_.stop.store(true);
    progress_.show(before_ + rounds_played);
  }

 private:
  Progress progress_;
  std::uint64_t before_;
  RunMonitor& monitor_;
};

struct Played {
  Journal journal;
  bool whole = false;
  Timing timing;
};

Result<Played> play(const CompareCommand& command, const ComparisonPlan& plan,
                    const std::vector<EnvironmentFacts>& facts, EnvironmentShelf& shelf) {
  Result<Journal> journal = command.directory.empty()
                                ? Journal::temporary()
                                : Journal::open(command.directory, identity_of(plan, facts));
  if (!journal.ok()) return journal.error();
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  Played played{.journal = std::move(journal).value(), .whole = false, .timing = {}};
  played.timing.threads = command.threads > 0 ? command.threads : cores;
  const auto start = std::chrono::steady_clock::now();
  RunMonitor monitor;
  ProgressObserver observer(total_runs(plan) * plan.rounds,
                            wanted_runs(plan, played.journal) * plan.rounds, watched(command.quiet),
                            monitor);
  const Status done = play_all(
      plan, shelf, played.journal,
      {.threads = played.timing.threads, .monitor = monitor, .observer = observer, .facts = facts});
  if (!done.ok()) return done.error();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  played.timing.seconds = taken.count();
  played.whole = !monitor.stop.load();
  return played;
}

// results.json last: where it is, the others are too.
Status write_files(const std::string& directory, const Comparison& comparison) {
  std::vector<std::pair<std::string, std::string>> written = {
      {"curves.csv", curves_csv(comparison.results, comparison.curves)},
      {"timing.json", timing_json(comparison.timing.value())}};
  if (has_report()) {
    Result<std::string> page = render_report(comparison);
    if (!page.ok()) return page.error();
    written.emplace_back("report.html", std::move(page).value());
  }
  written.emplace_back("results.json", results_json(comparison.results));
  // An older one must not stand beside files that are newer.
  std::error_code absent;
  std::filesystem::remove(directory + "/results.json", absent);
  for (const auto& [name, text] : written) {
    const Status done = write_file(directory + "/" + name, text);
    if (!done.ok()) return done;
  }
  return {};
}

int report(const CompareCommand& command, const ResultsInput& input, const Played& played) {
  ComparisonResults results = results_of(input);
  const std::string text =
      command.json ? results_json(results) : results_table(input, ::isatty(STDOUT_FILENO) != 0);
  if (!command.directory.empty()) {
    Result<std::vector<Curve>> curves = curves_of(input, played.journal);
    if (!curves.ok()) return complain(curves.error().message);
    const Status written =
        write_files(command.directory, {.results = std::move(results),
                                        .curves = std::move(curves).value(),
                                        .timing = timing_of(input, played.timing)});
    if (!written.ok()) return complain(written.error().message);
    if (!command.quiet) {
      std::fprintf(stderr, "%s\n",
                   has_report() ? (command.directory + "/report.html").c_str()
                                : "this build has no report.html (HANDRAIL_REPORT is off)");
    }
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return kExitYes;
}

}  // namespace

int compare_command(const CompareCommand& command) {
  if (!command.directory.empty() && !is_utf8(command.words)) {
    return complain("the command is not text in UTF-8, and results.json has to show it");
  }
  const Result<std::vector<Setting>> settings = settings_of(command);
  if (!settings.ok()) return complain(settings.error().message);
  const Result<ComparisonPlan> plan = plan_comparison(settings.value());
  if (!plan.ok()) return complain(plan.error().message);
  EnvironmentShelf shelf(command.catalog);
  const Result<std::vector<EnvironmentFacts>> facts = inspect(plan.value(), shelf);
  if (!facts.ok()) return complain(facts.error().message);
  watch_for_interrupts();  // only from now on is there anything to keep
  const Result<Played> played = play(command, plan.value(), facts.value(), shelf);
  if (!played.ok()) return complain(played.error().message);
  if (!played.value().whole) {
    complain(command.directory.empty()
                 ? "interrupted; nothing was kept, since no directory was named (-o)"
                 : "interrupted; the same command goes on from what " + command.directory +
                       " holds");
    return kExitInterrupted;
  }
  const Result<ComparisonSummary> summary = summarise(plan.value(), played.value().journal);
  if (!summary.ok()) return complain(summary.error().message);
  const ResultsInput input{.plan = plan.value(),
                           .facts = facts.value(),
                           .summary = summary.value(),
                           .command = command.words};
  return report(command, input, played.value());
}

}  // namespace handrail
