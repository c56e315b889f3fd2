#include "handrail/data/play_log.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "handrail/base/json.h"
#include "handrail/base/text.h"
#include "handrail/data/byte_source.h"
#include "handrail/data/cell_text.h"
#include "handrail/data/csv_scanner.h"
#include "handrail/data/line_reader.h"

namespace handrail {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kArm = "arm";
constexpr std::string_view kCost = "cost";
constexpr std::string_view kPropensity = "propensity";

// An arm as a number that was read: whole, and small enough to be an index.
std::optional<ArmIndex> arm_of(double number) {
  const bool fits = number >= 0.0 && number <= std::numeric_limits<ArmIndex>::max() &&
                    number == static_cast<double>(static_cast<ArmIndex>(number));
  return fits ? std::optional(static_cast<ArmIndex>(number)) : std::nullopt;
}

Error not_an_arm(std::string_view what, std::string_view shown_value) {
  return Error{std::string(what) + " is " + std::string(shown_value) +
               "; a whole number from 0 on was expected"};
}

// What the columns of a header stand for.
class CsvColumns {
 public:
  static Result<CsvColumns> read(std::string_view header) {
    CsvColumns columns;
    CsvScanner scanner(header, ',');
    do {
      const Result<std::string_view> cell = scanner.cell();
      if (!cell.ok()) return cell.error();
      if (std::ranges::count(columns.names_, cell.value()) > 0) {
        return Error{"the header has two columns " + shown(cell.value())};
      }
      columns.names_.emplace_back(cell.value());
    } while (scanner.take_separator());
    for (const std::string_view needed : {kArm, kCost}) {
      if (std::ranges::count(columns.names_, needed) > 0) continue;
      return Error{"the header has no column " + quoted(needed) +
                   "; a log has arm, cost, features and perhaps propensity"};
    }
    return columns;
  }

  // Reads one record; the features go to `features`.
  Result<LoggedPlay> play(std::string_view record, std::vector<double>& features) const {
    LoggedPlay play;
    features.clear();
    CsvScanner scanner(record, ',');
    for (std::size_t column = 0; column < names_.size(); ++column) {
      if (column > 0 && !scanner.take_separator()) return too_few(column);
      const Result<std::string_view> cell = scanner.cell();
      if (!cell.ok())
        return Error{shown_column(column, names_[column]) + " " + cell.error().message};
      const Status taken = take(column, cell.value(), play, features);
      if (!taken.ok()) return taken.error();
    }
    if (!scanner.at_end()) {
      return Error{"more than the " + std::to_string(names_.size()) + " columns of the header"};
    }
    play.features = features;
    return play;
  }

 private:
  Error too_few(std::size_t found) const {
    return Error{std::to_string(found) + " columns; the header has " +
                 std::to_string(names_.size())};
  }
  Status take(std::size_t column, std::string_view text, LoggedPlay& play,
              std::vector<double>& features) const {
    const std::string& name = names_[column];
    if (name == kPropensity && text.empty()) return {};  // not known
    const std::optional<double> number = number_of(text);
    if (!number.has_value()) return not_a_number(column, name, text);
    if (name == kArm) {
      const std::optional<ArmIndex> arm = arm_of(*number);
      if (!arm.has_value()) return not_an_arm(shown_column(column, name), shown(text));
      play.arm = *arm;
    } else if (name == kCost) {
      play.cost = *number;
    } else if (name == kPropensity) {
      play.propensity = *number;
    } else {
      features.push_back(*number);
    }
    return {};
  }

  std::vector<std::string> names_;
};

std::string shown_json(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  return shortened(value.dump(-1, ' ', /*ensure_ascii=*/true));
}

Error wrong_field(std::string_view name, const Json& value, std::string_view expected) {
  return Error{"field " + std::string(name) + " is " + shown_json(value) + "; " +
               std::string(expected) + " was expected"};
}

Status take_features(const Json& list, std::vector<double>& features) {
  if (!list.is_array()) return wrong_field("features", list, "a list of numbers");
  for (const Json& each : list) {
    if (!each.is_number()) {
      return wrong_field("features[" + std::to_string(features.size()) + "]", each, "a number");
    }
    features.push_back(each.get<double>());
  }
  return {};
}

Status take_field(std::string_view name, const Json& value, LoggedPlay& play,
                  std::vector<double>& features) {
  if (name == "features") return take_features(value, features);
  if (name == kPropensity && value.is_null()) return {};  // not known
  if (name != kArm && name != kCost && name != kPropensity) {
    return Error{"field " + shown(name) + " is none of features, arm, cost, propensity"};
  }
  if (!value.is_number()) return wrong_field(name, value, "a number");
  const auto number = value.get<double>();
  if (name == kCost) play.cost = number;
  if (name == kPropensity) play.propensity = number;
  if (name != kArm) return {};
  const std::optional<ArmIndex> arm = arm_of(number);
  if (!arm.has_value()) return not_an_arm("field arm", shown_json(value));
  play.arm = *arm;
  return {};
}

Result<LoggedPlay> play_of_json(std::string_view line, std::vector<double>& features) {
  const Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded()) return Error{"not a whole JSON object; was the line cut?"};
  if (!object.is_object()) return Error{"a JSON object was expected"};
  LoggedPlay play;
  features.clear();
  for (const char* needed : {"features", "arm", "cost"}) {
    if (!object.contains(needed)) return Error{"field " + std::string(needed) + " is missing"};
  }
  for (const auto& [name, value] : object.items()) {
    const Status taken = take_field(name, value, play, features);
    if (!taken.ok()) return taken.error();
  }
  play.features = features;
  return play;
}

