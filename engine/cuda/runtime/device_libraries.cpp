// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/device_libraries.h"

#include <algorithm>
#include <new>
#include <vector>

#include "engine/cuda/library/cublas_lt.h"
#include "engine/cuda/library/cudnn.h"
#include "engine/cuda/runtime/event_timer.h"

namespace fusebench::cuda {
namespace {

/// Bytes of the call's result, gaps between its elements included.
std::size_t resultBytes(const LibraryCall& call, const std::int64_t* integers) {
  const std::size_t rank = call.rank(call.operands.size());
  const std::int64_t* const extents = integers + call.integers() - 2 * rank;
  std::int64_t last = 0;
  for (std::size_t d = 0; d < rank; ++d) last += (extents[d] - 1) * extents[rank + d];
  return static_cast<std::size_t>(last + 1) * info(call.result).size;
}

}  // namespace

DeviceLibraries::DeviceLibraries(std::shared_ptr<const Device> device, const CudaOptions& options)
    : device_(std::move(device)),
      wanted_(options.libraries),
      cublasLt_(options.cublasLt),
      cudnn_(options.cudnn) {}

CallLibrary* DeviceLibraries::products() const {
  if (!wanted_ || products_.sought) return products_.library.get();
  products_.sought = true;
  if (auto opened = CublasLt::open(cublasLt_, device_->driver(), products_.missing))
    products_.library = makeCublasLtProducts(device_, std::move(opened), products_.missing);
  return products_.library.get();
}

CallLibrary* DeviceLibraries::convolutions() const {
  if (!wanted_ || convolutions_.sought) return convolutions_.library.get();
  convolutions_.sought = true;
  if (auto opened = Cudnn::open(cudnn_, device_->driver(), convolutions_.missing))
    convolutions_.library =
        makeCudnnConvolutions(device_, std::move(opened), convolutions_.missing);
  return convolutions_.library.get();
}

CallLibrary* DeviceLibraries::forCall(const LibraryCall& call) const {
  if (isConvolution(call)) return convolutions();
  CallLibrary* const found = products();
  return found && found->serves(call) ? found : nullptr;
}

double shortestExecution(const std::shared_ptr<const Device>& device, Stream stream,
                         StreamStall* stall, Allocator& memory, PreparedCall& tried,
                         const LibraryCall& call, const std::int64_t* integers,
                         void* const* pointers) {
  constexpr double kRow = 1e6;  // nanoseconds
  constexpr int kMost = 20, kRows = 3;
  try {
    const BlockRef result(memory.allocate(resultBytes(call, integers)));
    BlockRef workspace;
    if (const std::size_t bytes = tried.workspaceBytes(); bytes > 0)
      workspace = BlockRef(memory.allocate(bytes));
    void* const room = workspace ? workspace.get()->data : nullptr;
    std::vector<void*> own(pointers, pointers + call.operands.size());
    own.push_back(result.get()->data);
    if (!tried.run(stream, own.data(), room)) return 0;
    EventTimer timer(device, stream);
    const auto each = [&](int count) {
      if (stall) stall->hold();
      timer.start();
      bool ran = true;
      for (int i = 0; i < count && ran; ++i) ran = tried.run(stream, own.data(), room);
      timer.stop();
      if (stall) stall->release();
      return ran ? timer.nanoseconds() / count : 0;
    };
    double best = each(1);
    const int count = static_cast<int>(std::clamp(kRow / std::max(best, 1.0), 1.0, double{kMost}));
    for (int row = 0; row < kRows && best > 0; ++row) best = std::min(best, each(count));
    return best;
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

}  // namespace fusebench::cuda
