// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/worker/worker.h"
#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "profiler/measure/recorded_anatomy.h"
#include "profiler/protocol/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <vector>

#include "engine/base/sha256.h"
#include "engine/cuda/driver/driver_errors.h"
#include "engine/cuda/runtime/memory_pool.h"
#include "engine/device/op_list_refused.h"
#include "engine/language/source_place.h"
#include "engine/sim/sim_backend.h"
#include "profiler/doctor/device_list.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/machine/environment.h"
#include "profiler/machine/machine.h"
#include "profiler/measure/calibration.h"
#include "profiler/measure/cell_runner.h"
#include "profiler/measure/device_recording.h"
#include "profiler/protocol/protocol.h"
#include "profiler/protocol/request_queue.h"
#include "profiler/run/anatomy_json.h"
#include "profiler/run/cell_json.h"
#include "profiler/run/device_anatomy.h"
#include "profiler/worker/code_protocol.h"
#include "profiler/worker/side_files.h"

namespace fusebench {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostKernels = 2000;

/// Optional number of a request, clamped.
double numberOr(const json& body, const char* key, double otherwise) {
  const auto found = body.find(key);
  return found != body.end() && found->is_number() ? found->get<double>() : otherwise;
}

class Worker {
 public:
  Worker(const BackendMaker& makeBackend, const std::atomic<bool>& stop,
         std::shared_ptr<RankGroup> ranks)
      : makeBackend_(makeBackend), stop_(stop), ranks_(std::move(ranks)) {}

  json answer(const Request& request) {
    switch (request.verb) {
      case Verb::hello:
        return hello(request);
      case Verb::load:
        return load(request);
      case Verb::prepare:
        return prepare(request);
      case Verb::sample:
        return sample(request);
      case Verb::check:
        return check(request);
      case Verb::code:
        return code(request);
      case Verb::trace:
        return trace(request);
      case Verb::values:
        return values(request);
      case Verb::read:
        return sideFiles_.read(stringMember(request.body, "file"),
                               integerMember(request.body, "offset", 0, std::int64_t{1} << 50));
      case Verb::compare:
        throw Unsupported(saying("this worker compares its results with the reference only"));
      case Verb::stop:
      case Verb::quit:
        break;
    }
    return json::object();
  }

  /// Whether this process is of no more use: its device answers everything with an error.
  bool spoilt() const { return spoilt_; }
  void noteSpoilt() { spoilt_ = true; }

  struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

 private:
  struct Loaded {
    Loaded(Backend& backend, Experiment read, RankGroup* ranks)
        : experiment(std::move(read)),
          inputs(backend, experiment, memoryFor(backend, ranks), ranks ? ranks->rank() : 0) {}
    /// Inputs are made on the host before they are copied, so both memories bound them.
    static std::uint64_t memoryFor(Backend& backend, RankGroup* ranks) {
      // Ranks share a machine's memory, and all of them make as many inputs.
      const std::uint64_t host =
          availableMemory() / static_cast<std::uint64_t>(ranks ? ranks->size() : 1);
      std::uint64_t bytes = std::min<std::uint64_t>(host, backend.availableBytes().value_or(host));
      if (ranks) ranks->broadcast(&bytes, sizeof bytes, 0);
      return bytes;
    }
    Experiment experiment;
    InputStore inputs;
    ReferenceMemo references;
    std::map<std::pair<int, std::vector<std::int64_t>>, std::unique_ptr<CellRunner>> runners;
    std::unique_ptr<CellCode> code;  ///< the code of the last requested cell
  };

  Backend& backend() {
    if (!backend_) {
      backend_ = makeBackend_(recording_);
      if (ranks_) backend_->setRanks(ranks_);
    }
    return *backend_;
  }

  /// A request that comes before the device is opened may ask for its activity to be recorded:
  /// {"record": true}. Times in this process are then not meaningful. Returns the outcome, where
  /// there is a device.
  json recording(const Request& request) {
    const auto wanted = request.body.find("record");
    if (wanted != request.body.end() && wanted->is_boolean() && wanted->get<bool>() && !backend_)
      recording_ = true;
    if (!recording_ || !backend().collectorStatus()) return nullptr;
    const CollectorStatus status = tryRecording(backend());
    json found = {
        {"state", name(status.state)}, {"found", status.found}, {"remedy", status.remedy}};
    if (!status.version.empty()) found["version"] = status.version;
    return found;
  }

  json hello(const Request& request) {
    if (json found = recording(request); !found.is_null())
      return {{"protocol", kProtocolVersion}, {"recording", std::move(found)}};
    return {{"protocol", kProtocolVersion},
            {"version", FUSEBENCH_VERSION},
            {"pid", getpid()},
            {"device", std::string(backend().name())},
            {"description", backend().description()},
            {"sandbox", toJson(sandboxHere())},
            {"environment", environment()}};
  }

