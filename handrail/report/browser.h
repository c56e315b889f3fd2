// A browser without a window, run as a program of its own. It draws the figures that a report
// shows, so that those of a paper are the same.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "handrail/base/result.h"

namespace handrail {

// Twenty data sets with four alphas take half a minute; a browser that needs ten times that hangs.
inline constexpr std::chrono::milliseconds kBrowserLongest{300'000};

// The document that `html` becomes when a browser opens it with `fragment` ("#name=value") behind
// its address. The browser is the one that the environment's HANDRAIL_BROWSER names, else the
// first of chromium, chromium-browser and google-chrome that can be started. It gets a new folder
// for all that it writes, which is gone afterwards, and is ended after the time `longest`.
Result<std::string> browse(std::string_view html, std::string_view fragment,
                           std::chrono::milliseconds longest = kBrowserLongest);

}  // namespace handrail
