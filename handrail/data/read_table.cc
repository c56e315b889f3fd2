#include "handrail/data/read_table.h"

#include "handrail/base/text.h"
#include "handrail/data/format_registry.h"

namespace handrail {
namespace {

Error unknown_format(const std::string& path) {
  const std::string why = path == "-" ? "stdin has no name that would tell its format"
                                      : path + ": its name does not tell its format";
  return Error{why + "; name one of " + join(format_names(), ", ")};
}

}  // namespace

Result<Table> read_table(const std::string& path, const ReadOptions& options) {
  const FormatEntry* const format =
      options.format != nullptr ? options.format : format_of_path(path);
  if (format == nullptr) return unknown_format(path);
  return format->read(path, options);
}

}  // namespace handrail
