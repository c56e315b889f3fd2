// Memory that begins on a cache line, for kernels that know what they keep in it. It grows and
// never shrinks; growing loses what was there.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace handrail {

inline constexpr std::size_t kCacheLine = 64;

// The least multiple that is not less than `count`.
constexpr std::size_t round_up(std::size_t count, std::size_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

class AlignedBytes {
 public:
  // At least `size` bytes, which hold nothing in particular.
  std::byte* at_least(std::size_t size) {
    if (size > size_) {
      bytes_.reset(static_cast<std::byte*>(::operator new (size, std::align_val_t{kCacheLine})));
      size_ = size;
    }
    return bytes_.get();
  }

 private:
  struct Delete {
    void operator()(std::byte* bytes) const {
      ::operator delete (bytes, std::align_val_t{kCacheLine});
    }
  };

  std::unique_ptr<std::byte, Delete> bytes_;
  std::size_t size_ = 0;
};

}  // namespace handrail
