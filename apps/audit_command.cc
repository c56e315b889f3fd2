#include <cstdio>
#include <fstream>
#include <iostream>

#include "apps/commands.h"
#include "handrail/base/json.h"
#include "handrail/base/text.h"
#include "handrail/eval/audit.h"

namespace handrail {
namespace {

struct Finding {
  std::optional<Difference> difference;  // none: everything follows
  std::string place;
};

void write_list(JsonWriter& json, std::string_view name, const std::vector<std::string>& words) {
  json.key(name);
  json.begin_array();
  for (const std::string& word : words) json.value(std::string_view(word));
  json.end_array();
}

void print_json(const Finding& finding, const Auditor& auditor) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("follows");
  json.boolean(!finding.difference.has_value());
  json.field("rounds", auditor.rounds());
  if (finding.difference.has_value()) {
    json.field("place", std::string_view(finding.place));
    json.field("field", std::string_view(finding.difference->field));
    json.field("stated", std::string_view(finding.difference->stated));
    json.field("recomputed", std::string_view(finding.difference->recomputed));
  }
  const AuditScope scope = auditor.scope();
  write_list(json, "checked", scope.checked);
  write_list(json, "trusted", scope.trusted);
  json.end_object();
  std::printf("%s\n", text.c_str());
}

void print_text(const Finding& finding, const Auditor& auditor) {
  if (finding.difference.has_value()) {
    const Difference& difference = *finding.difference;
    std::printf("%s: %s does not follow: the trace says %s, recomputed is %s\n",
                finding.place.c_str(), difference.field.c_str(), difference.stated.c_str(),
                difference.recomputed.c_str());
    return;
  }
  const AuditScope scope = auditor.scope();
  std::printf("all %llu rounds follow\n  checked:        %s\n  taken on trust: %s\n",
              static_cast<unsigned long long>(auditor.rounds()), join(scope.checked, ", ").c_str(),
              join(scope.trusted, ", ").c_str());
}

// Checks one part of a run. None if all of it follows.
Result<std::optional<Finding>> check_part(TraceReader& reader, Auditor& auditor) {
  for (;;) {
    const Result<std::optional<TraceRound>> round = reader.next();
    if (!round.ok()) return round.error();
    if (!round.value().has_value()) return std::optional<Finding>();
    std::optional<Difference> difference = auditor.check(*round.value());
    if (difference.has_value()) {
      return std::optional(Finding{std::move(difference), reader.place()});
    }
  }
}

}  // namespace

int audit_command(const AuditCommand& command) {
  std::optional<Auditor> auditor;
  Finding finding;
  for (const std::string& path : command.paths) {
    std::ifstream file;
    if (path != "-") file.open(path, std::ios::binary);
    if (path != "-" && !file) return complain(path + ": cannot open");
    TraceReader reader(path == "-" ? std::cin : file, path == "-" ? "stdin" : path);
    const Result<TraceHeader> header = reader.header();
    if (!header.ok()) return complain(header.error().message);
    if (auditor.has_value()) {
      const Status fits = auditor->check_continuation(header.value());
      if (!fits.ok()) return complain(reader.place() + ": " + fits.error().message);
    } else {
      Result<Auditor> made = Auditor::make(header.value());
      if (!made.ok()) return complain(reader.place() + ": " + made.error().message);
      auditor = std::move(made).value();
    }
    Result<std::optional<Finding>> found = check_part(reader, *auditor);
    if (!found.ok()) return complain(found.error().message);
    if (found.value().has_value()) {
      finding = *std::move(found).value();
      break;
    }
  }
  if (auditor->rounds() == 0 && !finding.difference.has_value()) {
    return complain(command.paths.front() + ": holds a header and no rounds");
  }
  if (command.json) {
    print_json(finding, *auditor);
  } else {
    print_text(finding, *auditor);
  }
  return finding.difference.has_value() ? kExitNo : kExitYes;
}

}  // namespace handrail
