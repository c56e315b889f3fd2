#include "handrail/data/openml_service.h"

#include <thread>

#include "handrail/data/openml_answer.h"

namespace handrail {
namespace {

constexpr int kTriesMax = 4;
constexpr int kOk = 200;
constexpr int kPreconditionFailed = 412;  // how OpenML says no
constexpr int kTooManyRequests = 429;
constexpr int kServerErrors = 500;

// Of OpenML: an unknown id, and a list without entries.
constexpr std::uint64_t kUnknownDataSet = 111;
constexpr std::uint64_t kNoResults = 372;

bool is_worth_another_try(const HttpAnswer& answer) {
  if (answer.status == 0) return answer.failure_may_pass;
  return answer.status == kTooManyRequests || answer.status >= kServerErrors;
}

HttpAnswer get_with_retries(const std::string& address, const CatalogConfig& config) {
  std::chrono::milliseconds wait = config.retry_wait;
  HttpAnswer answer = http_get(address, config.http, config.progress);
  for (int i = 1; i < kTriesMax && is_worth_another_try(answer); ++i) {
    std::this_thread::sleep_for(wait);
    wait *= 2;
    answer = http_get(address, config.http, config.progress);
  }
  return answer;
}

std::string refusal_of(const HttpAnswer& answer, const std::optional<OpenmlRefusal>& refusal) {
  if (answer.status == 0) return answer.failure;
  std::string text = "the server answers " + std::to_string(answer.status);
  if (refusal.has_value()) {
    text += ", code " + std::to_string(refusal->code) + ", \"" + refusal->message + "\"";
  }
  return text;
}

}  // namespace

Result<std::optional<std::string>> ask_openml(const std::string& address,
                                              const CatalogConfig& config) {
  HttpAnswer answer = get_with_retries(address, config);
  if (answer.status == kOk) return std::optional(std::move(answer.body));
  const std::optional<OpenmlRefusal> refusal = parse_openml_refusal(answer.body);
  const bool is_absent = answer.status == kPreconditionFailed && refusal.has_value() &&
                         (refusal->code == kUnknownDataSet || refusal->code == kNoResults);
  if (is_absent) return std::optional<std::string>();
  const bool was_retried = is_worth_another_try(answer);
  return Error{address + ": " + refusal_of(answer, refusal) +
               (was_retried ? " (tried " + std::to_string(kTriesMax) + " times)" : "")};
}

}  // namespace handrail
