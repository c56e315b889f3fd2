#include <array>
#include <cstdio>

#include "apps/commands.h"
#include "apps/line_file.h"
#include "apps/terminal.h"
#include "handrail/base/json.h"
#include "handrail/base/text.h"
#include "handrail/data/play_log.h"
#include "handrail/eval/metric_table.h"
#include "handrail/eval/run_config.h"
#include "handrail/eval/trace.h"
#include "handrail/eval/trace_round.h"

namespace handrail {
namespace {

double rounds_per_second(const Run& run) {
  return kMetrics[metric_index("rounds_per_second")].read(run.measured()).value();
}

void write_metrics(JsonWriter& json, const MeasuredRun& run, RunOutput wanted) {
  for (const Metric& metric : kMetrics) {
    if (metric.run_output != wanted) continue;
    json.key(metric.name);
    write_value(json, metric.kind, metric.read(run));
  }
}

std::string results_as_json(const Run& run) {
  const MeasuredRun measured = run.measured();
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.field("agent", std::string_view(run.agent().settings().agent));
  json.field(to_text(run.environment().kind()), std::string_view(run.environment().name()));
  write_metrics(json, measured, RunOutput::kFound);
  json.field("regret_bound_source", run.agent().regret_bound_source());
  write_metrics(json, measured, RunOutput::kTook);
  json.end_object();
  return text;
}

void print_results(std::FILE* out, const Run& run) {
  const Metrics& metrics = run.metrics();
  const auto rounds = static_cast<double>(metrics.rounds());
  const auto line = [&](const char* name, const std::string& value) {
    std::fprintf(out, "  %-18s %s\n", name, value.c_str());
  };
  const auto fixed = [](double value) {
    std::array<char, 48> buffer;
    std::snprintf(buffer.data(), buffer.size(), "%.4f", value);
    return std::string(buffer.data());
  };
  const std::string& spec = run.agent().settings().agent;
  std::fprintf(out, "%s in %s\n", spec.substr(0, spec.find(':')).c_str(),
               run.environment().name().c_str());
  line("rounds", std::to_string(metrics.rounds()));
  line("regret", fixed(metrics.regret()));
  line("cost / baseline",
       fixed(metrics.promised().charged_sum() / metrics.promised().baseline_cost_sum()) +
           "  (at most " + to_text(1.0 + run.agent().settings().alpha) + " is allowed)");
  line("explored", fixed(static_cast<double>(metrics.explored()) / rounds) + " of rounds");
  line("violated rounds",
       std::to_string(metrics.promised().violated_rounds()) +
           (metrics.promised().first_violation().has_value()
                ? ", first in round " + std::to_string(*metrics.promised().first_violation())
                : ""));
  if (run.min_slack().has_value()) line("least slack", fixed(*run.min_slack()));
  if (run.agent().account().given_up > 0) {
    line("given up", std::to_string(run.agent().account().given_up) + " decisions, charged at 1");
  }
  if (run.record().workspace.regret_bound().has_value()) {  // the gate uses one
    line("regret bound", std::string(run.agent().regret_bound_source()));
  }
  line("speed",
       std::to_string(static_cast<std::uint64_t>(rounds_per_second(run))) + " rounds a second");
}

Result<Run> prepare(const RunCommand& command, std::span<const Setting> settings,
                    EnvironmentShelf& shelf) {
  if (command.resume_path.empty()) {
    const Result<RunConfig> config = read_run(settings);
    if (!config.ok()) return config.error();
    return start_run(config.value(), shelf);
  }
  Result<Run> run = Run::resume(command.resume_path, shelf);
  if (!run.ok()) return run.error();
  const Status same = check_same_run(run.value(), settings, shelf);
  if (!same.ok()) return same.error();
  return run;
}

// What a run writes down while it is played: its trace and its log of plays, if they are wanted.
class Recorder {
 public:
  explicit Recorder(const RunCommand& command)
      : options_{.features = command.trace_features},
        log_format_(play_log_format(command.log_path)) {
    if (!command.trace_path.empty()) trace_.emplace(command.trace_path, "trace");
    if (!command.log_path.empty()) log_.emplace(command.log_path, "log");
  }

  const LineFile* trace() const { return trace_ ? &*trace_ : nullptr; }

