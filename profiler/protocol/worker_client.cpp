// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/protocol/worker_client.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>

#include "engine/base/saying.h"
#include "profiler/machine/clock.h"

namespace fusebench {
namespace {

constexpr double kHeedSeconds = 1;       ///< a worker that does not stop within this is killed
constexpr double kListenSeconds = 0.01;  ///< how often a stop is looked for
constexpr int kMostStrayLines =
    1000;  ///< replies to other requests before the worker counts as lost

double secondsNow() {
  return static_cast<double>(nowNanoseconds()) * 1e-9;
}

}  // namespace

std::string WorkerSilent::sentence(const std::string& who, double seconds) {
  return saying("{} did not answer for {:.3g} s and was terminated", who, seconds);
}

std::int64_t nextRequestId() {
  static std::atomic<std::int64_t> last = 0;
  return ++last;
}

WorkerClient::WorkerClient(std::unique_ptr<WorkerConnection> connection, std::stop_token stop)
    : connection_(std::move(connection)), stop_(std::move(stop)) {}

void WorkerClient::lose(const std::string& what) {
  connection_->kill();
  throw WorkerLost(what);
}

Reply WorkerClient::wait(std::int64_t id, Patience patience, AtStop atStop) {
  double seconds = patience.first, deadline = secondsNow() + seconds;
  int strays = 0;
  while (true) {
    if (atStop != AtStop::ignore && stop_.stop_requested()) {
      if (atStop == AtStop::kill)
        connection_->kill();
      else
        stopWork();
      throw StopRequested();
    }
    const double left = deadline - secondsNow();
    if (left <= 0) {
      connection_->kill();
      throw WorkerSilent(seconds);
    }
    auto received = connection_->receive(std::min(left, kListenSeconds));
    switch (received.event) {
      case WorkerConnection::Event::timeout:
        continue;
      case WorkerConnection::Event::oversized:
        lose(saying("the worker sent a line over 1 MiB and was terminated"));
      case WorkerConnection::Event::ended: {
        const std::string how = connection_->epitaph();
        lose(how.empty() ? saying("the worker closed its output and was terminated")
                         : saying("the worker {}", how));
      }
      case WorkerConnection::Event::line:
        break;
    }
    try {
      Reply reply = parseReply(received.line);
      if (reply.id == id && !reply.working) return reply;
      if (reply.id == id) {
        seconds = patience.rest;
        deadline = secondsNow() + seconds;
        continue;
      }
    } catch (const ProtocolError& error) {
      lose(saying("the worker sent an invalid message and was terminated: {}", error.what()));
    }
    if (++strays > kMostStrayLines)
      lose(saying("the worker sent an unexpected reply and was terminated"));
  }
}

/// Says stop; kills what does not heed it. Never throws.
void WorkerClient::stopWork() {
  const std::int64_t id = nextRequestId();
  if (!connection_->send(requestLine(id, Verb::stop))) return connection_->kill();
  if (connection_->kept()) return;
  try {
    wait(id, {kHeedSeconds, kHeedSeconds}, AtStop::ignore);
  } catch (const WorkerLost&) {
    // wait() has killed it.
  }
}

std::int64_t WorkerClient::send(Verb verb, nlohmann::json body) {
  if (stop_.stop_requested()) throw StopRequested();
  const std::int64_t id = nextRequestId();
  const std::string line = requestLine(id, verb, std::move(body));
  if (line.size() > kLongestLine)
    throw std::runtime_error(saying("the request is longer than 1 MiB"));
  if (!connection_->send(line)) {
    const std::string how = connection_->epitaph();
    lose(how.empty() ? saying("the worker no longer reads requests and was terminated")
                     : saying("the worker {}", how));
  }
  return id;
}

Reply WorkerClient::ask(Verb verb, nlohmann::json body, double seconds) {
  return wait(send(verb, std::move(body)), {seconds, seconds}, AtStop::stopWork);
}

Reply WorkerClient::greet(double alive, double seconds) {
  return wait(send(Verb::hello, nlohmann::json::object()), {alive, seconds}, AtStop::kill);
}

void WorkerClient::quit() {
  if (!connection_->kept()) connection_->send(requestLine(nextRequestId(), Verb::quit));
}

void WorkerClient::end() {
  quit();
  connection_->epitaph();
}

}  // namespace fusebench
