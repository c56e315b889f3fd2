#include "handrail/safety/contrast_gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "tests/dense_ridge.h"
#include "tests/gate_play.h"

namespace handrail {
namespace {

const FeatureLayout kPlane = {FeatureShape::kRows, 2, 1};
// Arm 0 is the baseline's. On axes V is diagonal, and everything can be written down.
const std::vector<double> kAxes = {1.0, 0.0, 0.0, 1.0};
const GateRound kAxesRound = {.features = ArmFeatures::rows(kAxes, 2)};

ContrastGate plane_gate(double reserve = 0.0) {
  return {{.alpha = 0.5, .reserve = reserve, .ellipsoid = {.delta = 0.05, .radius = 1.0}}, kPlane};
}

// β with V = diag(1 + n, 1 + m), by hand.
double beta_of(double n, double m) {
  return 0.5 * std::sqrt(std::log((1.0 + n) * (1.0 + m)) + 2.0 * std::log(20.0)) + 1.0;
}

// Before anything is known θ̂ = 0 and V = I: z = (−1.5, 1), so that G = β√3.25; for the baseline's
// arm nothing is earned and nothing is spent.
TEST(ContrastGate, KnowsNothingAtFirst) {
  const ContrastGate gate = plane_gate();
  const Sides other = ask(gate, kAxesRound, 1);
  EXPECT_NEAR(other.exposure.value, beta_of(0, 0) * std::sqrt(3.25), 1e-12);
  EXPECT_EQ(other.exposure.margin, other.exposure.value);
  EXPECT_EQ(other.allowance, 0.0);
  EXPECT_EQ(ask(gate, kAxesRound, 0).exposure.value, 0.0);
}

// The baseline costs 1 in every round and arm 1 costs 0. With n baseline rounds known θ̂ is
// (n/(n+1), 0), so that the refreshed bound of one more baseline round is
//   (n+1)/2 · (β/√(n+1) − n/(n+1)).
// The expected numbers are those of a script of 20 lines that follows the formulas on two axes.
TEST(ContrastGate, FollowsAHandComputedRun) {
  ContrastGate gate = plane_gate();
  std::vector<double> values;
  std::vector<Choice> choices;
  for (int t = 1; t <= 14; ++t) {
    values.push_back(ask(gate, kAxesRound, 1).exposure.value);
    const Decision decision = decide(gate, kAxesRound, 1);
    choices.push_back(decision.choice);
    book(gate, decision);
    reveal(gate, decision, decision.arm == 0 ? 1.0 : 0.0);
  }
  EXPECT_NEAR(values[0], 4.009144814575534, 1e-12);     // both bounds
  EXPECT_NEAR(values[1], 2.592200756661306, 1e-12);     // carried
  EXPECT_NEAR(values[9], -0.16684824586032843, 1e-12);  // refreshed: the first that is admitted
  EXPECT_NEAR(values[10], 0.15040342600450174, 1e-12);  // what was spent there shuts it again
  EXPECT_NEAR(values[11], -0.26329335156147504, 1e-12);
  EXPECT_NEAR(values[12], -0.13374588852496316, 1e-12);
  EXPECT_NEAR(values[13], -0.07237354466976598, 1e-12);
  EXPECT_EQ(std::count(choices.begin(), choices.begin() + 9, Choice::kBaseline), 9);
  const std::vector<Choice> last(choices.begin() + 9, choices.end());
  EXPECT_EQ(last, (std::vector{Choice::kExplore, Choice::kBaseline, Choice::kExplore,
                               Choice::kExplore, Choice::kExplore}));
}

// Ellipsoids are not nested, so that a bound is kept once it was reached, in baseline rounds too.
// After 9 of them as above G = −0.35381, refreshed. Then 5 late costs of 0 arrive: θ̂ falls to 0.6
// and its lower bound to 0.6 − 2.47475/√15 < 0. Another baseline round earns nothing, and refreshed
// G would be 5 · 0.03898 > 0; the bound of before still holds.
TEST(ContrastGate, KeepsABoundThatALaterEllipsoidWouldLose) {
  ContrastGate gate = plane_gate();
  Decision decision;
  for (int t = 1; t <= 9; ++t) {
    decision = decide(gate, kAxesRound, 1);
    ASSERT_EQ(decision.choice, Choice::kBaseline);
    book(gate, decision);
    reveal(gate, decision, 1.0);
  }
  for (int late = 0; late < 5; ++late) reveal(gate, decision, 0.0);
  EXPECT_NEAR(ask(gate, kAxesRound, 0).exposure.value, -0.3538085750567679, 1e-12);
}

TEST(ContrastGate, ReserveIsTheDeficitThatIsPermitted) {
  EXPECT_EQ(decide(plane_gate(4.0), kAxesRound, 1).choice, Choice::kBaseline);
  EXPECT_EQ(decide(plane_gate(4.01), kAxesRound, 1).choice, Choice::kExplore);
  EXPECT_EQ(ask(plane_gate(4.0), kAxesRound, 1).allowance, 4.0);
}

TEST(ContrastGate, NeverReadsWhatTheRoundSaysOfTheBaselinesCost) {
  ContrastGate gate = plane_gate();
  for (int t = 0; t < 12; ++t) {
    for (ArmIndex arm = 0; arm < 2; ++arm) {
      const Sides unknown = ask(gate, kAxesRound, arm);
      const GateRound known = {
          .features = kAxesRound.features, .baseline = {.arm = 0, .cost = 0.9}, .allowance = 7.0};
      EXPECT_EQ(ask(gate, known, arm).exposure.value, unknown.exposure.value);
      EXPECT_EQ(ask(gate, known, arm).allowance, unknown.allowance);
    }
    ContrastGate told = gate;
    Decision decision = decide(gate, kAxesRound, 1);
    book(gate, decision);
    decision.baseline.cost = 0.9;
    book(told, decision);
    ByteWriter one;
    ByteWriter other;
    gate.save(one);
    told.save(other);
    EXPECT_EQ(one.bytes(), other.bytes());
    reveal(gate, decision, 1.0);
  }
}

// Keeps every round, in the order in which decisions were made and costs arrived, and computes G
// anew from the first of them, with a dense matrix for each term.
struct Event {
  std::vector<double> played;
  std::vector<double> baseline;
  bool plays_baseline = false;
  bool explores = false;
  std::optional<double> cost = std::nullopt;  // of an arrival; none for a decision
};

struct Model {
  double alpha;
  EllipsoidConfig config;
  std::size_t size;
  std::vector<Event> events = {};

