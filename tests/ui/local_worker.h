// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "engine/cpu/runtime/cpu_backend.h"
#include "profiler/protocol/worker_client.h"
#include "profiler/worker/code_protocol.h"

namespace fusebench::test {

/// The state that the workers of a test share.
struct Workers {
  std::atomic<int> started = 0, asked = 0;
  std::atomic<bool> die = false;
};

/// A worker within the process that answers `load` and `code`.
class LocalWorker final : public WorkerConnection {
 public:
  explicit LocalWorker(Workers& workers) : workers_(workers) { ++workers_.started; }
  bool send(const std::string& line) override {
    const Request request = parseRequest(line);
    if (workers_.die) return false;
    if (request.verb == Verb::load) {
      experiment_ = parseExperiment(request.body["experiment"].get<std::string>(), "experiment");
      code_.reset();
      replies_.push_back(okLine(request.id));
      return true;
    }
    ++workers_.asked;
    if (!code_) code_.emplace(*backend_, experiment_, keyOf(request, experiment_));
    replies_.push_back(okLine(request.id, answerCode(*code_, request)));
    return true;
  }
  Received receive(double) override {
    if (replies_.empty()) return {Event::ended, ""};
    std::string line = replies_.front();
    replies_.pop_front();
    return {Event::line, line};
  }
  void kill() override {}
  std::string epitaph() override { return "was killed by signal 9 (Killed)"; }

 private:
  Workers& workers_;
  std::unique_ptr<Backend> backend_ = makeCpuBackend();
  Experiment experiment_;
  std::optional<CellCode> code_;
  std::deque<std::string> replies_;
};

}  // namespace fusebench::test
