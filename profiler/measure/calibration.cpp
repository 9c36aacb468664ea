// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/calibration.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/wording.h"
#include "profiler/machine/clock.h"
#include "profiler/run/cell_json.h"

namespace fusebench {
namespace {

using nlohmann::json;

constexpr int kRepeats = 31;
constexpr int kInARow = 256;  ///< as many as a driver surely queues
// Both so long that the device, and not the host's launch of the graph, decides what they take.
constexpr int kShortGraph = 64, kLongGraph = 192;
constexpr std::size_t kCopiedBytes = 4096;

constexpr CalibrationField kFields[] = {
    {"launch_ns", toBeSaid("empty launch"), &Calibration::launch, true},
    {"enqueue_ns", toBeSaid("its part on the host"), &Calibration::enqueue, false},
    {"single_ns", toBeSaid("empty launch with a wait"), &Calibration::single, true},
    {"graph_node_ns", toBeSaid("graph node"), &Calibration::graphNode, true},
    {"event_pair_ns", toBeSaid("event pair"), &Calibration::eventPair, true},
    {"copy_ns", toBeSaid("copy of 4 KiB"), &Calibration::copy, true},
};

/// Repeats of one thing, timed by the host's clock.
class Repeats {
 public:
  explicit Repeats(Backend& backend) : backend_(backend) {}

  struct Took {
    Estimate enqueued, done;  ///< per one of `count`, in ns
  };
  /// Does it `count` times in a row, then waits; again and again, the first time untimed.
  Took inARow(int count, const std::function<void()>& work) {
    std::vector<double> enqueued, done;
    for (int repeat = -1; repeat < kRepeats; ++repeat) {
      const std::int64_t start = nowNanoseconds();
      for (int i = 0; i < count; ++i) work();
      const std::int64_t returned = nowNanoseconds();
      backend_.synchronize();
      const std::int64_t end = nowNanoseconds();
      if (repeat < 0) continue;
      enqueued.push_back(static_cast<double>(returned - start) / count);
      done.push_back(static_cast<double>(end - start) / count);
    }
    return {medianOfTimes(enqueued, {}), medianOfTimes(done, {})};
  }

