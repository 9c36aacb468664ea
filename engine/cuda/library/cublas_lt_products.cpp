// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "engine/base/saying.h"
#include "engine/cuda/library/cublas_lt.h"
#include "engine/cuda/library/way_search.h"
#include "engine/plan/product_loops.h"

namespace fusebench::cuda {
namespace {

/// So many calls of the library at most make one of ours: batches that have several strides.
constexpr std::int64_t kMostMatmuls = 64;
/// As many as a search times.
constexpr int kMostAlgorithms = 64;
/// What frameworks give the library to work in: Hopper's kernels split the depth more.
constexpr std::uint64_t kWorkspaceBytes = 8u << 20, kHopperWorkspaceBytes = 32u << 20;

/// The types that the library uses for elements of these dtypes.
struct LtTypes {
  int operand = 0, result = 0, compute = 0, scale = 0;
};

std::optional<LtTypes> ltTypesOf(DType operand, DType result) {
  if (operand == DType::int8 && result == DType::int32)
    return LtTypes{kCudaInt8, kCudaInt32, kComputeInt32, kCudaInt32};
  if (operand != result) return std::nullopt;
  switch (operand) {
    case DType::float32:
      return LtTypes{kCudaFloat32, kCudaFloat32, kComputeFloat32, kCudaFloat32};
    case DType::float16:
      return LtTypes{kCudaFloat16, kCudaFloat16, kComputeFloat32, kCudaFloat32};
    case DType::bfloat16:
      return LtTypes{kCudaBfloat16, kCudaBfloat16, kComputeFloat32, kCudaFloat32};
    case DType::float64:
      return LtTypes{kCudaFloat64, kCudaFloat64, kComputeFloat64, kCudaFloat64};
    default:
      return std::nullopt;
  }
}

/// A matrix as it is stored, by columns.
struct LtMatrix {
  std::int64_t rows = 1, columns = 1, lead = 1;
  bool transposed = false;
  std::int64_t batchStride = 0;

  std::string text() const {
    return fmt::format("{} x {}, leading dimension {}{}", rows, columns, lead,
                       transposed ? ", transposed" : "");
  }
};

bool isUnit(std::int64_t count, std::int64_t step) {
  return step == 1 || count == 1;
}

/// A matrix stored with `fast` contiguous and `slow` as the leading dimension; nothing where the
/// fast elements have gaps, or the slow ones overlap.
std::optional<LtMatrix> stored(const ProductLoop& fast, const ProductLoop& slow,
                               std::size_t tensor) {
  if (!isUnit(fast.count, fast.steps[tensor])) return std::nullopt;
  LtMatrix made{fast.count, slow.count};
  made.lead = slow.count == 1 ? fast.count : slow.steps[tensor];
  if (made.lead < made.rows) return std::nullopt;
  return made;
}

/// How a product is asked for: A (m x k) B (k x n) = D (m x n), D by columns.
struct LtProblem {
  LtMatrix a, b, c, d;
  /// Places in the products' steps: which of our factors is A, and which B.
  std::size_t first = 0, second = 1;
  bool bias = false;    ///< the addend is the epilogue's
  bool addend = false;  ///< the addend is C
  std::int64_t m = 1, n = 1, k = 1, batch = 1;
  std::vector<ProductLoop> outer;  ///< loops of calls
};

/// The product, where `fast` is the loop whose elements are contiguous in the result.
std::optional<LtProblem> asked(const ProductLoops& product, bool rowsAreFast,
                               const LibraryCall& call, std::string& why) {
  const ProductLoop& fast = rowsAreFast ? product.rows[0] : product.columns[0];
  const ProductLoop& slow = rowsAreFast ? product.columns[0] : product.rows[0];
  const ProductLoop& depth = product.depth[0];
  LtProblem made;
  made.first = rowsAreFast ? 0 : 1;
  made.second = rowsAreFast ? 1 : 0;
  made.m = fast.count;
  made.n = slow.count;
  made.k = depth.count;
  const auto d = stored(fast, slow, 2);
  if (!d) {
    why = "the result has gaps in rows and columns";
    return std::nullopt;
  }
  made.d = made.c = *d;
  // Bytes are multiplied only where both operands go along the depth.
  const bool bytes = call.result == DType::int32;
  auto a = bytes ? std::nullopt : stored(fast, depth, made.first);
  if (!a) {
    a = stored(depth, fast, made.first);
    if (a) a->transposed = true;
  }
  auto b = stored(depth, slow, made.second);
  if (!b && !bytes) {
    b = stored(slow, depth, made.second);
    if (b) b->transposed = true;
  }
  if (!a || !b) {
    why = bytes ? "bytes are multiplied where both operands lie along the depth"
                : fmt::format("operand {} has no step of 1", (!a ? made.first : made.second) + 1);
    return std::nullopt;
  }
  made.a = *a;
  made.b = *b;
  if (call.form.addend >= 0 && call.settings.beta != 0) {
    made.bias = call.settings.beta == 1 && !bytes && slow.addend() == 0 &&
                isUnit(fast.count, fast.addend());
    for (const ProductLoop& loop : product.batch) made.bias &= loop.addend() == 0;
    if (!made.bias) {
      const bool repeats =
          (fast.count > 1 && fast.addend() == 0) || (slow.count > 1 && slow.addend() == 0);
      const auto c = repeats ? std::nullopt : stored(fast, slow, 3);
      if (!c) {
        why = "the addend is neither a matrix as the result nor a bias of its columns";
        return std::nullopt;
      }
      made.c = *c;
      made.addend = true;
    }
  }
  made.outer = product.batch;
  if (!made.outer.empty()) {
    const auto most = std::ranges::max_element(made.outer, {}, &ProductLoop::count);
    const ProductLoop inner = *most;
    made.outer.erase(most);
    made.batch = inner.count;
    made.a.batchStride = inner.steps[made.first];
    made.b.batchStride = inner.steps[made.second];
    made.d.batchStride = inner.result();
    made.c.batchStride = made.addend ? inner.addend() : inner.result();
  }
  std::int64_t calls = 1;
  for (const ProductLoop& loop : made.outer) calls *= loop.count;
  if (calls > kMostMatmuls) {
    why = fmt::format("its batches have several strides and are {} calls", calls);
    return std::nullopt;
  }
  return made;
}

/// An object of the library's, destroyed at the end.
template <class Object, auto kDestroy>
class LtOwned {
 public:
  explicit LtOwned(const CublasLt& library) : library_(library) {}
  ~LtOwned() {
    if (object_) (library_.*kDestroy)(object_);
  }
  LtOwned(const LtOwned&) = delete;
  LtOwned& operator=(const LtOwned&) = delete;
  Object get() const { return object_; }
  Object* out() { return &object_; }

