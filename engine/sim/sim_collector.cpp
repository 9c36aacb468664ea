// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/sim_collector.h"

#include <cmath>
#include <utility>

namespace fusebench::sim {
namespace {

/// Times of collectors are whole numbers, of which 0 is none: they begin a second later.
constexpr double kOrigin = 1e9;

std::uint64_t stamp(double nanoseconds) {
  return static_cast<std::uint64_t>(std::llround(nanoseconds + kOrigin));
}

}  // namespace

ClockReading SimCollector::reading() const {
  const double now = simulation_.now();
  return {stamp(now), static_cast<std::int64_t>(stamp(now)) - static_cast<std::int64_t>(kOrigin),
          0};
}

std::uint32_t SimCollector::expect(Call /*call*/, DeviceWork::Kind kind, std::vector<Piece> pieces,
                                   double gap, std::uint32_t graph) {
  expected_.push_back({kind, std::move(pieces), gap, ++correlation_, graph});
  return static_cast<std::uint32_t>(expected_.size() - 1);
}

void SimCollector::called(Call call, double start) {
  if (!collecting_) return;
  ApiCall made;
  made.start = stamp(start);
  made.end = stamp(simulation_.now());
  made.function = call;
  made.correlation = call == Call::wait ? ++correlation_ : correlation_;
  activities_.calls.push_back(made);
}

void SimCollector::begin() {
  begun_ = reading();
  collecting_ = true;
  settle();
  simulation_.observe(this);
}

void SimCollector::settle() {
  activities_ = {};
  expected_.clear();
}

Collected SimCollector::end() {
  collecting_ = false;
  simulation_.observe(nullptr);
  return {std::exchange(activities_, {}), ClockBridge(begun_, reading())};
}

std::string SimCollector::callName(const ApiCall& call) const {
  switch (call.function) {
    case Call::launch:
      return "launch call";
    case Call::graphLaunch:
      return "graph launch call";
    case Call::copy:
      return "copy call";
    case Call::fill:
      return "fill call";
    case Call::wait:
      return "wait for the device";
    default:
      return "call";
  }
}

void SimCollector::done(const Done& work) {
  if (work.tag >= expected_.size()) return;
  const Expected& expected = expected_[work.tag];
  double start = work.start;
  std::uint64_t node = 0;
  for (const Piece& piece : expected.pieces) {
    DeviceWork made;
    made.kind = expected.kind;
    made.name = piece.name;
    made.queued = stamp(work.queued);
    made.submitted = stamp(work.submitted);
    made.start = stamp(start);
    made.end = stamp(start + piece.nanoseconds);
    made.stream = work.stream + 1;
    made.correlation = expected.correlation;
    made.graph = expected.graph;
    made.graphNode = expected.graph ? ++node : 0;
    if (expected.kind == DeviceWork::Kind::kernel) {
      made.grid = {static_cast<std::uint32_t>(piece.grid.blocks), 1, 1};
      made.block = {static_cast<std::uint32_t>(piece.grid.threads), 1, 1};
    } else {
      made.bytes = static_cast<std::uint64_t>(piece.bytes);
    }
    activities_.work.push_back(std::move(made));
    start += piece.nanoseconds + expected.gap;
  }
}

}  // namespace fusebench::sim
