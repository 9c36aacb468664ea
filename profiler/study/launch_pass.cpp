// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/launch_pass.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "profiler/files/files.h"
#include "profiler/protocol/process.h"
#include "profiler/protocol/worker_client.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;

/// Where the worker puts the calls: in a folder that nobody else can look into or lay links in.
/// Gone with this object.
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

std::string message(const Reply& reply) {
  return reply.ok ? std::string() : reply.message;
}

}  // namespace

std::vector<CellCalls> recordCalls(const Experiment& experiment, std::span<const CellKey> cells,
                                   const StudyOptions& options, std::stop_token stop) {
  WorkerClient client(
      options.connectTrace ? options.connectTrace() : startWorker(options.workerCommand),
      std::move(stop));
  const auto ask = [&](Verb verb, nlohmann::json body) {
    return message(client.ask(verb, std::move(body), options.replySeconds));
  };
  if (const std::string trouble =
          ask(Verb::load, {{"experiment", toJson(experiment)}, {"record", true}});
      !trouble.empty())
    throw std::runtime_error(trouble);
  std::vector<CellCalls> recorded;
  std::string last = "there is no cell to record";
  for (const CellKey& cell : cells) {
    nlohmann::json body = toJson(cell);
    body["compile_repeats"] = 0;
    if (last = ask(Verb::prepare, body); !last.empty()) continue;
    const SideFile file;
    body["file"] = file.path();
    if (options.recordKernelsOnly) body["level"] = "launches";
    if (last = ask(Verb::trace, body); !last.empty()) continue;
    recorded.push_back({cell, experiment.variants.at(static_cast<std::size_t>(cell.variant)).name,
                        readRecordedCalls(file.path()), options.device.starts_with("sim:")});
  }
  client.quit();
  if (recorded.empty()) throw std::runtime_error(last);
  return recorded;
}

std::shared_ptr<const Trace> traceOf(std::span<const CellCalls> cells, const std::string& title) {
  // Readers of Kineto's traces take the number of a device's process for the device's.
  constexpr std::int64_t kFirstHostProcess = 1000, kFirstDeviceProcess = 2000;
  TraceBuilder builder(title);
  std::int64_t number = 0;
  for (const CellCalls& cell : cells) {
    const auto& device = cell.calls.device;
    addCalls(builder, cell.calls, cell.variant, kFirstHostProcess + number,
             cells.size() == 1 && !device.empty() ? std::int64_t{device.front().device}
                                                  : kFirstDeviceProcess + number);
    ++number;
  }
  if (!cells.empty()) {
    const CellCalls& first = cells.front();
    builder.setNote((first.simulated ? "simulated, every time is a model's; " : "") +
                    noteOf(first.calls, cells.size() == 1));
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