  json environment() {
    json found = collectEnvironment(backend().description());
    if (ranks_) {
      const std::string by = backend().ranksBy();
      found["ranks"] = {{"count", ranks_->size()}, {"by", by.empty() ? ranks_->description() : by}};
    }
    if (const auto* simulated = dynamic_cast<const SimBackend*>(&backend())) {
      found["simulated"] = simulated->description();
      found[kSimulatedKind] = simulated->model().hasQueue ? "gpu" : "cpu";
      if (const std::string note = simulated->model().note; !note.empty())
        found["model_note"] = note;
      if (const auto error = simulated->model().error) found[kModelError] = *error;
      found[kModelExact] = simulated->model().isExact;
    }
    if (const std::string id = backend().traits().deviceId; !id.empty()) found[kDeviceId] = id;
    try {
      if (const auto calibration = calibrate(backend()))
        found["calibration"] = toJson(*calibration);
    } catch (const DeviceError& error) {
      if (error.isSticky()) throw;
      found["calibration_problem"] = error.what();
    } catch (const std::runtime_error& error) {  // it is only needed in addition to measurements
      found["calibration_problem"] = error.what();
    }
    return found;
  }

  json load(const Request& request) {
    std::string text;
    try {
      text = stringMember(request.body, "experiment");
    } catch (const RecordError& error) {
      throw ProtocolError(error.what(), request.id);
    }
    Experiment experiment = parseExperiment(text, "experiment");
    std::shared_ptr<const WeightsFile> weights;
    if (request.body.contains("weights"))
      weights = std::make_shared<WeightsFile>(stringMember(request.body, "weights"));
    const json recorded = recording(request);
    loaded_.reset();
    // Compiled kernels are kept for the next experiment, which is often nearly the same, but not
    // without end: a kernel takes about 100 KB.
    if (kernelsMade_ > kMostKernels) {
      backend().forgetKernels();
      kernelsMade_ = 0;
    }
    loaded_ = std::make_unique<Loaded>(backend(), std::move(experiment), ranks_.get());
    loaded_->inputs.setWeights(std::move(weights));
    json loaded = {{"cells", cells(loaded_->experiment).size()}};
    if (!recorded.is_null()) loaded["recording"] = recorded;
    return loaded;
  }

  Loaded& loaded(const Request& request) {
    if (!loaded_) throw ProtocolError("no experiment is loaded; send \"load\" first", request.id);
    return *loaded_;
  }

  CellRunner& runner(const Request& request) {
    const CellKey key = keyOf(request, loaded(request).experiment);
    const auto found = loaded_->runners.find({key.variant, key.at});
    if (found == loaded_->runners.end())
      throw ProtocolError("the cell is not prepared; send \"prepare\" first", request.id);
    return *found->second;
  }

  json prepare(const Request& request) {
    Loaded& all = loaded(request);
    Cell cell;
    cell.key = keyOf(request, all.experiment);
    const int wanted = ranksOf(all.experiment, cell.key), there = ranks_ ? ranks_->size() : 1;
    if (wanted != there && !backend().traits().isSimulated)
      throw Unavailable(
          saying("it needs {} ranks, but here {} {}", wanted, there == 1 ? "is" : "are", there));
    auto made = std::make_unique<CellRunner>(backend(), all.inputs, all.references, all.experiment,
                                             cell.key, stop_, ranks_.get());
    CompileMeasuring measuring;
    measuring.repeats = static_cast<int>(
        std::clamp(numberOr(request.body, "compile_repeats", all.experiment.measure.compileRepeats),
                   0.0, 1000.0));
    measuring.seconds = numberOr(request.body, "seconds", 1e9);
    made->prepare(measuring, cell);
    kernelsMade_ += made->kernelsMade();
    all.runners[{cell.key.variant, cell.key.at}] = std::move(made);
    return measuredJson(cell);
  }

  json sample(const Request& request) {
    if (recording_ && backend().name() == "cuda")
      throw Unsupported(saying("this worker records what its device does, so it times nothing"));
    return toJson(runner(request).sample());
  }

  /// Where a request wants a file: in the folder that it names, or in the worker's own.
  std::string folderOf(const Request& request) {
    return request.body.contains("folder") ? stringMember(request.body, "folder")
                                           : sideFiles_.folder();
  }

  /// Writes a cell's tensors for another worker: {"what": "inputs", "reference" or "results",
  /// "folder": where}. Cells whose inputs are alike share a file.
  json values(const Request& request) {
    Loaded& all = loaded(request);
    const CellKey key = keyOf(request, all.experiment);
    const std::string what = stringMember(request.body, "what");
    const std::string folder = folderOf(request);
    if (what == "results") {
      const std::string path = folder + "/results.values";
      runner(request).writeChecked(path, CellRunner::Checked::results);
      return {{"file", path}};
    }
    CellRunner cell(backend(), all.inputs, all.references, all.experiment, key, stop_);
    if (what == "reference") {
      const std::string path = folder + "/reference.values";
      cell.writeChecked(path, CellRunner::Checked::reference);
      return {{"file", path}};
    }
    if (what != "inputs") throw ProtocolError("there are no such values", request.id);
    const std::string path = folder + "/" + sha256(all.inputs.keyOf(key)) + ".values";
    cell.writeInputs(path);
    return {{"file", path}};
  }

