// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "engine/ops/collective.h"
#include "engine/sim/parameters.h"
#include "engine/sim/simulation.h"

namespace fusebench::sim {

/// How a collective uses the links between its devices. Every device has one outgoing and one
/// incoming link, by which it reaches any other. A message of b bytes takes alpha + b * beta: the
/// link's latency, and its bytes divided by its bandwidth (Hockney 1994). The time to add received
/// data is negligible in comparison.
enum class Path : std::uint8_t {
  ring,  ///< pieces go to the next rank: many messages, minimum bytes
  tree   ///< in rounds, the number of ranks that have it doubling: few messages, more bytes
};
std::string_view nameOf(Path path);

/// Time of a collective by one path, in nanoseconds. `bytes`: input bytes per rank. With p ranks
/// and r = the binary logarithm of p, rounded up (Thakur, Rabenseifner and Gropp, Optimization of
/// collective communication operations in MPICH, 2005):
///                   ring                               tree
///   all-reduce      2 (p-1) (alpha + n/p beta)         2 r (alpha + n beta)
///   broadcast       2 (p-1) (alpha + n/p beta)         r (alpha + n beta)
///   reduce-scatter  (p-1) (alpha + n/p beta)           r alpha + (p-1)/p n beta
///   all-gather      (p-1) (alpha + n beta)             r alpha + (p-1) n beta
///   barrier         (p-1) alpha                        r alpha
/// One rank alone takes no time.
double linkNanoseconds(Collective what, Path path, double bytes, int ranks,
                       const Parameters& device);
/// The faster of the two, as MPI and NCCL choose by the bytes; the tree if both take the same time.
Path cheaperPath(Collective what, double bytes, int ranks, const Parameters& device);
/// By that.
double linkNanoseconds(Collective what, double bytes, int ranks, const Parameters& device);

/// One device's bytes to another.
struct Message {
  int from = 0, to = 0;
  double bytes = 0;
};
/// All messages, round by round: a rank sends in a round only after it and the receiver have
/// finished the previous one.
std::vector<std::vector<Message>> roundsOf(Collective what, Path path, double bytes, int ranks);
/// Sends them all in a simulation that has a device for each rank.
void send(Simulation& simulation, const std::vector<std::vector<Message>>& rounds);

}  // namespace fusebench::sim
