// A yes-or-no property of a part, by name, for lists.
#pragma once

#include <string_view>

namespace handrail {

template <typename Entry>
struct Trait {
  std::string_view name;
  bool Entry::*member;
};

}  // namespace handrail