 private:
  const CublasLt& library_;
  Object object_ = nullptr;
};

class LtMatrixLayout : public LtOwned<LtLayout, &CublasLt::layoutDestroy> {
 public:
  using LtOwned::LtOwned;
};

/// A refusal of the library's.
class LtRefusal : public std::runtime_error {
 public:
  LtRefusal(const char* function, LtStatus status)
      : std::runtime_error(fmt::format("{} says {}", function, ltStatusName(status))) {}
};

template <class Function, class... Arguments>
void ltCall(const Function& function, Arguments... arguments) {
  if (const LtStatus status = function(arguments...); status != kLtSuccess)
    throw LtRefusal(function.name, status);
}

/// An algorithm as a cache keeps it.
std::string ltTextOf(const LtAlgorithm& algorithm) {
  std::string text;
  for (const std::uint64_t word : algorithm.data)
    text += fmt::format("{}{:x}", text.empty() ? "" : " ", word);
  return text;
}
std::optional<LtAlgorithm> ltAlgorithmIn(const std::string& text) {
  std::istringstream words(text);
  LtAlgorithm algorithm{};
  for (std::uint64_t& word : algorithm.data)
    if (!(words >> std::hex >> word)) return std::nullopt;
  return algorithm;
}

class LtProduct final : public PreparedCall {
 public:
  using Way = LtFound;

  LtProduct(std::shared_ptr<const Device> device, std::shared_ptr<const CublasLt> library,
            LtHandle handle, const LibraryRequest& request, const LtProblem& problem,
            const LtTypes& types)
      : device_(std::move(device)),
        opened_(std::move(library)),
        library_(*opened_),
        handle_(handle),
        name_(request.call.name),
        tail_(request.call.tail),
        problem_(problem),
        types_(types),
        places_(productTensors(request.call)) {
    for (std::size_t t = 0; t < request.call.tensors(); ++t)
      sizes_.push_back(static_cast<std::int64_t>(info(request.call.dtype(t)).size));
    const ContractSettings& settings = request.call.settings;
    setScales(settings.alpha, problem_.addend ? settings.beta : 0);
    describe(request);
  }

