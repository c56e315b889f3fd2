// The page that web/ builds, as one HTML file with a place for the report in it.
#pragma once

#include <string_view>

namespace handrail {

// Empty in a build without the page (-DHANDRAIL_REPORT=OFF).
std::string_view report_page();

}  // namespace handrail
