// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/protocol/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <stop_token>

#include "profiler/protocol/protocol.h"
#include "profiler/protocol/worker_client.h"

namespace fusebench {
namespace {

using Event = WorkerConnection::Event;
using testing::HasSubstr;

std::unique_ptr<WorkerConnection> shell(const std::string& script) {
  return startWorker({"/bin/sh", "-c", script});
}

TEST(Processes, ExchangeLines) {
  const auto cat = startWorker({"cat"});
  EXPECT_TRUE(cat->send("hello\n"));
  const auto received = cat->receive(10);
  EXPECT_EQ(received.event, Event::line);
  EXPECT_EQ(received.line, "hello");
  EXPECT_EQ(cat->receive(0.01).event, Event::timeout);
}

TEST(Processes, ThatEndAreNoticedWithTheirReason) {
  const auto quick = shell("exit 3");
  EXPECT_EQ(quick->receive(10).event, Event::ended);
  EXPECT_EQ(quick->epitaph(), "exited with code 3");
  const auto crashed = shell("kill -SEGV $$");
  EXPECT_EQ(crashed->receive(10).event, Event::ended);
  EXPECT_THAT(crashed->epitaph(), HasSubstr("was killed by signal 11"));
}

TEST(Processes, ThatAreGoneDoNotRaiseSigpipe) {
  const auto gone = shell("exec <&-; sleep 10");
  gone->receive(0.1);
  bool sent = true;
  for (int i = 0; i < 10 && sent; ++i) sent = gone->send(std::string(100'000, 'x') + "\n");
  EXPECT_FALSE(sent);
}

TEST(Processes, DieWhenKilledAndWhenDestroyed) {
  const auto sleeper = shell("trap '' TERM INT; echo $$; exec sleep 100");
  const std::string pid = sleeper->receive(10).line;
  ASSERT_FALSE(pid.empty());
  sleeper->kill();
  EXPECT_EQ(sleeper->receive(10).event, Event::ended);
  pid_t second = 0;
  {
    const auto other = shell("echo $$; exec sleep 100");
    second = std::stoi(other->receive(10).line);
  }
  for (int i = 0; i < 1000 && ::kill(second, 0) == 0; ++i) {
    startWorker({"true"});  // looks after the dead, too
    usleep(1000);
  }
  EXPECT_NE(::kill(second, 0), 0);
}

TEST(Processes, FloodingWithoutLinesRunsIntoTheTimeout) {
  const auto flood = shell("while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done");
  EXPECT_EQ(flood->receive(0.2).event, Event::timeout);
}

TEST(Processes, ThatCannotBeStartedSaySo) {
  try {
    startWorker({"/nowhere/at/all"});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/at/all: cannot be started"));
  }
  EXPECT_THROW(startWorker({}), std::runtime_error);
}

TEST(Clients, KillAWorkerThatDoesNotHeedAStop) {
  std::stop_source stop;
  WorkerClient client(shell("while read line; do :; done"), stop.get_token());
  stop.request_stop();
  EXPECT_THROW(client.ask(Verb::hello, nlohmann::json::object(), 10), StopRequested);
}

TEST(Clients, TellADeadWorkersFate) {
  WorkerClient client(shell("read line; kill -9 $$"), {});
  try {
    client.ask(Verb::hello, nlohmann::json::object(), 10);
    FAIL();
  } catch (const WorkerLost& lost) {
    EXPECT_THAT(lost.what(), HasSubstr("the worker was killed by signal 9"));
  }
}

TEST(Clients, GiveUpOnSilenceNonsenseAndEndlessLines) {
  const auto expectLost = [](const std::string& script, const char* why, double patience = 60) {
    WorkerClient client(shell(script), {});
    try {
      client.ask(Verb::hello, nlohmann::json::object(), patience);
      ADD_FAILURE() << script;
    } catch (const WorkerLost& lost) {
      EXPECT_THAT(lost.what(), HasSubstr(why)) << script;
    }
  };
  expectLost("sleep 600", "did not answer for 0.5 s", 0.5);
  expectLost("echo hello; sleep 600", "sent an invalid message");
  expectLost("while :; do echo '{\"id\":0,\"ok\":{}}'; done", "sent an unexpected reply");
  expectLost("head -c 1100000 /dev/zero | tr '\\0' x; echo; sleep 600", "over 1 MiB");
}

}  // namespace
}  // namespace fusebench