  double width(const DenseRidge& ridge, const std::vector<double>& z) const {
    const double beta = config.sigma * std::sqrt(ridge.log_det() - 2.0 * std::log(config.delta)) +
                        std::sqrt(config.lambda) * *config.radius;
    return beta * std::sqrt(ridge.squared_norm(z));
  }
  double upper(const DenseRidge& ridge, const std::vector<double>& z) const {
    return inner(z, ridge.theta()) + width(ridge, z);
  }

  // G after all events and then the decision `last`.
  double bound(const Event& last) const {
    DenseRidge ridge = {.lambda = config.lambda, .size = size};
    std::vector<double> sum(size, 0.0);
    double bound = 0.0;
    std::vector<Event> all = events;
    all.push_back(last);
    for (const Event& event : all) {
      if (event.cost.has_value()) {
        ridge.add(event.played, *event.cost);
        continue;
      }
      std::vector<double> z(size);
      for (std::size_t i = 0; i < size; ++i) {
        z[i] = event.played[i] - (1.0 + alpha) * event.baseline[i];
        sum[i] += z[i];
      }
      const double least = inner(event.baseline, ridge.theta()) - width(ridge, event.baseline);
      const double step = event.plays_baseline ? -alpha * std::max(0.0, least) : upper(ridge, z);
      bound = std::min(bound + step, upper(ridge, sum));
    }
    return bound;
  }
};

struct Seen {
  int explored = 0;
  int baseline = 0;
};

// Costs arrive late, or never, and baseline rounds are learned from too.
Seen follow_the_model(std::uint64_t seed) {
  RandomStream stream(seed, Purpose::kTest, 51);
  const bool block = seed % 2 == 0;
  const std::size_t arms = 3;
  const FeatureLayout layout = {block ? FeatureShape::kBlock : FeatureShape::kRows,
                                1 + stream.below(2), block ? arms : 1};
  const EllipsoidConfig config = {
      .lambda = 0.1 + stream.uniform(), .sigma = 0.1, .delta = 0.05, .radius = 1.0};
  const double reserve = seed % 3 == 0 ? 1.0 : 0.0;
  ContrastGate gate({.alpha = 0.5, .reserve = reserve, .ellipsoid = config}, layout);
  Model model = {.alpha = 0.5, .config = config, .size = layout.feature_count * layout.block_count};
  Seen seen;
  std::deque<std::pair<std::vector<double>, Decision>> pending;
  for (int t = 0; t < 30; ++t) {
    std::vector<double> row = random_row(stream, layout.feature_count);
    while (!block && row.size() < arms * layout.feature_count) {
      for (const double value : random_row(stream, layout.feature_count)) row.push_back(value);
    }
    const GateRound round = {.features = block ? ArmFeatures::block(row, arms)
                                               : ArmFeatures::rows(row, layout.feature_count),
                             .baseline = {.arm = static_cast<ArmIndex>(stream.below(arms))}};
    const auto event_of = [&](ArmIndex arm) {
      return Event{.played = stacked(round.features.arm(arm), layout),
                   .baseline = stacked(round.features.arm(round.baseline.arm), layout),
                   .plays_baseline = arm == round.baseline.arm};
    };
    for (ArmIndex arm = 0; arm < arms; ++arm) {
      const Sides sides = ask(gate, round, arm);
      EXPECT_NEAR(sides.exposure.value, model.bound(event_of(arm)), 1e-9) << "round " << t;
      EXPECT_GE(sides.exposure.margin, 0.0);
      EXPECT_EQ(sides.allowance, reserve);
    }
    EXPECT_LE(ask(gate, round, round.baseline.arm).exposure.value, reserve);
    const Decision decision = decide(gate, round, static_cast<ArmIndex>(stream.below(arms)));
    book(gate, decision);
    ++(decision.choice == Choice::kExplore ? seen.explored : seen.baseline);
    model.events.push_back(event_of(decision.arm));
    pending.emplace_back(std::move(row), decision);
    while (!pending.empty() && stream.below(4) > 0) {
      const auto& [kept, late] = pending.front();
      const double cost =
          late.arm == late.baseline.arm ? 0.5 + 0.5 * stream.uniform() : 0.5 * stream.uniform();
      reveal(gate, late, cost);
      model.events.push_back(
          {.played = stacked(late.features, layout), .baseline = {}, .cost = cost});
      pending.pop_front();
    }
  }
  return seen;
}

TEST(ContrastGate, FollowsTheModel) {
  Seen all;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const Seen seen = follow_the_model(seed);
    all.explored += seen.explored;
    all.baseline += seen.baseline;
  }
  EXPECT_GT(all.explored, 50);
  EXPECT_GT(all.baseline, 50);
}

// What the model cannot hold is never admitted, and a baseline's arm like that earns nothing.
TEST(ContrastGate, EarnsNothingFromExtremeFeatures) {
  for (const double size : {1e6, 1e160, 1e300, 1.7e308}) {
    SCOPED_TRACE(size);
    ContrastGate gate = plane_gate();
    const std::vector<double> rows = {size, -size, 0.6, 0.8};
    for (const ArmIndex baseline : {0u, 1u}) {
      const GateRound round = {.features = ArmFeatures::rows(rows, 2),
                               .baseline = {.arm = baseline}};
      for (int t = 0; t < 3; ++t) {
        EXPECT_EQ(decide(gate, round, 1 - baseline).choice, Choice::kBaseline);
        EXPECT_TRUE(std::isfinite(ask(gate, round, 1 - baseline).exposure.value));
        const Decision decision = decide(gate, round, baseline);
        EXPECT_EQ(decision.exposure, 0.0);
        book(gate, decision);
        reveal(gate, decision, 1.0);
      }
    }
  }
}

TEST(ContrastGate, GoesOnAfterLoading) {
  ContrastGate gate = plane_gate();
  for (int t = 0; t < 12; ++t) {
    const Decision decision = decide(gate, kAxesRound, 1);
    book(gate, decision);
    reveal(gate, decision, decision.arm == 0 ? 1.0 : 0.0);
  }
  ByteWriter out;
  gate.save(out);
  ContrastGate copy = plane_gate();
  ByteReader in(out.bytes());
  ASSERT_TRUE(copy.load(in).ok());
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(ask(copy, kAxesRound, 1).exposure.value, ask(gate, kAxesRound, 1).exposure.value);
  for (std::size_t length = 0; length < out.bytes().size(); ++length) {
    ByteReader cut(out.bytes().substr(0, length));
    ASSERT_FALSE(copy.load(cut).ok()) << length;
  }
  ByteWriter again;
  copy.save(again);
  EXPECT_EQ(again.bytes(), out.bytes());
}

}  // namespace
}  // namespace handrail
