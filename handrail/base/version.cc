#include "handrail/base/version.h"

namespace handrail {

std::string_view version() {
  return HANDRAIL_VERSION;  // from project() in CMakeLists.txt
}

}  // namespace handrail
