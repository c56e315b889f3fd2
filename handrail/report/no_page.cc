// Stands in for the page where it was not built.
#include "handrail/report/page.h"

namespace handrail {

std::string_view report_page() {
  return {};
}

}  // namespace handrail