  Status begin(const Run& run) {
    const std::string header =
        play_log_header(log_format_, run.agent().settings().layout.feature_count);
    Status written = trace_ ? trace_->write(trace_header(run)) : Status();
    if (written.ok() && log_ && !header.empty()) written = log_->write(header);
    return written;
  }
  Status write(const Run& run) {
    const RoundRecord record = run.record();
    Status written = trace_ ? trace_->write(trace_line(record, options_)) : Status();
    if (!written.ok() || !log_) return written;
    return log_->write(play_log_line(log_format_, {.features = record.decision.features.features,
                                                   .arm = record.decision.arm,
                                                   .cost = record.outcome.cost,
                                                   .propensity = record.decision.propensity}));
  }
  Status finish() {
    Status finished = trace_ ? trace_->finish() : Status();
    if (finished.ok() && log_) finished = log_->finish();
    return finished;
  }
  // Of a run that goes no further.
  Status abandon() {
    const Status trace = trace_ ? trace_->abandon() : Status();
    const Status log = log_ ? log_->abandon() : Status();
    return trace.ok() ? log : trace;
  }

 private:
  TraceOptions options_;
  PlayLogFormat log_format_;
  std::optional<LineFile> trace_;
  std::optional<LineFile> log_;
};

// Plays until done or interrupted.
Status play(Run& run, const RunCommand& command, std::uint64_t rounds, Recorder& recorder) {
  Progress progress(rounds, 0, watched(command.quiet));
  for (std::uint64_t played = 1; played <= rounds && !interrupted(); ++played) {
    if (recorder.trace() != nullptr && run.next_gives_up()) {
      return Error{"round " + std::to_string(run.rounds() + 1) +
                   " would exceed pending_limit=" + std::to_string(run.agent().pending_limit()) +
                   "; a trace of given-up decisions could not be followed"};
    }
    run.advance();
    const Status written = recorder.write(run);
    if (!written.ok()) return written;
    if (played % 64 == 0) progress.show(played);
  }
  return {};
}

int finish_interrupted(const RunCommand& command, const Run& run, const LineFile* trace) {
  std::string message = "interrupted after round " + std::to_string(run.rounds());
  if (trace != nullptr && !trace->to_stdout()) message += "; the trace so far: " + trace->place();
  if (!command.save_path.empty()) message += "; the state so far: " + command.save_path;
  complain(message);
  return kExitInterrupted;
}

int play_and_report(Run& run, const RunCommand& command, std::uint64_t rounds) {
  Recorder recorder(command);
  const Status opened = recorder.begin(run);
  if (!opened.ok()) return complain(opened.error().message);
  const Status played = play(run, command, rounds, recorder);
  const bool stopped = interrupted();
  const Status recorded = played.ok() && !stopped ? recorder.finish() : recorder.abandon();
  if (!played.ok()) return complain(played.error().message);
  // Before the save: to go on from one whose rounds were not all written down would leave a hole.
  if (!recorded.ok()) return complain(recorded.error().message);
  if (!command.save_path.empty()) {
    const Status saved = run.save(command.save_path);
    if (!saved.ok()) return complain(saved.error().message);
  }
  if (stopped) return finish_interrupted(command, run, recorder.trace());
  if (command.json) {
    std::printf("%s\n", results_as_json(run).c_str());
  } else {
    print_results(command.trace_path == "-" ? stderr : stdout, run);
  }
  return kExitYes;
}

// Each file that is written needs a name of its own, or one would end up in the other.
Status check_apart(const RunCommand& command) {
  const std::array<std::pair<std::string_view, std::string_view>, 3> written = {
      {{"--trace", command.trace_path},
       {"--log", command.log_path},
       {"--save", command.save_path}}};
  for (std::size_t i = 0; i < written.size(); ++i) {
    for (std::size_t j = i + 1; j < written.size(); ++j) {
      if (written[i].second.empty() || written[i].second != written[j].second) continue;
      return Error{std::string(written[i].first) + " and " + std::string(written[j].first) +
                   " would both write " + std::string(written[i].second)};
    }
  }
  return {};
}

}  // namespace

int run_command(const RunCommand& command) {
  if (command.json && command.trace_path == "-") {
    return complain("--json and --trace - would both write to stdout; give the trace a file");
  }
  if (command.log_path == "-") return complain("--log -: a log goes to a file, not to stdout");
  const Status apart = check_apart(command);
  if (!apart.ok()) return complain(apart.error().message);
  const Result<std::vector<Setting>> settings = all_settings(command.config_path, command.flags);
  if (!settings.ok()) return complain(settings.error().message);
  EnvironmentShelf shelf(command.catalog);
  Result<Run> run = prepare(command, settings.value(), shelf);
  if (!run.ok()) return complain(run.error().message);
  const Result<std::uint64_t> rounds = read_rounds(settings.value());
  if (!rounds.ok()) return complain(rounds.error().message);
  watch_for_interrupts();
  return play_and_report(run.value(), command, rounds.value());
}

}  // namespace handrail