  json code(const Request& request) {
    Loaded& all = loaded(request);
    const CellKey key = keyOf(request, all.experiment);
    if (!all.code || !(all.code->key() == key))
      all.code = std::make_unique<CellCode>(backend(), all.experiment, key);
    return answerCode(*all.code, request);
  }

  json check(const Request& request) {
    const CellRunner::Check checked = runner(request).check();
    json body = {{"rel_error", numberJson(checked.relativeError)}, {"check_note", checked.note}};
    if (checked.roundingError) body["rounding_error"] = numberJson(*checked.roundingError);
    if (checked.accuracy) body["accuracy"] = toJson(*checked.accuracy);
    return body;
  }

  /// Recorded calls go to the file that is named; {"deliver": true}: to one of the worker's own,
  /// which the reply names.
  json trace(const Request& request) {
    if (request.body.contains("file") || request.body.contains("deliver")) {
      const bool kernelsOnly =
          request.body.contains("level") && stringMember(request.body, "level") == "launches";
      const std::string path = request.body.contains("file") ? stringMember(request.body, "file")
                                                             : sideFiles_.folder() + "/calls";
      writeRecordedCalls(
          runner(request).record(kernelsOnly ? Recorder::Level::launches : Recorder::Level::split),
          path);
      return {{"file", path}};
    }
    if (request.body.contains("device_side")) {
      const RecordedCalls calls = runner(request).record();
      const CollectorStatus status = backend().collectorStatus().value_or(CollectorStatus{});
      json answer = {{"note", status.collects() ? calls.deviceNote : sentenceOf(status)},
                     {"collects", status.collects()}};
      if (const auto device = deviceAnatomyOf(calls)) answer["device"] = toJson(*device);
      return answer;
    }
    Cell cell;
    cell.anatomy = runner(request).trace();
    return measuredJson(cell);
  }

  const BackendMaker& makeBackend_;
  const std::atomic<bool>& stop_;
  std::shared_ptr<RankGroup> ranks_;  ///< null: there is one
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Loaded> loaded_;
  std::int64_t kernelsMade_ = 0;  ///< since they were last forgotten
  SideFiles sideFiles_;
  bool recording_ = false;
  bool spoilt_ = false;
};

/// One request's reply line, whatever happens while it is worked on.
std::string reply(Worker& worker, const Request& request) {
  const auto error = [&](ErrorKind kind, const std::string& what) {
    return errorLine(request.id, kind, what);
  };
  try {
    return okLine(request.id, worker.answer(request));
  } catch (const ProtocolError& e) {
    return error(ErrorKind::request, e.what());
  } catch (const RecordError& e) {
    return error(ErrorKind::request, e.what());
  } catch (const InputError& e) {
    return error(ErrorKind::input, e.what());
  } catch (const Unavailable& e) {
    return error(ErrorKind::unavailable, e.what());
  } catch (const OpListRefused& e) {
    return error(ErrorKind::unavailable, e.what());
  } catch (const Stopped& e) {
    return error(ErrorKind::stopped, e.what());
  } catch (const Worker::Unsupported& e) {
    return error(ErrorKind::unsupported, e.what());
  } catch (const DeviceError& e) {
    if (!e.isSticky()) return error(ErrorKind::failed, e.what());
    worker.noteSpoilt();
    return lastWordsLine(request.id, e.what());
  } catch (const DeviceOutOfMemory& e) {
    return error(ErrorKind::unavailable, e.what());
  } catch (const std::bad_alloc&) {
    return error(ErrorKind::unavailable, saying("there is not enough memory"));
  } catch (const ProgramError& e) {
    if (e.place().line <= 0) return error(ErrorKind::failed, e.what());
    return error(ErrorKind::failed, saying("line {}: {}", e.place().line, saidAgain(e.what())));
  } catch (const std::exception& e) {
    return error(ErrorKind::failed, e.what());
  }
}

}  // namespace

int runWorker(int input, int output, const BackendMaker& makeBackend) {
  ReplyWriter replies(output);
  return runWorker(input, replies, makeBackend, nullptr);
}

int runWorker(int input, ReplyWriter& replies, const BackendMaker& makeBackend,
              std::shared_ptr<RankGroup> ranks) {
  RequestQueue requests(input, replies);
  Worker worker(makeBackend, requests.stopFlag(), std::move(ranks));
  while (const auto request = requests.next()) {
    if (!replies.write(reply(worker, *request)) || request->verb == Verb::quit) break;
    if (worker.spoilt()) return 1;
  }
  return 0;
}

int workerMain(const BackendMaker& makeBackend) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);
  // Whatever a library prints goes to standard error, never between the replies.
  const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1;
  return runWorker(STDIN_FILENO, output, makeBackend);
}

}  // namespace fusebench
