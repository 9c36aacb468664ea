// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/device/model_effects.h"
#include "engine/plan/kernel.h"
#include "engine/plan/kernel_traffic.h"
#include "engine/plan/library_call.h"
#include "engine/plan/op_list.h"
#include "engine/sim/parameters.h"

namespace fusebench::sim {

/// What one element costs, in instructions by class. Those of one thread follow each other.
struct ElementWork {
  double float32 = 0, float64 = 0, integer = 0, special = 0;
  double all() const { return float32 + float64 + integer + special; }
  friend bool operator==(const ElementWork&, const ElementWork&) = default;
};

/// What one launch has to do, whatever the device.
struct Work {
  enum class Kind : std::uint8_t { empty, compiled, opList, library, links };
  Kind kind = Kind::empty;
  ElementWork element;
  double elements = 0;  ///< of the index space
  double kept = 0;      ///< of these, results: the rest is reduced
  double bytes = 0;     ///< read and written; of links: that each rank brings
  int ops = 0;          ///< of an op list
  double products = 0;  ///< multiply-adds of a library's call
  /// A call that ran as loops where devices were recorded: of few strided operands, or of windows
  /// that are not multiplied by weights.
  bool loops = false;
  int copies = 0;  ///< of a library's call: operands that were copied for it first
  bool windows = false;
  bool reduces = false;
  Collective what = Collective::none;  ///< of links
  int ranks = 1;                       ///< likewise
  double copied = 0;                   ///< likewise: bytes copied to and from a bucket
  Effects missing = 0;                 ///< what matters to it and is not modeled

  friend bool operator==(const Work&, const Work&) = default;
};

/// How many threads a launch has and what each does, by the rule that the CUDA backend goes by.
struct Grid {
  double blocks = 1, threads = 32;
  double each = 1;      ///< elements one after another in a thread
  bool merges = false;  ///< blocks share a result
};
Grid gridOf(const Work& work, const Parameters& device);

/// How long the device is busy with it: the floor, and the longest of what its instructions take by
/// their class, what its bytes take, and what one thread takes. Nanoseconds.
double nanoseconds(const Work& work, const Parameters& device);
/// What a launch of it costs the host beside any launch: a library's own choices.
double hostNanoseconds(const Work& work, const Parameters& device);
/// Which part of the device it occupies, above 0 and at most 1: kernels of several streams run
/// beside each other where there is room.
double share(const Work& work, const Parameters& device);

/// What a launch of a kernel has to do, with sizes that are known only then left open.
class WorkModel {
 public:
  WorkModel() = default;  ///< of a kernel that does nothing
  explicit WorkModel(const Kernel& kernel);
  explicit WorkModel(const OpList& list);
  explicit WorkModel(const LibraryCall& call);
  const KernelTraffic& traffic() const { return traffic_; }
  Work of(const std::int64_t* integers, void* const* pointers) const;

 private:
  struct Extent {
    std::int64_t known = 0;
    int position = -1;
    bool reduced = false;
  };
  void readLoops(const LoopNest& nest);

  Work work_;
  std::vector<Extent> extents_;
  std::optional<LibraryCall> call_;
  KernelTraffic traffic_;
};

}  // namespace fusebench::sim
