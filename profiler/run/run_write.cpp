// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"
#include "profiler/files/output_file.h"
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
          {"experiment", jsonOf(toJson(run.experiment))}};
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
  bool device = false, clock = false, sessions = false, ranks = false;
  for (const Sample& sample : samples) {
    lists["rounds"].push_back(sample.round);
    lists["ns"].push_back(sample.nanoseconds);
    device = device || sample.device;
    clock = clock || sample.clockMegahertz > 0;
    sessions = sessions || sample.session > 0;
    ranks = ranks || !sample.ranks.empty();
  }
  const auto addList = [&](const char* key, auto valueOf) {
    json& list = lists[key] = json::array();
    for (const Sample& sample : samples) list.push_back(valueOf(sample));
  };
  if (sessions) addList("sessions", [](const Sample& sample) { return json(sample.session); });
  if (ranks) addList("ranks_ns", [](const Sample& sample) { return json(sample.ranks); });
  if (device)
    for (const DeviceTimeField& field : kDeviceTimeFields) {
      const auto isThere = [&](const Sample& sample) {
        return sample.device && isMeasured(*sample.device, field.member);
      };
      if (field.optional && std::ranges::none_of(samples, isThere)) continue;
      addList(field.key, [&](const Sample& sample) {
        return isThere(sample) ? json((*sample.device).*field.member) : json();
      });
    }
  if (clock)
    addList("clock_mhz", [](const Sample& sample) {
      return sample.clockMegahertz > 0 ? json(sample.clockMegahertz) : json();
    });
  return lists;
}

}  // namespace

struct RunWriter::State {
  /// The data of a cell that the file already has.
  struct Written {
    std::string measured;
    std::size_t samples = 0;
  };

  std::optional<OutputFile> file;
  std::string pending;  ///< lines that are not in the file yet
  bool holdsAny = false;
  std::vector<std::string> variants;
  std::map<std::pair<int, std::vector<std::int64_t>>, Written> written;

  void add(const Run& header) {
    for (const Variant& variant : header.experiment.variants) variants.push_back(variant.name);
    pending += recordLine(headerRecord(header));
    for (const Cell& cell : header.cells) add(cell);
  }
  void add(const Cell& cell) {
    const std::string& variant = variants.at(static_cast<std::size_t>(cell.key.variant));
    Written& before = written[{cell.key.variant, cell.key.at}];
    json record = placed("cell", variant, cell);
    record["stop"] = name(cell.stop);
    record.update(measuredJson(cell));
    if (std::string text = recordLine(record); text != before.measured) {
      pending += text;
      before.measured = std::move(text);
    }
    if (cell.samples.size() <= before.samples) return;
    record = placed("samples", variant, cell);
    record.update(samplesJson(std::span(cell.samples).subspan(before.samples)));
    before.samples = cell.samples.size();
    pending += recordLine(record);
  }
  void flush() {
    file->write(pending);
    pending.clear();
    holdsAny = true;
  }
};

RunWriter::RunWriter(const std::string& path) : state_(std::make_unique<State>()) {
  state_->file.emplace(path, OutputFile::Kind::growing);
}

RunWriter::~RunWriter() = default;

void RunWriter::begin(const Run& header) {
  state_->add(header);
  state_->flush();
}

void RunWriter::cell(const Cell& cell) {
  state_->add(cell);
  try {
    state_->flush();
  } catch (const InputError&) {
    // The disk may have room again later; finish() tells if it has not.
  }
}

void RunWriter::finish(const Run& run) {
  for (const Cell& cell : run.cells) state_->add(cell);
  state_->pending += recordLine(endRecord(run));
  try {
    state_->flush();
    state_->file->finish();
  } catch (const InputError& error) {
    const std::string& lies = state_->file->lies();
    if (!state_->holdsAny || lies.empty()) throw;
    throw InputError(
        saying("{}; {} of the run is in {}", error.what(),
               state_->pending.empty() ? "all" : saying("the part that was written before"), lies));
  }
}

std::string runText(const Run& run) {
  RunWriter::State state;
  state.add(run);
  state.pending += recordLine(endRecord(run));
  return state.pending;
}

void saveRun(const Run& run, const std::string& path) {
  writeFile(path, runText(run));
}

}  // namespace fusebench
