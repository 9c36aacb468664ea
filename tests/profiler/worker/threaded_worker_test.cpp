// SPDX-License-Identifier: GPL-3.0-or-later
// Code that runs on more than one thread, without the code generator, which the thread sanitizer
// cannot instrument.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <thread>

#include "profiler/protocol/process.h"
#include "profiler/protocol/request_queue.h"
#include "profiler/protocol/worker_client.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::ElementsAre;

/// A request queue with the driver's end of its input and output in the test's hands.
class ThreadedRequestQueue : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, input), 0);
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, output), 0);
    replies = std::make_unique<ReplyWriter>(output[1]);
    queue = std::make_unique<RequestQueue>(input[1], *replies);
  }
  void TearDown() override {
    queue.reset();
    for (const int fd : {input[0], input[1], output[0], output[1]})
      if (fd >= 0) close(fd);
  }
  void send(const std::string& text) const {
    ASSERT_EQ(::send(input[0], text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  }
  std::string reply() {
    while (true) {
      if (auto line = buffer.next()) return line->text;
      char bytes[4096];
      const ssize_t count = read(output[0], bytes, sizeof bytes);
      if (count <= 0) return "";
      buffer.append({bytes, static_cast<std::size_t>(count)});
    }
  }
  int input[2] = {-1, -1}, output[2] = {-1, -1};
  LineBuffer buffer{kLongestLine};
  std::unique_ptr<ReplyWriter> replies;
  std::unique_ptr<RequestQueue> queue;
};

TEST_F(ThreadedRequestQueue, HandsOutRequestsInOrderAndEndsWithTheInput) {
  send(requestLine(1, Verb::hello) + requestLine(2, Verb::load) + requestLine(3, Verb::quit));
  shutdown(input[0], SHUT_WR);
  EXPECT_EQ(queue->next()->id, 1);
  EXPECT_EQ(queue->next()->id, 2);
  EXPECT_EQ(queue->next()->id, 3);
  EXPECT_FALSE(queue->next());
}

TEST_F(ThreadedRequestQueue, AnswersWhatIsNoRequest) {
  send("nonsense\n\n{\"id\": 9}\n" + std::string(kLongestLine + 10, 'x') + "\n" +
       requestLine(4, Verb::hello));
  EXPECT_EQ(queue->next()->id, 4);
  EXPECT_FALSE(parseReply(reply()).id);
  EXPECT_EQ(parseReply(reply()).id, 9);
  const Reply oversized = parseReply(reply());
  EXPECT_FALSE(oversized.id);
  EXPECT_THAT(oversized.message, testing::HasSubstr("1 MiB"));
}

TEST_F(ThreadedRequestQueue, RaisesTheFlagOnAStopAndDropsWhatWaits) {
  send(requestLine(1, Verb::sample));
  EXPECT_EQ(queue->next()->id, 1);
  EXPECT_FALSE(queue->stopFlag());
  send(requestLine(2, Verb::sample) + requestLine(3, Verb::sample) + requestLine(4, Verb::stop));
  while (!queue->stopFlag()) std::this_thread::yield();  // as a worker's loop looks at it
  std::vector<std::int64_t> dropped;
  for (int i = 0; i < 2; ++i) {
    const Reply stopped = parseReply(reply());
    EXPECT_EQ(stopped.kind, ErrorKind::stopped);
    dropped.push_back(*stopped.id);
  }
  EXPECT_THAT(dropped, ElementsAre(2, 3));
  EXPECT_EQ(queue->next()->verb, Verb::stop);
  EXPECT_FALSE(queue->stopFlag());
}

TEST_F(ThreadedRequestQueue, SurvivesManyStopsAmongRequests) {
  std::thread driver([this] {
    for (int i = 1; i <= 500; ++i) send(requestLine(i, i % 7 == 0 ? Verb::stop : Verb::sample));
    shutdown(input[0], SHUT_WR);
  });
  // Read what is dropped, so that nothing blocks; what is handed out is answered, as a worker
  // would.
  std::thread worker([this] {
    while (const auto request = queue->next()) replies->write(okLine(request->id));
    shutdown(output[1], SHUT_WR);
  });
  std::vector<bool> answered(501);
  for (std::string line = reply(); !line.empty(); line = reply())
    answered[static_cast<std::size_t>(*parseReply(line).id)] = true;
  driver.join();
  worker.join();
  for (std::size_t i = 1; i <= 500; ++i) EXPECT_TRUE(answered[i]) << i;
}

TEST(ThreadedClients, HearAStopFromAnotherThreadWhileWaiting) {
  std::stop_source stop;
  // Swallows the request, says so by a file, and heeds the stop, which is the second line.
  const test::TemporaryFolder folder;
  const std::string asked = folder.path("asked");
  WorkerClient client(
      startWorker({"/bin/sh", "-c",
                   "read a; : > '" + asked + "'; read b; echo '{\"id\": 2, \"ok\": {}}'; cat"}),
      stop.get_token());
  std::thread other([&] {
    while (!std::filesystem::exists(asked)) std::this_thread::yield();
    stop.request_stop();
  });
  EXPECT_THROW(client.ask(Verb::hello, nlohmann::json::object(), 60), StopRequested);
  other.join();
}

TEST(ThreadedProcesses, CanBeStartedFromSeveralThreads) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 5; ++i) {
        const auto cat = startWorker({"cat"});
        EXPECT_TRUE(cat->send("x\n"));
        EXPECT_EQ(cat->receive(20).line, "x");
      }
    });
}

}  // namespace
}  // namespace fusebench
