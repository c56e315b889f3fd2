#include "handrail/agent/common_rows.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "handrail/base/assert.h"
#include "handrail/oracle/registry.h"
#include "handrail/policy/registry.h"
#include "handrail/safety/registry.h"

namespace handrail {

constinit const ParameterSpec kLearnFromBaselineRow =
    grouped("agent", word_row("learn_from_baseline",
                              "whether the policy learns from rounds that played the baseline",
                              "yes", kYesWords));

constinit const ParameterSpec kPendingLimitRow = grouped(
    "agent", count_row("pending_limit",
                       "decisions that may wait for their cost; past it the oldest is given up and "
                       "stays charged at 1",
                       "1000000", {.low = 1.0, .high = 1e9}));

namespace {

// The order of SPECs, which saves and traces hold.
constexpr std::array<std::string_view, 5> kGroups = {"policy", "oracle", "mlp", "gate", "agent"};

template <typename Entry>
std::vector<std::string_view> names_of(std::span<const Entry* const> entries) {
  std::vector<std::string_view> names;
  for (const Entry* entry : entries) names.push_back(entry->name);
  return names;
}

// A row whose words are the names of the entries.
struct ChoiceRow {
  template <typename Entry>
  ChoiceRow(std::string_view key, std::string_view meaning, std::string_view fallback,
            std::span<const Entry* const> entries)
      : names(names_of(entries)), row(grouped(key, word_row(key, meaning, fallback, names))) {}

  std::vector<std::string_view> names;
  ParameterSpec row;
};

const std::array<ChoiceRow, 3>& choice_rows() {
  static const std::array<ChoiceRow, 3> kRows = {
      ChoiceRow(kPolicyKey, "how arms are proposed", "igw", policies()),
      ChoiceRow(kOracleKey, "what predicts costs", "mlp", oracles()),
      ChoiceRow(kGateKey, "what must hold before a draw is played", "certified", gates())};
  return kRows;
}

// The choices first, then what the entries list, each row where it appears first; then by group.
std::vector<const ParameterSpec*> collect() {
  std::vector<const ParameterSpec*> found;
  for (const ChoiceRow& choice : choice_rows()) found.push_back(&choice.row);
  const auto add = [&](const ParameterSpec* row) {
    if (std::ranges::find(found, row) == found.end()) found.push_back(row);
  };
  const auto add_all = [&](const auto& entries) {
    for (const auto* entry : entries) std::ranges::for_each(entry->common, add);
  };
  add_all(oracles());
  add_all(gates());
  add_all(policies());
  add(&kLearnFromBaselineRow);
  add(&kPendingLimitRow);
  std::vector<const ParameterSpec*> sorted;
  for (const std::string_view group : kGroups) {
    std::ranges::copy_if(found, std::back_inserter(sorted),
                         [&](const ParameterSpec* row) { return row->group == group; });
  }
  HANDRAIL_ASSERT(sorted.size() == found.size());
  return sorted;
}

}  // namespace

std::span<const ParameterSpec* const> common_rows() {
  static const std::vector<const ParameterSpec*> kAll = collect();
  return kAll;
}

}  // namespace handrail
