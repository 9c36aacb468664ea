// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/targets/relay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <semaphore>
#include <thread>

#include "profiler/files/base64.h"
#include "profiler/files/files.h"
#include "profiler/protocol/protocol.h"
#include "profiler/targets/target_program.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A worker that answers by a function; it says lines of its own before it begins.
class Answering final : public WorkerConnection {
 public:
  using Answer = std::function<std::string(const json&)>;
  explicit Answering(Answer answer) : answer_(std::move(answer)) {}

  void say(const std::string& line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(line);
    changed_.notify_all();
  }
  void die() {
    const std::lock_guard lock(mutex_);
    dead_ = true;
    changed_.notify_all();
  }
  bool send(const std::string& line) override {
    const std::string reply = answer_(json::parse(line));
    if (!reply.empty()) say(reply.substr(0, reply.find('\n')));
    return true;
  }
  Received receive(double seconds) override {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                      [this] { return dead_ || !lines_.empty(); });
    if (!lines_.empty()) {
      std::string line = lines_.front();
      lines_.pop_front();
      return {Event::line, line};
    }
    return {dead_ ? Event::ended : Event::timeout, ""};
  }
  void kill() override { die(); }
  std::string epitaph() override { return "exited with code 255"; }

 private:
  Answer answer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool dead_ = false;
};

class Relays : public testing::Test {
 protected:
  void start(Answering::Answer answer) {
    ASSERT_EQ(pipe(in_), 0);
    ASSERT_EQ(pipe(out_), 0);
    there_ = std::make_unique<Answering>(std::move(answer));
    thread_ = std::thread([this] {
      code_ = relay(in_[0], out_[1], *there_, "ssh:node7",
                    [this](const std::string& what) { complaint_ = what; });
    });
  }
  ~Relays() override {
    if (in_[1] >= 0) ::close(in_[1]);
    if (thread_.joinable()) thread_.join();
    for (const int end : {in_[0], out_[0], out_[1]}) ::close(end);
  }
  void ask(const std::string& line) const {
    ASSERT_EQ(::write(in_[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
  }
  std::string line() const {
    std::string text;
    for (char c = 0; ::read(out_[0], &c, 1) == 1 && c != '\n';) text += c;
    return text;
  }
  int finish() {
    ::close(std::exchange(in_[1], -1));
    thread_.join();
    return code_;
  }

  int in_[2] = {-1, -1}, out_[2] = {-1, -1};
  std::unique_ptr<Answering> there_;
  std::thread thread_;
  int code_ = -1;
  std::string complaint_;
};

TEST_F(Relays, LeaveOutWhatALoginShellSays) {
  start([](const json& request) { return okLine(request["id"]); });
  there_->say("Welcome to node7!");
  there_->say(R"({"id": 1, "ok": {"from": "the banner"}})");
  there_->say(kOutputBegins);
  ask(requestLine(1, Verb::hello));
  EXPECT_EQ(line() + "\n", okLine(1));
  EXPECT_EQ(finish(), 0);
}

TEST_F(Relays, BringFilesThatAreWrittenThere) {
  std::string content;
  for (int i = 0; i < 1'000'000; ++i) content += static_cast<char>(i % 251);
  int chunks = 0;
  start([&](const json& request) -> std::string {
    if (request["do"] == "trace") {
      EXPECT_FALSE(request.contains("file"));
      EXPECT_TRUE(request["deliver"]);
      return okLine(request["id"], {{"file", "/far/calls"}});
    }
    EXPECT_EQ(request["do"], "read");
    EXPECT_EQ(request["file"], "/far/calls");
    ++chunks;
    return okLine(request["id"],
                  {{"data", toBase64(std::string_view(content).substr(request["offset"], 300'000))},
                   {"bytes", content.size()}});
  });
  there_->say(kOutputBegins);
  const test::TemporaryFolder folder;
  const std::string here = folder.path("calls");
  ask(requestLine(7, Verb::trace, {{"file", here}}));
  EXPECT_EQ(json::parse(line())["ok"]["file"], here);
  EXPECT_EQ(readFile(here), content);
  EXPECT_EQ(chunks, 4);
}

TEST_F(Relays, BringTheFileOfEachRankThere) {
  start([&](const json& request) -> std::string {
    if (request["do"] == "trace")
      return okLine(request["id"],
                    {{"file", "/far/calls"}, {"files", {"/far/calls", "/far/calls.rank1"}}});
    const std::string content = "of " + request["file"].get<std::string>();
    return okLine(request["id"], {{"data", toBase64(content)}, {"bytes", content.size()}});
  });
  there_->say(kOutputBegins);
  const test::TemporaryFolder folder;
  const std::string here = folder.path("calls");
  ask(requestLine(7, Verb::trace, {{"file", here}}));
  EXPECT_EQ(json::parse(line())["ok"]["file"], here);
  EXPECT_EQ(readFile(here), "of /far/calls");
  EXPECT_EQ(readFile(here + ".rank1"), "of /far/calls.rank1");
}

TEST_F(Relays, SayWhatIsWrongWithFilesThatAreNone) {
  start([](const json& request) {
    return okLine(request["id"], {{"file", "/far/calls"}, {"files", 7}});
  });
  there_->say(kOutputBegins);
  const test::TemporaryFolder folder;
  ask(requestLine(7, Verb::trace, {{"file", folder.path("calls")}}));
  EXPECT_THAT(line(), HasSubstr("the file that ssh:node7 sent is damaged"));
}

TEST_F(Relays, SayWhatIsWrongWithAFileThatCannotBeFetched) {
  start([](const json& request) -> std::string {
    if (request["do"] == "trace") return okLine(request["id"], {{"file", "/far/calls"}});
    return okLine(request["id"], {{"data", "!!"}, {"bytes", 5}});
  });
  there_->say(kOutputBegins);
  const test::TemporaryFolder folder;
  ask(requestLine(7, Verb::trace, {{"file", folder.path("calls")}}));
  EXPECT_THAT(line(), HasSubstr("the file that ssh:node7 sent is damaged"));
}

TEST_F(Relays, EndLikeAWorkerWhenTheConnectionIsLost) {
  std::counting_semaphore<> asked{0};
  start([&](const json&) {
    asked.release();
    return std::string();
  });
  there_->say(kOutputBegins);
  ask(requestLine(3, Verb::sample) + requestLine(4, Verb::stop));
  for (int request = 0; request < 2; ++request) asked.acquire();
  there_->die();
  EXPECT_EQ(finish(), 1);
  EXPECT_EQ(complaint_,
            "the connection to ssh:node7 was lost: what stopped it exited with code 255");
}

TEST_F(Relays, TellAWorkerThatNeverBeganFromOneThatWasLost) {
  std::binary_semaphore asked{0};
  start([&](const json&) {
    asked.release();
    return std::string();
  });
  ask(requestLine(1, Verb::hello));
  asked.acquire();
  there_->die();
  EXPECT_EQ(finish(), 1);
  EXPECT_THAT(complaint_, HasSubstr("could not start a worker on ssh:node7"));
}

TEST_F(Relays, RefuseWhatIsNoRequestThemselves) {
  start([](const json&) { return std::string("never"); });
  there_->say(kOutputBegins);
  ask("nonsense\n");
  EXPECT_FALSE(parseReply(line()).ok);
}

}  // namespace
}  // namespace fusebench
