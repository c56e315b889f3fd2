#include "handrail/data/idx_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "handrail/base/text.h"
#include "handrail/data/byte_source.h"
#include "handrail/data/cell_text.h"
#include "handrail/data/table_builder.h"

namespace handrail {
namespace {

// The third byte of a file.
enum class ElementType : std::uint8_t {
  kUnsignedByte = 0x08,
  kSignedByte = 0x09,
  kShort = 0x0B,
  kInt = 0x0C,
  kSingle = 0x0D,
  kDouble = 0x0E,
};

std::optional<std::size_t> size_of(ElementType type) {
  switch (type) {
    case ElementType::kUnsignedByte:
    case ElementType::kSignedByte:
      return 1;
    case ElementType::kShort:
      return 2;
    case ElementType::kInt:
    case ElementType::kSingle:
      return 4;
    case ElementType::kDouble:
      return 8;
  }
  return std::nullopt;
}

std::uint64_t big_endian(std::span<const char> bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = (value << 8) | static_cast<unsigned char>(byte);
  return value;
}

// IEEE 754 in 32 bits, taken apart by hand since the one place for such numbers is the kernels.
double from_single(std::uint64_t bits) {
  const auto exponent = static_cast<int>((bits >> 23) & 0xFF);
  const auto fraction = static_cast<double>(bits & 0x7FFFFF);
  constexpr double kImplicitBit = 8388608.0;  // 2^23
  double magnitude = exponent == 0 ? std::ldexp(fraction, -149)
                                   : std::ldexp(fraction + kImplicitBit, exponent - 150);
  if (exponent == 0xFF) magnitude = std::numeric_limits<double>::quiet_NaN();
  return (bits >> 31) != 0 ? -magnitude : magnitude;
}

double decode(ElementType type, std::span<const char> bytes) {
  const std::uint64_t bits = big_endian(bytes);
  switch (type) {
    case ElementType::kUnsignedByte:
      return static_cast<double>(bits);
    case ElementType::kSignedByte:
      return static_cast<std::int8_t>(bits);
    case ElementType::kShort:
      return static_cast<std::int16_t>(bits);
    case ElementType::kInt:
      return static_cast<std::int32_t>(bits);
    case ElementType::kSingle:
      return from_single(bits);
    case ElementType::kDouble:
      break;
  }
  return std::bit_cast<double>(bits);
}

class IdxFile {
 public:
  static Result<IdxFile> open(const std::string& path) {
    Result<std::unique_ptr<ByteSource>> source = open_source(path);
    if (!source.ok()) return source.error();
    IdxFile file(std::move(source).value(), path);
    const Status read = file.read_header();
    if (!read.ok()) return read.error();
    return file;
  }

  std::uint64_t row_count() const { return row_count_; }
  std::uint64_t column_count() const { return column_count_; }

  // One element each. Not finite is an error.
  Status read_row(std::span<double> row) {
    bytes_.resize(row.size() * element_size_);
    const Status read = read_bytes(bytes_);
    if (!read.ok()) return read;
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = decode(type_, std::span(bytes_).subspan(i * element_size_, element_size_));
      if (!std::isfinite(row[i])) {
        return Error{path_ + ": element " + std::to_string(i + 1) + " of row " +
                     std::to_string(rows_read_ + 1) + " is no finite number"};
      }
    }
    ++rows_read_;
    return {};
  }

  Status expect_end() {
    char byte = 0;
    const Result<std::size_t> count = source_->read(std::span(&byte, 1));
    if (!count.ok()) return count.error();
    if (count.value() > 0) return Error{path_ + ": has other bytes behind its last row"};
    return {};
  }

 private:
  IdxFile(std::unique_ptr<ByteSource> source, std::string path)
      : source_(std::move(source)), path_(std::move(path)) {}

  Status read_header() {
    std::array<char, 4> magic{};
    const Status read = read_bytes(magic);
    if (!read.ok()) return read;
    type_ = static_cast<ElementType>(magic[2]);
    const std::optional<std::size_t> size = size_of(type_);
    if (magic[0] != 0 || magic[1] != 0 || !size.has_value() || magic[3] == 0) {
      return Error{path_ + ": does not begin as an IDX file does"};
    }
    element_size_ = *size;
    return read_sizes(static_cast<unsigned char>(magic[3]));
  }

  Status read_sizes(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      std::array<char, 4> bytes{};
      const Status read = read_bytes(bytes);
      if (!read.ok()) return read;
      const std::uint64_t size = big_endian(bytes);
      if (size == 0) return Error{path_ + ": has a size of 0, so no rows or no columns"};
      (i == 0 ? row_count_ : column_count_) *= size;
      // One less, for the class.
      if (column_count_ >= kMaxColumns) return Error{path_ + ": " + too_many_columns().message};
    }
    return {};
  }

