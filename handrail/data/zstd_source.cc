#include <zstd.h>

#include <array>
#include <string>

#include "handrail/data/packed_source.h"

namespace handrail {
namespace {

struct FreeContext {
  void operator()(ZSTD_DStream* context) const { ZSTD_freeDStream(context); }
};

// The library refuses windows over 128 MiB by itself, so a file cannot ask for all memory.
class ZstdSource final : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), context_(ZSTD_createDStream()) {}

  bool started() const { return context_ != nullptr; }

  Result<std::size_t> read(std::span<char> block) override {
    ZSTD_outBuffer out{block.data(), block.size(), 0};
    while (out.pos == 0) {
      const Result<bool> more = refill();
      if (!more.ok()) return more.error();
      if (!more.value()) break;
      const std::size_t hint = ZSTD_decompressStream(context_.get(), &out, &in_);
      if (ZSTD_isError(hint) != 0U) return refusal(ZSTD_getErrorName(hint));
      in_frame_ = hint != 0;
      if (!in_frame_) is_first_ = false;
    }
    if (out.pos == 0 && is_empty_) return Error{name_ + ": holds nothing when it is unpacked"};
    is_empty_ = is_empty_ && out.pos == 0;
    return out.pos;
  }

 private:
  // Whether there are packed bytes to go on with. The library leaves the last byte of a frame
  // unread as long as it holds bytes back, so at the end of the file it holds none.
  Result<bool> refill() {
    if (in_.pos < in_.size) return true;
    const Result<std::size_t> got = packed_->read(input_);
    if (!got.ok()) return got.error();
    if (got.value() == 0 && in_frame_) {
      return Error{name_ + ": ends in the middle of its zstd bytes; was it cut?"};
    }
    in_ = {input_.data(), got.value(), 0};
    return got.value() > 0;
  }

  Error refusal(const std::string& why) const {
    if (!is_first_ && !in_frame_) {
      return Error{name_ + ": has other bytes behind the end of its zstd bytes"};
    }
    return Error{name_ + ": its zstd bytes are damaged: " + why};
  }

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::unique_ptr<ZSTD_DStream, FreeContext> context_;
  std::array<char, kPackedBlockSize> input_;
  ZSTD_inBuffer in_{input_.data(), 0, 0};
  bool in_frame_ = false;
  bool is_first_ = true;  // no frame has ended yet
  bool is_empty_ = true;  // nothing came out yet
};

}  // namespace

Result<std::unique_ptr<ByteSource>> unpack_zstd(std::unique_ptr<ByteSource> packed,
                                                std::string name) {
  auto source = std::make_unique<ZstdSource>(std::move(packed), name);
  if (!source->started()) return Error{name + ": no memory to unpack zstd"};
  return std::unique_ptr<ByteSource>(std::move(source));
}

}  // namespace handrail
