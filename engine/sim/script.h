// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/device/recorder.h"
#include "engine/sim/simulation.h"
#include "engine/sim/work.h"

namespace fusebench::sim {

/// The direction of a copy, and the kind of memory.
enum class CopyKind : std::uint8_t {
  inPinned,
  inPageable,
  outPinned,
  outPageable,
  within,
  onHost  ///< by the host, from memory of its own to memory of its own
};

/// One request of a host to a simulated device, or its own work.
struct Action {
  enum class Kind : std::uint8_t {
    part,       ///< the host's own work: `part`
    launch,     ///< `index`: number of the work
    graph,      ///< `index`: number of the graph
    copy,       ///< `index`: number of the copy
    compile,    ///< `index`: how many ops
    event,      ///< recorded
    mark,       ///< an event that streams wait for; `index`: its number
    await,      ///< the stream waits for mark `index`
    worker,     ///< a thread other than the host's, `stream`, performs copy `index`
    ticket,     ///< a mark that costs the host nothing
    hostAwait,  ///< the host waits for mark `index`
    wait        ///< for all
  };
  Kind kind = Kind::part;
  CallPart part = CallPart::outside;
  std::uint16_t stream = 0;
  std::uint32_t index = 0;
};
struct Copy {
  CopyKind kind = CopyKind::within;
  double bytes = 0;
  friend bool operator==(const Copy&, const Copy&) = default;
};

/// The calls to a device, recorded so that they can be replayed on any device.
struct Script {
  std::vector<Action> actions;
  std::vector<Work> works;
  std::vector<std::vector<std::uint32_t>> graphs;  ///< each: its works in order
  std::vector<Copy> copies;
};

/// Whether a part of a call is the host's own work. The times of the other parts follow from the
/// calls.
bool isOfHost(CallPart part);
/// The time that the host spends on its own work of a kind.
double hostNanoseconds(CallPart part, const Parameters& device);
double copyNanoseconds(const Copy& copy, const Parameters& device);

/// The durations of a script's works on one device, computed once.
class Player {
 public:
  Player(const Script& script, const Parameters& device);
  /// Makes the script's calls in a simulation of the same device.
  void play(Simulation& simulation, const Action& action) const;

 private:
  struct Timed {
    double nanoseconds = 0, share = 1;
    std::uint32_t count = 1;
    bool links = false;
    double host = 0;  ///< in addition to a launch's cost for the host
  };
  const Script& script_;
  const Parameters& device_;
  std::vector<Timed> works_, graphs_, copies_;
  /// Where each mark was recorded last, plus 1. A mark from before the script is nothing to wait
  /// for.
  mutable std::vector<EventId> marks_;
};

/// How each call of the backend is passed to the simulation, for scripts and for live calls.
void launchIn(Simulation& simulation, StreamId stream, double nanoseconds, double share,
              std::uint32_t tag);
/// Communication between ranks: it overlaps with kernels of other streams.
void linksIn(Simulation& simulation, StreamId stream, double nanoseconds, std::uint32_t tag);
void graphIn(Simulation& simulation, StreamId stream, double nanoseconds, std::uint32_t kernels,
             std::uint32_t tag);
/// `nanoseconds`: from copyNanoseconds(). The host waits for copies of pageable memory.
void copyIn(Simulation& simulation, StreamId stream, const Copy& copy, double nanoseconds,
            std::uint32_t tag);
/// Work of a thread other than the host's, in order.
void workerIn(Simulation& simulation, StreamId stream, double nanoseconds);
double graphNanoseconds(double kernels, std::uint32_t count, const Parameters& device);

}  // namespace fusebench::sim
