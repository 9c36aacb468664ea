// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What cuDNN's functions and its graphs have in common on the double: objects, what they are
// checked for, and convolutions by the host.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/elements.h"
#include "engine/cuda/library/cudnn_abi.h"
#include "tests/doubles/cuda/activity_log.h"
#include "tests/doubles/cuda/driver_call.h"

namespace fusebench::test::dnn {

using namespace fusebench::cuda;  // NOLINT(google-build-using-namespace): the double speaks of it

inline constexpr int kMostDims = 8;
/// The algorithms that the double implements; the others are listed as not supported.
inline constexpr int kServed = 3;
inline constexpr int kOrder[kDnnForwardAlgorithms] = {1, 0, 2, 3, 4, 5, 6, 7};

struct Tensor {
  int type = -1;
  std::vector<int> extents, strides;
};

struct Filter {
  int type = -1, format = kDnnRowMajor;
  std::vector<int> extents;
};

struct Convolution {
  std::vector<int> padding, stride, dilation;
  int compute = -1, groups = 1, math = kDnnDefaultMath;
};

struct Activation {
  int mode = -1, nan = kDnnLosesNan;
};

/// The objects behind the library's opaque handles. A handle belongs to the device it was made on.
struct Handle {
  DeviceState* device = nullptr;
  Stream stream = nullptr;
};

template <class Object>
std::map<const void*, std::unique_ptr<Object>>& all() {
  static auto* const kAll = new std::map<const void*, std::unique_ptr<Object>>;
  return *kAll;
}
template <class Object, class Given>
Object* found(Given handle) {
  const auto at = all<Object>().find(handle);
  return at == all<Object>().end() ? nullptr : at->second.get();
}
template <class Object, class Given>
DnnStatus made(Given* handle, Object object) {
  if (!handle) return kDnnBadParameter;
  auto owned = std::make_unique<Object>(std::move(object));
  Object* const at = owned.get();
  all<Object>().emplace(at, std::move(owned));
  ++Machine::get().libraryObjects;
  *handle = reinterpret_cast<Given>(at);
  return kDnnSuccess;
}
template <class Object, class Given>
DnnStatus gone(Given handle) {
  if (all<Object>().erase(handle) == 0) return kDnnBadParameter;
  --Machine::get().libraryObjects;
  return kDnnSuccess;
}

inline std::optional<DType> typeOf(int type) {
  switch (type) {
    case kDnnFloat32:
      return DType::float32;
    case kDnnFloat64:
      return DType::float64;
    case kDnnFloat16:
      return DType::float16;
    case kDnnBfloat16:
      return DType::bfloat16;
    default:
      return std::nullopt;
  }
}
inline std::size_t bytesOf(int type) {
  return info(*typeOf(type)).size;
}

inline bool isAligned(const void* at, int type) {
  return reinterpret_cast<std::uintptr_t>(at) % bytesOf(type) == 0;
}

/// Strides of four dimensions without gaps.
inline std::vector<int> packed(const std::vector<int>& extents, bool last) {
  std::vector<int> strides(4);
  int step = 1;
  for (const std::size_t d :
       last ? std::array<std::size_t, 4>{1, 3, 2, 0} : std::array<std::size_t, 4>{3, 2, 1, 0}) {
    strides[d] = step;
    step *= extents[d];
  }
  return strides;
}
inline bool isPacked(const Tensor& tensor, bool last) {
  return tensor.strides == packed(tensor.extents, last);
}

/// Bytes from a tensor's first element to behind its last one.
inline std::size_t spanOf(const std::vector<int>& extents, const std::vector<int>& strides,
                          int type) {
  std::size_t last = 0;
  for (std::size_t d = 0; d < extents.size(); ++d)
    last += static_cast<std::size_t>(extents[d] - 1) * static_cast<std::size_t>(strides[d]);
  return (last + 1) * bytesOf(type);
}
inline std::size_t spanOf(const Tensor& tensor) {
  return spanOf(tensor.extents, tensor.strides, tensor.type);
}

struct Problem {
  Tensor x, y;
  Filter w;
  Convolution how;
  std::vector<int> weightStrides;
};

/// Why a convolution is refused; kDnnSuccess if it is not.
inline DnnStatus check(Problem& p) {
  if (p.x.type < 0 || p.y.type < 0 || p.w.type < 0 || p.how.compute < 0) return kDnnBadParameter;
  if (p.x.extents.size() != 4 || p.y.extents.size() != 4 || p.w.extents.size() != 4 ||
      p.how.padding.size() != 2)
    return kDnnNotSupported;
  const int groups = p.how.groups;
  if (p.x.extents[1] != p.w.extents[1] * groups || p.w.extents[0] % groups != 0)
    return kDnnBadParameter;
  if (p.y.extents[0] != p.x.extents[0] || p.y.extents[1] != p.w.extents[0]) return kDnnBadParameter;
  for (std::size_t w = 0; w < 2; ++w) {
    const int window = (p.w.extents[2 + w] - 1) * p.how.dilation[w] + 1;
    const int room = p.x.extents[2 + w] + 2 * p.how.padding[w] - window;
    if (room < 0 || p.y.extents[2 + w] != room / p.how.stride[w] + 1) return kDnnBadParameter;
  }
  if (p.x.type != p.y.type || p.x.type != p.w.type) return kDnnBadParameter;
  const int compute = p.x.type == kDnnFloat64 ? kDnnFloat64 : kDnnFloat32;
  if (p.how.compute != compute) return kDnnNotSupported;
  const bool last = p.w.format == kDnnChannelsLast;
  if (last && (!isPacked(p.x, true) || !isPacked(p.y, true))) return kDnnNotSupportedLayout;
  p.weightStrides = packed(p.w.extents, last);
  return kDnnSuccess;
}

/// The first takes any layout, the second works in memory and takes both that have no gaps, the
/// third takes row-major ones.
inline bool serves(const Problem& p, int algorithm) {
  const bool rows = isPacked(p.x, false) && isPacked(p.y, false) && p.w.format == kDnnRowMajor;
  const bool last = p.w.format == kDnnChannelsLast;
  switch (algorithm) {
    case kDnnImplicitGemm:
      return true;
    case kDnnImplicitPrecompGemm:
      return rows || last;
    case kDnnGemm:
      return rows && p.how.groups == 1 && p.how.dilation == std::vector{1, 1};
    default:
      return false;
  }
}
inline std::size_t workspaceOf(const Problem& p, int algorithm) {
  const auto& w = p.w.extents;
  const std::size_t window = static_cast<std::size_t>(w[1]) * static_cast<std::size_t>(w[2] * w[3]);
  if (algorithm == kDnnImplicitPrecompGemm) return window * sizeof(int);
  if (algorithm == kDnnGemm)
    return window * static_cast<std::size_t>(p.y.extents[2] * p.y.extents[3]) * bytesOf(p.x.type);
  return 0;
}

/// Two algorithms for the gradients support any layout: the first one adds in any order, the second
/// one uses a workspace and gives the same result each time.
inline constexpr int kServedBack = 2;
inline std::size_t workspaceBack(const Problem& p, int algorithm) {
  return algorithm == 1 ? static_cast<std::size_t>(p.w.extents[0]) * 64 : 0;
}

/// Whether two stretches of memory share a byte.
inline bool overlap(const void* a, std::size_t bytesA, const void* b, std::size_t bytesB) {
  const auto *const first = static_cast<const std::byte*>(a), *const second =
                                                                  static_cast<const std::byte*>(b);
  return first < second + bytesB && second < first + bytesA;
}

/// Why a handle is refused, in every function that takes one.
inline DnnStatus refusalOf(const Handle* handle) {
  if (!handle) return kDnnBadParameter;
  return handle->device == Machine::current() ? kDnnSuccess : kDnnOtherStream;
}

struct Given {
  Handle* handle = nullptr;
  Problem problem;
  DnnStatus status = kDnnSuccess;
};
inline Given given(DnnHandle handle, DnnTensor x, DnnFilter w, DnnConvolution how, DnnTensor y) {
  Given made;
  made.handle = found<Handle>(handle);
  const Tensor *const from = found<Tensor>(x), *const to = found<Tensor>(y);
  const Filter* const weights = found<Filter>(w);
  const Convolution* const convolution = found<Convolution>(how);
  if (!from || !to || !weights || !convolution) {
    made.status = kDnnBadParameter;
  } else if (made.status = refusalOf(made.handle); made.status == kDnnSuccess) {
    made.problem = {*from, *to, *weights, *convolution, {}};
    made.status = check(made.problem);
  }
  return made;
}

inline double scaleAt(const void* scale, int type) {
  return type == kDnnFloat64 ? *static_cast<const double*>(scale)
                             : *static_cast<const float*>(scale);
}

inline bool inside(const void* at, std::size_t bytes) {
  return Machine::get().inDeviceMemory(reinterpret_cast<std::uintptr_t>(at), bytes);
}

inline const std::byte* at(const void* from, const std::vector<int>& strides, int type,
                           const std::array<int, 4>& place) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < 4; ++d) offset += static_cast<std::int64_t>(strides[d]) * place[d];
  return static_cast<const std::byte*>(from) + offset * static_cast<std::int64_t>(bytesOf(type));
}

