// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/sim/parameters.h"

namespace fusebench::sim {

/// The unit that processes a stream's work. Each processes one item after another, except that
/// kernels overlap as far as their shares of the device allow.
enum class Server : std::uint8_t { kernels, copiesIn, copiesOut, copiesWithin, link, none };
inline constexpr std::size_t kServers = 6;

using StreamId = std::uint32_t;
using EventId = std::uint32_t;
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// A piece of work as a device did it. Nanoseconds since the beginning.
struct Done {
  StreamId stream = 0;
  Server server = Server::none;
  std::uint32_t tag = 0;    ///< what its enqueuing said
  std::uint32_t count = 1;  ///< kernels of a graph, one after another
  double queued = 0, submitted = 0, start = 0, end = 0;
};
/// Receives all activity of the devices, in the order in which it starts.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void done(const Done& work) = 0;
};

/// A host thread, devices with streams, copy engines and links, in virtual time. Enqueued work
/// starts when its stream, the events that it waits for and its unit are free; the host continues
/// until a queue is full or it waits itself. The same calls give the same times; with noise, the
/// same for one seed. The earliest work that can start is started first, so that engines shared by
/// several streams process work in the order in which it is ready, not enqueued.
class Simulation {
 public:
  explicit Simulation(const Parameters& parameters, int devices = 1, std::uint64_t seed = 0);

  const Parameters& parameters() const { return parameters_; }
  /// The host's time, nanoseconds.
  double now() const { return now_; }
  void observe(Observer* observer) { observer_ = observer; }

  /// Each device initially has one, with its own number.
  StreamId makeStream(int device);
  std::size_t streams() const { return streams_.size(); }

  /// Keeps the host busy for this time.
  void spend(double nanoseconds) { now_ += noise_ == 0 ? nanoseconds : disturbed(nanoseconds); }
  /// Enqueues work of this duration; the call itself costs nothing (see spend()). Waits if the
  /// stream is full. `latency`: from now to the earliest start. `gap`: minimum time after the
  /// previous work. `share`: fraction of the device, for kernels. `count`: number of consecutive
  /// kernels.
  struct Item {
    Server server = Server::kernels;
    double duration = 0, latency = 0, gap = 0, share = 1;
    std::uint32_t tag = 0, count = 1;
  };
  void enqueue(StreamId stream, const Item& item);
  /// An event in a stream: reached when everything before it is finished.
  EventId record(StreamId stream);
  /// The stream continues only when the event is reached.
  void await(StreamId stream, EventId event);
  /// Sends from one device's stream to another's, through the link of the sender: the receiver
  /// continues when the data has arrived.
  void send(StreamId from, StreamId to, double bytes);

  /// The host waits for a stream, or for all; takes the time of a wait.
  void synchronize(StreamId stream);
  /// The same, but the host continues this long after the stream is finished.
  void synchronize(StreamId id, double wait);
  void synchronize();
  /// The host waits for an event; returns when it was reached.
  double reached(EventId event);
  /// Whether an event is reached by now.
  bool isReached(EventId event);
  /// Work enqueued and not started, as of now.
  std::size_t queued(StreamId stream);

 private:
  struct Pending {
    double queued = 0, ready = 0, duration = 0, gap = 0, share = 1;
    std::uint32_t tag = 0, count = 1;
    EventId awaits = 0, reaches = 0;  ///< event + 1; 0: none
    Server server = Server::none;
  };
  struct Stream {
    std::vector<Pending> ring;  ///< a power of two
    std::size_t head = 0, size = 0;
    double free = 0;  ///< when the previous work is finished
    int device = 0;
    Pending& front() { return ring[head]; }
  };
  struct Running {
    double end = 0, share = 0;
  };
  struct Device {
    double free[kServers] = {};
    std::vector<Running> running;  ///< kernels that may not be finished
    int streams = 0;
  };

  double disturbed(double nanoseconds);
  void push(Stream& stream, const Pending& work);
  double startOf(Stream& stream) const;
  double roomFor(const Device& device, double share, double from) const;
  void commit(StreamId id, Stream& stream, double start);
  double step(double limit);
  /// The same without a limit; throws std::logic_error if nothing can start.
  double mustStep();
  Server serverOf(Server server) const;

  Parameters parameters_;
  double noise_ = 0;
  std::uint64_t random_ = 0;
  double now_ = 0;
  std::size_t depth_ = 1;
  std::vector<Device> devices_;
  std::vector<Stream> streams_;
  std::vector<StreamId> busy_;  ///< streams with work, in no order
  std::vector<double> events_;  ///< when reached; kNever: not yet
  Observer* observer_ = nullptr;
};

}  // namespace fusebench::sim
