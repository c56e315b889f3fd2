#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "apps/commands.h"
#include "apps/terminal.h"
#include "handrail/base/bytes.h"
#include "handrail/eval/comparison.h"
#include "handrail/report/results.h"

namespace handrail {
namespace {

// A list in a file comes as "agent[]"; for a comparison a single value is a list of one.
std::string plain_key(const std::string& key) {
  return key.ends_with("[]") ? key.substr(0, key.size() - 2) : key;
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
                            played.journal.run_count() * plan.rounds, watched(command.quiet),
                            monitor);
  const Status done =
      play_all(plan, shelf, played.journal,
               {.threads = played.timing.threads, .monitor = monitor, .observer = observer});
  if (!done.ok()) return done.error();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  played.timing.seconds = taken.count();
  played.whole = !monitor.stop.load();
  return played;
}

// results.json last: where it is, the others are too.
Status write_files(const CompareCommand& command, const ResultsInput& input, const Played& played) {
  const Result<std::string> curves = curves_csv(input, played.journal);
  if (!curves.ok()) return curves.error();
  const std::string& directory = command.directory;
  const std::string results = results_json(input);
  const std::string timing = timing_json(input, played.timing);
  const Status wrote_curves = write_file(directory + "/curves.csv", curves.value());
  if (!wrote_curves.ok()) return wrote_curves;
  const Status wrote_timing = write_file(directory + "/timing.json", timing);
  if (!wrote_timing.ok()) return wrote_timing;
  return write_file(directory + "/results.json", results);
}

int report(const CompareCommand& command, const ResultsInput& input, const Played& played) {
  if (!command.directory.empty()) {
    const Status written = write_files(command, input, played);
    if (!written.ok()) return complain(written.error().message);
  }
  const std::string text =
      command.json ? results_json(input) : results_table(input, ::isatty(STDOUT_FILENO) != 0);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return kExitYes;
}

}  // namespace

int compare_command(const CompareCommand& command) {
  const Result<std::vector<Setting>> settings = settings_of(command);
  if (!settings.ok()) return complain(settings.error().message);
  const Result<ComparisonPlan> plan = plan_comparison(settings.value());
  if (!plan.ok()) return complain(plan.error().message);
  watch_for_interrupts();
  EnvironmentShelf shelf(command.catalog);
  const Result<std::vector<EnvironmentFacts>> facts = inspect(plan.value(), shelf);
  if (!facts.ok()) return complain(facts.error().message);
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
