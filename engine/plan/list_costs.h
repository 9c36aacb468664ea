// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace fusebench {

/// What an op list and single kernels take on a device that interprets lists and comes with eager's
/// kernels: a list saves launches and passes over memory, and pays for choosing instructions.
struct ListCosts {
  // A list, nanoseconds.
  double list = 0;         ///< its launch
  double instruction = 0;  ///< of the list, one after another, where elements are few
  double merging = 0;      ///< reductions of few elements: what threads do to share results
  double mergingAll = 0;   ///< of more, to one result
  double mergingRows = 0;  ///< of more, to several
  // An element of a list on the whole device, nanoseconds.
  double access = 0;    ///< loaded or stored
  double cheap = 0;     ///< an op of a few instructions
  double dear = 0;      ///< one of many
  double gathered = 0;  ///< into a reduction
  double shared = 0;    ///< each result, for each thread that has a part of it
  // A kernel of one op.
  double kernel = 0;       ///< nanoseconds beside its bytes
  double kernelLeast = 0;  ///< nanoseconds that it takes at least, launched in a row with others
  double memory = 0;       ///< bytes in a nanosecond
  double cache = 0;        ///< likewise, of tensors that fit the cache together
  double cacheBytes = 0;   ///< how much these are
};

/// One call of an op list in numbers.
struct ListWork {
  struct Op {
    double bytes = 0;  ///< of its operands and its result
    bool reduces = false;
  };
  double elements = 0;        ///< that the list goes through
  double results = 0;         ///< of each of its reductions
  int loads = 0, stores = 0;  ///< of each element
  int kept = 0;               ///< stores more, if others are to reduce
  int cheap = 0, dear = 0;    ///< ops that are no reductions
  int reductions = 0;
  std::vector<Op> ops;
};

/// How the ops of a list are run.
enum class Route : std::uint8_t {
  together,         ///< all by the list
  reductionsApart,  ///< reductions by kernels of their own, the rest by a list
  apart             ///< each by a kernel of its own, as eager runs it
};

/// What each way takes, nanoseconds.
struct RouteCosts {
  double together = 0, reductionsApart = 0, apart = 0;
  /// The one that takes least; of equal ones the first.
  Route least() const;
  double of(Route route) const;
};
RouteCosts routeCosts(const ListWork& work, const ListCosts& costs);

}  // namespace fusebench
