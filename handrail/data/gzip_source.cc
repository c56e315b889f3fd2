#include <zlib.h>

#include <array>
#include <string>

#include "handrail/data/packed_source.h"

namespace handrail {
namespace {

// 32 KiB, the largest window there is; 16 more asks zlib for gzip's own frame and checksum.
constexpr int kGzipWindow = 15 + 16;

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)) {}
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  bool start() { return inflateInit2(&stream_, kGzipWindow) == Z_OK; }

  Result<std::size_t> read(std::span<char> block) override {
    stream_.next_out = reinterpret_cast<Bytef*>(block.data());
    stream_.avail_out = static_cast<uInt>(block.size());
    while (stream_.avail_out == block.size()) {
      const Result<bool> more = refill();
      if (!more.ok()) return more.error();
      if (!more.value()) break;
      const Status unpacked = unpack();
      if (!unpacked.ok()) return unpacked.error();
    }
    const std::size_t count = block.size() - stream_.avail_out;
    if (count == 0 && is_empty_) return Error{name_ + ": holds nothing when it is unpacked"};
    is_empty_ = is_empty_ && count == 0;
    return count;
  }

 private:
  // Whether there are packed bytes to go on with.
  Result<bool> refill() {
    if (stream_.avail_in > 0) return true;
    const Result<std::size_t> got = packed_->read(input_);
    if (!got.ok()) return got.error();
    if (got.value() == 0 && in_member_) {
      return Error{name_ + ": ends in the middle of its gzip bytes; was it cut?"};
    }
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(got.value());
    return got.value() > 0;
  }

  Status unpack() {
    // What follows a member is another one, or it does not belong here.
    if (!in_member_) inflateReset(&stream_);
    in_member_ = true;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      in_member_ = false;
      is_first_ = false;
      return {};
    }
    if (code == Z_OK || code == Z_BUF_ERROR) return {};
    const std::string why = stream_.msg == nullptr ? "damaged" : stream_.msg;
    if (!is_first_ && why == "incorrect header check") {
      return Error{name_ + ": has other bytes behind the end of its gzip bytes"};
    }
    return Error{name_ + ": its gzip bytes are damaged: " + why};
  }

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::array<char, kPackedBlockSize> input_;
  z_stream stream_{};
  bool in_member_ = false;
  bool is_first_ = true;  // no member has ended yet
  bool is_empty_ = true;  // nothing came out yet
};

}  // namespace

Result<std::unique_ptr<ByteSource>> unpack_gzip(std::unique_ptr<ByteSource> packed,
                                                std::string name) {
  auto source = std::make_unique<GzipSource>(std::move(packed), name);
  if (!source->start()) return Error{name + ": no memory to unpack gzip"};
  return std::unique_ptr<ByteSource>(std::move(source));
}

}  // namespace handrail
