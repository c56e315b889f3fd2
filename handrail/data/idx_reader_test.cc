#include "handrail/data/idx_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "../../tests/packing.h"
#include "../../tests/table_fixture.h"

namespace handrail {
namespace {

using Cells = std::vector<double>;

std::string idx_of(int type, const std::vector<std::uint32_t>& sizes, std::string_view elements) {
  std::string bytes = {0, 0, static_cast<char>(type), static_cast<char>(sizes.size())};
  for (const std::uint32_t size : sizes) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes += static_cast<char>((size >> shift) & 0xFF);
    }
  }
  return bytes + std::string(elements);
}

std::string hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

const std::string kImages = "train-images-idx3-ubyte";
const std::string kLabels = "train-labels-idx1-ubyte";

// What is said of the images, with labels beside them.
std::string refusal_with_labels(std::string_view images, std::string_view labels) {
  file_of(kLabels, labels);
  return refusal_of(kImages, images);
}

Table table_with_labels(std::string_view images, std::string_view labels) {
  file_of(kLabels, labels);
  return table_of(kImages, images);
}

Cells cells(const Table& table, std::size_t row) {
  return {table.row(row).begin(), table.row(row).end()};
}

TEST(IdxReader, ReadsImagesAndTheLabelsBesideThem) {
  const Table table = table_with_labels(idx_of(8, {3, 2, 2}, hex("000102FF04050607FEFDFCFB")),
                                        packed_by_gzip(idx_of(8, {3}, hex("090209"))));
  ASSERT_EQ(table.column_count(), 5u);
  EXPECT_EQ(table.columns()[0], Column{"pixel1"});
  EXPECT_EQ(table.columns()[4], (Column{"class", ColumnKind::kNominal, {"2", "9"}}));
  ASSERT_EQ(table.row_count(), 3u);
  EXPECT_EQ(cells(table, 0), (Cells{0, 1, 2, 255, 1}));
  EXPECT_EQ(cells(table, 1), (Cells{4, 5, 6, 7, 0}));
  EXPECT_EQ(cells(table, 2), (Cells{254, 253, 252, 251, 1}));
}

TEST(IdxReader, ReadsEveryTypeOfNumber) {
  const std::string label = idx_of(8, {1}, hex("00"));
  EXPECT_EQ(cells(table_with_labels(idx_of(9, {1, 2}, hex("FF7F")), label), 0),
            (Cells{-1, 127, 0}));
  EXPECT_EQ(cells(table_with_labels(idx_of(0xB, {1, 2}, hex("FFFE0102")), label), 0),
            (Cells{-2, 258, 0}));
  EXPECT_EQ(cells(table_with_labels(idx_of(0xC, {1, 1}, hex("80000000")), label), 0),
            (Cells{-2147483648.0, 0}));
  EXPECT_EQ(
      cells(table_with_labels(idx_of(0xD, {1, 3}, hex("BFC000003DCCCCCD00000001")), label), 0),
      (Cells{-1.5, 0.100000001490116119384765625, 0x1p-149, 0}));
  EXPECT_EQ(cells(table_with_labels(idx_of(0xE, {1, 1}, hex("BFF8000000000000")), label), 0),
            (Cells{-1.5, 0}));
}

TEST(IdxReader, RefusesNumbersThatAreNotFinite) {
  const std::string labels = idx_of(8, {2}, hex("0001"));
  EXPECT_EQ(refusal_with_labels(idx_of(0xD, {2, 1}, hex("000000007F800000")), labels),
            kImages + ": element 1 of row 2 is no finite number");
  EXPECT_EQ(
      refusal_with_labels(idx_of(0xE, {2, 1}, hex("FFF80000000000000000000000000000")), labels),
      kImages + ": element 1 of row 1 is no finite number");
}

TEST(IdxReader, EveryCutIsFound) {
  const std::string images = idx_of(8, {2, 2, 1}, "abcd");
  const std::string labels = idx_of(8, {2}, hex("0001"));
  for (std::size_t size = 1; size < images.size(); ++size) {
    EXPECT_TRUE(refusal_with_labels(images.substr(0, size), labels).ends_with("was it cut?"));
  }
  for (std::size_t size = 1; size < labels.size(); ++size) {
    EXPECT_TRUE(refusal_with_labels(images, labels.substr(0, size)).ends_with("was it cut?"));
  }
  EXPECT_EQ(refusal_with_labels(images.substr(0, images.size() - 1), labels),
            kImages + ": ends in row 2 of 2; was it cut?");
}

TEST(IdxReader, RefusesBytesThatDoNotBelongThere) {
  const std::string images = idx_of(8, {2, 2, 1}, "abcd");
  const std::string labels = idx_of(8, {2}, hex("0001"));
  EXPECT_EQ(refusal_with_labels(images + "x", labels),
            kImages + ": has other bytes behind its last row");
  EXPECT_TRUE(refusal_with_labels(images, labels + "x").ends_with("behind its last row"));
  EXPECT_EQ(refusal_with_labels("a,b,c\n1,2,3\n", labels),
            kImages + ": does not begin as an IDX file does");
  EXPECT_EQ(refusal_with_labels(idx_of(7, {1, 1}, "a"), labels),
            kImages + ": does not begin as an IDX file does");
}

TEST(IdxReader, RefusesLabelsThatDoNotFit) {
  const std::string images = idx_of(8, {2, 2, 1}, "abcd");
  EXPECT_TRUE(refusal_with_labels(images, idx_of(8, {3}, "abc"))
                  .ends_with(kLabels + ": has 3 labels for 2 images"));
  EXPECT_TRUE(refusal_with_labels(images, idx_of(8, {2, 2}, "abcd"))
                  .ends_with(kLabels + ": has 2 numbers for each row; labels are one"));
  ::unlink(temporary_path(kLabels).c_str());
  EXPECT_TRUE(
      refusal_of(kImages, images).ends_with(kLabels + ": cannot open: No such file or directory"));
  EXPECT_EQ(refusal_of("train.idx", images),
            "train.idx: has no \"images\" in its name, in place of which the file of its labels "
            "would have \"labels\"");
}

TEST(IdxReader, AHeaderCannotAskForAllMemory) {
  const std::string labels = idx_of(8, {1}, "a");
  EXPECT_EQ(refusal_with_labels(idx_of(8, {1, 1000, 1000}, ""), labels),
            kImages + ": more than 100000 columns; no more are read");
  EXPECT_EQ(refusal_with_labels(idx_of(8, {1, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, ""), labels),
            kImages + ": more than 100000 columns; no more are read");
  EXPECT_EQ(refusal_with_labels(idx_of(8, {0xFFFFFFFF, 28, 28}, ""), labels),
            kImages + ": more than 1073741824 cells (rows times columns), which is the limit");
  EXPECT_EQ(refusal_with_labels(idx_of(8, {0, 28, 28}, ""), labels),
            kImages + ": has a size of 0, so no rows or no columns");
}

}  // namespace
}  // namespace handrail
