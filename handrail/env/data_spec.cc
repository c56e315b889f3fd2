#include "handrail/env/data_spec.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "handrail/base/text.h"

namespace handrail {
namespace {

constexpr std::array<std::string_view, 3> kScalings = {"standard", "minmax", "none"};
constexpr std::array<std::string_view, 3> kHeaders = {"auto", "yes", "no"};
constexpr std::array<std::string_view, 2> kTruths = {"no", "yes"};
constexpr std::array<std::string_view, 4> kKnown = {"per_round", "mean", "floor", "unknown"};

Error expected(std::string_view value, std::string_view what) {
  return Error{"\"" + std::string(value) + "\"; " + std::string(what) + " was expected"};
}

// A word of a list, as its index.
Result<std::size_t> word_of(std::string_view value, std::span<const std::string_view> words) {
  const auto found = std::ranges::find(words, value);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  return expected(value, "one of " + join(words, ", "));
}

template <typename Enum>
Status set_word(std::string_view value, std::span<const std::string_view> words, Enum& out) {
  const Result<std::size_t> index = word_of(value, words);
  if (!index.ok()) return index.error();
  out = static_cast<Enum>(index.value());
  return {};
}

Status set_format(std::string_view value, TableFormat& out) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(TableFormat::kIdx); ++i) {
    words.push_back(table_format_word(static_cast<TableFormat>(i)));
  }
  return set_word(value, words, out);
}

Status set_cost(std::string_view value, double& out) {
  const std::optional<double> number = to_number(value);
  if (!number.has_value() || !(*number >= 0.0 && *number <= 1.0)) {
    return expected(value, "a number in [0, 1]");
  }
  out = *number;
  return {};
}

Status set_cost_max(std::string_view value, double& out) {
  const std::optional<double> number = to_number(value);
  if (!number.has_value() || !(*number > 0.0 && *number <= 1e300)) {
    return expected(value, "a number in (0, 1e300]");
  }
  out = *number;
  return {};
}

Status set_names(std::string_view value, std::vector<std::string>& out) {
  out.clear();
  if (value.empty()) return {};
  for (const std::string_view name : split(value, '|')) {
    if (name.empty()) return expected(value, "a list of columns, with | between them,");
    if (std::ranges::count(out, name) > 0) {
      return expected(value, "each column once");
    }
    out.emplace_back(name);
  }
  return {};
}

std::string truth(bool value) {
  return std::string(kTruths[value ? 1 : 0]);
}

template <typename T>
Status assign(const Result<T>& parsed, T& out) {
  if (!parsed.ok()) return parsed.error();
  out = parsed.value();
  return {};
}

struct Key {
  std::string_view name;
  std::string_view meaning;
  Status (*set)(DataConfig& config, std::string_view value);
  std::string (*text)(const DataConfig& config);
  // Whether the key says something of such a data set.
  bool (*applies)(const DataConfig& config) = [](const DataConfig&) { return true; };
};

bool has_classes(const DataConfig& config) {
  return config.cost_columns.empty();
}
bool has_costs(const DataConfig& config) {
  return !config.cost_columns.empty();
}