  Status read_bytes(std::span<char> bytes) {
    while (!bytes.empty()) {
      const Result<std::size_t> count = source_->read(bytes);
      if (!count.ok()) return count.error();
      if (count.value() == 0) {
        return Error{path_ + ": ends in row " + std::to_string(rows_read_ + 1) + " of " +
                     std::to_string(row_count_) + "; was it cut?"};
      }
      bytes = bytes.subspan(count.value());
    }
    return {};
  }

  std::unique_ptr<ByteSource> source_;
  std::string path_;
  ElementType type_ = ElementType::kUnsignedByte;
  std::size_t element_size_ = 1;
  std::uint64_t row_count_ = 1;
  std::uint64_t column_count_ = 1;
  std::uint64_t rows_read_ = 0;
  std::vector<char> bytes_;
};

// The path with the last "images" of its name replaced; none if there is nothing to replace.
std::optional<std::string> path_of_labels(const std::string& path) {
  const std::size_t name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
  std::string labels = path;
  const std::size_t images = labels.rfind("images");
  if (images == std::string::npos || images < name) return std::nullopt;
  labels.replace(images, std::string_view("images").size(), "labels");
  const std::size_t sizes = labels.rfind("idx3");
  if (sizes != std::string::npos && sizes >= name) labels.replace(sizes, 4, "idx1");
  return labels;
}

Result<std::vector<double>> read_labels(const std::string& path, std::uint64_t row_count) {
  Result<IdxFile> file = IdxFile::open(path);
  if (!file.ok()) return file.error();
  if (file.value().column_count() != 1) {
    return Error{path + ": has " + std::to_string(file.value().column_count()) +
                 " numbers for each row; labels are one"};
  }
  if (file.value().row_count() != row_count) {
    return Error{path + ": has " + std::to_string(file.value().row_count()) + " labels for " +
                 std::to_string(row_count) + " images"};
  }
  std::vector<double> labels;
  double label = 0.0;
  for (std::uint64_t i = 0; i < row_count; ++i) {
    const Status read = file.value().read_row(std::span(&label, 1));
    if (!read.ok()) return read.error();
    labels.push_back(label);
  }
  const Status ended = file.value().expect_end();
  if (!ended.ok()) return ended.error();
  return labels;
}

Status add_columns(TableBuilder& table, std::uint64_t pixel_count, std::vector<double> labels) {
  for (std::uint64_t i = 1; i <= pixel_count; ++i) {
    const Status added = table.add_column({.name = "pixel" + std::to_string(i)});
    if (!added.ok()) return added;
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  Column column{.name = "class", .kind = ColumnKind::kNominal};
  for (const double label : labels) column.values.push_back(to_text(label));
  return table.add_column(std::move(column));
}

Result<Table> read_images(const std::string& path, std::uint64_t cell_limit) {
  const std::optional<std::string> labels_path = path_of_labels(path);
  if (!labels_path.has_value()) {
    return Error{source_name(path) +
                 ": has no \"images\" in its name, in place of which the file "
                 "of its labels would have \"labels\""};
  }
  Result<IdxFile> images = IdxFile::open(path);
  if (!images.ok()) return images.error();
  const std::uint64_t row_count = images.value().row_count();
  if (row_count * (images.value().column_count() + 1) > cell_limit) {
    return Error{path + ": " + too_many_cells(cell_limit).message};
  }
  const Result<std::vector<double>> labels = read_labels(*labels_path, row_count);
  if (!labels.ok()) return labels.error();
  TableBuilder table(cell_limit);
  const Status begun = add_columns(table, images.value().column_count(), labels.value());
  if (!begun.ok()) return Error{*labels_path + ": " + begun.error().message};
  std::vector<double>& row = table.row();
  for (std::uint64_t i = 0; i < row_count; ++i) {
    const Status read = images.value().read_row(std::span(row).first(row.size() - 1));
    if (!read.ok()) return read.error();
    const std::string label = to_text(labels.value()[i]);
    row.back() = table.find_value(row.size() - 1, label).value();
    const Status added = table.add_row();
    if (!added.ok()) return Error{path + ": " + added.error().message};
  }
  const Status ended = images.value().expect_end();
  if (!ended.ok()) return ended.error();
  return table.finish();
}

// A data set is two files here, so none goes by a name of the data folder.
constexpr std::array<FormatEnding, 2> kEndings = {{{".idx", false}, {"-ubyte", false}}};

}  // namespace

constinit const FormatEntry kIdxFormat = {
    .name = "idx",
    .meaning = "images of MNIST's kind; their labels lie beside them under the usual name",
    .endings = kEndings,
    .read = [](const std::string& path,
               const ReadOptions& options) { return read_images(path, options.cell_limit); },
};

}  // namespace handrail
