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
                         Allocator& memory, PreparedCall& tried, const LibraryCall& call,
                         const std::int64_t* integers, void* const* pointers) {
  constexpr double kLongest = 3e6;
  constexpr int kMost = 20;
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
    double best = 0, all = 0;
    for (int i = 0; i < kMost && (i < 3 || all < kLongest); ++i) {
      timer.start();
      if (!tried.run(stream, own.data(), room)) return 0;
      timer.stop();
      const double taken = timer.nanoseconds();
      best = i == 0 ? taken : std::min(best, taken);
      all += taken;
    }
    return best;
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

}  // namespace fusebench::cuda
