// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/script.h"

namespace fusebench::sim {
namespace {

Server serverFor(CopyKind kind) {
  switch (kind) {
    case CopyKind::inPinned:
    case CopyKind::inPageable:
      return Server::copiesIn;
    case CopyKind::outPinned:
    case CopyKind::outPageable:
      return Server::copiesOut;
    case CopyKind::within:
    case CopyKind::onHost:
      break;
  }
  return Server::copiesWithin;
}

bool isPageable(CopyKind kind) {
  return kind == CopyKind::inPageable || kind == CopyKind::outPageable;
}

}  // namespace

bool isOfHost(CallPart part) {
  return part == CallPart::dispatch || part == CallPart::allocate;
}

double hostNanoseconds(CallPart part, const Parameters& device) {
  switch (part) {
    case CallPart::dispatch:
      return device.dispatch;
    case CallPart::allocate:
      return device.allocate;
    default:  // what the calls themselves cost, or nobody's time
      return 0;
  }
}

namespace {

/// Time of the host's own copying: data in its cache are faster.
double pageableNanoseconds(double bytes, const Parameters& device) {
  return bytes /
         (bytes <= device.hostCacheBytes ? device.pageableCached : device.pageableBandwidth);
}

}  // namespace

double copyNanoseconds(const Copy& copy, const Parameters& device) {
  switch (copy.kind) {
    case CopyKind::within:
      return device.withinLatency + 2 * copy.bytes / device.bandwidth;
    case CopyKind::inPinned:
    case CopyKind::outPinned:
      return device.copyLatency + copy.bytes / device.pinnedBandwidth;
    // A host's own copy is what bounds the one from pageable memory.
    case CopyKind::onHost:
      return pageableNanoseconds(copy.bytes, device);
    case CopyKind::inPageable:
    case CopyKind::outPageable:
      break;
  }
  return device.copyLatency + pageableNanoseconds(copy.bytes, device);
}

double graphNanoseconds(double kernels, std::uint32_t count, const Parameters& device) {
  return kernels + (count > 1 ? (count - 1) * device.graphGap : 0);
}

void launchIn(Simulation& simulation, StreamId stream, double nanoseconds, double share,
              std::uint32_t tag) {
  const Parameters& device = simulation.parameters();
  simulation.spend(device.launch);
  Simulation::Item item;
  item.duration = nanoseconds;
  item.latency = device.latency;
  item.gap = device.gap;
  item.share = share;
  item.tag = tag;
  simulation.enqueue(stream, item);
}

void linksIn(Simulation& simulation, StreamId stream, double nanoseconds, std::uint32_t tag) {
  const Parameters& device = simulation.parameters();
  simulation.spend(device.launch);
  Simulation::Item item;
  item.server = Server::link;
  item.duration = nanoseconds;
  item.latency = device.latency;
  item.gap = device.gap;
  item.tag = tag;
  simulation.enqueue(stream, item);
}

void graphIn(Simulation& simulation, StreamId stream, double nanoseconds, std::uint32_t kernels,
             std::uint32_t tag) {
  const Parameters& device = simulation.parameters();
  simulation.spend(device.graphLaunch + kernels * device.graphLaunchNode);
  Simulation::Item item;
  item.duration = nanoseconds;
  item.latency = device.latency + device.graphLatency;
  item.gap = device.gap;
  item.tag = tag;
  item.count = kernels;
  simulation.enqueue(stream, item);
}

void workerIn(Simulation& simulation, StreamId stream, double nanoseconds) {
  Simulation::Item item;
  item.server = Server::none;
  item.duration = nanoseconds;
  simulation.enqueue(stream, item);
}

void copyIn(Simulation& simulation, StreamId stream, const Copy& copy, double nanoseconds,
            std::uint32_t tag) {
  if (copy.kind == CopyKind::onHost) return simulation.spend(nanoseconds);
  const Parameters& device = simulation.parameters();
  simulation.spend(device.copyCall);
  const bool staged = copy.kind == CopyKind::inPageable && copy.bytes <= device.stagedBytes;
  if (staged) {
    // A small copy is placed in the queue itself: the host writes it there, and continues.
    simulation.spend(pageableNanoseconds(copy.bytes, device));
    nanoseconds = 0;
  }
  Simulation::Item item;
  item.server = serverFor(copy.kind);
  item.duration = nanoseconds;
  item.latency = device.latency;
  item.tag = tag;
  simulation.enqueue(stream, item);
  // The driver has read or written the memory when the call returns.
  if (isPageable(copy.kind) && !staged)
    simulation.synchronize(stream, device.copyWait < 0 ? device.wait : device.copyWait);
}

Player::Player(const Script& script, const Parameters& device) : script_(script), device_(device) {
  for (const Work& work : script.works)
    works_.push_back({nanoseconds(work, device), share(work, device), 1,
                      work.kind == Work::Kind::links, hostNanoseconds(work, device)});
  for (const auto& graph : script.graphs) {
    double kernels = 0;
    for (const std::uint32_t work : graph) kernels += works_[work].nanoseconds;
    const auto count = static_cast<std::uint32_t>(graph.size());
    graphs_.push_back({graphNanoseconds(kernels, count, device), 1, count});
  }
  for (const Copy& copy : script.copies) copies_.push_back({copyNanoseconds(copy, device), 1, 1});
}

void Player::play(Simulation& simulation, const Action& action) const {
  switch (action.kind) {
    case Action::Kind::part:
      return simulation.spend(hostNanoseconds(action.part, device_));
    case Action::Kind::launch: {
      const Timed& work = works_[action.index];
      simulation.spend(work.host);
      if (work.links) return linksIn(simulation, action.stream, work.nanoseconds, action.index);
      return launchIn(simulation, action.stream, work.nanoseconds, work.share, action.index);
    }
    case Action::Kind::graph: {
      const Timed& graph = graphs_[action.index];
      return graphIn(simulation, action.stream, graph.nanoseconds, graph.count, action.index);
    }
    case Action::Kind::copy:
      return copyIn(simulation, action.stream, script_.copies[action.index],
                    copies_[action.index].nanoseconds, action.index);
    case Action::Kind::compile:
      return simulation.spend(device_.compile + action.index * device_.compileOp);
    case Action::Kind::event:
      simulation.spend(device_.event);
      simulation.record(action.stream);
      return;
    case Action::Kind::mark:
      simulation.spend(device_.event);
      if (marks_.size() <= action.index) marks_.resize(action.index + 1);
      marks_[action.index] = simulation.record(action.stream) + 1;
      return;
    case Action::Kind::await:
      simulation.spend(device_.event);
      if (action.index < marks_.size() && marks_[action.index] > 0)
        simulation.await(action.stream, marks_[action.index] - 1);
      return;
    case Action::Kind::worker:
      return workerIn(simulation, action.stream, copies_[action.index].nanoseconds);
    case Action::Kind::ticket:
      if (marks_.size() <= action.index) marks_.resize(action.index + 1);
      marks_[action.index] = simulation.record(action.stream) + 1;
      return;
    case Action::Kind::hostAwait:
      if (action.index < marks_.size() && marks_[action.index] > 0)
        if (!simulation.isReached(marks_[action.index] - 1))
          simulation.reached(marks_[action.index] - 1);
      return;
    case Action::Kind::wait:
      return simulation.synchronize();
  }
}

}  // namespace fusebench::sim
