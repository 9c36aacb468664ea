// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/simulation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace fusebench::sim {

Simulation::Simulation(const Parameters& parameters, int devices, std::uint64_t seed)
    : parameters_(parameters),
      noise_(parameters.noise),
      random_(seed * 2 + 1),
      depth_(static_cast<std::size_t>(std::max(1.0, parameters.queueDepth))),
      devices_(static_cast<std::size_t>(std::max(1, devices))) {
  for (int device = 0; device < std::max(1, devices); ++device) makeStream(device);
}

StreamId Simulation::makeStream(int device) {
  Stream& stream = streams_.emplace_back();
  stream.device = device;
  ++devices_[static_cast<std::size_t>(device)].streams;
  stream.ring.resize(64);
  return static_cast<StreamId>(streams_.size() - 1);
}

/// xorshift64*, and the sum of four uniform numbers for a bell; never below a tenth.
double Simulation::disturbed(double nanoseconds) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    random_ ^= random_ >> 12;
    random_ ^= random_ << 25;
    random_ ^= random_ >> 27;
    sum += static_cast<double>((random_ * 0x2545F4914F6CDD1Du) >> 11) * 0x1p-53;
  }
  const double deviation = (sum - 2) * std::sqrt(3.0);
  return nanoseconds * std::max(0.1, 1 + noise_ * deviation);
}

Server Simulation::serverOf(Server server) const {
  const bool shared = parameters_.copyEngines < 2;
  return shared && server == Server::copiesOut ? Server::copiesIn : server;
}

void Simulation::push(Stream& stream, const Pending& work) {
  if (stream.size == stream.ring.size()) {
    std::rotate(stream.ring.begin(), stream.ring.begin() + static_cast<std::ptrdiff_t>(stream.head),
                stream.ring.end());
    stream.head = 0;
    stream.ring.resize(2 * stream.ring.size());
  }
  if (stream.size == 0) busy_.push_back(static_cast<StreamId>(&stream - streams_.data()));
  stream.ring[(stream.head + stream.size) & (stream.ring.size() - 1)] = work;
  ++stream.size;
}

void Simulation::enqueue(StreamId id, const Item& item) {
  Stream& stream = streams_[id];
  if (stream.size >= depth_) {
    while (step(now_) != kNever) continue;
    // The host waits until the oldest one starts.
    while (stream.size >= depth_) now_ = std::max(now_, mustStep());
  }
  Pending work;
  work.queued = now_;
  work.ready = now_ + item.latency;
  work.duration = noise_ == 0 ? item.duration : disturbed(item.duration);
  work.gap = item.gap;
  work.share = item.share;
  work.tag = item.tag;
  work.count = item.count;
  work.server = serverOf(item.server);
  push(stream, work);
}

EventId Simulation::record(StreamId id) {
  events_.push_back(kNever);
  Pending work;
  work.queued = work.ready = now_;
  work.reaches = static_cast<EventId>(events_.size());
  push(streams_[id], work);
  return work.reaches - 1;
}

void Simulation::await(StreamId id, EventId event) {
  Pending work;
  work.queued = work.ready = now_;
  work.awaits = event + 1;
  push(streams_[id], work);
}

void Simulation::send(StreamId from, StreamId to, double bytes) {
  Item item;
  item.server = Server::link;
  item.duration = parameters_.linkLatency + bytes / parameters_.linkBandwidth;
  enqueue(from, item);
  await(to, record(from));
}

/// The earliest time, not before `from`, with room for another kernel's share.
double Simulation::roomFor(const Device& device, double share, double from) const {
  double at = from;
  while (true) {
    double used = 0, next = kNever;
    for (const Running& kernel : device.running)
      if (kernel.end > at) {
        used += kernel.share;
        next = std::min(next, kernel.end);
      }
    if (next == kNever || used + share <= 1 + 1e-9) return at;
    at = next;
  }
}

/// When the stream's next work can start; kNever: not before another stream's.
double Simulation::startOf(Stream& stream) const {
  const Pending& work = stream.front();
  double start = std::max(work.ready, stream.free + (stream.free > 0 ? work.gap : 0));
  if (work.awaits) {
    const double reached = events_[work.awaits - 1];
    if (reached == kNever) return kNever;
    start = std::max(start, reached);
  }
  const Device& device = devices_[static_cast<std::size_t>(stream.device)];
  switch (work.server) {
    case Server::none:
      return start;
    case Server::kernels:
      return device.streams > 1 ? roomFor(device, work.share, start) : start;
    default:
      return std::max(start, device.free[static_cast<std::size_t>(work.server)]);
  }
}

void Simulation::commit(StreamId id, Stream& stream, double start) {
  const Pending& work = stream.front();
  const double end = start + work.duration;
  stream.free = end;
  Device& device = devices_[static_cast<std::size_t>(stream.device)];
  if (work.server == Server::kernels && device.streams > 1) {
    std::erase_if(device.running, [&](const Running& kernel) { return kernel.end <= start; });
    device.running.push_back({end, work.share});
  } else if (work.server != Server::none) {
    device.free[static_cast<std::size_t>(work.server)] = end;
  }
  if (work.reaches) events_[work.reaches - 1] = end;
  if (observer_ && work.server != Server::none)
    observer_->done({id, work.server, work.tag, work.count, work.queued, work.ready, start, end});
  stream.head = (stream.head + 1) & (stream.ring.size() - 1);
  if (--stream.size == 0) busy_.erase(std::find(busy_.begin(), busy_.end(), id));
}

/// Starts the earliest work that can start by `limit`; returns its start time, or kNever.
double Simulation::step(double limit) {
  if (busy_.empty()) return kNever;
  StreamId chosen = busy_.front();
  double start = startOf(streams_[chosen]);
  for (std::size_t i = 1; i < busy_.size(); ++i) {
    const double other = startOf(streams_[busy_[i]]);
    // At one time the lower number first, so that the order of streams in the list is nothing.
    if (other < start || (other == start && busy_[i] < chosen)) {
      start = other;
      chosen = busy_[i];
    }
  }
  if (start > limit || start == kNever) return kNever;
  commit(chosen, streams_[chosen], start);
  return start;
}

double Simulation::mustStep() {
  const double start = step(kNever);
  if (start == kNever) throw std::logic_error("a stream waits for an event that nothing reaches");
  return start;
}

void Simulation::synchronize(StreamId id) {
  synchronize(id, parameters_.wait);
}

void Simulation::synchronize(StreamId id, double wait) {
  Stream& stream = streams_[id];
  while (stream.size > 0) mustStep();
  now_ = std::max(now_, stream.free);
  spend(wait);
}

void Simulation::synchronize() {
  while (!busy_.empty()) mustStep();
  for (const Stream& stream : streams_) now_ = std::max(now_, stream.free);
  spend(parameters_.wait);
}

double Simulation::reached(EventId event) {
  while (events_[event] == kNever) mustStep();
  now_ = std::max(now_, events_[event]);
  spend(parameters_.wait);
  return events_[event];
}

bool Simulation::isReached(EventId event) {
  while (step(now_) != kNever) continue;
  return events_[event] != kNever && events_[event] <= now_;
}

std::size_t Simulation::queued(StreamId id) {
  while (step(now_) != kNever) continue;
  return streams_[id].size;
}

}  // namespace fusebench::sim
