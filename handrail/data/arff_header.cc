#include <string>

#include "handrail/base/text.h"
#include "handrail/data/arff_reader.h"
#include "handrail/data/arff_scanner.h"
#include "handrail/data/cell_text.h"

namespace handrail {
namespace {

// Behind the opening brace of `{red, 'dark green'}`.
Result<std::vector<std::string>> parse_values(ArffScanner& scanner) {
  std::vector<std::string> values;
  while (!scanner.take('}')) {
    if (scanner.at_end()) return Error{"has no closing brace behind its values"};
    const Result<ArffWord> word = scanner.word();
    if (!word.ok()) return word.error();
    if (word.value().text.empty() && !word.value().is_quoted) {
      return Error{"has an empty value in its list"};
    }
    values.emplace_back(word.value().text);
    if (values.size() > kMaxValuesOfColumn) break;  // the table refuses them with a sentence
    scanner.take_separator();
  }
  if (values.empty()) return Error{"has an empty list of values"};
  return values;
}

Status check_kind(const std::string& kind) {
  if (kind == "numeric" || kind == "real" || kind == "integer") return {};
  if (kind == "string") {
    return Error{
        "is a string column; only numeric and nominal columns are read: leave it out, or "
        "list its values in braces"};
  }
  if (kind == "date") {
    return Error{
        "is a date column; only numeric and nominal columns are read: write it as a "
        "number, or leave it out"};
  }
  if (kind == "relational") {
    return Error{"is a relational column; only numeric and nominal columns are read"};
  }
  return Error{"has the kind " + shown(kind) +
               "; numeric, real, integer or a list of values in braces was expected"};
}

// Behind the name in `@attribute name kind`.
Status parse_kind(ArffScanner& scanner, Column& column) {
  if (scanner.take('{')) {
    column.kind = ColumnKind::kNominal;
    Result<std::vector<std::string>> values = parse_values(scanner);
    if (!values.ok()) return values.error();
    column.values = std::move(values).value();
  } else {
    const Result<ArffWord> word = scanner.word();
    if (!word.ok()) return word.error();
    const Status known = check_kind(lower_case(word.value().text));
    if (!known.ok()) return known;
    scanner.skip_space();
  }
  if (column.values.size() <= kMaxValuesOfColumn && !scanner.at_end()) {
    return Error{"has " + shown(scanner.rest()) + " behind its kind"};
  }
  return {};
}

Status parse_attribute(ArffScanner& scanner, TableBuilder& table) {
  const Result<ArffWord> name = scanner.word();
  if (!name.ok()) {
    return Error{"column " + std::to_string(table.column_count() + 1) + " " + name.error().message};
  }
  Column column{.name = std::string(name.value().text)};
  scanner.skip_space();
  const Status parsed = parse_kind(scanner, column);
  if (!parsed.ok()) {
    return Error{shown_column(table.column_count(), column.name) + " " + parsed.error().message};
  }
  return table.add_column(std::move(column));
}

}  // namespace

Status read_arff_header(LineReader& lines, TableBuilder& table) {
  for (;;) {
    const Result<bool> more = lines.next();
    if (!more.ok()) return more.error();
    if (!more.value()) return Error{lines.name() + ": ends before a line @data; is this ARFF?"};
    ArffScanner scanner(lines.line());
    if (scanner.at_end()) continue;
    const Result<ArffWord> word = scanner.word();
    if (!word.ok()) return lines.error("the line " + word.error().message);
    const std::string keyword = lower_case(word.value().text);
    scanner.skip_space();
    if (keyword == "@data") break;
    if (keyword == "@relation") continue;
    if (keyword != "@attribute") {
      return lines.error(shown(word.value().text) +
                         " is none of @relation, @attribute and @data; is this ARFF?");
    }
    const Status added = parse_attribute(scanner, table);
    if (!added.ok()) return lines.error(added.error());
  }
  if (table.column_count() == 0) return lines.error("@data comes before any @attribute");
  return {};
}

}  // namespace handrail