/// Calls something with each place of four dimensions.
template <class Action>
void forEachPlace(const std::vector<int>& extents, const Action& action) {
  std::array<int, 4> i{};
  for (i[0] = 0; i[0] < extents[0]; ++i[0])
    for (i[1] = 0; i[1] < extents[1]; ++i[1])
      for (i[2] = 0; i[2] < extents[2]; ++i[2])
        for (i[3] = 0; i[3] < extents[3]; ++i[3]) action(i);
}

/// One convolution, in memory of the device's.
struct Work {
  Problem p;
  double alpha = 1, beta = 0;
  const void *x = nullptr, *w = nullptr, *bias = nullptr, *z = nullptr;
  void *y = nullptr, *workspace = nullptr;
  std::size_t workspaceBytes = 0;
  bool relu = false, keepsNan = false;
  double narrowed = 1;  ///< what narrow sums make of it

  double sumAt(const std::array<int, 4>& i) const {
    const DType type = *typeOf(p.x.type);
    const auto& e = p.w.extents;
    const int group = i[1] / (e[0] / p.how.groups);
    double sum = 0;
    for (int c = 0; c < e[1]; ++c)
      for (int r = 0; r < e[2]; ++r)
        for (int s = 0; s < e[3]; ++s) {
          const int row = i[2] * p.how.stride[0] - p.how.padding[0] + r * p.how.dilation[0];
          const int column = i[3] * p.how.stride[1] - p.how.padding[1] + s * p.how.dilation[1];
          if (row < 0 || row >= p.x.extents[2] || column < 0 || column >= p.x.extents[3]) continue;
          sum += loadElement(at(x, p.x.strides, p.x.type, {i[0], group * e[1] + c, row, column}),
                             type) *
                 loadElement(at(w, p.weightStrides, p.w.type, {i[1], c, r, s}), type);
        }
    return sum;
  }

