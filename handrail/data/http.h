// One question to a web server, and what came back. Knows nothing of retries or of what is asked.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace handrail {

struct HttpLimits {
  std::chrono::seconds connect_time = std::chrono::seconds(15);
  // With (next to) no byte coming. How long a whole answer takes is not limited: a large file over
  // a slow line is no failure.
  std::chrono::seconds silent_time = std::chrono::seconds(30);
  std::uint64_t body_bytes_max = std::uint64_t{4} << 30;
};

// Told now and then how much has come. `expected_bytes` is 0 where the server does not say.
using HttpProgress = void (*)(std::uint64_t received_bytes, std::uint64_t expected_bytes);

struct HttpAnswer {
  int status = 0;                // of HTTP; 0 if no whole answer came
  std::string body = {};         // unpacked, if the server packed it for the way
  std::string failure = {};      // why no whole answer came
  bool failure_may_pass = true;  // false if to ask again gives the same
};

// Follows redirects, a few, and never from https to http. The server of an https address has to
// prove who it is. Proxies are taken from the environment, as curl does.
HttpAnswer http_get(const std::string& address, const HttpLimits& limits,
                    HttpProgress progress = nullptr);

// The text as one piece of an address: all but letters, digits and "-._~" become %XX.
std::string percent_encoded(const std::string& text);

}  // namespace handrail
