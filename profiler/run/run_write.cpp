// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>

#include "profiler/files/files.h"
#include "profiler/run/cell_json.h"
#include "profiler/run/run.h"

namespace fusebench {
namespace {

using nlohmann::json;

std::string recordLine(const json& record) {
  return record.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

json headerRecord(const Run& run) {
  return {{"fusebench", "run"},
          {"version", 1},
          {"device", run.device},
          {"started_at", run.startedAt},
          {"quick", run.quick},
          {"explored", run.explored},
          {"environment", run.environment},
          {"experiment", json::parse(toJson(run.experiment))}};
}

json endRecord(const Run& run) {
  json record = {
      {"record", "end"}, {"interrupted", run.interrupted}, {"environment", run.environment}};
  if (!run.traceProblem.empty()) record["trace_problem"] = run.traceProblem;
  return record;
}

json placed(const char* kind, const std::string& variant, const Cell& cell) {
  return {{"record", kind}, {"variant", variant}, {"at", cell.key.at}};
}

/// A list of each of the samples' members. What only some devices tell is there if any sample has
/// it: null where one has not.
json samplesJson(std::span<const Sample> samples) {
  json lists = {{"rounds", json::array()}, {"ns", json::array()}};
  bool device = false, clock = false, sessions = false;
  for (const Sample& sample : samples) {
    lists["rounds"].push_back(sample.round);
    lists["ns"].push_back(sample.nanoseconds);
    device = device || sample.device;
    clock = clock || sample.clockMegahertz > 0;
    sessions = sessions || sample.session > 0;
  }
  const auto addList = [&](const char* key, auto valueOf) {
    json& list = lists[key] = json::array();
    for (const Sample& sample : samples) list.push_back(valueOf(sample));
  };
  if (sessions) addList("sessions", [](const Sample& sample) { return json(sample.session); });
  if (device)
    for (const DeviceTimeField& field : kDeviceTimeFields)
      addList(field.key, [&](const Sample& sample) {
        return sample.device ? json((*sample.device).*field.member) : json();
      });
  if (clock)
    addList("clock_mhz", [](const Sample& sample) {
      return sample.clockMegahertz > 0 ? json(sample.clockMegahertz) : json();
    });
  return lists;
}

}  // namespace

struct RunWriter::State {
  /// What the file already holds of a cell.
  struct Written {
    std::string measured;
    std::size_t samples = 0;
  };

  std::string path, temporary;
  std::ofstream file;
  std::ostream* out = &file;
  std::vector<std::string> variants;
  std::map<std::pair<int, std::vector<std::int64_t>>, Written> written;

  void write(const Cell& cell) {
    const std::string& variant = variants.at(static_cast<std::size_t>(cell.key.variant));
    Written& before = written[{cell.key.variant, cell.key.at}];
    json record = placed("cell", variant, cell);
    record["stop"] = name(cell.stop);
    record.update(measuredJson(cell));
    if (std::string text = recordLine(record); text != before.measured) {
      *out << text;
      before.measured = std::move(text);
    }
    if (cell.samples.size() <= before.samples) return;
    record = placed("samples", variant, cell);
    record.update(samplesJson(std::span(cell.samples).subspan(before.samples)));
    before.samples = cell.samples.size();
    *out << recordLine(record);
  }
};

RunWriter::RunWriter(std::string path, const Run& header) : state_(std::make_unique<State>()) {
  state_->path = std::move(path);
  state_->temporary = state_->path + ".part";
  if (std::filesystem::is_directory(state_->path))
    throw InputError(state_->path + ": this is a folder; name a file");
  errno = 0;
  state_->file.open(state_->temporary, std::ios::binary | std::ios::trunc);
  if (!state_->file) throw InputError(systemMessage(state_->path, "cannot be written"));
  for (const Variant& variant : header.experiment.variants)
    state_->variants.push_back(variant.name);
  state_->file << recordLine(headerRecord(header));
  for (const Cell& cell : header.cells) state_->write(cell);
  state_->file.flush();
}

RunWriter::~RunWriter() = default;

void RunWriter::cell(const Cell& cell) {
  state_->write(cell);
  state_->file.flush();
}

void RunWriter::finish(const Run& run) {
  for (const Cell& cell : run.cells) state_->write(cell);
  state_->file << recordLine(endRecord(run));
  errno = 0;
  state_->file.close();
  if (!state_->file || std::rename(state_->temporary.c_str(), state_->path.c_str()) != 0)
    throw InputError(systemMessage(state_->path, "cannot be written"));
}

std::string runText(const Run& run) {
  std::ostringstream text;
  RunWriter::State state;
  state.out = &text;
  for (const Variant& variant : run.experiment.variants) state.variants.push_back(variant.name);
  text << recordLine(headerRecord(run));
  for (const Cell& cell : run.cells) state.write(cell);
  text << recordLine(endRecord(run));
  return text.str();
}

void saveRun(const Run& run, const std::string& path) {
  RunWriter(path, run).finish(run);
}

}  // namespace fusebench