constexpr std::array<Key, 18> kKeys = {{
    {"format", "auto (by the name's ending), arff, csv, tsv, libsvm or idx",
     [](DataConfig& c, std::string_view v) { return set_format(v, c.format); },
     [](const DataConfig& c) { return std::string(table_format_word(c.format)); }},
    {"header", "whether the first line of a CSV or TSV file names the columns: auto, yes or no",
     [](DataConfig& c, std::string_view v) { return set_word(v, kHeaders, c.header); },
     [](const DataConfig& c) { return std::string(kHeaders[static_cast<std::size_t>(c.header)]); }},
    {"class", "the class column; empty: what the source says, else the last",
     [](DataConfig& c, std::string_view v) {
       c.class_column = std::string(v);
       return Status();
     },
     [](const DataConfig& c) { return c.class_column; }, has_classes},
    {"ignore", "columns that are no features, with | between them",
     [](DataConfig& c, std::string_view v) { return set_names(v, c.ignored_columns); },
     [](const DataConfig& c) { return join(c.ignored_columns, "|"); }},
    {"costs", "columns with the cost of each arm, with | between them, in place of a class",
     [](DataConfig& c, std::string_view v) { return set_names(v, c.cost_columns); },
     [](const DataConfig& c) { return join(c.cost_columns, "|"); }, has_costs},
    {"cost_max", "what the cost columns are divided by, so that costs lie in [0, 1]",
     [](DataConfig& c, std::string_view v) { return set_cost_max(v, c.cost_max); },
     [](const DataConfig& c) { return to_text(c.cost_max); }, has_costs},
    {"scale", "numeric columns: standard (mean 0, variance 1), minmax or none",
     [](DataConfig& c, std::string_view v) { return set_word(v, kScalings, c.encoding.scaling); },
     [](const DataConfig& c) {
       return std::string(kScalings[static_cast<std::size_t>(c.encoding.scaling)]);
     }},
    {"indicators", "nominal columns: one indicator a value (yes), or the value's index (no)",
     [](DataConfig& c, std::string_view v) { return set_word(v, kTruths, c.encoding.indicators); },
     [](const DataConfig& c) { return truth(c.encoding.indicators); }},
    {"missing", "an indicator beside each numeric column that has missing cells",
     [](DataConfig& c, std::string_view v) { return set_word(v, kTruths, c.encoding.missing); },
     [](const DataConfig& c) { return truth(c.encoding.missing); }},
    {"constant", "a last feature that is 1 before rows are scaled to norm 1",
     [](DataConfig& c, std::string_view v) { return set_word(v, kTruths, c.encoding.constant); },
     [](const DataConfig& c) { return truth(c.encoding.constant); }},
    {"norm", "divide each row by its length",
     [](DataConfig& c, std::string_view v) { return set_word(v, kTruths, c.encoding.unit_norm); },
     [](const DataConfig& c) { return truth(c.encoding.unit_norm); }},
    {"shuffle", "rows in a new random order in each pass, or always in the file's",
     [](DataConfig& c, std::string_view v) { return set_word(v, kTruths, c.shuffle); },
     [](const DataConfig& c) { return truth(c.shuffle); }},
    {"low", "cost of the right class",
     [](DataConfig& c, std::string_view v) { return set_cost(v, c.low); },
     [](const DataConfig& c) { return to_text(c.low); }, has_classes},
    {"high", "cost of a wrong class",
     [](DataConfig& c, std::string_view v) { return set_cost(v, c.high); },
     [](const DataConfig& c) { return to_text(c.high); }, has_classes},
    {"baseline",
     "majority or minority (the cheapest and the dearest constant arm), an arm's INDEX or NAME, "
     "trained:N (a ridge classifier fitted on N rows set aside) or column:NAME (the logged arm)",
     [](DataConfig& c, std::string_view v) {
       c.baseline = std::string(v);
       return v.empty() ? Status(expected(v, "the name of a baseline")) : Status();
     },
     [](const DataConfig& c) { return c.baseline; }},
    {"baseline_known",
     "what the agent is told of the baseline's cost: mean (honest), per_round (the paper's: it "
     "tells when the baseline is right), floor or unknown",
     [](DataConfig& c, std::string_view v) { return set_word(v, kKnown, c.baseline_known); },
     [](const DataConfig& c) { return std::string(to_text(c.baseline_known)); }},
    {"noise", "none, bernoulli or flip:RATE (another label than the true one sets the cost)",
     [](DataConfig& c, std::string_view v) { return assign(parse_noise(v), c.noise); },
     [](const DataConfig& c) { return to_text(c.noise); }},
    {"delay", "rounds until a cost is known: none, N, uniform:N or outcome:N:M",
     [](DataConfig& c, std::string_view v) { return assign(parse_delay(v), c.delay); },
     [](const DataConfig& c) { return to_text(c.delay); }},
}};

std::vector<std::string_view> key_names() {
  std::vector<std::string_view> names;
  for (const Key& key : kKeys) names.push_back(key.name);
  return names;
}

