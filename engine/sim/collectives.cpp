// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/collectives.h"

#include <algorithm>
#include <bit>

namespace fusebench::sim {
namespace {

using Rounds = std::vector<std::vector<Message>>;

/// How often ranks double until there are as many.
int doublings(int ranks) {
  return ranks <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)));
}

/// Every rank to the next one, so many times.
Rounds around(int times, double bytes, int ranks) {
  Rounds rounds(static_cast<std::size_t>(times));
  for (auto& round : rounds)
    for (int rank = 0; rank < ranks; ++rank) round.push_back({rank, (rank + 1) % ranks, bytes});
  return rounds;
}

/// As many pieces as ranks go along the ring after one another, from rank 0 to the last.
Rounds alongRing(double bytes, int ranks) {
  Rounds rounds(static_cast<std::size_t>(2 * (ranks - 1)));
  for (int round = 0; round < 2 * (ranks - 1); ++round)
    for (int rank = 0; rank + 1 < ranks; ++rank)
      if (const int piece = round - rank; piece >= 0 && piece < ranks)
        rounds[static_cast<std::size_t>(round)].push_back({rank, rank + 1, bytes / ranks});
  return rounds;
}

/// From rank 0 to all: those that have it send it on, so that they double in each round.
Rounds downTree(double bytes, int ranks) {
  Rounds rounds;
  for (int step = doublings(ranks) - 1; step >= 0; --step) {
    auto& round = rounds.emplace_back();
    const int distance = 1 << step;
    for (int rank = 0; rank + distance < ranks; rank += 2 * distance)
      round.push_back({rank, rank + distance, bytes});
  }
  return rounds;
}

/// The same backwards: to rank 0, added up on the way.
Rounds upTree(double bytes, int ranks) {
  Rounds rounds = downTree(bytes, ranks);
  std::ranges::reverse(rounds);
  for (auto& round : rounds)
    for (Message& message : round) std::swap(message.from, message.to);
  return rounds;
}

/// Every rank to one that is twice as far away as in the round before (Bruck et al. 1997); blocks
/// of so many bytes, of which each has as many as it has collected, and gets no more than there
/// are.
Rounds doubling(double blockBytes, int ranks) {
  Rounds rounds;
  for (int distance = 1; distance < ranks; distance *= 2) {
    auto& round = rounds.emplace_back();
    const int blocks = std::min(distance, ranks - distance);
    for (int rank = 0; rank < ranks; ++rank)
      round.push_back({rank, (rank - distance + ranks) % ranks, blocks * blockBytes});
  }
  return rounds;
}

}  // namespace

std::string_view nameOf(Path path) {
  return path == Path::ring ? "ring" : "tree";
}

double linkNanoseconds(Collective what, Path path, double bytes, int ranks,
                       const Parameters& device) {
  if (ranks <= 1) return 0;
  const double alpha = device.linkLatency, beta = 1 / device.linkBandwidth;
  const double others = ranks - 1, rounds = doublings(ranks);
  const bool ring = path == Path::ring;
  switch (what) {
    case Collective::allReduce:
    case Collective::reduceStart:
      return ring ? 2 * others * (alpha + bytes / ranks * beta)
                  : 2 * rounds * (alpha + bytes * beta);
    case Collective::broadcast:
      return ring ? 2 * others * (alpha + bytes / ranks * beta) : rounds * (alpha + bytes * beta);
    case Collective::reduceScatter:
      return (ring ? others : rounds) * alpha + others / ranks * bytes * beta;
    case Collective::allGather:
      return (ring ? others : rounds) * alpha + others * bytes * beta;
    case Collective::barrier:
      return (ring ? others : rounds) * alpha;
    case Collective::reduceWait:
    case Collective::none:
      break;
  }
  return 0;
}

Path cheaperPath(Collective what, double bytes, int ranks, const Parameters& device) {
  return linkNanoseconds(what, Path::ring, bytes, ranks, device) <
                 linkNanoseconds(what, Path::tree, bytes, ranks, device)
             ? Path::ring
             : Path::tree;
}

double linkNanoseconds(Collective what, double bytes, int ranks, const Parameters& device) {
  return linkNanoseconds(what, cheaperPath(what, bytes, ranks, device), bytes, ranks, device);
}

std::vector<std::vector<Message>> roundsOf(Collective what, Path path, double bytes, int ranks) {
  if (ranks <= 1) return {};
  const bool ring = path == Path::ring;
  switch (what) {
    case Collective::allReduce:
    case Collective::reduceStart: {
      if (ring) return around(2 * (ranks - 1), bytes / ranks, ranks);
      Rounds rounds = upTree(bytes, ranks);
      for (auto& round : downTree(bytes, ranks)) rounds.push_back(std::move(round));
      return rounds;
    }
    case Collective::broadcast:
      return ring ? alongRing(bytes, ranks) : downTree(bytes, ranks);
    case Collective::reduceScatter: {
      if (ring) return around(ranks - 1, bytes / ranks, ranks);
      Rounds rounds = doubling(bytes / ranks, ranks);
      std::ranges::reverse(rounds);
      return rounds;
    }
    case Collective::allGather:
      return ring ? around(ranks - 1, bytes, ranks) : doubling(bytes, ranks);
    case Collective::barrier:
      return ring ? around(ranks - 1, 0, ranks) : doubling(0, ranks);
    case Collective::reduceWait:
    case Collective::none:
      break;
  }
  return {};
}

void send(Simulation& simulation, const std::vector<std::vector<Message>>& rounds) {
  for (const auto& round : rounds) {
    // Records the work of all ranks so far, before any of them continues.
    std::vector<EventId> through;
    for (const Message& message : round)
      through.push_back(simulation.record(static_cast<StreamId>(message.to)));
    std::vector<EventId> arrived;
    for (std::size_t m = 0; m < round.size(); ++m) {
      const auto from = static_cast<StreamId>(round[m].from);
      simulation.await(from, through[m]);
      Simulation::Item item;
      item.server = Server::link;
      item.duration = simulation.parameters().linkLatency +
                      round[m].bytes / simulation.parameters().linkBandwidth;
      simulation.enqueue(from, item);
      arrived.push_back(simulation.record(from));
    }
    for (std::size_t m = 0; m < round.size(); ++m)
      simulation.await(static_cast<StreamId>(round[m].to), arrived[m]);
  }
}

}  // namespace fusebench::sim