  void run(DeviceState& device) const {
    if (!inside(x, spanOf(p.x)) || !inside(w, spanOf(p.w.extents, p.weightStrides, p.w.type)) ||
        !inside(y, spanOf(p.y)) || (z && beta != 0 && !inside(z, spanOf(p.y))) ||
        (bias && !inside(bias, static_cast<std::size_t>(p.y.extents[1]) * bytesOf(p.y.type))) ||
        (workspaceBytes > 0 && !inside(workspace, workspaceBytes))) {
      device.poison = 700;  // an illegal address
      return;
    }
    if (workspaceBytes > 0) std::memset(workspace, 0x5a, workspaceBytes);
    const DType type = *typeOf(p.y.type);
    forEachPlace(p.y.extents, [&](const std::array<int, 4>& i) {
      double value = alpha * sumAt(i) * narrowed;
      const void* const before = z ? z : y;
      if (beta != 0) value += beta * loadElement(at(before, p.y.strides, p.y.type, i), type);
      if (bias)
        value += loadElement(static_cast<const std::byte*>(bias) +
                                 static_cast<std::size_t>(i[1]) * bytesOf(p.y.type),
                             type);
      if (relu && !(value > 0) && !(keepsNan && std::isnan(value))) value = 0;
      storeElement(const_cast<std::byte*>(at(y, p.y.strides, p.y.type, i)), type, value);
    });
  }
};

