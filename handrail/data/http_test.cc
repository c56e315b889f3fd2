#include "handrail/data/http.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string_view>
#include <thread>

namespace handrail {
namespace {

// A socket that listens. What connects is taken by the system, and waits.
class Listener {
 public:
  Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in place = {};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(place);
    auto* address = reinterpret_cast<sockaddr*>(&place);
    EXPECT_EQ(::bind(socket_, address, size), 0);
    EXPECT_EQ(::listen(socket_, 1), 0);
    EXPECT_EQ(::getsockname(socket_, address, &size), 0);
    port_ = ntohs(place.sin_port);
  }
  ~Listener() { ::close(socket_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int descriptor() const { return socket_; }

 private:
  int socket_;
  int port_ = 0;
};

// Says the same to whoever connects first, and gives what he asked.
std::string reply_once(const Listener& listener, std::string_view reply) {
  const int connection = ::accept(listener.descriptor(), nullptr, nullptr);
  std::string request;
  std::array<char, 4096> buffer;
  while (request.find("\r\n\r\n") == std::string::npos) {
    const ssize_t count = ::read(connection, buffer.data(), buffer.size());
    if (count <= 0) break;
    request.append(buffer.data(), static_cast<std::size_t>(count));
  }
  while (!reply.empty()) {
    const ssize_t count = ::send(connection, reply.data(), reply.size(), MSG_NOSIGNAL);
    if (count <= 0) break;
    reply.remove_prefix(static_cast<std::size_t>(count));
  }
  ::close(connection);
  return request;
}

struct Exchange {
  HttpAnswer answer;
  std::string request;
};

Exchange exchange(const std::string& reply, const HttpLimits& limits = {},
                  HttpProgress progress = nullptr) {
  const Listener listener;
  Exchange done;
  std::thread server([&] { done.request = reply_once(listener, reply); });
  done.answer = http_get(listener.address() + "/a", limits, progress);
  server.join();
  return done;
}

std::string reply_with(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

class Http : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ::setenv("no_proxy", "*", 1); }
};

TEST_F(Http, GivesStatusAndBody) {
  const Exchange done = exchange("HTTP/1.1 412 No\r\nContent-Length: 2\r\n\r\nhi");
  EXPECT_EQ(done.answer.status, 412);
  EXPECT_EQ(done.answer.body, "hi");
  EXPECT_TRUE(done.request.starts_with("GET /a HTTP/1.1\r\n")) << done.request;
  EXPECT_NE(done.request.find("User-Agent: handrail/"), std::string::npos) << done.request;
}

TEST_F(Http, RefusesMoreThanTheLimit) {
  EXPECT_EQ(exchange(reply_with("12345678"), {.body_bytes_max = 8}).answer.body, "12345678");
  const HttpAnswer answer = exchange(reply_with("123456789"), {.body_bytes_max = 8}).answer;
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(answer.body, "");
  EXPECT_EQ(answer.failure, "the answer is larger than 8 bytes");
  EXPECT_FALSE(answer.failure_may_pass);
}

TEST_F(Http, NoticesAnAnswerThatEndsEarly) {
  const HttpAnswer answer = exchange("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1234").answer;
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(answer.body, "");
  EXPECT_TRUE(answer.failure_may_pass);
}

// The connection stands, and nobody answers: the one place where a test has to let time pass.
TEST_F(Http, DoesNotWaitForEver) {
  const Listener listener;
  const HttpAnswer answer = http_get(listener.address(), {.silent_time = std::chrono::seconds(1)});
  EXPECT_EQ(answer.status, 0);
  EXPECT_NE(answer.failure.find("too slow"), std::string::npos) << answer.failure;
  EXPECT_TRUE(answer.failure_may_pass);
}

TEST_F(Http, SpeaksHttpOnly) {
  for (const char* address : {"file:///etc/hostname", "ftp://127.0.0.1/a", "nonsense://x"}) {
    const HttpAnswer answer = http_get(address, {});
    EXPECT_EQ(answer.status, 0) << address;
    EXPECT_FALSE(answer.failure_may_pass) << answer.failure;
  }
  const HttpAnswer moved =
      exchange("HTTP/1.1 302 Found\r\nLocation: file:///etc/hostname\r\n\r\n").answer;
  EXPECT_EQ(moved.status, 0);
  EXPECT_FALSE(moved.failure_may_pass);
}

std::uint64_t reported_bytes = 0;
std::uint64_t report_count = 0;

TEST_F(Http, ReportsNowAndThen) {
  const auto count_reports = [](std::uint64_t received, std::uint64_t expected) {
    EXPECT_GT(received, reported_bytes);
    EXPECT_EQ(expected, 2'000'000U);
    reported_bytes = received;
    ++report_count;
  };
  const Exchange done = exchange(reply_with(std::string(2'000'000, 'x')), {}, count_reports);
  EXPECT_EQ(done.answer.body.size(), 2'000'000U);
  EXPECT_GE(report_count, 1U);
  EXPECT_LE(report_count, 8U);
}

TEST(PercentEncoding, LeavesNoSignThatMeansSomething) {
  EXPECT_EQ(percent_encoded("Az09-._~"), "Az09-._~");
  EXPECT_EQ(percent_encoded("a b/c?d#%\xC3\xA4"), "a%20b%2Fc%3Fd%23%25%C3%A4");
}

}  // namespace
}  // namespace handrail
