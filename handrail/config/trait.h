// What is true of a part or not, by name, for lists.
#pragma once

#include <string_view>

namespace handrail {

template <typename Entry>
struct Trait {
  std::string_view name;
  bool Entry::*member;
};

}  // namespace handrail
