#include "handrail/data/md5.h"

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <string_view>
#include <vector>

namespace handrail {
namespace {

struct ContextDeleter {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

std::string in_hexadecimal(std::span<const unsigned char> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

}  // namespace

Result<std::string> md5_of(ByteSource& source) {
  constexpr std::size_t kBlockSize = std::size_t{1} << 18;
  const std::unique_ptr<EVP_MD_CTX, ContextDeleter> context(EVP_MD_CTX_new());
  bool is_computed =
      context != nullptr && EVP_DigestInit_ex(context.get(), EVP_md5(), nullptr) == 1;
  std::vector<char> block(kBlockSize);
  for (std::size_t size = kBlockSize; is_computed && size > 0;) {
    const Result<std::size_t> read = source.read(block);
    if (!read.ok()) return read.error();
    size = read.value();
    is_computed = EVP_DigestUpdate(context.get(), block.data(), size) == 1;
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  if (!is_computed || EVP_DigestFinal_ex(context.get(), digest.data(), &size) != 1) {
    return Error{"this machine refuses to compute MD5, by which OpenML's files are checked"};
  }
  return in_hexadecimal(std::span(digest).first(size));
}

}  // namespace handrail
