#include <cstdio>
#include <optional>
#include <type_traits>
#include <variant>

#include "apps/commands.h"
#include "handrail/agent/agent.h"
#include "handrail/agent/save_file.h"
#include "handrail/base/json.h"
#include "handrail/eval/run.h"

namespace handrail {
namespace {

using Value = std::variant<std::string, double, std::uint64_t, std::optional<double>>;
using Fields = std::vector<std::pair<std::string_view, Value>>;

Fields fields_of(const Agent& agent) {
  const AgentSettings& settings = agent.settings();
  const Account account = agent.account();
  return {{"agent", settings.agent},
          {"alpha", settings.alpha},
          {"delta", settings.delta},
          {"reserve", settings.reserve},
          {"seed", settings.seed},
          {"layout", describe(settings.layout)},
          {"decisions", account.decisions},
          {"explored", account.explored},
          {"baseline_played", account.baseline_played},
          {"pending", account.pending},
          {"given_up", account.given_up},
          {"slack", account.slack}};
}

Fields fields_of(const Run& run) {
  Fields fields = fields_of(run.agent());
  fields.emplace_back(to_text(run.environment().kind()), run.environment().name());
  fields.emplace_back("regret", run.metrics().regret());
  fields.emplace_back("cost_sum", run.metrics().cost_sum());
  fields.emplace_back("violated_rounds", run.metrics().promised().violated_rounds());
  fields.emplace_back("min_slack", run.min_slack());
  return fields;
}

std::string as_json(const Value& value) {
  std::string text;
  JsonWriter json(text);
  std::visit(
      [&](const auto& held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::string>) {
          json.value(std::string_view(held));
        } else {
          json.value(held);
        }
      },
      value);
  return text;
}

void print_fields(const Fields& fields, bool json) {
  std::string text;
  for (const auto& [name, value] : fields) {
    const auto* words = std::get_if<std::string>(&value);
    if (json) {
      text += (text.empty() ? "{\"" : ",\"") + std::string(name) + "\":" + as_json(value);
    } else {
      text += std::string(name) + ": " + (words != nullptr ? *words : as_json(value)) + "\n";
    }
  }
  std::printf("%s%s", text.c_str(), json ? "}\n" : "");
}

}  // namespace

int inspect_command(const std::string& path, bool json) {
  const Result<SaveFile> save = read_save(path);
  if (!save.ok()) return complain(save.error().message);
  const Result<Agent> agent = Agent::from_state(save.value().agent, path);
  if (!agent.ok()) return complain(agent.error().message);
  if (save.value().run.empty()) {
    print_fields(fields_of(agent.value()), json);
    return kExitYes;
  }
  EnvironmentShelf shelf(catalog_config_from_environment());
  const Result<Run> run = Run::resume(path, shelf);
  if (!run.ok()) return complain(run.error().message);
  print_fields(fields_of(run.value()), json);
  return kExitYes;
}

}  // namespace handrail
