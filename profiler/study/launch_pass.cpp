// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/launch_pass.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "profiler/experiment/rank_options.h"
#include "profiler/files/files.h"
#include "profiler/protocol/process.h"
#include "profiler/protocol/worker_client.h"
#include "profiler/study/captured_study.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;

/// The file in which the worker puts the calls: in a folder that nobody else can read or place
/// links in. Removed with this object.
class SideFile {
 public:
  SideFile() : folder_((fs::temp_directory_path() / "fusebench-calls-XXXXXX").string()) {
    if (!mkdtemp(folder_.data()))
      throw std::runtime_error(systemMessage(folder_, "no folder can be made for recorded calls"));
  }
  ~SideFile() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  SideFile(const SideFile&) = delete;
  SideFile& operator=(const SideFile&) = delete;
  std::string path() const { return folder_ + "/calls"; }

 private:
  std::string folder_;
};

/// So many ranks that record what they do.
class RecordingWorker {
 public:
  RecordingWorker(const Experiment& experiment, const StudyOptions& options, int ranks,
                  std::stop_token stop)
      : options_(options), client_(open(options, ranks), std::move(stop)) {
    trouble_ = unavailable(ranks);
    if (trouble_.empty()) {
      nlohmann::json body = loadingOf(experiment, options);
      body["record"] = true;
      trouble_ = ask(Verb::load, std::move(body));
    }
  }
  /// Why it records nothing; empty: it does.
  const std::string& trouble() const { return trouble_; }
  /// What is wrong with the answer; empty: nothing.
  std::string ask(Verb verb, nlohmann::json body) {
    const Reply reply = client_.ask(verb, std::move(body), options_.replySeconds);
    return reply.ok ? std::string() : reply.message;
  }
  void quit() { client_.quit(); }

 private:
  static std::unique_ptr<WorkerConnection> open(const StudyOptions& options, int ranks) {
    if (options.connectTrace) return options.connectTrace();
    std::vector<std::string> command = options.workerCommand;
    if (ranks > 1) command.insert(command.end(), {"--ranks", std::to_string(ranks)});
    return startWorker(command);
  }
  /// A group of ranks' reason why it is not available.
  std::string unavailable(int ranks) {
    if (ranks < 2) return {};
    constexpr double kRanksSeconds = 60;
    const Reply hello = client_.ask(Verb::hello, nlohmann::json::object(), kRanksSeconds);
    if (!hello.ok) return hello.message;
    return hello.result.value("unavailable", std::string());
  }

  const StudyOptions& options_;
  WorkerClient client_;
  std::string trouble_;
};

}  // namespace

std::vector<CellCalls> recordCalls(const Experiment& experiment, std::span<const CellKey> cells,
                                   const StudyOptions& options, std::stop_token stop) {
  const bool simulated = options.device.starts_with("sim:");
  std::map<int, std::unique_ptr<RecordingWorker>> workers;  // by ranks
  std::vector<CellCalls> recorded;
  std::string last = "there is no cell to record";
  for (const CellKey& cell : cells) {
    const int ranks = simulated ? 1 : ranksOf(experiment, cell);
    std::unique_ptr<RecordingWorker>& worker = workers[ranks];
    if (!worker) worker = std::make_unique<RecordingWorker>(experiment, options, ranks, stop);
    if (!worker->trouble().empty()) {
      last = worker->trouble();
      continue;
    }
    const auto ask = [&](Verb verb, nlohmann::json body) {
      return worker->ask(verb, std::move(body));
    };
    nlohmann::json body = toJson(cell);
    body["compile_repeats"] = 0;
    if (last = ask(Verb::prepare, body); !last.empty()) continue;
    const SideFile file;
    body["file"] = file.path();
    if (options.recordKernelsOnly) body["level"] = "launches";
    if (last = ask(Verb::trace, body); !last.empty()) continue;
    recorded.push_back({cell, experiment.variants.at(static_cast<std::size_t>(cell.variant)).name,
                        readRecordedCalls(file.path()), simulated});
    for (int rank = 1; rank < ranks; ++rank)
      recorded.back().others.push_back(readRecordedCalls(fileOfRank(file.path(), rank)));
  }
  for (const auto& [ranks, worker] : workers) worker->quit();
  if (recorded.empty()) throw std::runtime_error(last);
  return recorded;
}

std::vector<const RecordedCalls*> CellCalls::all() const {
  std::vector<const RecordedCalls*> ranks{&calls};
  for (const RecordedCalls& other : others) ranks.push_back(&other);
  return ranks;
}

std::shared_ptr<const Trace> traceOf(std::span<const CellCalls> cells, const std::string& title) {
  // Readers of Kineto's traces take the number of a device's process for the device's.
  constexpr std::int64_t kFirstHostProcess = 1000, kFirstDeviceProcess = 2000;
  TraceBuilder builder(title);
  std::int64_t number = 0;
  for (const CellCalls& cell : cells) {
    const auto& device = cell.calls.device;
    if (!cell.others.empty()) {
      addCallsOfRanks(builder, cell.all(), cell.variant, kFirstHostProcess + number,
                      kFirstDeviceProcess + number);
      number += static_cast<std::int64_t>(cell.all().size());
      continue;
    }
    addCalls(builder, cell.calls, cell.variant, kFirstHostProcess + number,
             cells.size() == 1 && !device.empty() ? std::int64_t{device.front().device}
                                                  : kFirstDeviceProcess + number);
    ++number;
  }
  if (!cells.empty()) {
    const CellCalls& first = cells.front();
    builder.setNote((first.simulated ? "simulated, every time is a model's; " : "") +
                    noteOf(first.calls, cells.size() == 1));
    // Among all cells shown, those with the least certain clocks.
    std::vector<const RecordedCalls*> worst;
    const auto errorOf = [](const std::vector<const RecordedCalls*>& ranks) {
      std::int64_t error = -1;
      for (const RecordedCalls* const calls : ranks) error = std::max(error, calls->place.error);
      return error;
    };
    for (const CellCalls& cell : cells)
      if (auto ranks = cell.all(); ranks.size() > 1 && errorOf(ranks) > errorOf(worst))
        worst = std::move(ranks);
    if (!worst.empty())
      builder.setNote(noteOf(first.calls, cells.size() == 1) + "; " + sentenceOfClocks(worst));
  }
  return builder.finish();
}

std::vector<CellKey> cellsAtTheEnd(const Experiment& experiment) {
  CellKey key;
  for (const Axis& axis : experiment.axes) key.at.push_back(axis.values.back());
  std::vector<CellKey> cells;
  for (std::size_t v = 0; v < experiment.variants.size(); ++v) {
    key.variant = static_cast<int>(v);
    cells.push_back(key);
  }
  return cells;
}

}  // namespace fusebench
