// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/anatomy_pass.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

#include "engine/base/saying.h"
#include "profiler/machine/backend_table.h"
#include "profiler/machine/sim_devices.h"
#include "profiler/protocol/process.h"
#include "profiler/protocol/worker_client.h"
#include "profiler/run/anatomy_json.h"
#include "profiler/run/cell_json.h"
#include "profiler/study/captured_study.h"

namespace fusebench {
namespace {

using nlohmann::json;

/// The worker's answer, or what is wrong with it.
struct Answer {
  bool ok = false;
  bool goOn = true;  ///< whether other cells may do better
  std::string message;
};

constexpr const char* kStopped = toBeSaid("it was stopped");

class TracingWorker {
 public:
  TracingWorker(const StudyOptions& options, std::stop_token stop)
      : options_(options),
        seconds_(options.replySeconds),
        client_(options.connectTrace ? options.connectTrace() : startWorker(options.workerCommand),
                std::move(stop)) {}

  /// `recording`: its device is recorded, so that deviceSide() can be asked, by what this then
  /// says.
  Answer load(const Experiment& experiment, json* recording = nullptr) {
    json body = loadingOf(experiment, options_), result;
    if (recording) body["record"] = true;
    const Answer answer = ask(Verb::load, std::move(body), &result);
    if (recording && answer.ok && result.contains("recording")) *recording = result["recording"];
    return answer;
  }

  /// Fills in the cell's anatomy.
  Answer trace(Cell& cell) {
    if (const Answer prepared = prepare(cell); !prepared.ok) return prepared;
    json result;
    Answer answer = ask(Verb::trace, toJson(cell.key), &result);
    if (!answer.ok) return answer;
    Cell traced;
    readMeasured(result, traced);
    if (!traced.anatomy) return {false, false, saying("the worker sent no anatomy")};
    cell.anatomy = std::move(traced.anatomy);
    return answer;
  }

  /// Fills in what the device does, of a cell that has an anatomy.
  Answer deviceSide(Cell& cell) {
    if (const Answer prepared = prepare(cell); !prepared.ok) return prepared;
    json body = toJson(cell.key), result;
    body["device_side"] = true;
    Answer answer = ask(Verb::trace, std::move(body), &result);
    if (!answer.ok) return answer;
    if (const auto device = result.find("device"); device != result.end()) {
      cell.anatomy->device = readDeviceAnatomy(*device);
      cell.anatomy->deviceProblem.clear();
      return answer;
    }
    const std::string note = stringMember(result, "note");
    const bool collects = result.value("collects", false);
    return {false, collects, note.empty() ? saying("no call was recorded completely") : note};
  }

  void quit() { client_.quit(); }

 private:
  Answer prepare(const Cell& cell) {
    json preparation = toJson(cell.key);
    preparation["compile_repeats"] = 0;
    return ask(Verb::prepare, std::move(preparation), nullptr);
  }
  Answer ask(Verb verb, json body, json* result) {
    Reply reply = client_.ask(verb, std::move(body), seconds_);
    if (reply.ok && result) *result = std::move(reply.result);
    const bool hopeless = reply.last || reply.kind == ErrorKind::unsupported;
    return {reply.ok, reply.ok || !hopeless, reply.message};
  }

