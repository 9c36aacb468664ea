// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/targets/relay.h"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/experiment/experiment_rules.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/files/base64.h"
#include "profiler/files/files.h"
#include "profiler/files/line_buffer.h"
#include "profiler/protocol/protocol.h"
#include "profiler/protocol/request_queue.h"
#include "profiler/run/cell_json.h"
#include "profiler/targets/target_program.h"

namespace fusebench {
namespace {

using nlohmann::json;
using Event = WorkerConnection::Event;

constexpr double kTickSeconds = 0.2;
constexpr std::int64_t kLargestSideFile = std::int64_t{1} << 30;
/// Numbers of the relay's own requests; a driver counts from 1.
constexpr std::int64_t kOwnRequests = std::int64_t{1} << 52;

class Relay {
 public:
  Relay(int input, int output, WorkerConnection& there, const std::string& target,
        const std::function<void(const std::string&)>& complain)
      : input_(input), replies_(output), there_(there), target_(target), complain_(complain) {}

  int run() {
    std::jthread requests([this](const std::stop_token& stop) { passRequests(stop); });
    while (true) {
      const auto received = next();
      if (received.event == Event::ended) return end();
      if (received.event == Event::timeout) {
        if (inputEnded_ && (nothingOpen() || replies_.closedWithin(0))) return 0;
      } else if (received.event == Event::oversized) {
        return lose(saying("a line over 1 MiB was received"));
      } else if (!begun_) {
        begun_ = received.line == kOutputBegins;
      } else {
        passReply(received.line);
      }
    }
  }

 private:
  WorkerConnection::Received next() { return there_.receive(kTickSeconds); }

  /// Both threads send.
  bool send(const std::string& line) {
    const std::lock_guard lock(sending_);
    return there_.send(line);
  }

  bool nothingOpen() {
    const std::lock_guard lock(mutex_);
    return open_.empty();
  }

  void passRequests(const std::stop_token& stop) {
    LineBuffer buffer(kLongestLine);
    char bytes[1 << 16];
    while (!stop.stop_requested()) {
      pollfd watched{input_, POLLIN, 0};
      if (poll(&watched, 1, static_cast<int>(kTickSeconds * 1000)) <= 0) continue;
      const ssize_t count = ::read(input_, bytes, sizeof bytes);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      buffer.append({bytes, static_cast<std::size_t>(count)});
      while (auto line = buffer.next()) passRequest(*line);
    }
    inputEnded_ = true;
  }

  void passRequest(const LineBuffer::Line& line) {
    if (line.oversized) {
      replies_.write(
          errorLine(std::nullopt, ErrorKind::request, saying("the line is longer than 1 MiB")));
      return;
    }
    try {
      Request request = parseRequest(line.text);
      {
        const std::lock_guard lock(mutex_);
        std::string& file = open_[request.id];
        if (request.verb == Verb::trace && request.body.contains("file"))
          file = stringMember(request.body, "file");
        if (request.verb == Verb::quit) quit_ = true;
        if (!file.empty()) request.body["deliver"] = true;
      }
      if (request.body.contains("deliver")) request.body.erase("file");
      if (request.verb == Verb::values) request.body.erase("folder");
      if (!send(requestLine(request.id, request.verb, std::move(request.body))))
        inputEnded_ = true;  // the worker is gone, which the other side hears, too
    } catch (const ProtocolError& wrong) {
      replies_.write(errorLine(wrong.id(), ErrorKind::request, wrong.what()));
    } catch (const RecordError& wrong) {
      replies_.write(errorLine(std::nullopt, ErrorKind::request, wrong.what()));
    }
  }

  void passReply(const std::string& line) {
    std::optional<std::int64_t> id;
    std::string file;
    std::vector<std::string> found;  // per rank, where there are several
    bool ok = false;
    try {
      const Reply reply = parseReply(line);
      if (!reply.working) id = reply.id;
      ok = reply.ok;
      if (ok && reply.result.contains("file")) found = filesOf(reply.result);
    } catch (const std::runtime_error&) {
      // The driver judges invalid lines.
    }
    if (id) {
      const std::lock_guard lock(mutex_);
      if (const auto open = open_.find(*id); open != open_.end()) {
        file = open->second;
        open_.erase(open);
      }
    }
    if (!file.empty() && ok) {
      std::string trouble = found.empty() ? damaged() : "";
      for (std::size_t rank = 0; rank < found.size() && trouble.empty(); ++rank)
        trouble = fetch(found[rank], fileOfRank(file, static_cast<int>(rank)));
      if (!trouble.empty()) {
        replies_.write(errorLine(id, ErrorKind::failed, trouble));
        return;
      }
      replies_.write(okLine(*id, {{"file", file}}));
      return;
    }
    replies_.write(line + "\n");
  }

  static std::vector<std::string> filesOf(const json& result) {
    const auto each = result.find("files");
    if (each == result.end()) return {stringMember(result, "file")};
    if (!each->is_array() || each->size() > static_cast<std::size_t>(rules::kRanks.high)) return {};
    std::vector<std::string> files;
    for (const json& file : *each)
      if (file.is_string()) files.push_back(file.get<std::string>());
    return files;
  }

  /// Fetches a file of the worker's. Returns what went wrong, in one line; empty: nothing.
  std::string fetch(const std::string& theirs, const std::string& ours) {
    std::string content;
    try {
      while (true) {
        const Reply reply = ask({{"file", theirs}, {"offset", content.size()}});
        if (!reply.ok) return reply.message;
        const auto chunk = fromBase64(stringMember(reply.result, "data"));
        const std::int64_t bytes = integerMember(reply.result, "bytes", 0, kLargestSideFile);
        if (!chunk || (chunk->empty() && static_cast<std::int64_t>(content.size()) < bytes))
          return damaged();
        content += *chunk;
        if (static_cast<std::int64_t>(content.size()) >= bytes) break;
      }
      writeFile(ours, content);
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

  Reply ask(json body) {
    const std::int64_t id = kOwnRequests + asked_++;
    if (!send(requestLine(id, Verb::read, std::move(body)))) throw std::runtime_error(lost());
    while (true) {
      const auto received = next();
      if (received.event == Event::ended || received.event == Event::oversized)
        throw std::runtime_error(lost());
      if (received.event != Event::line) continue;
      if (Reply reply = parseReply(received.line); reply.id == id) return reply;
      passReply(received.line);
    }
  }

  std::string damaged() const { return saying("the file that {} sent is damaged", target_); }

  std::string lost() {
    return begun_ ? saying("the connection to {} was lost", target_)
                  : saying("could not start a worker on {}", target_);
  }

  int end() {
    {
      const std::lock_guard lock(mutex_);
      if (quit_ || (inputEnded_ && open_.empty())) return 0;
    }
    const std::string how = there_.epitaph();
    return lose(how.empty() ? how : saying("what stopped it {}", how));
  }

  int lose(const std::string& why) {
    complain_(why.empty() ? lost() : fmt::format("{}: {}", lost(), why));
    return 1;
  }

  int input_;
  ReplyWriter replies_;
  WorkerConnection& there_;
  const std::string& target_;
  const std::function<void(const std::string&)>& complain_;
  bool begun_ = false;
  std::int64_t asked_ = 0;
  std::mutex sending_, mutex_;
  std::map<std::int64_t, std::string> open_;  ///< requests, and the files that they name
  bool quit_ = false;
  std::atomic<bool> inputEnded_ = false;
};

}  // namespace

int relay(int input, int output, WorkerConnection& there, const std::string& target,
          const std::function<void(const std::string&)>& complain) {
  return Relay(input, output, there, target, complain).run();
}

}  // namespace fusebench
