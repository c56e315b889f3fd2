#include "handrail/oracle/signs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "handrail/base/assert.h"
#include "handrail/base/random.h"

namespace handrail {
namespace {

constexpr std::size_t kWordBits = 64;
constexpr std::size_t kWordsPerGroup = kSegmentAlignment / kWordBits;
constexpr std::size_t kNibbleBits = 4;
constexpr std::size_t kNibblesPerWord = kWordBits / kNibbleBits;

using WordValues = std::array<double, kWordBits>;
using NibbleSigns = std::array<double, kNibbleBits>;

// Four bits as four signs: a lookup of four neighbours that can be multiplied at once.
constexpr std::array<NibbleSigns, 16> make_nibble_signs() {
  std::array<NibbleSigns, 16> table{};
  for (std::size_t bits = 0; bits < table.size(); ++bits) {
    for (std::size_t k = 0; k < kNibbleBits; ++k) {
      table[bits][k] = ((bits >> k) & 1) != 0 ? 1.0 : -1.0;
    }
  }
  return table;
}
constexpr std::array<NibbleSigns, 16> kNibbleSigns = make_nibble_signs();

// values[i] += coefficient · sign i of the word.
void add_word(double coefficient, std::uint64_t word, WordValues& values) {
  for (std::size_t n = 0; n < kNibblesPerWord; ++n) {
    const NibbleSigns& signs = kNibbleSigns[(word >> (n * kNibbleBits)) & 15];
    double* const four = values.data() + n * kNibbleBits;
    for (std::size_t k = 0; k < kNibbleBits; ++k) four[k] += coefficient * signs[k];
  }
}

// sums[k] += Σ values · signs, for the neighbours k, k + 4, … of a whole word.
void dot_word(const double* values, std::uint64_t word, NibbleSigns& sums) {
  for (std::size_t n = 0; n < kNibblesPerWord; ++n) {
    const NibbleSigns& signs = kNibbleSigns[(word >> (n * kNibbleBits)) & 15];
    const double* const four = values + n * kNibbleBits;
    for (std::size_t k = 0; k < kNibbleBits; ++k) sums[k] += four[k] * signs[k];
  }
}

double bit_sign(std::uint64_t word, std::size_t bit) {
  return ((word >> bit) & 1) != 0 ? 1.0 : -1.0;
}

}  // namespace

void draw_signs(std::uint64_t seed, std::size_t copy, std::size_t first_group,
                std::span<std::uint64_t> words) {
  HANDRAIL_ASSERT(words.size() % kWordsPerGroup == 0);
  for (std::size_t g = 0; g < words.size() / kWordsPerGroup; ++g) {
    const auto draw = static_cast<std::uint32_t>(first_group + g);
    const PhiloxCounter bits = random_block(seed, Purpose::kPerturbation, copy, draw);
    words[kWordsPerGroup * g] = bits[0] | (std::uint64_t{bits[1]} << 32);
    words[kWordsPerGroup * g + 1] = bits[2] | (std::uint64_t{bits[3]} << 32);
  }
}

SignTable SignTable::draw(std::uint64_t seed, std::size_t copy_count, std::size_t parameter_count) {
  HANDRAIL_ASSERT(parameter_count % kSegmentAlignment == 0);
  const std::size_t words_per_copy = parameter_count / kWordBits;
  std::vector<std::uint64_t> words(copy_count * words_per_copy);
  for (std::size_t s = 0; s < copy_count; ++s) {
    draw_signs(seed, s, 0, std::span(words).subspan(s * words_per_copy, words_per_copy));
  }
  return {copy_count, std::move(words)};
}

SignTable::SignTable(std::size_t copy_count, std::vector<std::uint64_t> words)
    : copy_count_(copy_count),
      words_per_copy_(words.size() / copy_count),
      words_(std::move(words)) {
  HANDRAIL_ASSERT(copy_count > 0 && words_.size() == copy_count * words_per_copy_);
}

double SignTable::sign(std::size_t copy, std::size_t parameter) const {
  HANDRAIL_ASSERT(copy < copy_count_ && parameter < words_per_copy_ * kWordBits);
  return bit_sign(words_[copy * words_per_copy_ + parameter / kWordBits], parameter % kWordBits);
}

const std::uint64_t* SignTable::first_word(std::size_t copy, const Segment& segment) const {
  HANDRAIL_ASSERT(segment.offset % kSegmentAlignment == 0 && copy < copy_count_);
  HANDRAIL_ASSERT(segment.offset + segment.size <= words_per_copy_ * kWordBits);
  return words_.data() + copy * words_per_copy_ + segment.offset / kWordBits;
}

double SignTable::dot(std::size_t copy, const Segment& segment,
                      std::span<const double> values) const {
  HANDRAIL_ASSERT(values.size() == segment.size);
  const std::uint64_t* const words = first_word(copy, segment);
  const std::size_t whole = values.size() / kWordBits;
  NibbleSigns sums{};
  for (std::size_t w = 0; w < whole; ++w) dot_word(values.data() + w * kWordBits, words[w], sums);
  double sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
  for (std::size_t i = whole * kWordBits; i < values.size(); ++i) {
    sum += values[i] * bit_sign(words[whole], i % kWordBits);
  }
  return sum;
}

void SignTable::add(std::span<const double> coefficients, const Segment& segment,
                    std::span<double> values) const {
  HANDRAIL_ASSERT(values.size() == segment.size && coefficients.size() == copy_count_);
  const std::size_t first = static_cast<std::size_t>(first_word(0, segment) - words_.data());
  for (std::size_t begin = 0; begin < values.size(); begin += kWordBits) {
    WordValues sums{};
    for (std::size_t s = 0; s < copy_count_; ++s) {
      add_word(coefficients[s], words_[s * words_per_copy_ + first + begin / kWordBits], sums);
    }
    const std::size_t count = std::min(kWordBits, values.size() - begin);
    for (std::size_t i = 0; i < count; ++i) values[begin + i] += sums[i];
  }
}

double SignTable::inner_product(std::size_t one, std::size_t other, const Segment& segment) const {
  const std::uint64_t* const a = first_word(one, segment);
  const std::uint64_t* const b = first_word(other, segment);
  std::size_t differing = 0;
  for (std::size_t begin = 0; begin < segment.size; begin += kWordBits) {
    const std::size_t count = std::min(kWordBits, segment.size - begin);
    const std::uint64_t mask = ~std::uint64_t{0} >> (kWordBits - count);
    const std::uint64_t differ = (a[begin / kWordBits] ^ b[begin / kWordBits]) & mask;
    differing += static_cast<std::size_t>(std::popcount(differ));
  }
  return static_cast<double>(segment.size) - 2.0 * static_cast<double>(differing);
}

}  // namespace handrail
