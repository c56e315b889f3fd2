#include "handrail/eval/environment_facts.h"

#include <cmath>

#include "handrail/base/text.h"

namespace handrail {
namespace {

std::string constraint_note(const ComparisonPlan& plan, double baseline_cost, double high) {
  std::vector<std::string> empty_for;
  for (const double alpha : plan.alphas) {
    if ((1.0 + alpha) * baseline_cost >= high) empty_for.push_back(to_text(alpha));
  }
  if (empty_for.empty()) return "";
  return "At alpha " + join(empty_for, ", ") +
         " no agent can break the constraint in the long run: the baseline costs " +
         to_text(std::round(1e4 * baseline_cost) / 1e4) +
         " a round on average, and no arm more than " + to_text(high) + ".";
}

std::vector<std::string> notes_on(const ComparisonPlan& plan, const Dataset& dataset) {
  std::vector<std::string> notes;
  const DataConfig& config = dataset.config();
  if (plan.rounds > dataset.row_count()) {
    notes.push_back("The " + std::to_string(dataset.row_count()) +
                    " rows are played more than once, " +
                    (config.shuffle ? "in a new order each time." : "always in the file's order."));
  }
  if (config.baseline_known == BaselineKnown::kPerRound) {
    notes.emplace_back(
        "The baseline's cost is told in each round (per_round), which tells when its arm is the "
        "right one.");
  }
  if (config.encoding.scaling != Scaling::kNone) {
    notes.emplace_back("Columns are scaled by what they hold in the whole file.");
  }
  if (dataset.encoder().constant_column_count() > 0) {
    notes.push_back(std::to_string(dataset.encoder().constant_column_count()) +
                    " columns hold one value only.");
  }
  const std::string constraint =
      constraint_note(plan, dataset.accounted_baseline_cost(), dataset.largest_cost());
  if (!constraint.empty()) notes.push_back(constraint);
  return notes;
}

void add_dataset_facts(const ComparisonPlan& plan, const Dataset& dataset,
                       EnvironmentFacts& facts) {
  facts.rows = dataset.row_count();
  facts.passes = (plan.rounds + dataset.row_count() - 1) / dataset.row_count();
  facts.baseline_share = dataset.baseline_right_share();
  facts.baseline_cost = dataset.mean_baseline_cost();
  if (dataset.constant_baseline() >= 0) {
    facts.baseline_arm = dataset.arm_names()[static_cast<std::size_t>(dataset.constant_baseline())];
  }
  facts.notes = notes_on(plan, dataset);
}

}  // namespace

Result<EnvironmentFacts> environment_facts(const ComparisonPlan& plan, std::size_t index,
                                           EnvironmentShelf& shelf) {
  const EnvironmentConfig& wanted = plan.environments[index].plan;
  const Result<std::unique_ptr<Environment>> made = shelf.make(wanted, plan.seed);
  if (!made.ok()) return made.error();
  const Environment& environment = *made.value();
  EnvironmentFacts facts{.spec = environment.name(),
                         .arms = environment.arm_count(),
                         .features = environment.layout().feature_count,
                         .fingerprint = environment.fingerprint(),
                         .baseline_known = environment.baseline_known(),
                         .baseline = value_of_flag(wanted, "baseline"),
                         .noise = value_of_flag(wanted, "noise")};
  if (wanted.kind == EnvironmentKind::kData) {
    add_dataset_facts(plan, *shelf.dataset(wanted.data).value(), facts);
  }
  return facts;
}

}  // namespace handrail
