#include "handrail/eval/audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "handrail/base/text.h"
#include "tests/run_fixture.h"

namespace handrail {
namespace {

// What an audit of these parts comes to: "" if all follows, else the field or the refusal.
std::string verdict_on(const std::vector<std::string>& parts) {
  std::optional<Auditor> auditor;
  for (const std::string& part : parts) {
    std::istringstream in(part);
    TraceReader reader(in, "trace");
    const Result<TraceHeader> header = reader.header();
    if (!header.ok()) return header.error().message;
    if (auditor.has_value()) {
      const Status fits = auditor->check_continuation(header.value());
      if (!fits.ok()) return fits.error().message;
    } else {
      Result<Auditor> made = Auditor::make(header.value());
      if (!made.ok()) return made.error().message;
      auditor = std::move(made).value();
    }
    for (;;) {
      const Result<std::optional<TraceRound>> round = reader.next();
      if (!round.ok()) return round.error().message;
      if (!round.value().has_value()) break;
      const std::optional<Difference> difference = auditor->check(*round.value());
      if (difference.has_value()) return difference->field;
    }
  }
  return "";
}

std::string with(std::string text, const std::string& part, const std::string& instead) {
  const std::size_t place = text.find(part);
  EXPECT_NE(place, std::string::npos) << part;
  return text.replace(place, part.size(), instead);
}

const std::vector<std::string> kSpecs = {
    "squarecb:oracle=ridge",
    "c-squarecb:oracle=ridge",
    "c-fastcb:oracle=linear,gate=paper,margin_scale=0.01,regret_bound=2,gamma=episodic",
    "c-squarecb:oracle=ridge,gate=model,gamma=sqrt",
    "epsilon-greedy:oracle=ridge,gate=certified,bound=mixture",
    "uniform:gate=certified,members=open",
    "c-linucb",
    "baseline",
    "c-linucb-unknown:sigma=0.1,radius=0.1",
    "c-linucb2:sigma=0.1,radius=0.1",
    "c-squarecb:oracle=ridge,gate=safeset,members=open",
    "linucb:sigma=0.1,radius=0.1,gate=stagewise",
    "c-linucb2:gate=checkpoint,future_cost=0.1,checkpoint_every=20",
};

bool reads_features(const std::string& spec) {
  return parse_agent(spec).value().gate->traits.reads_features;
}
bool has_own_allowance(const std::string& spec) {
  return parse_agent(spec).value().gate->traits.own_allowance;
}

Run run_with(const std::string& agent) {
  return run_of({{"agent", agent}, {"world", "linear:arms=3,dim=2"}, {"delay", "uniform:3"}});
}

TEST(Audit, AcceptsWhatAgentsDo) {
  for (const std::string& spec : kSpecs) {
    auto run = run_with(spec);
    EXPECT_EQ(verdict_on({trace_of(run, 200)}), "") << spec;
  }
}

TEST(Audit, AcceptsPoliciesThatDrawOrHaveAScheduleOfTheirOwn) {
  for (const char* spec :
       {"lints", "c-lints", "lints:draws=20", "c-lints:draws=20,lambda=0.1",
        "lints:posterior_scale=theory,gate=paper,margin_scale=0.01", "glm-ucb",
        "glm-ucb:gate=certified,history=20", "falcon:oracle=ridge",
        "falcon:oracle=linear,variant=plus,gate=certified", "falcon:oracle=ridge,horizon=100"}) {
    auto run = run_with(spec);
    EXPECT_EQ(verdict_on({trace_of(run, 200)}), "") << spec;
  }
  auto run = run_with("falcon:oracle=ridge");
  const std::string text = trace_of(run, 5);
  EXPECT_EQ(verdict_on({with(text, "\"gamma\":0,", "\"gamma\":null,")}), "gamma");
}

TEST(Audit, AcceptsTheCostThatNeverComes) {
  auto run = run_of({{"agent", "uniform:gate=certified"}, {"delay", "1000"}});
  std::string text = trace_of(run, 30);
  for (std::size_t place; (place = text.find("\"arrives\":1")) != std::string::npos;) {
    text.replace(place, text.find(',', place) - place, "\"arrives\":null");
  }
  EXPECT_EQ(verdict_on({text}), "");
}

// The draw is a function of the seed, so that an agent cannot say it drew what it liked better.
TEST(Audit, DrawsTheCandidateAgain) {
  auto run = run_with("uniform");
  const std::string text = trace_of(run, 50);
  EXPECT_EQ(verdict_on({with(text, "\"seed\":1,", "\"seed\":2,")}), "candidate");
}

TEST(Audit, ScopeSaysWhatHadToBeBelieved) {
  const auto trusted = [](const std::string& agent, const std::string& field) {
    const auto run = run_with(agent);
    std::istringstream in(trace_header(run) + "\n");
    const TraceHeader header = TraceReader(in, "trace").header().value();
    const AuditScope scope = Auditor::make(header).value().scope();
    const bool checked = std::ranges::count(scope.checked, field) == 1;
    const bool believed = std::ranges::count(scope.trusted, field) == 1;
    EXPECT_NE(checked, believed) << field;
    return believed;
  };
  for (const std::string& spec : kSpecs) {
    EXPECT_TRUE(trusted(spec, "predicted_costs"));
    EXPECT_TRUE(trusted(spec, "cost"));
    for (const char* field : {"t", "candidate", "choice", "arm", "centre"}) {
      EXPECT_FALSE(trusted(spec, field)) << spec << field;
    }
    EXPECT_EQ(trusted(spec, "exposure"), reads_features(spec));
    EXPECT_EQ(trusted(spec, "allowance"), reads_features(spec) && has_own_allowance(spec));
    EXPECT_EQ(trusted(spec, "slack"),
              spec.find("safeset") != std::string::npos || spec.starts_with("c-linucb2:sigma"));
    const bool linucb = spec.find("linucb") != std::string::npos;
    const bool selects = spec.find("safeset") != std::string::npos;
    EXPECT_EQ(trusted(spec, "distribution"), linucb || selects);
  }
  EXPECT_TRUE(trusted("c-squarecb:oracle=ridge,gamma=sqrt", "gamma"));
  EXPECT_TRUE(trusted("falcon:oracle=ridge", "gamma"));
  EXPECT_FALSE(trusted("falcon:oracle=ridge", "distribution"));
  EXPECT_TRUE(trusted("lints", "candidate"));
  EXPECT_FALSE(trusted("c-squarecb:oracle=ridge,gamma=sqrt,gate=paper", "gamma"));
  EXPECT_FALSE(trusted("c-squarecb:oracle=ridge,gamma=sqrt,regret_bound=2", "gamma"));
}

TEST(Audit, ScopeOfAFewArms) {
  const auto header = [](const std::string& agent) {
    const auto run = run_of({{"agent", agent}, {"world", "product:factors=2"}});
    std::istringstream in(trace_header(run) + "\n");
    return TraceReader(in, "trace").header().value();
  };
  const AuditScope smooth = Auditor::make(header("c-smooth-igw:oracle=ridge")).value().scope();
  EXPECT_EQ(std::ranges::count(smooth.checked, "distribution"), 1);
  EXPECT_EQ(std::ranges::count(smooth.checked, "candidate"), 1);
  EXPECT_EQ(std::ranges::count(smooth.trusted, "propensity"), 1);  // of the greedy arm
  const AuditScope spanner = Auditor::make(header("spanner-igw")).value().scope();
  EXPECT_EQ(std::ranges::count(spanner.trusted, "distribution"), 1);
  EXPECT_EQ(std::ranges::count(spanner.checked, "propensity"), 1);
}

TEST(Audit, PartsMustBeOfOneRunAndInOrder) {
  auto run = run_with("c-squarecb:oracle=ridge");
  const std::string first = trace_of(run, 30);
  const std::string second = trace_of(run, 30);
  EXPECT_EQ(verdict_on({first, second}), "");
  EXPECT_EQ(verdict_on({second}),
            "the header: it begins at round 31; give the part before it too, in order");
  EXPECT_EQ(verdict_on({first, first}),
            "the trace begins at round 1; the part before it ends with 30");
  for (const auto& [part, instead] :
       {std::pair("\"alpha\":0.1", "\"alpha\":0.2"),
        std::pair("\"gate\":\"certified\"", "\"gate\":\"open\""),
        std::pair("\"floor\":0", "\"floor\":0.1"), std::pair("\"arms\":3", "\"arms\":4"),
        std::pair("\"lambda\":1", "\"lambda\":2")}) {
    EXPECT_EQ(verdict_on({first, with(second, part, instead)}),
              "the trace is of another run than the part before it");
  }
}

TEST(Audit, RefusesAHeaderThatContradictsItself) {
  const auto header_of = [](const std::string& agent) {
    return trace_header(run_with(agent)) + "\n";
  };
  EXPECT_EQ(verdict_on({with(header_of("uniform"), "\"gate\":\"open\"", "\"gate\":\"paper\"")}),
            "the header: gate=paper reads predicted costs, and policy=uniform predicts none");
  EXPECT_EQ(verdict_on({with(header_of("greedy"), "\"gamma\":\"rounds\"", "\"gamma\":\"x\"")}),
            "the header: gamma is \"x\"; one of constant, sqrt, episodic, first-order, "
            "rounds, costs was expected");
  EXPECT_EQ(verdict_on({with(header_of("epsilon-greedy"), "0.05,\"bonus", "1.5,\"bonus")}),
            "the header: epsilon is \"1.5\"; a number in [0, 1] was expected");
  EXPECT_EQ(
      verdict_on({with(header_of("squarecb:regret_bound=2"), "\"regret_bound\":2", "\"floor\":0")}),
      "the header: its config has no number for regret_bound, and says it was given");
}

const std::vector<std::string> kSparseSpecs = {
    "smooth-igw:oracle=ridge",
    "c-smooth-igw:oracle=ridge,propensity_draws=0,acceptance=igw",
    "smooth-igw:oracle=linear,weighting=relative,gamma=costs,gate=paper,margin_scale=0.01",
    "smooth-igw:width=8,batch=4,gate=certified",
    "spanner-igw",
    "spanner-igw:gate=certified",
};

Run sparse_run(const std::string& agent, const std::string& world) {
  return run_of({{"agent", agent}, {"world", world}, {"delay", "uniform:3"}, {"reserve", "5"}});
}

TEST(Audit, AcceptsWhatAgentsDoThatSpeakOfAFewArms) {
  for (const std::string& spec : kSparseSpecs) {
    for (const char* world : {"product:factors=4,choices=3,features=2", "linear:arms=3,dim=2",
                              "product:factors=2,choices=2,features=1,curve=square"}) {
      auto run = sparse_run(spec, world);
      EXPECT_EQ(verdict_on({trace_of(run, 200)}), "") << spec << " in " << world;
      EXPECT_GT(run.agent().account().explored, 0u) << spec << " in " << world;
    }
  }
}

// The arm that a policy drew for itself is a function of the seed too.
TEST(Audit, DrawsAgainWhatThePolicyDrew) {
  auto run = sparse_run("smooth-igw:oracle=ridge", "product:factors=4,choices=3");
  const std::string text = trace_of(run, 50);
  EXPECT_EQ(verdict_on({with(text, "\"seed\":1,", "\"seed\":2,")}), "distribution");
}

TEST(Audit, NoticesWhatDoesNotFollowOfAFewArms) {
  auto run = sparse_run("smooth-igw:oracle=ridge", "product:factors=4,choices=3");
  const std::string text = trace_of(run, 1);
  const std::string spoilt = with(text, "\"propensity_error\":", "\"propensity_error\":7");
  EXPECT_EQ(verdict_on({spoilt}), "propensity_error");
  EXPECT_EQ(verdict_on({with(text, "\"predicted_costs\":[[", "\"predicted_costs\":[[7")}),
            "trace:2: distribution speaks of other arms than predicted_costs");
  EXPECT_EQ(verdict_on({with(text, "\"predicted_costs\":[[", "\"predicted_costs\":[0.5,[")}),
            "trace:2: field predicted_costs is a list; a list of numbers was expected");
  auto dense = run_with("squarecb:oracle=ridge");
  EXPECT_EQ(
      verdict_on({with(trace_of(dense, 3), "\"policy\":\"igw\"", "\"policy\":\"smooth-igw\"")}),
      "predicted_costs");
}

// Any answer will do but a crash, which ends the whole test program.
TEST(Audit, SurvivesEveryChangedByte) {
  const std::string replacements = "9-\"[x\n";
  for (const std::string& spec : {kSpecs[1], kSpecs[2], kSpecs[4], kSparseSpecs[0]}) {
    auto run = run_with(spec);
    const std::string text = trace_of(run, 5);
    std::size_t unnoticed = 0;
    for (std::size_t place = 0; place < text.size(); ++place) {
      std::string changed = text;
      changed[place] = replacements[place % replacements.size()];
      if (verdict_on({changed}).empty()) ++unnoticed;
    }
    // Names, what is taken on trust and last digits may go unnoticed; whole traces may not.
    EXPECT_LT(unnoticed, text.size() * 2 / 3) << spec;
    EXPECT_GT(unnoticed, 0u);
  }
}

}  // namespace
}  // namespace handrail