class PlayLogReader {
 public:
  PlayLogReader(std::unique_ptr<ByteSource> source, const std::string& path,
                const FeatureLayout& layout)
      : lines_(std::move(source), source_name(path)), layout_(layout), log_(layout.feature_count) {}

  Result<PlayLog> read() {
    const Result<bool> first = next_record(lines_, ',');
    if (!first.ok()) return first.error();
    if (!first.value()) return Error{lines_.name() + ": empty; a log of plays was expected"};
    const Status done = lines_.line().starts_with('{') ? read_json() : read_csv();
    if (!done.ok()) return done.error();
    if (log_.size() == 0) return Error{lines_.name() + ": has a header and no plays"};
    return std::move(log_);
  }

 private:
  Status take(const Result<LoggedPlay>& play) {
    if (!play.ok()) return lines_.error(play.error());
    const Status fits = check_play(play.value(), layout_);
    if (!fits.ok()) return lines_.error(fits.error());
    log_.add(play.value());
    return {};
  }
  Status read_csv() {
    const Result<CsvColumns> columns = CsvColumns::read(lines_.line());
    if (!columns.ok()) return lines_.error(columns.error());
    for (;;) {
      const Result<bool> more = next_record(lines_, ',');
      if (!more.ok()) return more.error();
      if (!more.value()) return {};
      const Status taken = take(columns.value().play(lines_.line(), features_));
      if (!taken.ok()) return taken;
    }
  }
  Status read_json() {
    for (;;) {
      if (!lines_.line().empty()) {
        const Status taken = take(play_of_json(lines_.line(), features_));
        if (!taken.ok()) return taken;
      }
      const Result<bool> more = lines_.next();
      if (!more.ok()) return more.error();
      if (!more.value()) return {};
    }
  }

  LineReader lines_;
  const FeatureLayout& layout_;
  PlayLog log_;
  std::vector<double> features_;
};

}  // namespace

void PlayLog::add(const LoggedPlay& play) {
  features_.insert(features_.end(), play.features.begin(), play.features.end());
  plays_.push_back(
      {.features = {}, .arm = play.arm, .cost = play.cost, .propensity = play.propensity});
}

std::vector<LoggedPlay> PlayLog::plays() const {
  std::vector<LoggedPlay> plays = plays_;
  for (std::size_t i = 0; i < plays.size(); ++i) {
    plays[i].features = std::span(features_).subspan(i * feature_count_, feature_count_);
  }
  return plays;
}

Result<PlayLog> read_play_log(const std::string& path, const FeatureLayout& layout) {
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  if (!source.ok()) return source.error();
  return PlayLogReader(std::move(source).value(), path, layout).read();
}

PlayLogFormat play_log_format(const std::string& path) {
  return path.ends_with(".csv") ? PlayLogFormat::kCsv : PlayLogFormat::kJsonLines;
}

std::string play_log_header(PlayLogFormat format, std::size_t feature_count) {
  if (format == PlayLogFormat::kJsonLines) return {};
  std::string text = "arm,cost,propensity";
  for (std::size_t i = 1; i <= feature_count; ++i) text += ",f" + std::to_string(i);
  return text;
}

std::string play_log_line(PlayLogFormat format, const LoggedPlay& play) {
  std::string text;
  if (format == PlayLogFormat::kCsv) {
    text = std::to_string(play.arm) + "," + to_text(play.cost) + ",";
    if (play.propensity.has_value()) text += to_text(*play.propensity);
    for (const double feature : play.features) text += "," + to_text(feature);
    return text;
  }
  JsonWriter json(text);
  json.begin_object();
  json.field("features", play.features);
  json.field("arm", play.arm);
  json.field("cost", play.cost);
  json.field("propensity", play.propensity);
  json.end_object();
  return text;
}

}  // namespace handrail