 private:
  Backend& backend_;
};

std::unique_ptr<Capture> graphOf(Backend& backend, const Executable& kernel, int nodes) {
  backend.beginCapture();
  try {
    for (int i = 0; i < nodes; ++i) backend.launch(kernel, {});
  } catch (...) {
    backend.abandonCapture();
    throw;
  }
  return backend.endCapture();
}

/// What a node adds: pairs of a short and a long graph, launched one after the other.
Estimate graphNode(Backend& backend, const Executable& kernel) {
  const auto small = graphOf(backend, kernel, kShortGraph);
  const auto large = graphOf(backend, kernel, kLongGraph);
  const auto timed = [&](const Capture& graph) {
    const std::int64_t start = nowNanoseconds();
    backend.replay(graph);
    backend.synchronize();
    return static_cast<double>(nowNanoseconds() - start);
  };
  std::vector<double> nodes;
  for (int repeat = -1; repeat < kRepeats; ++repeat) {
    const double added = timed(*large) - timed(*small);
    if (repeat >= 0) nodes.push_back(added / (kLongGraph - kShortGraph));
  }
  return medianOverSessions(nodes, {});
}

/// The median of what each of several processes found. From kTellingSessions on with an interval:
/// Student's about the mean, since so few values tell nothing by their ranks.
Estimate betweenSessions(std::span<const double> values) {
  Estimate found{median(values), 0, 0, Estimate::Kind::range};
  const auto [least, most] = std::ranges::minmax(values);
  found.low = least;
  found.high = most;
  if (values.size() < kTellingSessions) return found;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double half =
      intervalQuantile(values.size() - 1) * std::sqrt(squares / (count - 1) / count);
  found.kind = Estimate::Kind::interval;
  found.low = std::max(0.0, std::min(mean - half, found.value));
  found.high = std::max(mean + half, found.value);
  return found;
}

json estimateJson(const Estimate& estimate) {
  json object = {{"value", estimate.value}};
  if (estimate.kind == Estimate::Kind::interval) {
    object["ci_low"] = estimate.low;
    object["ci_high"] = estimate.high;
  }
  return object;
}

Estimate readEstimate(const json& object) {
  Estimate estimate;
  estimate.value = estimate.low = estimate.high = numberMember(object, "value");
  estimate.kind = Estimate::Kind::range;
  if (object.contains("ci_low")) {
    estimate.low = numberMember(object, "ci_low");
    estimate.high = numberMember(object, "ci_high");
    // What one process found in 20 ms says little of others: it is a range.
    if (object.contains("sessions")) estimate.kind = Estimate::Kind::interval;
  }
  return estimate;
}

}  // namespace

std::span<const CalibrationField> calibrationFields() {
  return kFields;
}

std::optional<Calibration> calibrate(Backend& backend) {
  const auto kernel = backend.emptyKernel();
  const auto timer = backend.makeTimer();
  if (!kernel || !timer) return std::nullopt;
  Repeats repeats(backend);
  const auto launch = [&] { backend.launch(*kernel, {}); };
  Calibration found;
  const Repeats::Took row = repeats.inARow(kInARow, launch);
  found.launch = row.done;
  found.enqueue = row.enqueued;
  found.single = repeats.inARow(1, launch).done;
  if (backend.traits().canCapture) found.graphNode = graphNode(backend, *kernel);
  found.eventPair = repeats
                        .inARow(kInARow,
                                [&] {
                                  timer->start();
                                  timer->stop();
                                })
                        .enqueued;
  const BlockRef from(backend.allocator().allocate(kCopiedBytes));
  const BlockRef to(backend.allocator().allocate(kCopiedBytes));
  found.copy =
      repeats
          .inARow(kInARow,
                  [&] { backend.copyWithin(to.get()->data, from.get()->data, kCopiedBytes); })
          .done;
  return found;
}

json toJson(const Calibration& calibration) {
  json object = json::object();
  for (const CalibrationField& field : kFields)
    if (const Estimate& estimate = calibration.*field.member; estimate.kind != Estimate::Kind::none)
      object[field.key] = estimateJson(estimate);
  return object;
}

void addSession(json& environment, const json& further) {
  if (!environment.is_object() || !further.is_object()) return;
  const auto here = environment.find("calibration");
  const auto there = further.find("calibration");
  if (here == environment.end() || there == further.end()) return;
  if (!here->is_object() || !there->is_object()) return;
  for (const CalibrationField& field : kFields) {
    if (!here->contains(field.key) || !there->contains(field.key)) continue;
    try {
      json& known = (*here)[field.key];
      json listed = known.value("sessions", json::array({numberMember(known, "value")}));
      listed.push_back(numberMember((*there)[field.key], "value"));
      const auto values = listed.get<std::vector<double>>();
      const Estimate found = betweenSessions(values);
      known = estimateJson(found);
      known["sessions"] = std::move(listed);
    } catch (const std::exception&) {  // the worker sent invalid data: the known value stays
    }
  }
}

std::optional<Calibration> calibrationOf(const json& environment) {
  if (!environment.is_object() || !environment.contains("calibration")) return std::nullopt;
  try {
    const json& object = environment["calibration"];
    Calibration found;
    for (const CalibrationField& field : kFields)
      if (object.contains(field.key)) found.*field.member = readEstimate(object[field.key]);
    return found;
  } catch (const RecordError&) {  // an environment is for people: it spoils no run
    return std::nullopt;
  }
}

std::string sentence(const Calibration& calibration) {
  std::string text;
  for (const CalibrationField& field : kFields)
    if (const Estimate& estimate = calibration.*field.member; estimate.kind != Estimate::Kind::none)
      text += fmt::format("{}{} {}", text.empty() ? std::string_view() : said(", "),
                          said(field.title), wording::time(estimate.value));
  return text;
}

}  // namespace fusebench