  /// The best ones that the library knows of, first the one that it takes for the fastest. Throws
  /// LtRefusal.
  std::vector<LtFound> candidates(int most) {
    std::vector<LtFound> found(static_cast<std::size_t>(most));
    int count = 0;
    ltCall(library_.heuristic, handle_, description_.get(), a_.get(), b_.get(), c_.get(), d_.get(),
           preference_.get(), most, found.data(), &count);
    found.resize(static_cast<std::size_t>(std::clamp(count, 0, most)));
    std::erase_if(found, [](const LtFound& one) { return one.state != kLtSuccess; });
    if (found.empty()) throw LtRefusal(library_.heuristic.name, kLtNotSupported);
    return found;
  }
  void take(const LtFound& found) { chosen_ = found; }
  const LtFound& taken() const { return chosen_; }
  static std::string textOf(const LtFound& found) { return ltTextOf(found.algorithm); }
  /// Takes one that was found in another process. False: it does not fit.
  bool takeAgain(const std::string& text) {
    const auto algorithm = ltAlgorithmIn(text);
    LtFound found{};
    if (!algorithm ||
        library_.check(handle_, description_.get(), a_.get(), b_.get(), c_.get(), d_.get(),
                       &*algorithm, &found) != kLtSuccess ||
        found.workspaceBytes > mostWorkspace(*device_))
      return false;
    found.algorithm = *algorithm;
    take(found);
    return true;
  }
  void say(std::string found) { found_ = std::move(found); }

  std::size_t workspaceBytes() const override { return chosen_.workspaceBytes; }

  bool run(Stream stream, void* const* pointers, void* workspace) override {
    device_->use();
    std::array<std::byte*, 4> at{};
    for (std::size_t t = 0; t < places_.size(); ++t)
      at[t] = static_cast<std::byte*>(pointers[places_[t]]);
    std::vector<std::int64_t> place(problem_.outer.size(), 0);
    for (bool enqueued = false;; enqueued = true) {
      const LtStatus status = enqueue(stream, at, workspace);
      if (status != kLtSuccess) {
        const bool refused = status == kLtNotSupported || status == kLtInvalidValue ||
                             status == kLtArchitectureMismatch || status == kLtAllocationFailed;
        if (refused && !enqueued) return false;
        throw std::runtime_error(saying("cuBLASLt {} could not run {}: {}", library_.versionText(),
                                        name_, ltStatusName(status)));
      }
      std::size_t l = problem_.outer.size();
      for (; l > 0; --l) {
        const ProductLoop& loop = problem_.outer[l - 1];
        const bool more = ++place[l - 1] < loop.count;
        const std::int64_t steps = more ? 1 : 1 - loop.count;
        for (std::size_t t = 0; t < places_.size(); ++t)
          at[t] += steps * loop.steps[t] * sizes_[places_[t]];
        if (more) break;
        place[l - 1] = 0;
      }
      if (l == 0) return true;
    }
  }

  std::string description() const override {
    const LtProblem& p = problem_;
    std::string text =
        fmt::format("cuBLASLt {} matmul, by columns: m {}, n {}, k {}{}\n", library_.versionText(),
                    p.m, p.n, p.k, p.batch > 1 ? fmt::format(", batches {}", p.batch) : "");
    for (const ProductLoop& loop : p.outer)
      text +=
          fmt::format("called {} times, for batches that have a stride of their own\n", loop.count);
    text += fmt::format("A is operand {}, {}\n", places_[p.first] + 1, p.a.text());
    text += fmt::format("B is operand {}, {}\n", places_[p.second] + 1, p.b.text());
    if (p.addend) text += fmt::format("C is the addend, {}\n", p.c.text());
    text += fmt::format("D is the result, {}\n", p.d.text());
    if (p.bias) text += "the addend is the epilogue's bias\n";
    if (tail_ != Tail::none)
      text += fmt::format("{} is the epilogue's\n", tail_ == Tail::relu ? "relu" : "gelu");
    text +=
        fmt::format("computed in {}\n", types_.compute == kComputeInt32     ? "int32"
                                        : types_.compute == kComputeFloat64 ? "float64"
                                                                            : "float32, no TF32");
    return text + chosenText() + found_;
  }

 private:
  LtStatus enqueue(Stream stream, const std::array<std::byte*, 4>& at, void* workspace) {
    if (problem_.bias && at[3] != bias_) {
      const void* const bias = at[3];
      if (const LtStatus status =
              library_.descriptionSet(description_.get(), kLtBiasPointer, &bias, sizeof bias);
          status != kLtSuccess)
        return status;
      bias_ = at[3];
    }
    return library_.matmul(handle_, description_.get(), scale(0), at[problem_.first], a_.get(),
                           at[problem_.second], b_.get(), scale(1), problem_.addend ? at[3] : at[2],
                           c_.get(), at[2], d_.get(), &chosen_.algorithm, workspace,
                           chosen_.workspaceBytes, stream);
  }

