#include "handrail/eval/trace_reader.h"

#include <gtest/gtest.h>

#include <sstream>

namespace handrail {
namespace {

const std::string kHeader =
    R"({"handrail_trace":1,"agent":"a","policy":"igw","weighting":null,"gate":"open","alpha":0.1,)"
    R"("delta":0.05,"reserve":0,"members":"open","margin_scale":16,"margin_rounds":"m","floor":0,)"
    R"("seed":18446744073709551615,"environment":"e","arms":2,)"
    R"("config":{"a":"b","c":0.5,"d":null}})";
const std::string kRound =
    R"({"t":1,"predicted_costs":[],"gamma":null,"distribution":[0.5,0.5],"candidate":0,)"
    R"("exposure":0,"margin":0,"allowance":0.1,"choice":"explore","arm":0,"propensity":0.5,)"
    R"("centre":0.5,"regret_bound":null,"slack":null,"baseline":{"arm":1,"cost":0.5},"cost":null,)"
    R"("arrives":null,"expected_cost":0.5,"best_cost":0.25})";

std::string with(std::string text, const std::string& part, const std::string& instead) {
  const std::size_t place = text.find(part);
  EXPECT_NE(place, std::string::npos) << part;
  return text.replace(place, part.size(), instead);
}

// What is said of a trace whose header is good and whose second line is this.
std::string refusal_of_round(const std::string& line) {
  std::istringstream in(kHeader + "\n" + line + "\n");
  TraceReader reader(in, "trace");
  EXPECT_TRUE(reader.header().ok());
  const auto round = reader.next();
  return round.ok() ? "no refusal" : round.error().message;
}

std::string refusal_of_header(const std::string& line) {
  std::istringstream in(line + "\n");
  TraceReader reader(in, "trace");
  const auto header = reader.header();
  return header.ok() ? "no refusal" : header.error().message;
}

TEST(TraceReader, ReadsAHeaderAndARound) {
  std::istringstream in(kHeader + "\n" + kRound + "\n");
  TraceReader reader(in, "trace");
  const TraceHeader header = reader.header().value();
  EXPECT_EQ(reader.place(), "trace:1");
  EXPECT_EQ(header.weighting, "");
  EXPECT_EQ(header.seed, 18446744073709551615u);
  EXPECT_EQ(header.first_round, 1u);
  EXPECT_EQ(header.config.at("a"), "b");
  EXPECT_EQ(header.config.at("c"), "0.5");
  const TraceRound round = reader.next().value().value();
  EXPECT_EQ(reader.place(), "trace:2");
  EXPECT_EQ(round.choice, Choice::kExplore);
  EXPECT_FALSE(round.cost.has_value());
  EXPECT_FALSE(round.arrives.has_value());
  EXPECT_EQ(round.baseline_arm, 1u);
  EXPECT_FALSE(reader.next().value().has_value());
}

TEST(TraceReader, ALastLineWithoutAnEndIsRefused) {
  std::istringstream in(kHeader + "\n" + kRound);
  TraceReader reader(in, "trace");
  ASSERT_TRUE(reader.header().ok());
  EXPECT_EQ(reader.next().error().message, "trace:2: the last line has no end; was it cut?");
}

TEST(TraceReader, NothingIsNoTrace) {
  std::istringstream in("");
  TraceReader reader(in, "trace");
  EXPECT_EQ(reader.header().error().message, "trace: empty; a trace begins with a header line");
}

TEST(TraceReader, NamesTheFieldThatIsMissingOrOfAnotherKind) {
  EXPECT_EQ(refusal_of_round(with(kRound, "\"t\":1,", "")),
            "trace:2: field t is missing; a number that counts was expected");
  EXPECT_EQ(refusal_of_round(with(kRound, "\"t\":1,", "\"t\":-1,")),
            "trace:2: field t is -1; a number that counts was expected");
  EXPECT_EQ(refusal_of_round(with(kRound, "[0.5,0.5]", "[0.5,\"x\"]")),
            "trace:2: field distribution is a list; a list of numbers was expected");
  EXPECT_EQ(refusal_of_round(with(kRound, "\"cost\":0.5}", "\"cost\":\"x\"}")),
            "trace:2: baseline: field cost is \"x\"; a number was expected");
  EXPECT_EQ(refusal_of_round(with(kRound, "\"explore\"", "\"jump\"")),
            "trace:2: choice is \"jump\"; explore or baseline was expected");
  EXPECT_EQ(refusal_of_round("[]"), "trace:2: a JSON object was expected");
  EXPECT_EQ(refusal_of_round(kRound.substr(0, 100)),
            "trace:2: not a whole JSON object; was the line cut?");
  EXPECT_EQ(refusal_of_header(with(kHeader, ":1,", ":2,")),
            "trace:1: trace format 2; this program reads format 1");
  EXPECT_EQ(refusal_of_header(with(kHeader, "0.05", "1")),
            "trace:1: delta is 1; a number in [1e-100, 1) was expected");
  EXPECT_EQ(refusal_of_header(with(kHeader, "\"arms\":2", "\"arms\":0")),
            "trace:1: arms is not in [1, 67108864]");
  EXPECT_EQ(refusal_of_header(kRound), "trace:1: not the header of a trace");
}

// A value is input like the rest: neither its length nor its depth may hurt the one who names it.
TEST(TraceReader, ShowsOnlyTheBeginningOfWhatItRefuses) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_EQ(refusal_of_round(with(kRound, "\"t\":1,", "\"t\":" + deep + ",")),
            "trace:2: field t is a list; a number that counts was expected");
  EXPECT_EQ(refusal_of_header(with(kHeader, "null,", deep + ",")),
            "trace:1: field weighting is a list; a text was expected");
  const std::string choice = std::string("\"") + std::string(10'000, 'x') + "\"";
  EXPECT_LT(refusal_of_round(with(kRound, "\"explore\"", choice)).size(), 150u);
  const std::string lines = refusal_of_round(with(kRound, "\"explore\"", R"("a\nb\u00e4")"));
  EXPECT_EQ(lines, R"(trace:2: choice is "a\nb\u00e4"; explore or baseline was expected)");
}

}  // namespace
}  // namespace handrail