// Reads one key=value. `given` holds the keys before it.
Status set_pair(DataConfig& config, std::string_view pair, std::vector<std::string_view>& given) {
  const std::size_t equals = pair.find('=');
  if (equals == std::string_view::npos) {
    return Error{"\"" + std::string(pair) + "\" is not of the form key=value"};
  }
  const std::string_view name = pair.substr(0, equals);
  const auto key = std::ranges::find(kKeys, name, &Key::name);
  if (key == kKeys.end()) {
    const std::vector<std::string_view> names = key_names();
    return Error{"unknown key \"" + std::string(name) + "\"; did you mean \"" +
                 std::string(nearest(name, names)) + "\"?"};
  }
  if (std::ranges::count(given, name) > 0) {
    return Error{"key \"" + std::string(name) + "\" is given twice"};
  }
  given.push_back(name);
  const Status set = key->set(config, pair.substr(equals + 1));
  if (set.ok()) return {};
  const std::string begin = std::string(name) + " is ";
  const std::string& message = set.error().message;
  return Error{message.starts_with(begin) ? message : begin + message};
}

Status check(const DataConfig& config) {
  if (!(config.low < config.high)) {
    return Error{"low is " + to_text(config.low) + " and high " + to_text(config.high) +
                 "; the right class must cost less"};
  }
  if (has_costs(config) && config.noise.kind == NoiseKind::kFlip) {
    return Error{"noise is \"" + to_text(config.noise) +
                 "\"; flip needs labels, which cost columns are not"};
  }
  if (has_costs(config) && !config.class_column.empty()) {
    return Error{"both class and costs are given; one of them was expected"};
  }
  if (has_costs(config) && config.cost_columns.size() < 2) {
    return Error{"costs names one column; two arms or more were expected"};
  }
  return {};
}

bool is_key_letter(char c) {
  return (c >= 'a' && c <= 'z') || c == '_' || c == '-';
}

}  // namespace

std::size_t keys_of_data_spec(std::string_view spec) {
  for (std::size_t colon = spec.find(':'); colon != std::string_view::npos;
       colon = spec.find(':', colon + 1)) {
    std::size_t end = colon + 1;
    while (end < spec.size() && is_key_letter(spec[end])) ++end;
    if (end > colon + 1 && end < spec.size() && spec[end] == '=') return colon;
  }
  return std::string_view::npos;
}

Result<DataConfig> parse_data_spec(std::string_view spec, const DataConfig& defaults) {
  const std::size_t colon = keys_of_data_spec(spec);
  DataConfig config = defaults;
  config.name = std::string(spec.substr(0, colon));
  if (config.name.empty()) return Error{"a data set needs a name or a path"};
  std::vector<std::string_view> given;
  if (colon != std::string_view::npos) {
    for (const std::string_view pair : split(spec.substr(colon + 1), ',')) {
      const Status set = set_pair(config, pair, given);
      if (!set.ok()) return Error{"data " + config.name + ": " + set.error().message};
    }
  }
  const Status valid = check(config);
  if (!valid.ok()) return Error{"data " + config.name + ": " + valid.error().message};
  return config;
}

std::string to_spec(const DataConfig& config) {
  std::string spec = config.name;
  char separator = ':';
  for (const Key& key : kKeys) {
    if (!key.applies(config)) continue;
    spec.push_back(separator);
    spec.append(key.name).append("=").append(key.text(config));
    separator = ',';
  }
  return spec;
}

Result<BaselineKnown> parse_baseline_known(std::string_view text) {
  const Result<std::size_t> index = word_of(text, kKnown);
  if (!index.ok()) return index.error();
  return static_cast<BaselineKnown>(index.value());
}

std::string_view to_text(BaselineKnown known) {
  return kKnown[static_cast<std::size_t>(known)];
}

std::string data_keys_as_text() {
  std::string text;
  for (const Key& key : kKeys) {
    text += "    " + std::string(key.name) + "=" + key.text(DataConfig{}) + "\n        " +
            std::string(key.meaning) + "\n";
  }
  return text;
}

void write_data_keys(JsonWriter& json) {
  json.begin_array();
  for (const Key& key : kKeys) {
    json.begin_object();
    json.field("name", key.name);
    json.field("default", std::string_view(key.text(DataConfig{})));
    json.field("meaning", key.meaning);
    json.end_object();
  }
  json.end_array();
}

}  // namespace handrail
