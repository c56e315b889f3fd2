// Transcripts of 50 rounds against those in tests/golden. They show a reader what a change does to
// decisions, and prove nothing by themselves: that the numbers are right is for the twin and for
// the tests of the parts to say. HANDRAIL_REGENERATE=1 writes them anew.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "handrail/base/text.h"
#include "tests/run_fixture.h"

namespace handrail {
namespace {

constexpr int kRounds = 50;
constexpr double kTolerance = 1e-12;

struct Golden {
  const char* file;
  const char* agent;
};

// The paper's own margin would shut the gate after one exploration; a small one shows both choices.
constexpr std::array<Golden, 4> kGoldens = {{
    {"c-squarecb.certified.txt", "c-squarecb:oracle=ridge"},
    {"c-squarecb.paper.txt", "c-squarecb:oracle=ridge,gate=paper,gamma=sqrt,margin_scale=1"},
    {"c-fastcb.certified.txt", "c-fastcb:oracle=ridge"},
    {"c-fastcb.paper.txt", "c-fastcb:oracle=ridge,gate=paper,gamma=first-order,margin_scale=1"},
}};

// A real number always has a point or an exponent, so that a reader can tell it from a count.
std::string real(double value) {
  std::string text = to_text(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string reals(std::span<const double> values) {
  std::string text;
  for (const double value : values) text += " " + real(value);
  return text;
}

// FNV-1a of the features, rounded to nine digits: the last bits belong to the machine's libm.
std::string hash_of(std::span<const double> features) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const double feature : features) {
    auto rest = static_cast<std::uint64_t>(std::llround(feature * 1e9));
    for (int byte = 0; byte < 8; ++byte, rest >>= 8) hash = (hash ^ (rest & 0xff)) * 0x100000001b3;
  }
  std::ostringstream text;
  text << "#" << std::hex << hash;
  return text.str();
}

std::string transcript_line(const RoundRecord& record) {
  const Decision& decision = record.decision;
  std::ostringstream out;
  out << "round " << record.round.t << " features " << hash_of(record.round.features)
      << " baseline " << decision.baseline.arm << " at " << real(decision.baseline.cost)
      << "\n  costs" << reals(record.workspace.predicted_costs()) << "\n  gamma "
      << real(record.workspace.gamma().value_or(0.0)) << "\n  p"
      << reals(record.workspace.distribution().probabilities()) << "\n  candidate "
      << decision.candidate << " exposure " << real(decision.exposure) << " allowance "
      << real(decision.allowance) << "\n  "
      << (decision.choice == Choice::kExplore ? "explore" : "baseline") << " arm " << decision.arm
      << " propensity " << real(decision.propensity.value()) << " cost "
      << real(record.outcome.cost) << " arrives " << record.outcome.arrives << "\n";
  return out.str();
}

std::string transcript_of(const Golden& golden) {
  auto run = run_of({{"agent", golden.agent},
                     {"world", "linear:arms=4,dim=3"},
                     {"alpha", "0.3"},
                     {"delay", "uniform:2"}});
  std::string text = std::string(golden.agent) + "\nin " + run.environment().name() +
                     ", alpha 0.3, delta 0.05, seed 1\n";
  for (int t = 0; t < kRounds; ++t) {
    run.advance();
    text += transcript_line(run.record());
  }
  return text;
}

bool is_real(const std::string& word) {
  return word.find_first_of(".e") != std::string::npos && to_number(word).has_value();
}

bool same_word(const std::string& is, const std::string& was) {
  if (is == was) return true;
  if (!is_real(is) || !is_real(was)) return false;
  const double a = *to_number(is);
  const double b = *to_number(was);
  return std::abs(a - b) <= kTolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

// Line by line and word by word: integers exact, reals to 1e-12.
void expect_same(const std::string& is, const std::string& was, const std::string& place) {
  std::istringstream is_lines(is);
  std::istringstream was_lines(was);
  std::string is_line;
  std::string was_line;
  for (int number = 1; std::getline(was_lines, was_line); ++number) {
    ASSERT_TRUE(std::getline(is_lines, is_line)) << place << ":" << number << ": missing";
    std::istringstream is_words(is_line);
    std::istringstream was_words(was_line);
    std::string is_word;
    std::string was_word;
    while (was_words >> was_word) {
      is_words >> is_word;
      ASSERT_TRUE(is_words && same_word(is_word, was_word))
          << place << ":" << number << ": \"" << was_word << "\" is now \"" << is_word << "\"";
    }
    ASSERT_FALSE(is_words >> is_word)
        << place << ":" << number << ": and now \"" << is_word << "\"";
  }
  EXPECT_FALSE(std::getline(is_lines, is_line)) << place << ": goes on with \"" << is_line << "\"";
}

class GoldenTranscript : public ::testing::TestWithParam<Golden> {};

TEST_P(GoldenTranscript, IsWhatItWas) {
  const std::string path = std::string(HANDRAIL_GOLDEN) + GetParam().file;
  const std::string transcript = transcript_of(GetParam());
  // One that never explores, or never refuses, would show little.
  EXPECT_NE(transcript.find("  explore arm"), std::string::npos);
  EXPECT_NE(transcript.find("  baseline arm"), std::string::npos);
  if (std::getenv("HANDRAIL_REGENERATE") != nullptr) {
    ASSERT_TRUE(std::ofstream(path) << transcript << std::flush) << path;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << path << ": cannot open";
  std::ostringstream was;
  was << file.rdbuf();
  expect_same(transcript, was.str(), path);
}

INSTANTIATE_TEST_SUITE_P(Agents, GoldenTranscript, ::testing::ValuesIn(kGoldens),
                         [](const auto& each) {
                           std::string name = each.param.file;
                           std::erase_if(name, [](char c) { return std::isalnum(c) == 0; });
                           return name;
                         });

TEST(GoldenWords, CompareIntegersExactlyAndRealsToTheirLastDigits) {
  EXPECT_TRUE(same_word("0.25", "0.2500000000001"));
  EXPECT_FALSE(same_word("0.25", "0.25000000001"));
  EXPECT_TRUE(same_word("1e-06", "1.0000001e-06"));
  EXPECT_FALSE(same_word("3", "4"));
  EXPECT_FALSE(same_word("#e1", "#e2"));
  EXPECT_FALSE(same_word("explore", "baseline"));
}

}  // namespace
}  // namespace handrail
