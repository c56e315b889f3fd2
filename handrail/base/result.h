// Expected failures are values. A function that can fail returns Status, or Result<T> if it has
// something to give back; the caller looks at it on the next line. The message is one sentence that
// names the value, the bound and the place.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "handrail/base/assert.h"

namespace handrail {

struct Error {
  std::string message;
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }

  // Only for a Status that is not ok.
  const Error& error() const {
    HANDRAIL_ASSERT(!ok());
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : outcome_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : outcome_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  // With the value that make() returns, made where it is kept: for values that are not small, whose
  // copy would be read before it is written.
  template <typename Make>
  static Result of(Make make) {
    return Result(Making<Make>{make});
  }

  bool ok() const { return outcome_.index() == 0; }

  // Only for a Result that is ok.
  const T& value() const& {
    HANDRAIL_ASSERT(ok());
    return *std::get_if<0>(&outcome_);
  }
  T& value() & {
    HANDRAIL_ASSERT(ok());
    return *std::get_if<0>(&outcome_);
  }
  T&& value() && {
    HANDRAIL_ASSERT(ok());
    return std::move(*std::get_if<0>(&outcome_));
  }

  // Only for a Result that is not ok.
  const Error& error() const {
    HANDRAIL_ASSERT(!ok());
    return *std::get_if<1>(&outcome_);
  }

 private:
  // What is initialised by one of these is the returned value itself.
  template <typename Make>
  struct Making {
    Make& make;
    operator T() const { return make(); }  // NOLINT(google-explicit-constructor)
  };
  template <typename Make>
  explicit Result(const Making<Make>& making) : outcome_(std::in_place_index<0>, making) {}

  std::variant<T, Error> outcome_;
};

}  // namespace handrail
