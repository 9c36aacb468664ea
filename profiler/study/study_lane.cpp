// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/study_lane.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>

#include "engine/base/saying.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/measure/calibration.h"
#include "profiler/protocol/process.h"
#include "profiler/run/cell_json.h"
#include "profiler/study/captured_study.h"

namespace fusebench {
namespace {

using nlohmann::json;

bool lists(const json& hello, const char* key, std::string_view wanted) {
  const auto found = hello.find(key);
  return found != hello.end() && found->is_array() &&
         std::find(found->begin(), found->end(), wanted) != found->end();
}

}  // namespace

bool GuestWorker::runs(std::string_view executor) const {
  return std::find(executors.begin(), executors.end(), executor) != executors.end();
}

bool GuestWorker::serves(std::string_view executor, int ofRanks) const {
  return ranks == ofRanks && (executors.empty() ? !runsInTorch(executor) : runs(executor));
}

void StudyLane::fail(Stop stop, const std::string& what) const {
  if (guest_) throw GuestMissing(stop, what);
  throw StudyFailed(what);
}

json StudyLane::result(Reply reply) const {
  if (!reply.ok) fail(Stop::failed, reply.message);
  return std::move(reply.result);
}

std::unique_ptr<WorkerConnection> StudyLane::open() const {
  const auto& connect = guest_ ? guest_->connect : options_.connect;
  try {
    return connect ? connect() : startWorker(guest_ ? guest_->command : options_.workerCommand);
  } catch (const std::runtime_error& error) {
    fail(Stop::unavailable,
         guest_ ? fmt::format("{}; {}", error.what(), guest_->remedy) : error.what());
  }
}

void StudyLane::greet(Run& run) {
  const json hello =
      result(guest_ ? client_->greet(guest_->aliveSeconds, guest_->greetSeconds)
                    : client_->ask(Verb::hello, json::object(), options_.replySeconds));
  if (integerMember(hello, "protocol", 0, 1 << 20) != kProtocolVersion)
    fail(Stop::failed,
         saying(
             "the worker uses another version of the protocol; use the same version of Fusebench"));
  if (hello.contains("unavailable")) fail(Stop::unavailable, stringMember(hello, "unavailable"));
  wantsProgram_ = lists(hello, "wants", "program");
  wantsInputs_ = lists(hello, "wants", "inputs");
  compares_ = mayCompare_ && hello.value("compares", json(false)) == json(true);
  if (!hello.contains("environment")) return;
  if (guest_)
    run.environment[guest_->name] = hello["environment"];
  else if (run.environment.is_null())
    run.environment = hello["environment"];
  else
    addSession(run.environment, hello["environment"]);
}

void StudyLane::connect(Run& run, StudyObserver& observer) {
  for (int attempt = 1; !client_; ++attempt) {
    try {
      client_.emplace(open(), stop_);
      greet(run);
      result(client_->ask(Verb::load, loadingOf(run.experiment, options_), options_.replySeconds));
      ++started_;
    } catch (const WorkerLost& lost) {
      client_.reset();
      // Who died may live the next time; who said nothing for so long would not speak then.
      if (const auto* silent = dynamic_cast<const WorkerSilent*>(&lost); silent && guest_)
        fail(Stop::unavailable,
             fmt::format("{}; {}", silent->of(guest_->command.front()), guest_->remedy));
      observer.workerLost(lost.what());
      if (attempt == kDeathsAllowed)
        fail(Stop::failed, saying("could not start a worker process: {}", lost.what()));
    } catch (const RecordError& wrong) {
      client_.reset();
      fail(Stop::failed, saying("the worker sent an invalid greeting: {}", wrong.what()));
    } catch (const GuestMissing&) {
      client_.reset();
      throw;
    }
  }
}

Reply StudyLane::ask(Verb verb, json body, double patience) {
  return client_->ask(verb, std::move(body), patience);
}

void StudyLane::drop(bool kill) {
  if (client_ && kill) client_->kill();
  client_.reset();
}

void StudyLane::quit() {
  if (client_) client_->quit();
}

void StudyLane::end() {
  if (client_) client_->end();
  client_.reset();
}

}  // namespace fusebench
