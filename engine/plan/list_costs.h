// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace fusebench {

/// Costs of op lists and of single kernels on a device that interprets lists and has the eager
/// kernels. A list saves launches and passes over memory, and pays for decoding instructions.
struct ListCosts {
  // Costs per list, in nanoseconds.
  double list = 0;         ///< its launch
  double instruction = 0;  ///< per instruction, if there are few elements
  double merging = 0;      ///< reductions of few elements: sharing results between threads
  double mergingAll = 0;   ///< reductions of more elements to one result
  double mergingRows = 0;  ///< reductions of more elements to several results
  // Costs per element of a list on the whole device, in nanoseconds.
  double access = 0;    ///< per load or store
  double cheap = 0;     ///< per op of a few instructions
  double dear = 0;      ///< per op of many instructions
  double gathered = 0;  ///< per reduction
  double shared = 0;    ///< per result and per thread that has a part of it
  // Costs of a kernel of one op.
  double kernel = 0;       ///< nanoseconds in addition to the time for its bytes
  double kernelLeast = 0;  ///< minimum time in nanoseconds, launched in a sequence with others
  double memory = 0;       ///< memory bandwidth in bytes per nanosecond
  double cache = 0;        ///< the same for tensors that fit into the cache together
  double cacheBytes = 0;   ///< size of that cache in bytes
};

/// The sizes of one call of an op list.
struct ListWork {
  struct Op {
    double bytes = 0;  ///< size of its operands and its result
    bool reduces = false;
  };
  double elements = 0;        ///< elements that the list runs over
  double results = 0;         ///< results of each of its reductions
  int loads = 0, stores = 0;  ///< per element
  int kept = 0;               ///< additional stores if other kernels reduce
  int cheap = 0, dear = 0;    ///< ops that are not reductions
  int reductions = 0;
  std::vector<Op> ops;
};

/// How the ops of a list are executed.
enum class Route : std::uint8_t {
  together,         ///< all in the list
  reductionsApart,  ///< reductions in separate kernels, the rest in a list
  apart             ///< each in a separate kernel, as in eager mode
};

/// Time of each route, in nanoseconds.
struct RouteCosts {
  double together = 0, reductionsApart = 0, apart = 0;
  /// The fastest route; the first one if several take the same time.
  Route least() const;
  double of(Route route) const;
};
RouteCosts routeCosts(const ListWork& work, const ListCosts& costs);

}  // namespace fusebench