/// One gradient: what is written is summed in float64 and rounded once.
struct WorkBack {
  Problem p;
  bool toWeights = false;
  const void *y = nullptr, *other = nullptr;  ///< the images or the weights
  void *made = nullptr, *workspace = nullptr;
  std::size_t workspaceBytes = 0;

  void run(DeviceState& device) const {
    const std::size_t images = spanOf(p.x);
    const std::size_t weights = spanOf(p.w.extents, p.weightStrides, p.w.type);
    if (!inside(y, spanOf(p.y)) || !inside(other, toWeights ? images : weights) ||
        !inside(made, toWeights ? weights : images) ||
        (workspaceBytes > 0 && !inside(workspace, workspaceBytes))) {
      device.poison = 700;
      return;
    }
    if (workspaceBytes > 0) std::memset(workspace, 0x5a, workspaceBytes);
    const DType type = *typeOf(p.y.type);
    const auto& extents = toWeights ? p.w.extents : p.x.extents;
    const auto& strides = toWeights ? p.weightStrides : p.x.strides;
    std::vector<double> sums(spanOf(extents, strides, p.y.type) / bytesOf(p.y.type), 0.0);
    const auto sumAt = [&](const std::array<int, 4>& place) -> double& {
      std::size_t offset = 0;
      for (std::size_t d = 0; d < 4; ++d)
        offset += static_cast<std::size_t>(strides[d]) * static_cast<std::size_t>(place[d]);
      return sums[offset];
    };
    forEachPlace(p.y.extents, [&](const std::array<int, 4>& i) {
      const double gradient = loadElement(at(y, p.y.strides, p.y.type, i), type);
      const auto& e = p.w.extents;
      const int first = i[1] / (e[0] / p.how.groups) * e[1];
      for (int c = 0; c < e[1]; ++c)
        for (int r = 0; r < e[2]; ++r)
          for (int s = 0; s < e[3]; ++s) {
            const int row = i[2] * p.how.stride[0] - p.how.padding[0] + r * p.how.dilation[0];
            const int column = i[3] * p.how.stride[1] - p.how.padding[1] + s * p.how.dilation[1];
            if (row < 0 || row >= p.x.extents[2] || column < 0 || column >= p.x.extents[3])
              continue;
            const std::array<int, 4> image{i[0], first + c, row, column}, weight{i[1], c, r, s};
            if (toWeights)
              sumAt(weight) +=
                  gradient * loadElement(at(other, p.x.strides, p.x.type, image), type);
            else
              sumAt(image) +=
                  gradient * loadElement(at(other, p.weightStrides, p.w.type, weight), type);
          }
    });
    forEachPlace(extents, [&](const std::array<int, 4>& i) {
      storeElement(const_cast<std::byte*>(at(made, strides, p.y.type, i)), type, sumAt(i));
    });
  }
};

inline FunctionState& kernelNamed(const char* name) {
  static auto* const kKernels = new std::map<std::string, FunctionState>;
  FunctionState& kernel = (*kKernels)[name];
  kernel.name = name;
  return kernel;
}

/// Enqueues what a library's kernel does.
inline DnnStatus enqueue(Call& call, const LoggedCall& logged, Handle& handle, const char* name,
                         std::int64_t nanoseconds, std::function<void(DeviceState&)> work) {
  StreamState* const queue = call.stream(handle.stream);
  if (call.result) {
    static_cast<void>(logged(1));
    return kDnnExecutionFailed;
  }
  KernelWork kernel{&kernelNamed(name), 1, 1, 1, 1, {}};
  kernel.library = std::move(work);
  kernel.nanoseconds = nanoseconds;
  return logged(call.machine.enqueueKernel(*queue, std::move(kernel))) == 0 ? kDnnSuccess
                                                                            : kDnnExecutionFailed;
}

}  // namespace fusebench::test::dnn