  /// Alpha and beta, in the type that the library wants them in.
  void setScales(double alpha, double beta) {
    doubles_ = {alpha, beta};
    floats_ = {static_cast<float>(alpha), static_cast<float>(beta)};
    integers_ = {static_cast<std::int32_t>(alpha), static_cast<std::int32_t>(beta)};
  }
  const void* scale(std::size_t which) const {
    if (types_.scale == kCudaFloat64) return &doubles_[which];
    if (types_.scale == kCudaInt32) return &integers_[which];
    return &floats_[which];
  }

  void layout(LtMatrixLayout& made, int type, const LtMatrix& matrix) {
    ltCall(library_.layoutCreate, made.out(), type, static_cast<std::uint64_t>(matrix.rows),
           static_cast<std::uint64_t>(matrix.columns), matrix.lead);
    if (problem_.batch == 1) return;
    const auto count = static_cast<std::int32_t>(problem_.batch);
    ltCall(library_.layoutSet, made.get(), kLtLayoutBatchCount, static_cast<const void*>(&count),
           sizeof count);
    ltCall(library_.layoutSet, made.get(), kLtLayoutBatchStride,
           static_cast<const void*>(&matrix.batchStride), sizeof matrix.batchStride);
  }

  template <class Owned, class Value>
  static void set(const Owned& owned, const auto& function, int attribute, Value value) {
    ltCall(function, owned.get(), attribute, static_cast<const void*>(&value), sizeof value);
  }

  void describe(const LibraryRequest& request) {
    layout(a_, types_.operand, problem_.a);
    layout(b_, types_.operand, problem_.b);
    layout(c_, types_.result, problem_.c);
    layout(d_, types_.result, problem_.d);
    ltCall(library_.descriptionCreate, description_.out(), types_.compute, types_.scale);
    const auto describes = [&](int attribute, auto value) {
      set(description_, library_.descriptionSet, attribute, value);
    };
    if (problem_.a.transposed) describes(kLtTransposeA, kLtTransposed);
    if (problem_.b.transposed) describes(kLtTransposeB, kLtTransposed);
    const std::uint32_t tail = tail_ == Tail::relu ? kLtRelu : tail_ == Tail::gelu ? kLtGelu : 0;
    const std::uint32_t bias = problem_.bias ? kLtBias : 0;
    const std::uint32_t epilogue = (tail | bias) != 0 ? tail | bias : kLtPlain;
    describes(kLtEpilogue, epilogue);
    const std::array<std::size_t, 4> operands{problem_.first, problem_.second,
                                              problem_.addend ? 3u : 2u, 2u};
    // The library checks only its alignment until there is an address.
    if (problem_.bias) describes(kLtBiasPointer, static_cast<std::uint64_t>(alignment(request, 3)));
    ltCall(library_.preferenceCreate, preference_.out());
    const auto prefers = [&](int attribute, auto value) {
      set(preference_, library_.preferenceSet, attribute, value);
    };
    prefers(kLtMostWorkspace, mostWorkspace(*device_));
    // Sums of 16-bit floats are rounded once: their parts, too, are kept in float32.
    if (types_.result == kCudaFloat16 || types_.result == kCudaBfloat16)
      prefers(kLtReductionSchemes, kLtSumInComputeType);
    for (std::size_t o = 0; o < operands.size(); ++o)
      prefers(kLtAlignmentA + static_cast<int>(o), alignment(request, operands[o]));
  }

  /// The common alignment of all addresses of a tensor that the calls get.
  std::uint32_t alignment(const LibraryRequest& request, std::size_t which) const {
    const std::size_t tensor = places_[which];
    std::uint64_t joined = request.alignments[tensor];
    for (const ProductLoop& loop : problem_.outer)
      joined |= static_cast<std::uint64_t>(loop.steps[which] * sizes_[tensor]);
    return static_cast<std::uint32_t>(joined & (~joined + 1));
  }

  std::string chosenText() const {
    const auto value = [&](int attribute) {
      std::int32_t number = 0;
      std::size_t written = 0;
      return library_.configuration(&chosen_.algorithm, attribute, &number, sizeof number,
                                    &written) == kLtSuccess
                 ? fmt::format("{}", number)
                 : std::string("unknown");
    };
    return fmt::format("algorithm {}, tile {}, stages {}, depth in {} parts, {} bytes to work in\n",
                       value(kLtAlgorithmId), value(kLtAlgorithmTile), value(kLtAlgorithmStages),
                       value(kLtAlgorithmParts), chosen_.workspaceBytes);
  }

