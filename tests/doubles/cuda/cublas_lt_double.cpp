// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLASLt's functions over the Machine: products are computed by the host, in float64, and what
// the library refuses is refused.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <optional>

#include "engine/base/elements.h"
#include "engine/cuda/library/cublas_lt_abi.h"
#include "tests/doubles/cuda/activity_log.h"
#include "tests/doubles/cuda/driver_call.h"

using namespace fusebench;
using namespace fusebench::cuda;
using namespace fusebench::test;

namespace {

constexpr std::int64_t kMostExtent = 0x7fffffff;
constexpr std::uint32_t kMostAlignment = 256;
constexpr int kLargest = 3;  ///< number of an algorithm
constexpr std::uint64_t kMark = 0x10d0b1e;

struct Layout {
  int type = 0;
  std::uint64_t rows = 0, columns = 0;
  std::int64_t lead = 0, batchStride = 0;
  std::int32_t batches = 1;
};

struct Description {
  int compute = 0, scale = 0;
  std::int32_t transposeA = 0, transposeB = 0;
  std::uint32_t epilogue = kLtPlain;
  const void* bias = nullptr;
};

struct Preference {
  std::uint64_t workspace = 0;
  std::uint32_t schemes = 7;
  std::uint32_t alignments[4] = {kMostAlignment, kMostAlignment, kMostAlignment, kMostAlignment};
};

/// The objects behind the library's opaque handles. A handle belongs to the device it was made on.
struct Handle {
  DeviceState* device = nullptr;
};

template <class Object>
std::map<const void*, std::unique_ptr<Object>>& all() {
  static auto* const kAll = new std::map<const void*, std::unique_ptr<Object>>;
  return *kAll;
}
template <class Object, class Handle>
Object* found(Handle handle) {
  const auto at = all<Object>().find(handle);
  return at == all<Object>().end() ? nullptr : at->second.get();
}
template <class Object, class Given>
LtStatus made(Given* handle, Object object) {
  if (!handle) return kLtInvalidValue;
  auto owned = std::make_unique<Object>(std::move(object));
  Object* const at = owned.get();
  all<Object>().emplace(at, std::move(owned));
  ++Machine::get().libraryObjects;
  *handle = reinterpret_cast<Given>(at);
  return kLtSuccess;
}
template <class Object, class Given>
LtStatus gone(Given handle) {
  if (all<Object>().erase(handle) == 0) return kLtInvalidValue;
  --Machine::get().libraryObjects;
  return kLtSuccess;
}

/// Sets an attribute that has just so many bytes.
template <class Value>
LtStatus assign(Value& value, const void* from, std::size_t bytes) {
  if (!from || bytes != sizeof value) return kLtInvalidValue;
  std::memcpy(&value, from, bytes);
  return kLtSuccess;
}

std::optional<DType> typeOf(int type) {
  switch (type) {
    case kCudaFloat32:
      return DType::float32;
    case kCudaFloat64:
      return DType::float64;
    case kCudaFloat16:
      return DType::float16;
    case kCudaBfloat16:
      return DType::bfloat16;
    case kCudaInt8:
      return DType::int8;
    case kCudaInt32:
      return DType::int32;
    default:
      return std::nullopt;
  }
}
std::size_t bytesOf(int type) {
  return info(*typeOf(type)).size;
}

/// Bytes from a matrix's first element to behind its last one, in all batches.
std::size_t spanOf(const Layout& layout) {
  const std::int64_t last = (layout.batches - 1) * layout.batchStride +
                            (static_cast<std::int64_t>(layout.columns) - 1) * layout.lead +
                            static_cast<std::int64_t>(layout.rows) - 1;
  return static_cast<std::size_t>(last + 1) * bytesOf(layout.type);
}

struct Product {
  Description description;
  Layout a, b, c, d;
  std::int64_t m = 0, n = 0, k = 0;
};

/// Sets the matmul's extents from its layouts, or returns why it is refused.
LtStatus productOf(Product& product) {
  const Description& description = product.description;
  const Layout &a = product.a, &b = product.b, &c = product.c, &d = product.d;
  for (const Layout* layout : {&a, &b, &c, &d}) {
    if (layout->rows == 0 || layout->columns == 0 || layout->batches < 1) return kLtInvalidValue;
    if (layout->rows > kMostExtent || layout->columns > kMostExtent || layout->lead > kMostExtent)
      return kLtNotSupported;
    if (layout->lead < static_cast<std::int64_t>(layout->rows) || layout->batchStride < 0)
      return kLtInvalidValue;
    if (layout->batches != d.batches) return kLtInvalidValue;
  }
  const bool ta = description.transposeA != 0, tb = description.transposeB != 0;
  product.m = static_cast<std::int64_t>(ta ? a.columns : a.rows);
  product.k = static_cast<std::int64_t>(ta ? a.rows : a.columns);
  product.n = static_cast<std::int64_t>(tb ? b.rows : b.columns);
  if (static_cast<std::int64_t>(tb ? b.columns : b.rows) != product.k) return kLtInvalidValue;
  for (const Layout* layout : {&c, &d})
    if (static_cast<std::int64_t>(layout->rows) != product.m ||
        static_cast<std::int64_t>(layout->columns) != product.n)
      return kLtInvalidValue;
  if (c.type != d.type || a.type != b.type) return kLtNotSupported;
  // The results of the batches would overlap.
  if (d.batches > 1 && d.batchStride == 0) return kLtInvalidValue;
  const std::uint32_t beyond = description.epilogue & ~(kLtPlain | kLtRelu | kLtBias | kLtGelu);
  if (description.epilogue == 0 || beyond) return kLtInvalidValue;
  switch (description.compute) {
    case kComputeFloat32:
      if (description.scale != kCudaFloat32) return kLtNotSupported;
      return a.type == d.type &&
                     (a.type == kCudaFloat32 || a.type == kCudaFloat16 || a.type == kCudaBfloat16)
                 ? kLtSuccess
                 : kLtNotSupported;
    case kComputeFloat64:
      return description.scale == kCudaFloat64 && a.type == kCudaFloat64 &&
                     d.type == kCudaFloat64 && description.epilogue == kLtPlain
                 ? kLtSuccess
                 : kLtNotSupported;
    case kComputeInt32:
      // Along the depth both, in fours.
      return description.scale == kCudaInt32 && a.type == kCudaInt8 && d.type == kCudaInt32 &&
                     description.epilogue == kLtPlain && ta && !tb && product.m % 4 == 0 &&
                     product.k % 4 == 0 && a.lead % 4 == 0 && b.lead % 4 == 0 && d.lead % 4 == 0
                 ? kLtSuccess
                 : kLtNotSupported;
    default:
      return kLtNotSupported;
  }
}

/// What an algorithm of this product needs: the first splits the depth in two and works in memory,
/// the second reads 16 bytes at a time, the third takes anything.
std::size_t workspaceOf(const Product& product, int algorithm) {
  return algorithm == 1 ? static_cast<std::size_t>(product.m * product.n * product.d.batches) * 8
                        : 0;
}
std::uint32_t alignmentOf(const Product& product, int algorithm) {
  const auto element = static_cast<std::uint32_t>(bytesOf(product.a.type));
  if (product.a.type == kCudaInt8) return algorithm < kLargest ? 16 : 4;
  return algorithm < kLargest ? 16 : element;
}
/// A number for the product: an algorithm serves the one that it was made for.
std::uint64_t numberOf(const Product& product) {
  std::uint64_t number = 14695981039346656037u;
  const auto mix = [&](std::int64_t value) {
    number = (number ^ static_cast<std::uint64_t>(value)) * 1099511628211u;
  };
  const Description& d = product.description;
  for (const std::int64_t value : {product.m, product.n, product.k}) mix(value);
  mix(d.compute);
  mix(d.transposeA);
  mix(d.transposeB);
  mix(d.epilogue);
  for (const Layout* layout : {&product.a, &product.b, &product.c, &product.d}) {
    mix(layout->type);
    mix(layout->lead);
    mix(layout->batches);
  }
  return number;
}

/// Leading dimensions and strides must keep what the algorithm reads at once aligned.
bool stepsAligned(const Product& product, std::uint32_t alignment) {
  for (const Layout* layout : {&product.a, &product.b, &product.d}) {
    const auto size = static_cast<std::int64_t>(bytesOf(layout->type));
    const auto aligned = static_cast<std::int64_t>(
        std::max<std::uint32_t>(alignment, static_cast<std::uint32_t>(size)));
    if (layout->columns > 1 && layout->lead * size % aligned != 0) return false;
    if (layout->batches > 1 && layout->batchStride * size % aligned != 0) return false;
  }
  return true;
}

bool algorithmServes(const Product& product, int algorithm) {
  if (algorithm == 1 && product.k < 2) return false;
  return algorithm == kLargest || stepsAligned(product, alignmentOf(product, algorithm));
}

struct Given {
  Handle* handle = nullptr;
  Product product;
  LtStatus status = kLtSuccess;
};
Given given(LtHandle handle, LtDescription description, LtLayout a, LtLayout b, LtLayout c,
            LtLayout d) {
  Given made;
  made.handle = found<Handle>(handle);
  const Description* const what = found<Description>(description);
  const Layout* const layouts[] = {found<Layout>(a), found<Layout>(b), found<Layout>(c),
                                   found<Layout>(d)};
  if (!made.handle) {
    made.status = kLtNotInitialized;
  } else if (!what || std::ranges::find(layouts, nullptr) != std::end(layouts)) {
    made.status = kLtInvalidValue;
  } else if (made.handle->device != Machine::current()) {
    made.status = kLtArchitectureMismatch;
  } else {
    made.product = {*what, *layouts[0], *layouts[1], *layouts[2], *layouts[3]};
    made.status = productOf(made.product);
  }
  return made;
}

double gelu(double x) {
  return x / (1 + std::exp(-2 * 0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

/// One product, in memory of the device's.
struct Work {
  Product product;
  double alpha = 1, beta = 0;
  const std::byte *a = nullptr, *b = nullptr, *c = nullptr, *bias = nullptr;
  std::byte *d = nullptr, *workspace = nullptr;
  std::size_t workspaceBytes = 0;

  void run(DeviceState& device) const {
    const Machine& machine = Machine::get();
    const auto inside = [&](const void* at, std::size_t bytes) {
      return machine.inDeviceMemory(reinterpret_cast<std::uintptr_t>(at), bytes);
    };
    const Product& p = product;
    if (!inside(a, spanOf(p.a)) || !inside(b, spanOf(p.b)) || !inside(d, spanOf(p.d)) ||
        (beta != 0 && !inside(c, spanOf(p.c))) ||
        (bias && !inside(bias, static_cast<std::size_t>(p.m) * bytesOf(p.d.type))) ||
        (workspaceBytes > 0 && !inside(workspace, workspaceBytes))) {
      device.poison = 700;  // an illegal address
      return;
    }
    if (workspaceBytes > 0) std::memset(workspace, 0x5a, workspaceBytes);
    const DType in = *typeOf(p.a.type), out = *typeOf(p.d.type);
    const auto at = [](const std::byte* from, const Layout& layout, std::int64_t batch,
                       std::int64_t row, std::int64_t column) {
      return from + (batch * layout.batchStride + column * layout.lead + row) *
                        static_cast<std::int64_t>(bytesOf(layout.type));
    };
    const bool ta = p.description.transposeA != 0, tb = p.description.transposeB != 0;
    for (std::int64_t batch = 0; batch < p.d.batches; ++batch)
      for (std::int64_t j = 0; j < p.n; ++j)
        for (std::int64_t i = 0; i < p.m; ++i) {
          double sum = 0;
          for (std::int64_t l = 0; l < p.k; ++l)
            sum += loadElement(at(a, p.a, batch, ta ? l : i, ta ? i : l), in) *
                   loadElement(at(b, p.b, batch, tb ? j : l, tb ? l : j), in);
          double value = alpha * sum;
          if (beta != 0) value += beta * loadElement(at(c, p.c, batch, i, j), out);
          if (bias)
            value += loadElement(bias + i * static_cast<std::int64_t>(bytesOf(p.d.type)), out);
          if (p.description.epilogue & kLtRelu && !(value > 0) && !std::isnan(value)) value = 0;
          if (p.description.epilogue & kLtGelu) value = gelu(value);
          storeElement(const_cast<std::byte*>(at(d, p.d, batch, i, j)), out, value);
        }
  }
};

FunctionState& matmulKernel() {
  static auto* const kKernel = [] {
    auto* const made = new FunctionState;
    made->name = "double_matmul_kernel";
    return made;
  }();
  return *kKernel;
}

bool isAligned(const void* at, std::uint32_t alignment) {
  return reinterpret_cast<std::uintptr_t>(at) % alignment == 0;
}

double scaleAt(const void* scale, int type) {
  if (type == kCudaFloat64) return *static_cast<const double*>(scale);
  if (type == kCudaInt32) return *static_cast<const std::int32_t*>(scale);
  return *static_cast<const float*>(scale);
}

}  // namespace

EXPORTED std::size_t cublasLtGetVersion() {
  return static_cast<std::size_t>(environmentNumber("FUSEBENCH_DOUBLE_CUBLASLT", 139900));
}

EXPORTED LtStatus cublasLtCreate(LtHandle* handle) {
  const Call call;
  if (const int result = call.machine.control.faults.ltCreate) return result;
  if (call.result != 0 || Machine::get().forbiddenByCapture()) return kLtNotInitialized;
  return made(handle, Handle{Machine::current()});
}
EXPORTED LtStatus cublasLtDestroy(LtHandle handle) {
  const Call call;
  return gone<Handle>(handle) == kLtSuccess ? kLtSuccess : kLtNotInitialized;
}

EXPORTED LtStatus cublasLtMatrixLayoutCreate(LtLayout* layout, int type, std::uint64_t rows,
                                             std::uint64_t columns, std::int64_t lead) {
  const Call call;
  if (!typeOf(type)) return kLtInvalidValue;
  Layout one;
  one.type = type;
  one.rows = rows;
  one.columns = columns;
  one.lead = lead;
  return made(layout, one);
}
EXPORTED LtStatus cublasLtMatrixLayoutDestroy(LtLayout layout) {
  const Call call;
  return gone<Layout>(layout);
}
EXPORTED LtStatus cublasLtMatrixLayoutSetAttribute(LtLayout layout, int attribute, const void* from,
                                                   std::size_t bytes) {
  const Call call;
  Layout* const changed = found<Layout>(layout);
  if (!changed) return kLtInvalidValue;
  if (attribute == kLtLayoutBatchCount) return assign(changed->batches, from, bytes);
  if (attribute == kLtLayoutBatchStride) return assign(changed->batchStride, from, bytes);
  return kLtInvalidValue;
}

EXPORTED LtStatus cublasLtMatmulDescCreate(LtDescription* description, int compute, int scale) {
  const Call call;
  Description one;
  one.compute = compute;
  one.scale = scale;
  return made(description, one);
}
EXPORTED LtStatus cublasLtMatmulDescDestroy(LtDescription description) {
  const Call call;
  return gone<Description>(description);
}
EXPORTED LtStatus cublasLtMatmulDescSetAttribute(LtDescription description, int attribute,
                                                 const void* from, std::size_t bytes) {
  const Call call;
  Description* const changed = found<Description>(description);
  if (!changed) return kLtInvalidValue;
  switch (attribute) {
    case kLtTransposeA:
      return assign(changed->transposeA, from, bytes);
    case kLtTransposeB:
      return assign(changed->transposeB, from, bytes);
    case kLtEpilogue:
      return assign(changed->epilogue, from, bytes);
    case kLtBiasPointer:
      return assign(changed->bias, from, bytes);
    default:
      return kLtInvalidValue;
  }
}

EXPORTED LtStatus cublasLtMatmulPreferenceCreate(LtPreference* preference) {
  const Call call;
  return made(preference, Preference());
}
EXPORTED LtStatus cublasLtMatmulPreferenceDestroy(LtPreference preference) {
  const Call call;
  return gone<Preference>(preference);
}
EXPORTED LtStatus cublasLtMatmulPreferenceSetAttribute(LtPreference preference, int attribute,
                                                       const void* from, std::size_t bytes) {
  const Call call;
  Preference* const changed = found<Preference>(preference);
  if (!changed) return kLtInvalidValue;
  if (attribute == kLtMostWorkspace) return assign(changed->workspace, from, bytes);
  if (attribute == kLtReductionSchemes) return assign(changed->schemes, from, bytes);
  if (attribute >= kLtAlignmentA && attribute <= kLtAlignmentD)
    return assign(changed->alignments[attribute - kLtAlignmentA], from, bytes);
  return kLtInvalidValue;
}

EXPORTED LtStatus cublasLtMatmulAlgoGetHeuristic(LtHandle handle, LtDescription description,
                                                 LtLayout a, LtLayout b, LtLayout c, LtLayout d,
                                                 LtPreference preference, int most,
                                                 LtFound* results, int* count) {
  Call call;
  const Preference* const wanted = found<Preference>(preference);
  if (most <= 0 || !results || !count || !wanted) return kLtInvalidValue;
  *count = 0;
  ++call.machine.control.counts.heuristics;
  const Given asked = given(handle, description, a, b, c, d);
  if (asked.status != kLtSuccess) return asked.status;
  if (call.machine.control.faults.noHeuristic) return kLtNotSupported;
  std::uint32_t aligned = std::min(wanted->alignments[0], wanted->alignments[1]);
  aligned = std::min({aligned, wanted->alignments[2], wanted->alignments[3]});
  for (int algorithm = 1; algorithm <= kLargest && *count < most; ++algorithm) {
    const std::size_t workspace = workspaceOf(asked.product, algorithm);
    if (!algorithmServes(asked.product, algorithm) || workspace > wanted->workspace ||
        alignmentOf(asked.product, algorithm) > aligned)
      continue;
    LtFound& one = results[(*count)++];
    one = {};
    one.algorithm.data[0] = kMark;
    one.algorithm.data[1] = static_cast<std::uint64_t>(algorithm);
    one.algorithm.data[2] = numberOf(asked.product);
    one.workspaceBytes = workspace;
    one.waves = 1;
  }
  return *count > 0 ? kLtSuccess : kLtNotSupported;
}

namespace {
/// The number of an algorithm for this product; 0: it is none.
int algorithmOf(const LtAlgorithm* algorithm, const Product& product) {
  if (!algorithm || algorithm->data[0] != kMark || algorithm->data[2] != numberOf(product))
    return 0;
  const auto number = static_cast<int>(algorithm->data[1]);
  return number >= 1 && number <= kLargest && algorithmServes(product, number) ? number : 0;
}
}  // namespace

EXPORTED LtStatus cublasLtMatmulAlgoCheck(LtHandle handle, LtDescription description, LtLayout a,
                                          LtLayout b, LtLayout c, LtLayout d,
                                          const LtAlgorithm* algorithm, LtFound* result) {
  const Call call;
  const Given asked = given(handle, description, a, b, c, d);
  if (asked.status != kLtSuccess) return asked.status;
  const int number = algorithmOf(algorithm, asked.product);
  if (number == 0 || !result) return kLtInvalidValue;
  result->workspaceBytes = workspaceOf(asked.product, number);
  result->state = kLtSuccess;
  return kLtSuccess;
}

EXPORTED LtStatus cublasLtMatmulAlgoConfigGetAttribute(const LtAlgorithm* algorithm, int attribute,
                                                       void* to, std::size_t bytes,
                                                       std::size_t* written) {
  if (!algorithm || algorithm->data[0] != kMark || !to || bytes != sizeof(std::int32_t))
    return kLtInvalidValue;
  const auto number = static_cast<std::int32_t>(algorithm->data[1]);
  std::int32_t value = number;
  if (attribute == kLtAlgorithmParts) value = number == 1 ? 2 : 1;
  std::memcpy(to, &value, sizeof value);
  if (written) *written = sizeof value;
  return kLtSuccess;
}

EXPORTED LtStatus cublasLtMatmul(LtHandle handle, LtDescription description, const void* alpha,
                                 const void* atA, LtLayout a, const void* atB, LtLayout b,
                                 const void* beta, const void* atC, LtLayout c, void* atD,
                                 LtLayout d, const LtAlgorithm* algorithm, void* workspace,
                                 std::size_t workspaceBytes, Stream stream) {
  Call call;
  const LoggedCall logged(kCallLaunchKernel);
  const auto refused = [&](LtStatus status) {
    static_cast<void>(logged(1));
    return status;
  };
  const Given asked = given(handle, description, a, b, c, d);
  if (asked.status != kLtSuccess) return refused(asked.status);
  StreamState* const queue = call.stream(stream);
  if (call.result) return refused(kLtExecutionFailed);
  const Product& product = asked.product;
  const int number = algorithmOf(algorithm, product);
  if (!alpha || !beta || !atA || !atB || !atD || number == 0) return refused(kLtInvalidValue);
  const double scaled = scaleAt(beta, product.description.scale);
  if (scaled != 0 && !atC) return refused(kLtInvalidValue);
  // In place only if C and D have the same layout.
  if (scaled != 0 && atC == atD &&
      (product.c.lead != product.d.lead || product.c.batchStride != product.d.batchStride))
    return refused(kLtInvalidValue);
  const std::uint32_t alignment = alignmentOf(product, number);
  if (!isAligned(atA, alignment) || !isAligned(atB, alignment) || !isAligned(atD, alignment) ||
      (scaled != 0 && !isAligned(atC, alignment)))
    return refused(kLtInvalidValue);
  const std::size_t needed = workspaceOf(product, number);
  if (workspaceBytes < needed || (needed > 0 && (!workspace || !isAligned(workspace, 16))))
    return refused(kLtInvalidValue);
  const bool biased = (product.description.epilogue & kLtBias) != 0;
  if (biased &&
      (!product.description.bias ||
       !isAligned(product.description.bias, static_cast<std::uint32_t>(bytesOf(product.d.type)))))
    return refused(kLtInvalidValue);
  if (call.machine.strikes(&DoubleFaults::matmul))
    return refused(call.machine.control.faults.matmulResult);
  Work work;
  work.product = product;
  work.alpha = scaleAt(alpha, product.description.scale);
  work.beta = scaled;
  work.a = static_cast<const std::byte*>(atA);
  work.b = static_cast<const std::byte*>(atB);
  work.c = static_cast<const std::byte*>(atC);
  work.d = static_cast<std::byte*>(atD);
  work.bias = biased ? static_cast<const std::byte*>(product.description.bias) : nullptr;
  work.workspace = static_cast<std::byte*>(workspace);
  work.workspaceBytes = needed;
  KernelWork kernel{&matmulKernel(), 1, 1, 1, 1, {}};
  kernel.library = [work](DeviceState& device) { work.run(device); };
  kernel.nanoseconds = call.machine.control.costs.matmul[number - 1];
  call.machine.spend(call.machine.control.costs.matmulHost[number - 1]);
  ++call.machine.control.counts.matmuls;
  call.machine.control.counts.algorithm = number;
  return logged(call.machine.enqueueKernel(*queue, std::move(kernel))) == 0 ? kLtSuccess
                                                                            : kLtExecutionFailed;
}
