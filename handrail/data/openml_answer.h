// What OpenML's JSON answers say, of which only what is needed is read. Errors do not name the
// address they came from; the caller knows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "handrail/base/result.h"

namespace handrail {

struct OpenmlDescription {
  std::uint64_t id = 0;
  std::string name;
  std::uint64_t version = 0;
  std::string status;  // "active", "deactivated", "in_preparation"
  std::string format;  // "ARFF", "Sparse_ARFF", ..., in any case
  std::uint64_t file_id = 0;
  std::string url;                   // of the file; may be empty
  std::string md5;                   // of the file, 32 lower-case digits
  std::string target;                // the class column; several with commas; may be empty
  std::vector<std::string> ignored;  // what names rows, or is not to be learnt from
};

struct OpenmlFeature {
  std::string name;
  std::string kind;  // "numeric", "nominal", "string", "date"
  bool is_target = false;
  bool is_ignored = false;
};

struct OpenmlVersion {
  std::uint64_t id = 0;
  std::string name;
  std::uint64_t version = 0;
};

struct OpenmlRefusal {
  std::uint64_t code = 0;
  std::string message;
};

Result<OpenmlDescription> parse_openml_description(std::string_view text);
Result<std::vector<OpenmlFeature>> parse_openml_features(std::string_view text);
Result<std::vector<OpenmlVersion>> parse_openml_versions(std::string_view text);  // at least one
// None if the text is no error answer of OpenML.
std::optional<OpenmlRefusal> parse_openml_refusal(std::string_view text);

}  // namespace handrail
