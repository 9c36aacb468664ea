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

/// The instructions per element, by class. Those of one thread follow each other.
struct ElementWork {
  double float32 = 0, float64 = 0, integer = 0, special = 0;
  double all() const { return float32 + float64 + integer + special; }
  friend bool operator==(const ElementWork&, const ElementWork&) = default;
};

/// The work of one launch, independent of the device.
struct Work {
  enum class Kind : std::uint8_t { empty, compiled, opList, library, links };
  Kind kind = Kind::empty;
  ElementWork element;
  double elements = 0;  ///< elements of the index space
  double kept = 0;      ///< the results among these: the rest is reduced
  double bytes = 0;     ///< read and written; links: input of each rank
  int ops = 0;          ///< of an op list: its length
  double products = 0;  ///< of a library call: multiply-adds
  /// A call that ran as loops on the recorded devices: one with few strided operands, or with
  /// windows that are not multiplied by weights.
  bool loops = false;
  int copies = 0;  ///< library call: operands that were copied first
  bool windows = false;
  bool reduces = false;
  Collective what = Collective::none;  ///< links: the collective
  int ranks = 1;                       ///< links: how many there are
  double copied = 0;                   ///< links: bytes copied to and from a bucket
  Effects missing = 0;                 ///< effects that matter to it and are not modeled

  friend bool operator==(const Work&, const Work&) = default;
};

/// The number of threads of a launch and the work of each, by the rule of the CUDA backend.
struct Grid {
  double blocks = 1, threads = 32;
  double each = 1;      ///< elements one after another in a thread
  bool merges = false;  ///< blocks share a result
};
Grid gridOf(const Work& work, const Parameters& device);

/// The time for which the device is busy with it: the minimum, and the longest of the times of its
/// instructions by class, of its bytes, and of one thread. Nanoseconds.
double nanoseconds(const Work& work, const Parameters& device);
/// The host's cost in addition to that of any launch: a library's own choices.
double hostNanoseconds(const Work& work, const Parameters& device);
/// The fraction of the device that it occupies, above 0 and at most 1: kernels of several streams
/// overlap if there is room.
double share(const Work& work, const Parameters& device);

/// The work of a kernel's launch; sizes that are known only at launch are left open.
class WorkModel {
 public:
  WorkModel() = default;  ///< for a kernel that does nothing
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
