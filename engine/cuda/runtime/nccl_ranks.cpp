// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/cuda/runtime/device_ranks.h"

namespace fusebench::cuda {
namespace {

int typeOf(DType dtype) {
  switch (dtype) {
    case DType::boolean:
    case DType::uint8:
      return kNcclUint8;
    case DType::int8:
      return kNcclInt8;
    case DType::int32:
      return kNcclInt32;
    case DType::int64:
      return kNcclInt64;
    case DType::float16:
      return kNcclFloat16;
    case DType::bfloat16:
      return kNcclBfloat16;
    case DType::float32:
      return kNcclFloat32;
    case DType::float64:
      break;
  }
  return kNcclFloat64;
}

int opOf(Combine how) {
  switch (how) {
    case Combine::sum:
      return kNcclSum;
    case Combine::product:
      return kNcclProduct;
    case Combine::min:
      return kNcclMin;
    case Combine::max:
      return kNcclMax;
    case Combine::average:
      break;
  }
  return kNcclAverage;
}

/// NCCL's kernels copy the data that they reduce over the links between GPUs. The least or greatest
/// of floats with NaN among them is what NCCL defines it to be.
class NcclRanks final : public DeviceRanks {
 public:
  NcclRanks(std::shared_ptr<const Device> device, std::shared_ptr<const Nccl> library,
            NcclComm communicator, int size)
      : device_(std::move(device)),
        nccl_(std::move(library)),
        communicator_(communicator),
        size_(size) {}
  ~NcclRanks() override {
    // A rank that is left alone must not wait for the others.
    if (device_->tryUse()) nccl_->commAbort(communicator_);
  }
  NcclRanks(const NcclRanks&) = delete;
  NcclRanks& operator=(const NcclRanks&) = delete;

  int size() const override { return size_; }
  std::string description() const override { return "NCCL " + nccl_->versionText(); }
  std::string waitsBecause() const override { return {}; }

  void allReduce(const void* from, void* to, std::int64_t elements, DType dtype, Combine how,
                 Stream stream) override {
    ask(nccl_->allReduce, from, to, static_cast<std::size_t>(elements), typeOf(dtype), opOf(how),
        communicator_, stream);
  }
  void broadcast(const void* from, void* to, std::size_t bytes, int root, Stream stream) override {
    ask(nccl_->broadcast, from, to, bytes, kNcclUint8, root, communicator_, stream);
  }
  void allGather(const void* from, void* to, std::size_t bytes, Stream stream) override {
    ask(nccl_->allGather, from, to, bytes, kNcclUint8, communicator_, stream);
  }
  void reduceScatter(const void* from, void* to, std::int64_t elements, DType dtype, Combine how,
                     Stream stream) override {
    ask(nccl_->reduceScatter, from, to, static_cast<std::size_t>(elements), typeOf(dtype),
        opOf(how), communicator_, stream);
  }

 private:
  template <class Function, class... Arguments>
  void ask(const Function& function, Arguments... arguments) {
    device_->use();
    const NcclResult result = function(arguments...);
    if (result == kNcclSuccess) return;
    throw std::runtime_error(saying("{} failed: {}", function.name, nccl_->resultText(result)));
  }

  std::shared_ptr<const Device> device_;
  std::shared_ptr<const Nccl> nccl_;
  NcclComm communicator_;
  int size_;
};

}  // namespace

std::unique_ptr<DeviceRanks> makeNcclRanks(std::shared_ptr<const Device> device,
                                           std::shared_ptr<const Nccl> library, const NcclId& id,
                                           RankGroup& group, std::string& why) {
  device->use();
  NcclComm communicator = nullptr;
  NcclResult result = kNcclSuccess;
  {
    const RankWait waits(group);
    result = library->commInitRank(&communicator, group.size(), id, group.rank());
  }
  if (result != kNcclSuccess) {
    why = fmt::format("{}: {}", library->commInitRank.name, library->resultText(result));
    return nullptr;
  }
  return std::make_unique<NcclRanks>(std::move(device), std::move(library), communicator,
                                     group.size());
}

}  // namespace fusebench::cuda
