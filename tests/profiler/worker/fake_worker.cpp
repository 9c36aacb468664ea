// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profiler/worker/fake_worker.h"

#include <nlohmann/json.hpp>

#include "profiler/run/anatomy_json.h"

namespace fusebench {
namespace {

using nlohmann::json;

class FakeConnection final : public WorkerConnection {
 public:
  explicit FakeConnection(FakeWorld& world) : world_(world) {}

  bool send(const std::string& line) override {
    if (dead_) return false;
    const Request request = parseRequest(line);
    world_.asked.push_back(request);
    if (world_.misbehave)
      if (const auto instead = world_.misbehave(request)) {
        if (*instead == "die") {
          dead_ = true;
        } else if (*instead != "hang") {
          replies_.push_back(*instead);
        }
        return true;
      }
    replies_.push_back(answer(request));
    return true;
  }

  Received receive(double seconds) override {
    if (!replies_.empty()) {
      std::string line = replies_.front();
      replies_.pop_front();
      return {Event::line, line};
    }
    if (dead_) return {Event::ended, ""};
    world_.seconds += seconds;
    return {Event::timeout, ""};
  }

  void kill() override {
    if (!dead_) ++world_.workersKilled;
    dead_ = true;
  }
  std::string epitaph() override { return "was killed by signal 9 (Killed)"; }

 private:
  std::string answer(const Request& request) {
    switch (request.verb) {
      case Verb::hello: {
        json hello = {{"protocol", kProtocolVersion}, {"environment", {{"fake", true}}}};
        hello.update(world_.greeting);
        return okLine(request.id, hello);
      }
      case Verb::values:
        return okLine(request.id, {{"file", "the " + request.body["what"].get<std::string>()}});
      case Verb::compare:
        return okLine(request.id, {{"difference", 2e-7}});
      case Verb::prepare: {
        world_.seconds += world_.prepareSeconds;
        json result = {{"launches", {{"min", 1}, {"mean", 1}, {"max", 1}}}};
        if (request.body["compile_repeats"].get<int>() > 0) {
          result["compile_first"] = json::array({compileJson()});
        }
        return okLine(request.id, result);
      }
      case Verb::sample: {
        world_.seconds += world_.sampleSeconds;
        const CellKey key{request.body["variant"].get<int>(),
                          request.body["at"].get<std::vector<std::int64_t>>()};
        const int count = world_.sampled[{key.variant, key.at}]++;
        json sample = {{"ns", world_.time(key, count)}, {"passes", 1}};
        if (world_.device) sample.update(world_.device(count));
        return okLine(request.id, sample);
      }
      case Verb::check:
        return okLine(request.id, {{"rel_error", 1e-7}});
      case Verb::trace: {
        CallAnatomy anatomy;
        anatomy.nanoseconds[static_cast<std::size_t>(CallPart::kernel)] = 60;
        return okLine(request.id, {{"anatomy", toJson(anatomy)}});
      }
      default:
        return okLine(request.id);
    }
  }

  static json compileJson() {
    return {{"trace", 1},        {"fusion", 1},  {"codegen", 1},   {"compiler", 1000}, {"load", 1},
            {"first_launch", 1}, {"kernels", 1}, {"from_disk", 0}, {"from_memory", 0}};
  }

  FakeWorld& world_;
  std::deque<std::string> replies_;
  bool dead_ = false;
};

}  // namespace

std::function<std::unique_ptr<WorkerConnection>()> FakeWorld::connector() {
  return [this] {
    ++workersStarted;
    return std::make_unique<FakeConnection>(*this);
  };
}

}  // namespace fusebench
