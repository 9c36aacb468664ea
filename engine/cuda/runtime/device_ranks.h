// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/dtype.h"
#include "engine/cuda/driver/device.h"
#include "engine/cuda/library/nccl.h"
#include "engine/device/rank_group.h"
#include "engine/ops/collective.h"

namespace fusebench::cuda {

/// The ranks of a group as seen from one of their GPUs: everything is in the order of a stream, on
/// device memory without gaps. All ranks make every call, in the same order. Members throw
/// std::runtime_error, in one line, if the service fails.
class DeviceRanks {
 public:
  virtual ~DeviceRanks() = default;
  virtual int size() const = 0;
  /// What connects them: "NCCL 2.30.7", "Open MPI 4.1.4, through host memory: ...".
  virtual std::string description() const = 0;
  /// Why calls cannot be enqueued, so that the host waits at each and none can be captured; empty:
  /// they are enqueued.
  virtual std::string waitsBecause() const = 0;

  /// Like RankGroup's; here averages are true averages. `from` and `to` may be the same.
  virtual void allReduce(const void* from, void* to, std::int64_t elements, DType dtype,
                         Combine how, Stream stream) = 0;
  /// `to` becomes the root's `from`.
  virtual void broadcast(const void* from, void* to, std::size_t bytes, int root,
                         Stream stream) = 0;
  virtual void allGather(const void* from, void* to, std::size_t bytes, Stream stream) = 0;
  virtual void reduceScatter(const void* from, void* to, std::int64_t elements, DType dtype,
                             Combine how, Stream stream) = 0;
};

/// NCCL if all ranks have it and each has its own GPU; otherwise through host memory. All ranks
/// call this, and all get the same kind. Throws std::runtime_error if the group itself fails.
std::unique_ptr<DeviceRanks> makeDeviceRanks(std::shared_ptr<const Device> device,
                                             std::shared_ptr<RankGroup> group,
                                             const std::string& library);

/// With NCCL: `id` is rank 0's. Null: it cannot be used, and `why` has the reason.
std::unique_ptr<DeviceRanks> makeNcclRanks(std::shared_ptr<const Device> device,
                                           std::shared_ptr<const Nccl> library, const NcclId& id,
                                           RankGroup& group, std::string& why);
/// With the group itself, which takes host memory. `why`: why it is not NCCL.
std::unique_ptr<DeviceRanks> makeHostRanks(std::shared_ptr<const Device> device,
                                           std::shared_ptr<RankGroup> group, std::string why);

}  // namespace fusebench::cuda
