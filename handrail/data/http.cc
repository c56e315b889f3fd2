#include "handrail/data/http.h"

#include <curl/curl.h>

#include <memory>
#include <string_view>

#include "handrail/base/version.h"

namespace handrail {
namespace {

constexpr long kRedirectsMax = 5;
// Slower than this counts as silence: a server that sends a byte now and then would hold us for
// ever.
constexpr long kSlowestBytesPerSecond = 100;
constexpr std::uint64_t kBytesBetweenReports = std::uint64_t{1} << 18;

struct Transfer {
  std::uint64_t body_bytes_max = 0;
  HttpProgress progress = nullptr;
  std::string body = {};
  bool is_too_large = false;
  std::uint64_t reported_bytes = 0;
};

std::size_t take_bytes(const char* bytes, std::size_t one, std::size_t count, void* transfer) {
  auto& to = *static_cast<Transfer*>(transfer);
  const std::size_t size = one * count;
  if (size > to.body_bytes_max - to.body.size()) {
    to.is_too_large = true;
    return CURL_WRITEFUNC_ERROR;
  }
  to.body.append(bytes, size);
  return size;
}

int report(void* transfer, curl_off_t expected, curl_off_t received, curl_off_t /*to send*/,
           curl_off_t /*sent*/) {
  auto& of = *static_cast<Transfer*>(transfer);
  const auto bytes = static_cast<std::uint64_t>(received);
  if (of.progress == nullptr || bytes < of.reported_bytes + kBytesBetweenReports) return 0;
  of.reported_bytes = bytes;
  of.progress(bytes, static_cast<std::uint64_t>(expected));
  return 0;
}

// What another try meets again: a wrong address, a server that is not who it says it is, too much.
// Everything else is the network's weather.
bool may_pass(CURLcode code) {
  switch (code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_TOO_MANY_REDIRECTS:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WRITE_ERROR:
      return false;
    default:
      return true;
  }
}

struct CurlDeleter {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
  void operator()(char* text) const { curl_free(text); }
};
using Curl = std::unique_ptr<CURL, CurlDeleter>;

void set_options(CURL* curl, const std::string& address, const HttpLimits& limits) {
  const std::string agent = "handrail/" + std::string(version());
  curl_easy_setopt(curl, CURLOPT_URL, address.c_str());
  curl_easy_setopt(curl, CURLOPT_USERAGENT, agent.c_str());
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");  // whatever curl can unpack
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, kRedirectsMax);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  const bool is_secure = address.starts_with("https:");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, is_secure ? "https" : "http,https");
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, static_cast<long>(limits.connect_time.count()));
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, kSlowestBytesPerSecond);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, static_cast<long>(limits.silent_time.count()));
}

std::string failure_of(CURLcode code, const char* details, const Transfer& transfer) {
  if (transfer.is_too_large) {
    return "the answer is larger than " + std::to_string(transfer.body_bytes_max) + " bytes";
  }
  return *details != '\0' ? details : curl_easy_strerror(code);
}

}  // namespace

HttpAnswer http_get(const std::string& address, const HttpLimits& limits, HttpProgress progress) {
  const Curl curl(curl_easy_init());
  if (curl == nullptr) return {.failure = "curl cannot start", .failure_may_pass = false};
  Transfer transfer{.body_bytes_max = limits.body_bytes_max, .progress = progress};
  std::string details(CURL_ERROR_SIZE, '\0');
  set_options(curl.get(), address, limits);
  curl_easy_setopt(curl.get(), CURLOPT_ERRORBUFFER, details.data());
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, take_bytes);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl.get(), CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl.get(), CURLOPT_XFERINFOFUNCTION, report);
  curl_easy_setopt(curl.get(), CURLOPT_XFERINFODATA, &transfer);
  const CURLcode code = curl_easy_perform(curl.get());
  if (code != CURLE_OK) {
    return {.failure = failure_of(code, details.c_str(), transfer),
            .failure_may_pass = may_pass(code)};
  }
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  return {.status = static_cast<int>(status), .body = std::move(transfer.body)};
}

std::string percent_encoded(const std::string& text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "-._~";
  std::string out;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_letter || (c >= '0' && c <= '9') || kPlain.find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      out += {'%', kHex[code >> 4], kHex[code & 15]};
    }
  }
  return out;
}

}  // namespace handrail
