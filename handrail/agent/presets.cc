#include "handrail/agent/presets.h"

#include <algorithm>
#include <array>

#include "handrail/agent/config.h"
#include "handrail/base/assert.h"
#include "handrail/base/text.h"
#include "handrail/explore/weighting.h"
#include "handrail/policy/registry.h"

namespace handrail {
namespace {

struct PresetRow {
  std::string_view name;
  std::string_view meaning;
  std::string_view settings;
};

// Policies with a gate, or with other parameters than their own defaults. A policy by its name
// alone needs no row.
constexpr std::array kRows = {
    PresetRow{"c-squarecb", "C-SquareCB: gap weighting over a network, certified gate",
              "policy=igw,weighting=absolute,gamma=rounds,gate=certified"},
    PresetRow{"c-fastcb", "C-FastCB: relative gap weighting, log loss, certified gate",
              "policy=igw,weighting=relative,gamma=costs,gate=certified"},
    PresetRow{"squarecb", "SquareCB: C-SquareCB without a gate",
              "policy=igw,weighting=absolute,gamma=rounds,gate=open"},
    PresetRow{"fastcb", "FastCB: C-FastCB without a gate",
              "policy=igw,weighting=relative,gamma=costs,gate=open"},
    PresetRow{"c-linucb", "conservative LinUCB (Kazerouni et al. 2017); safe for linear costs only",
              "policy=linucb,gate=ellipsoid,learn_from_baseline=no"},
    PresetRow{"c-linucb-unknown",
              "C-LinUCB where nobody knows what the baseline costs; safe for linear costs only",
              "policy=linucb,gate=contrast"},
    PresetRow{"c-linucb2",
              "conservative LinUCB by safe sets (Garcelon et al. 2020), for linear costs; with "
              "gate=checkpoint held at checkpoints only, for any costs",
              "policy=linucb,gate=safeset"},
    PresetRow{"c-ucb", "conservative UCB (Wu et al. 2016); safe for arms without context only",
              "policy=ucb,gate=armwise"},
    PresetRow{
        "budget-first",
        "BudgetFirst (Wu et al. 2016): the baseline until UCB can lose no more than it earned",
        "policy=ucb,gate=budget"},
    PresetRow{"c-lints", "linear Thompson sampling, certified gate", "policy=lints,gate=certified"},
    PresetRow{"falcon", "FALCON: gap weighting over an oracle fitted anew in each epoch",
              "policy=falcon,gamma_factor=auto,gate=open"},
    PresetRow{"glm-ucb", "GLM-UCB: a logistic model with a bonus for what is unknown",
              "policy=glm-ucb,lambda=0.01,gate=open"},
    PresetRow{"c-smooth-igw", "smooth-igw, certified gate", "policy=smooth-igw,gate=certified"},
    PresetRow{"baseline", "always the baseline", "policy=uniform,gate=shut"},
    PresetRow{"c-squarecb-ips", "C-SquareCB where nobody knows what the baseline costs",
              "policy=igw,weighting=absolute,gamma=rounds,gate=certified-ips"},
    PresetRow{"c-squarecb-dr", "the same, correcting predictions of the baseline's cost",
              "policy=igw,weighting=absolute,gamma=rounds,gate=certified-dr"},
};

std::vector<Preset> all_presets() {
  std::vector<Preset> all;
  for (const PresetRow& row : kRows) {
    all.push_back(
        {.name = row.name, .meaning = row.meaning, .settings = std::string(row.settings)});
  }
  for (const PolicyEntry* policy : policies()) {
    if (!policy->names_agent) continue;
    all.push_back({.name = policy->name,
                   .meaning = policy->meaning,
                   .settings = "policy=" + std::string(policy->name) + ",gate=open"});
  }
  return all;
}

std::vector<Setting> keys_of(std::string_view settings) {
  return parse_spec({.key = "", .value = ":" + std::string(settings)}).value().keys;
}

void append(std::vector<Setting>& keys, std::string_view settings) {
  for (Setting& key : keys_of(settings)) keys.push_back(std::move(key));
}

// NAME@paper: the choices of the paper's experiments where it states them, and of its algorithms
// where it does not. Algorithm 2's own schedule of γ needs the best arm's expected cost, which no
// agent may see.
void follow_the_paper(const AgentConfig& config, std::vector<Setting>& keys) {
  append(keys, "learn_from_baseline=no");
  if (!config.policy->uses_oracle) return;
  if (!config.gate->paper_form.empty())
    append(keys, "gate=" + std::string(config.gate->paper_form));
  const bool absolute = config.common.choice<Weighting>(kWeightingRow) == Weighting::kAbsolute;
  append(keys, absolute ? "gamma=sqrt,loss=square" : "gamma=first-order,loss=log");
  append(keys, "width=100,own_layer=first,skip=no,update=periodic,optimizer=sgd,clip=inf,pull=0");
}

}  // namespace

std::span<const Preset> presets() {
  static const std::vector<Preset> kAll = all_presets();
  return kAll;
}

Result<std::vector<Setting>> keys_of_preset(const Spec& spec) {
  const std::string_view name = spec.name;
  const bool paper = name.ends_with(kPaperSuffix);
  const std::string_view plain = paper ? name.substr(0, name.size() - kPaperSuffix.size()) : name;
  const auto found = std::ranges::find(presets(), plain, &Preset::name);
  if (found == presets().end()) {
    std::vector<std::string_view> names;
    for (const Preset& preset : presets()) names.push_back(preset.name);
    return error_at({.key = "", .value = "", .place = spec.place},
                    "no agent is called " + quoted(name) + "; the nearest is " +
                        quoted(nearest(plain, names)) + " (`handrail agents` lists all)");
  }
  std::vector<Setting> keys = keys_of(found->settings);
  if (paper) follow_the_paper(agent_of_keys(keys).value(), keys);
  return keys;
}

}  // namespace handrail