  const StudyOptions& options_;
  double seconds_;
  WorkerClient client_;
};

/// By what the device was recorded belongs to what the figures depend on.
void noteRecording(const json& recording, Run& run) {
  if (!recording.is_object() || !run.environment.is_object()) return;
  if (const std::string state = recording.value("state", ""); state != "on" && state != "degraded")
    return;
  if (const auto version = recording.find("version");
      version != recording.end() && version->is_string())
    run.environment["cupti"] = *version;
}

/// Makes requests of a worker until it is lost, the time is up or a stop comes. Returns why the
/// pass stopped early; one line, or nothing.
template <typename Pass>
std::string reasonOfEnd(Pass&& pass) {
  try {
    return pass();
  } catch (const StopRequested&) {
    return saying(kStopped);
  } catch (
      const std::runtime_error& lost) {  // no worker, a lost one, or one that sends invalid lines
    return lost.what();
  }
}

bool lacksDeviceSide(const Cell& cell) {
  return cell.anatomy && !cell.anatomy->device && !cell.samples.empty();
}

/// These cells in the order in which they are traced: the near end of the axes, the far end, then
/// backward from there. A reader compares the two ends, and the near one is usually the cheapest.
std::vector<std::size_t> tracingOrder(const Run& run, std::vector<std::size_t> wanted) {
  std::ranges::reverse(wanted);
  if (wanted.empty()) return wanted;
  const std::vector<std::int64_t> near = run.cells[wanted.back()].key.at;
  std::stable_partition(wanted.begin(), wanted.end(),
                        [&](std::size_t index) { return run.cells[index].key.at == near; });
  return wanted;
}

/// The second worker's part, for cells that have an anatomy. Those that do not get it say why.
std::string traceDevice(Run& run, const StudyOptions& options, double seconds, std::stop_token stop,
                        const std::function<void(std::size_t)>& changed) {
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < run.cells.size(); ++i)
    if (lacksDeviceSide(run.cells[i])) wanted.push_back(i);
  if (wanted.empty()) return {};
  wanted = tracingOrder(run, std::move(wanted));
  std::size_t done = 0;
  std::string problem = reasonOfEnd([&]() -> std::string {
    TracingWorker worker(options, stop);
    json recording;
    if (const Answer loaded = worker.load(run.experiment, &recording); !loaded.ok)
      return loaded.message;
    noteRecording(recording, run);
    const double start = options.now();
    for (; done < wanted.size(); ++done) {
      if (done > 0 && options.now() - start >= seconds)
        return saying("the time budget for the device was used up after {} of {} data points", done,
                      wanted.size());
      Cell& cell = run.cells[wanted[done]];
      const Answer answer = worker.deviceSide(cell);
      if (!answer.goOn) return answer.message;
      if (!answer.ok) cell.anatomy->deviceProblem = answer.message;
      changed(wanted[done]);
    }
    worker.quit();
    return {};
  });
  for (; done < wanted.size(); ++done) {
    run.cells[wanted[done]].anatomy->deviceProblem = problem;
    changed(wanted[done]);
  }
  return problem;
}

/// The first worker's part: the host's side of each of these cells. A point that is begun is
/// finished: its variants are compared with each other.
std::string traceHost(Run& run, const StudyOptions& options, double seconds, std::stop_token stop,
                      const std::vector<std::size_t>& wanted,
                      const std::function<void(std::size_t)>& changed,
                      const std::function<void(std::size_t, std::size_t)>& progress) {
  return reasonOfEnd([&]() -> std::string {
    TracingWorker worker(options, stop);
    if (const Answer loaded = worker.load(run.experiment); !loaded.ok) return loaded.message;
    const double start = options.now();
    for (std::size_t done = 0; done < wanted.size(); ++done) {
      const bool begun =
          done > 0 && run.cells[wanted[done]].key.at == run.cells[wanted[done - 1]].key.at;
      if (done > 0 && !begun && options.now() - start >= seconds)
        return saying("its time budget was used up after {} of {} data points", done,
                      wanted.size());
      progress(done, wanted.size());
      const Answer answer = worker.trace(run.cells[wanted[done]]);
      if (answer.ok) changed(wanted[done]);
      if (!answer.goOn) return answer.message;
    }
    worker.quit();
    return {};
  });
}

}  // namespace

std::string traceCells(Run& run, const StudyOptions& options, double seconds, std::stop_token stop,
                       const std::function<void(std::size_t)>& changed,
                       const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<std::size_t> wanted;
  const auto isGuests = [&](const Cell& cell) {
    const Variant& variant = run.experiment.variants[static_cast<std::size_t>(cell.key.variant)];
    return std::any_of(options.guests.begin(), options.guests.end(),
                       [&](const GuestWorker& guest) { return guest.runs(variant.executor); });
  };
  for (std::size_t i = 0; i < run.cells.size(); ++i)
    if (const Cell& cell = run.cells[i]; !cell.samples.empty() && !cell.anatomy && !isGuests(cell))
      wanted.push_back(i);
  wanted = tracingOrder(run, std::move(wanted));
  std::string problem;
  if (!wanted.empty()) problem = traceHost(run, options, seconds, stop, wanted, changed, progress);
  if (!(namesGpu(run.device) || namesSimulated(run.device)) || stop.stop_requested())
    return problem;
  // Cells that got the host's side before the pass stopped get the device's.
  const std::string missing = traceDevice(run, options, seconds, stop, changed);
  return problem.empty() || missing.empty() || problem == missing ? std::max(problem, missing)
                                                                  : problem + "; " + missing;
}

std::vector<MissingDeviceSide> missingDeviceSides(const Run& run,
                                                  std::span<const Cell* const> cells) {
  std::vector<MissingDeviceSide> missing;
  for (const Cell* cell : cells) {
    if (!cell->hasDeviceTimes() || !lacksDeviceSide(*cell)) continue;
    const std::string& own = cell->anatomy->deviceProblem;
    const std::string& why = own.empty() ? run.traceProblem : own;
    if (why.empty()) continue;
    auto same = std::ranges::find(missing, why, &MissingDeviceSide::why);
    if (same == missing.end()) same = missing.insert(missing.end(), {why, {}});
    same->variants.push_back(
        run.experiment.variants[static_cast<std::size_t>(cell->key.variant)].name);
  }
  return missing;
}

}  // namespace fusebench
