#include "handrail/agent/save_file.h"

#include <filesystem>

#include "handrail/base/bytes.h"

namespace handrail {

Status write_save(const std::string& path, const SaveFile& save) {
  std::error_code unknown;
  const bool exists = std::filesystem::exists(path, unknown);
  // A file renamed into the place of a device or a pipe would be the end of it.
  if (exists && !std::filesystem::is_regular_file(path, unknown)) {
    return Error{path + ": is not a file that a save could replace"};
  }
  ByteWriter out;
  out.text(save.agent);
  out.text(save.run);
  return write_file(path, seal(out.bytes()));
}

Result<SaveFile> read_save(const std::string& path) {
  const Result<std::string> sealed = read_file(path);
  if (!sealed.ok()) return sealed.error();
  const Result<std::string> bytes = unseal(sealed.value(), path);
  if (!bytes.ok()) return bytes.error();
  ByteReader in(bytes.value());
  SaveFile save;
  save.agent = in.text();
  save.run = in.text();
  if (!in.at_end()) in.fail("has bytes left over at its end");
  if (!in.status().ok()) return Error{path + ": " + in.status().error().message};
  return save;
}

}  // namespace handrail
