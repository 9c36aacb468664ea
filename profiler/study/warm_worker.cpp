// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/warm_worker.h"

#include <mutex>
#include <stdexcept>
#include <utility>

#include "profiler/machine/clock.h"
#include "profiler/protocol/process.h"
#include "profiler/protocol/protocol.h"
#include "profiler/protocol/worker_client.h"

namespace fusebench {
namespace {

/// A worker that was told to stop gets this long to come to rest; starting another takes about as
/// long.
constexpr std::int64_t kRestNanoseconds = 250'000'000;

/// Whether the worker is at rest: it has answered a stop, and all that was asked before.
bool atRest(WorkerConnection& worker) {
  const std::int64_t id = nextRequestId();
  if (!worker.send(requestLine(id, Verb::stop))) return false;
  const std::int64_t deadline = nowNanoseconds() + kRestNanoseconds;
  for (std::int64_t left = kRestNanoseconds; left > 0; left = deadline - nowNanoseconds()) {
    const auto received = worker.receive(static_cast<double>(left) * 1e-9);
    if (received.event != WorkerConnection::Event::line) return false;
    try {
      const Reply reply = parseReply(received.line);
      if (reply.id == id) return reply.ok;
    } catch (const ProtocolError&) {
      return false;
    }
  }
  return false;
}

}  // namespace

struct WarmWorker::State {
  explicit State(Starter starter) : start(std::move(starter)) {}

  std::mutex mutex;
  Starter start;
  std::unique_ptr<WorkerConnection> waiting;
  bool used = false;  ///< the one that waits has been lent before
  bool closed = false;

  /// Keeps the worker if none waits yet; one too many ends.
  void put(std::unique_ptr<WorkerConnection> worker, bool wasUsed) {
    const std::lock_guard lock(mutex);
    if (closed || waiting) return;
    waiting = std::move(worker);
    used = wasUsed;
  }

  void warm() {
    {
      const std::lock_guard lock(mutex);
      if (closed || waiting) return;
    }
    try {
      auto worker = start();
      // Whatever it does first, it does now.
      if (worker->send(requestLine(nextRequestId(), Verb::hello))) put(std::move(worker), false);
    } catch (const std::runtime_error&) {
      // The next request for a worker gets the reason.
    }
  }
};

/// Forwards to the worker, and watches whether it stays fit to be lent again.
class WarmWorker::Lent final : public WorkerConnection {
 public:
  Lent(std::shared_ptr<State> state, std::unique_ptr<WorkerConnection> worker)
      : state_(std::move(state)), worker_(std::move(worker)) {}

  ~Lent() override {
    if (fit_) {
      state_->put(std::move(worker_), true);
    } else {
      worker_.reset();
      state_->warm();
    }
  }

  bool send(const std::string& line) override {
    const bool sent = worker_->send(line);
    fit_ = fit_ && sent;
    return sent;
  }
  Received receive(double seconds) override {
    Received received = worker_->receive(seconds);
    if (received.event == Event::ended || received.event == Event::oversized) fit_ = false;
    return received;
  }
  void kill() override {
    fit_ = false;
    worker_->kill();
  }
  std::string epitaph() override { return worker_->epitaph(); }
  bool kept() const override { return true; }

 private:
  std::shared_ptr<State> state_;
  std::unique_ptr<WorkerConnection> worker_;
  bool fit_ = true;
};

WarmWorker::WarmWorker(Starter start) : state_(std::make_shared<State>(std::move(start))) {}

WarmWorker::WarmWorker(std::vector<std::string> command)
    : WarmWorker([command = std::move(command)] { return startWorker(command); }) {}

WarmWorker::~WarmWorker() {
  const std::lock_guard lock(state_->mutex);
  state_->closed = true;
  state_->waiting.reset();
}

void WarmWorker::warm() {
  state_->warm();
}

std::unique_ptr<WorkerConnection> WarmWorker::lend() {
  std::unique_ptr<WorkerConnection> worker;
  bool used = false;
  {
    const std::lock_guard lock(state_->mutex);
    worker = std::move(state_->waiting);
    used = state_->used;
  }
  if (worker && used && !atRest(*worker)) worker.reset();
  if (!worker) worker = state_->start();
  return std::make_unique<Lent>(state_, std::move(worker));
}

}  // namespace fusebench
