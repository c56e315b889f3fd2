// A browser without a window, run as a program of its own. It draws the figures that a report
// shows, so that those of a paper are the same.
#pragma once

#include <string>
#include <string_view>

#include "handrail/base/result.h"

namespace handrail {

// The document that `html` becomes when a browser opens it with `fragment` ("#name=value") behind
// its address. The browser is the one that the environment's HANDRAIL_BROWSER names, else the
// first of chromium, chromium-browser and google-chrome that can be started. It gets a new folder
// for all that it writes, which is gone afterwards, and a few minutes.
Result<std::string> browse(std::string_view html, std::string_view fragment);

}  // namespace handrail