 public:
  static std::uint64_t mostWorkspace(const Device& device) {
    return device.info().major >= 9 ? kHopperWorkspaceBytes : kWorkspaceBytes;
  }

 private:
  std::shared_ptr<const Device> device_;
  std::shared_ptr<const CublasLt> opened_;
  const CublasLt& library_;
  LtHandle handle_;
  std::string name_;
  Tail tail_;
  LtProblem problem_;
  LtTypes types_;
  std::vector<std::size_t> places_;  ///< indices of factors, result and addend among the tensors
  std::vector<std::int64_t> sizes_;  ///< per tensor: size of an element in bytes
  LtMatrixLayout a_{library_}, b_{library_}, c_{library_}, d_{library_};
  LtOwned<LtDescription, &CublasLt::descriptionDestroy> description_{library_};
  LtOwned<LtPreference, &CublasLt::preferenceDestroy> preference_{library_};
  std::array<double, 2> doubles_{};
  std::array<float, 2> floats_{};
  std::array<std::int32_t, 2> integers_{};
  LtFound chosen_{};
  const std::byte* bias_ = nullptr;
  std::string found_;
};

class CublasLtProducts final : public CallLibrary {
 public:
  CublasLtProducts(std::shared_ptr<const Device> device, std::shared_ptr<const CublasLt> library,
                   LtHandle handle)
      : device_(std::move(device)), library_(std::move(library)), handle_(handle) {}
  ~CublasLtProducts() override {
    if (device_->tryUse()) library_->destroy(handle_);
  }
  CublasLtProducts(const CublasLtProducts&) = delete;
  CublasLtProducts& operator=(const CublasLtProducts&) = delete;

  std::string name() const override { return "cuBLASLt " + library_->versionText(); }

  bool serves(const LibraryCall& call) const override {
    if (!call.contracts() || call.accumulate != Accumulate::sum || call.average) return false;
    for (const auto& dims : call.form.tensors)
      for (const ContractDim& dim : dims)
        if (dim.kind != ContractDim::Kind::loop) return false;
    return typesOf(call).has_value();
  }

  std::unique_ptr<PreparedCall> prepare(const LibraryRequest& request, std::string& why) override {
    const auto types = typesOf(request.call);
    ProductLoops product;
    if (!types || !divideLoops(request.call, request.sizes, product)) {
      why = "it is no product of matrices";
      return nullptr;
    }
    why.clear();
    // Either way round where one of the result's loops goes once.
    const bool columns = product.columns[0].count > 1 && product.columns[0].result() == 1;
    device_->use();
    for (const bool rowsAreFast : {!columns, columns}) {
      std::string refused;  // said is what the usual way round is refused for
      const auto problem = asked(product, rowsAreFast, request.call, refused);
      if (!problem) {
        if (why.empty()) why = refused;
        continue;
      }
      try {
        auto made =
            std::make_unique<LtProduct>(device_, library_, handle_, request, *problem, *types);
        if (request.call.search)
          takeFastestWay(*made, request, name(), kMostAlgorithms);
        else
          made->take(made->candidates(1).front());
        return made;
      } catch (const LtRefusal& refusal) {
        if (why.empty()) why = refusal.what();
      }
    }
    return nullptr;
  }

 private:
  static std::optional<LtTypes> typesOf(const LibraryCall& call) {
    std::optional<LtTypes> types;
    int factors = 0;
    for (std::size_t t = 0; t < call.operands.size(); ++t) {
      if (static_cast<int>(t) == call.form.addend) {
        if (call.operands[t] != call.result || call.result == DType::int32) return std::nullopt;
        continue;
      }
      ++factors;
      const auto each = ltTypesOf(call.operands[t], call.result);
      if (!each) return std::nullopt;
      types = each;
    }
    return factors == 2 ? types : std::nullopt;
  }

  std::shared_ptr<const Device> device_;
  std::shared_ptr<const CublasLt> library_;
  LtHandle handle_;
};

}  // namespace

std::unique_ptr<CallLibrary> makeCublasLtProducts(std::shared_ptr<const Device> device,
                                                  std::shared_ptr<const CublasLt> library,
                                                  std::string& why) {
  LtHandle handle = nullptr;
  device->use();
  if (const LtStatus status = library->create(&handle); status != kLtSuccess) {
    why = saying("{} does not work on this device: cublasLtCreate returned {}", library->path(),
                 ltStatusName(status));
    return nullptr;
  }
  return std::make_unique<CublasLtProducts>(std::move(device), std::move(library), handle);
}

}  // namespace fusebench::cuda
