#include "handrail/env/data_spec.h"

#include <algorithm>
#include <array>

#include "handrail/base/text.h"
#include "handrail/data/format_registry.h"

namespace handrail {
namespace {

constexpr std::array<std::string_view, 3> kScalings = {"standard", "minmax", "none"};
constexpr std::array<std::string_view, 3> kHeaders = {"auto", "yes", "no"};
constexpr std::array<std::string_view, 1> kFormatWords = {kFormatByEnding};
constexpr std::string_view kOfClasses = "data sets with classes";
constexpr std::string_view kOfCosts = "data sets with cost columns";

Status any_text(std::string_view /*text*/) {
  return {};
}

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  if (list.empty()) return names;
  for (const std::string_view name : split(list, '|')) names.emplace_back(name);
  return names;
}

Status check_names(std::string_view key, std::string_view list) {
  std::vector<std::string> names = names_in(list);
  std::ranges::sort(names);
  const bool once = std::ranges::adjacent_find(names) == names.end();
  const bool named = names.empty() || !names.front().empty();
  if (once && named) return {};
  return expected({.key = std::string(key), .value = std::string(list)},
                  named ? "each column once" : "a list of columns, with | between them,");
}
Status check_ignored(std::string_view text) {
  return check_names("ignore", text);
}
Status check_costs(std::string_view text) {
  return check_names("costs", text);
}

Status check_baseline(std::string_view text) {
  if (!text.empty()) return {};
  return expected({.key = "baseline", .value = {}}, "the name of a baseline");
}

Status check_noise(std::string_view text) {
  const Result<Noise> noise = parse_noise(text);
  return noise.ok() ? Status() : Status(noise.error());
}

std::string spelling_of_noise(std::string_view text) {
  return to_text(parse_noise(text).value());
}

// A row of any text that passes the check.
constexpr ParameterSpec text_row(std::string_view name, std::string_view meaning,
                                 std::string_view fallback, std::string_view form,
                                 Status (*check)(std::string_view)) {
  return {.name = name, .meaning = meaning, .fallback = fallback, .check = check, .form = form};
}

constexpr ParameterSpec kFormatRow = {
    .name = "format",
    .meaning = "of the file; auto: by the name's ending",
    .fallback = kFormatByEnding,
    .words = kFormatWords,
    .more_words = format_names,
};

constexpr ParameterSpec kClassRow = grouped(
    kOfClasses, text_row("class", "the class column; empty: what the source says, else the last",
                         "", "the name of a column", any_text));
constexpr ParameterSpec kIgnoreRow =
    text_row("ignore", "columns that are no features, with | between them", "",
             "names of columns with | between them", check_ignored);

constexpr ParameterSpec kNoiseOfDataRow = {
    .name = "noise",
    .meaning = "none, bernoulli or flip:RATE (another label than the true one sets the cost)",
    .fallback = "none",
    .check = check_noise,
    .form = kNoiseForm,
    .spelling = spelling_of_noise,
};

constexpr NumberRange kCosts = {.low = 0.0, .high = 1.0};

constexpr std::array<ParameterSpec, 18> kRows = {{
    kFormatRow,
    word_row("header",
             "whether the first line of a CSV or TSV file names the columns: auto, yes or no",
             "auto", kHeaders),
    kClassRow,
    kIgnoreRow,
    grouped(kOfCosts,
            text_row("costs",
                     "columns with the cost of each arm, with | between them, in place of a class",
                     "", "names of columns with | between them", check_costs)),
    grouped(kOfCosts,
            positive_row("cost_max",
                         "what the cost columns are divided by, so that costs lie in [0, 1]", "1",
                         1e300)),
    word_row("scale", "numeric columns: standard (mean 0, variance 1), minmax or none", "standard",
             kScalings),
    word_row("indicators",
             "nominal columns: one indicator a value (yes), or the value's index (no)", "yes",
             kYesWords),
    word_row("missing", "an indicator beside each numeric column that has missing cells", "yes",
             kYesWords),
    word_row("constant", "a last feature that is 1 before rows are scaled to norm 1", "yes",
             kYesWords),
    word_row("norm", "divide each row by its length", "yes", kYesWords),
    word_row("shuffle", "rows in a new random order in each pass, or always in the file's", "yes",
             kYesWords),
    grouped(kOfClasses, number_row("low", "cost of the right class", "0.01", kCosts)),
    grouped(kOfClasses, number_row("high", "cost of a wrong class", "1", kCosts)),
    text_row("baseline",
             "majority or minority (the cheapest and the dearest constant arm), an arm's INDEX or "
             "NAME, trained:N (a ridge classifier fitted on N rows set aside) or column:NAME (the "
             "logged arm)",
             "majority", "majority, minority, an arm, trained:N or column:NAME", check_baseline),
    word_row("baseline_known",
             "what the agent is told of the baseline's cost: mean (honest), per_round (the "
             "paper's: it tells when the baseline is right), floor or unknown",
             "mean", kBaselineKnownWords),
    kNoiseOfDataRow,
    kDelayRow,
}};

bool is_yes(const ParameterValues& values, std::string_view name) {
  return values.word(name) == 1;
}

DataConfig config_of(std::string name, const ParameterValues& values) {
  return {
      .name = std::move(name),
      .values = values,
      .format = find_format(values.text("format")),
      .header = values.choice<HeaderLine>("header"),
      .class_column = std::string(values.text(kClassRow)),
      .ignored_columns = names_in(values.text(kIgnoreRow)),
      .cost_columns = names_in(values.text("costs")),
      .cost_max = values.number("cost_max"),
      .encoding = {.scaling = values.choice<Scaling>("scale"),
                   .indicators = is_yes(values, "indicators"),
                   .missing = is_yes(values, "missing"),
                   .constant = is_yes(values, "constant"),
                   .unit_norm = is_yes(values, "norm")},
      .shuffle = is_yes(values, "shuffle"),
      .low = values.number("low"),
      .high = values.number("high"),
      .baseline = std::string(values.text("baseline")),
      .baseline_known = values.choice<BaselineKnown>("baseline_known"),
      .noise = parse_noise(values.text(kNoiseOfDataRow)).value(),
      .delay = parse_delay(values.text(kDelayRow)).value(),
  };
}

// Checks that need all values together.
Status check(const DataConfig& config) {
  if (!(config.low < config.high)) {
    return Error{"low is " + to_text(config.low) + " and high " + to_text(config.high) +
                 "; the right class must cost less"};
  }
  if (config.has_classes()) return {};
  if (config.noise.kind == NoiseKind::kFlip) {
    return Error{"noise is \"" + to_text(config.noise) +
                 "\"; flip needs labels, which cost columns are not"};
  }
  if (!config.class_column.empty()) {
    return Error{"both class and costs are given; one of them was expected"};
  }
  if (config.cost_columns.size() < 2) {
    return Error{"costs names one column; two arms or more were expected"};
  }
  return {};
}

std::string text_of(const DataConfig& config, std::string_view key) {
  if (key == kClassRow.name) return config.class_column;
  if (key == kIgnoreRow.name) return join(config.ignored_columns, "|");
  return config.values.printed(key);
}

}  // namespace

std::span<const ParameterSpec> data_rows() {
  return kRows;
}

Result<DataConfig> read_data(const Spec& spec) {
  const Setting named{.key = "data", .value = spec.name, .place = spec.place};
  if (spec.name.empty()) return error_at(named, "a data set needs a name or a path");
  const Spec placed = about("data " + spec.name, spec);
  ParameterValues values(kRows);
  const Status read = read_keys(placed.keys, values);
  if (!read.ok()) return read.error();
  DataConfig config = config_of(spec.name, values);
  const Status valid = check(config);
  if (valid.ok()) return config;
  return error_at({.key = named.key, .value = {}, .place = placed.place}, valid.error().message);
}

std::string to_spec(const DataConfig& config) {
  Spec spec{.name = config.name};
  const std::string_view other = config.has_classes() ? kOfCosts : kOfClasses;
  for (const ParameterSpec& row : kRows) {
    if (row.group == other) continue;
    spec.keys.push_back({.key = std::string(row.name), .value = text_of(config, row.name)});
  }
  return to_text(spec);
}

}  // namespace handrail
