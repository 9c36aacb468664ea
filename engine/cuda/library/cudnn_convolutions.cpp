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
#include "engine/cuda/library/cudnn_graph.h"
#include "engine/cuda/library/cudnn_problem.h"
#include "engine/cuda/library/way_search.h"

namespace fusebench::cuda {
namespace {

/// As many as are asked for: each algorithm, with and without tensor cores.
constexpr int kMostListed = 2 * kDnnForwardAlgorithms;

std::array<int, 4> asInts(const std::array<std::int64_t, 4>& values) {
  std::array<int, 4> made{};
  std::ranges::transform(values, made.begin(),
                         [](std::int64_t value) { return static_cast<int>(value); });
  return made;
}

/// An object of the library's, destroyed at the end.
template <class Object, auto kCreate, auto kDestroy>
class DnnOwned {
 public:
  explicit DnnOwned(const Cudnn& library) : library_(library) {}
  ~DnnOwned() {
    if (object_) (library_.*kDestroy)(object_);
  }
  DnnOwned(const DnnOwned&) = delete;
  DnnOwned& operator=(const DnnOwned&) = delete;
  Object get() const { return object_; }
  DnnStatus create() { return (library_.*kCreate)(&object_); }

 private:
  const Cudnn& library_;
  Object object_ = nullptr;
};
using DnnTensorOwned = DnnOwned<DnnTensor, &Cudnn::tensorCreate, &Cudnn::tensorDestroy>;

/// How a convolution is done.
struct DnnWay {
  int algorithm = 0;
  int math = kDnnDefaultMath;
  bool epilogue = false;  ///< the bias is added in the same kernel
  std::size_t workspaceBytes = 0;
};

const char* algorithmName(DnnDirection direction, int algorithm) {
  static constexpr std::array<const char*, kDnnForwardAlgorithms> kForwards{
      "implicit GEMM", "implicit GEMM with indices made before",
      "GEMM",          "direct",
      "FFT",           "FFT by tiles",
      "Winograd",      "Winograd in parts"};
  static constexpr std::array<const char*, kDnnSourceAlgorithms> kToSource{
      "added up in any order", "implicit GEMM", "FFT",
      "FFT by tiles",          "Winograd",      "Winograd in parts"};
  static constexpr std::array<const char*, kDnnWeightsAlgorithms> kToWeights{
      "added up in any order",
      "implicit GEMM",
      "FFT",
      "added up in any order by indices",
      "Winograd",
      "Winograd in parts",
      "FFT by tiles"};
  const auto in = [&](const auto& names) {
    return algorithm >= 0 && static_cast<std::size_t>(algorithm) < names.size()
               ? names[static_cast<std::size_t>(algorithm)]
               : "unknown";
  };
  switch (direction) {
    case DnnDirection::toSource:
      return in(kToSource);
    case DnnDirection::toWeights:
      return in(kToWeights);
    case DnnDirection::forwards:
      break;
  }
  return in(kForwards);
}

const char* mathName(int math) {
  switch (math) {
    case kDnnTensorMath:
      return "tensor cores allowed";
    case kDnnConvertingMath:
      return "narrower types allowed";
    case kDnnFmaMath:
      return "FMA alone";
    default:
      return "the default";
  }
}

class DnnConvolve final : public PreparedCall {
 public:
  using Way = DnnWay;

  /// Throws DnnRefusal.
  DnnConvolve(std::shared_ptr<const Device> device, std::shared_ptr<const Cudnn> library,
              DnnHandle handle, const LibraryRequest& request, const DnnProblem& problem)
      : device_(std::move(device)),
        opened_(std::move(library)),
        library_(*opened_),
        handle_(handle),
        name_(request.call.name),
        dtype_(request.call.result),
        types_(*dnnTypesOf(request.call.result)),
        problem_(problem),
        bias_(request.call.form.addend),
        text_(problemText(problem, request.call, library_.versionText())) {
    describe();
  }

  /// The available ways, first the one that the library expects to be the fastest; ways that round
  /// once to 16 bits come before those that round several times. Throws DnnRefusal.
  std::vector<DnnWay> candidates(int most) {
    std::vector<DnnFound> found(kMostListed);
    int count = 0;
    demand(library_.mathSet, convolution_.get(), types_.math);
    list(kMostListed, &count, found.data());
    found.resize(static_cast<std::size_t>(std::clamp(count, 0, kMostListed)));
    std::vector<DnnWay> ways;
    for (const DnnFound& each : found) {
      if (each.status != kDnnSuccess || each.determinism != kDnnDeterministic) continue;
      DnnWay way{each.algorithm, mathOf(each.math), false, 0};
      // The one algorithm that adds a bias and nothing else.
      way.epilogue = problem_.bias && each.algorithm == kDnnImplicitPrecompGemm;
      const bool known = std::ranges::any_of(ways, [&](const DnnWay& other) {
        return other.algorithm == way.algorithm && other.math == way.math;
      });
      if (!known && fits(way)) ways.push_back(way);
    }
    if (ways.empty()) refuse(listsBy(), kDnnNotSupported);
    if (problem_.bias && info(dtype_).size == 2)
      std::stable_partition(ways.begin(), ways.end(),
                            [](const DnnWay& way) { return way.epilogue; });
    if (ways.size() > static_cast<std::size_t>(most)) ways.resize(static_cast<std::size_t>(most));
    return ways;
  }
  void take(const DnnWay& way) {
    chosen_ = way;
    demand(library_.mathSet, convolution_.get(), way.math);
  }
  static std::string textOf(const DnnWay& way) {
    return fmt::format("{} {} {}", way.algorithm, way.math, way.epilogue ? 1 : 0);
  }
  /// Takes one that was found in another process. False: it does not fit.
  bool takeAgain(const std::string& text) {
    std::istringstream words(text);
    DnnWay way;
    if (!(words >> way.algorithm >> way.math >> way.epilogue) || way.algorithm < 0 ||
        way.math != mathOf(way.math) || (way.epilogue && !problem_.bias) || !fits(way))
      return false;
    take(way);
    return true;
  }
  void say(std::string found) { found_ = std::move(found); }

  std::size_t workspaceBytes() const override { return chosen_.workspaceBytes; }

  bool run(Stream stream, void* const* pointers, void* workspace) override {
    device_->use();
    if (!took(library_.setStream(handle_, stream))) return false;
    void* const source = pointers[problem_.roles.source];
    void* const weights = pointers[problem_.roles.weights];
    void* const result = pointers[problem_.roles.result];
    if (problem_.roles.direction == DnnDirection::toSource)
      return took(library_.toSource(handle_, one(), weights_.get(), weights, made_.get(), result,
                                    convolution_.get(), chosen_.algorithm, workspace,
                                    chosen_.workspaceBytes, nought(), source_.get(), source));
    if (problem_.roles.direction == DnnDirection::toWeights)
      return took(library_.toWeights(handle_, one(), source_.get(), source, made_.get(), result,
                                     convolution_.get(), chosen_.algorithm, workspace,
                                     chosen_.workspaceBytes, nought(), weights_.get(), weights));
    const void* const bias = bias_ >= 0 ? pointers[bias_] : nullptr;
    if (chosen_.epilogue &&
        !took(library_.forwardBias(handle_, one(), source_.get(), source, weights_.get(), weights,
                                   convolution_.get(), chosen_.algorithm, workspace,
                                   chosen_.workspaceBytes, nought(), made_.get(), result,
                                   biasShape_.get(), bias, identity_.get(), made_.get(), result)))
      chosen_.epilogue = false;
    if (!chosen_.epilogue) {
      if (!took(library_.forward(handle_, one(), source_.get(), source, weights_.get(), weights,
                                 convolution_.get(), chosen_.algorithm, workspace,
                                 chosen_.workspaceBytes, nought(), made_.get(), result)))
        return false;
      if (bias &&
          !took(library_.add(handle_, one(), biasShape_.get(), bias, one(), made_.get(), result)))
        return false;
    }
    return !problem_.relu || took(library_.activate(handle_, relu_.get(), one(), made_.get(),
                                                    result, nought(), made_.get(), result));
  }

  std::string description() const override {
    const DnnProblem& p = problem_;
    std::string text = text_;
    if (p.bias)
      text += chosen_.epilogue ? "the addend is the epilogue's bias\n"
                               : "the addend is added by cudnnAddTensor\n";
    if (p.relu) text += "relu is done by cudnnActivationForward, which keeps NaN\n";
    text += fmt::format("computed in {}, math: {}\n",
                        types_.compute == kDnnFloat64 ? "float64" : "float32, no TF32",
                        mathName(chosen_.math));
    text +=
        fmt::format("algorithm {}, {}, {} bytes to work in\n", chosen_.algorithm,
                    algorithmName(p.roles.direction, chosen_.algorithm), chosen_.workspaceBytes);
    return text + found_;
  }

 private:
  [[noreturn]] void refuse(const char* function, DnnStatus status) const {
    throw DnnRefusal(fmt::format("{} says {}", function, library_.statusName(status)));
  }
  template <class Function, class... Arguments>
  void demand(const Function& function, Arguments... arguments) const {
    if (const DnnStatus status = function(arguments...); status != kDnnSuccess)
      refuse(function.name, status);
  }
  template <class Owned>
  void create(Owned& owned, const char* name) const {
    if (const DnnStatus status = owned.create(); status != kDnnSuccess) refuse(name, status);
  }

  bool took(DnnStatus status) const { return dnnRan(library_, name_, status); }

  /// What is allowed of what the library would use: never TF32, never narrower types.
  int mathOf(int found) const {
    if (types_.math != kDnnTensorMath || found == kDnnConvertingMath) return types_.math;
    return found;
  }

  /// Whether the library does it so in no more memory than it may; then says in how much.
  bool fits(DnnWay& way) const {
    return library_.mathSet(convolution_.get(), way.math) == kDnnSuccess &&
           askWorkspace(way) == kDnnSuccess && way.workspaceBytes <= kMostWorkspaceBytes;
  }
  DnnStatus askWorkspace(DnnWay& way) const {
    switch (problem_.roles.direction) {
      case DnnDirection::toSource:
        return library_.sourceWorkspace(handle_, weights_.get(), made_.get(), convolution_.get(),
                                        source_.get(), way.algorithm, &way.workspaceBytes);
      case DnnDirection::toWeights:
        return library_.weightsWorkspace(handle_, source_.get(), made_.get(), convolution_.get(),
                                         weights_.get(), way.algorithm, &way.workspaceBytes);
      case DnnDirection::forwards:
        break;
    }
    return library_.forwardWorkspace(handle_, source_.get(), weights_.get(), convolution_.get(),
                                     made_.get(), way.algorithm, &way.workspaceBytes);
  }

  void list(int most, int* count, DnnFound* found) const {
    switch (problem_.roles.direction) {
      case DnnDirection::toSource:
        return demand(library_.sourceWays, handle_, weights_.get(), made_.get(), convolution_.get(),
                      source_.get(), most, count, found);
      case DnnDirection::toWeights:
        return demand(library_.weightsWays, handle_, source_.get(), made_.get(), convolution_.get(),
                      weights_.get(), most, count, found);
      case DnnDirection::forwards:
        break;
    }
    demand(library_.forwardWays, handle_, source_.get(), weights_.get(), convolution_.get(),
           made_.get(), most, count, found);
  }
  const char* listsBy() const {
    switch (problem_.roles.direction) {
      case DnnDirection::toSource:
        return library_.sourceWays.name;
      case DnnDirection::toWeights:
        return library_.weightsWays.name;
      case DnnDirection::forwards:
        break;
    }
    return library_.forwardWays.name;
  }

  void describe() {
    const auto tensor = [&](DnnTensorOwned& owned, const DnnShape& shape) {
      const auto extents = asInts(shape.extents), strides = asInts(shape.strides);
      create(owned, library_.tensorCreate.name);
      demand(library_.tensorSet, owned.get(), types_.element, kDnnLeastDims, extents.data(),
             strides.data());
    };
    tensor(source_, problem_.source);
    tensor(made_, problem_.result);
    create(weights_, library_.filterCreate.name);
    const auto extents = asInts(problem_.weights.extents);
    demand(library_.filterSet, weights_.get(), types_.element,
           problem_.weightsLast ? kDnnChannelsLast : kDnnRowMajor, kDnnLeastDims, extents.data());
    create(convolution_, library_.convolutionCreate.name);
    demand(library_.convolutionSet, convolution_.get(), 2, problem_.padding.data(),
           problem_.stride.data(), problem_.dilation.data(), kDnnCrossCorrelation, types_.compute);
    if (problem_.groups > 1) demand(library_.groupsSet, convolution_.get(), problem_.groups);
    if (problem_.bias) {
      DnnShape bias;
      bias.extents[1] = problem_.result.extents[1];
      tensor(biasShape_, packed(bias, false));
      create(identity_, library_.activationCreate.name);
      demand(library_.activationSet, identity_.get(), kDnnIdentity, kDnnLosesNan, 0.0);
    }
    if (problem_.relu) {
      create(relu_, library_.activationCreate.name);
      demand(library_.activationSet, relu_.get(), kDnnRelu, kDnnKeepsNan, 0.0);
    }
  }

  /// Factors, in the type that the library wants them in.
  const void* one() const {
    static constexpr double kDouble = 1;
    static constexpr float kFloat = 1;
    return types_.element == kDnnFloat64 ? static_cast<const void*>(&kDouble) : &kFloat;
  }
  const void* nought() const {
    static constexpr double kDouble = 0;
    static constexpr float kFloat = 0;
    return types_.element == kDnnFloat64 ? static_cast<const void*>(&kDouble) : &kFloat;
  }

  std::shared_ptr<const Device> device_;
  std::shared_ptr<const Cudnn> opened_;
  const Cudnn& library_;
  DnnHandle handle_;
  std::string name_;
  DType dtype_;
  DnnTypes types_;
  DnnProblem problem_;
  int bias_;          ///< which of the tensors it is; -1: none
  std::string text_;  ///< of the problem, for people
  DnnTensorOwned source_{library_}, made_{library_}, biasShape_{library_};
  DnnOwned<DnnFilter, &Cudnn::filterCreate, &Cudnn::filterDestroy> weights_{library_};
  DnnOwned<DnnConvolution, &Cudnn::convolutionCreate, &Cudnn::convolutionDestroy> convolution_{
      library_};
  DnnOwned<DnnActivation, &Cudnn::activationCreate, &Cudnn::activationDestroy> identity_{library_},
      relu_{library_};
  DnnWay chosen_;
  std::string found_;
};

class CudnnConvolutions final : public CallLibrary {
 public:
  CudnnConvolutions(std::shared_ptr<const Device> device, std::shared_ptr<const Cudnn> library,
                    DnnHandle handle)
      : device_(std::move(device)), library_(std::move(library)), handle_(handle) {}
  ~CudnnConvolutions() override {
    if (device_->tryUse()) library_->destroy(handle_);
  }
  CudnnConvolutions(const CudnnConvolutions&) = delete;
  CudnnConvolutions& operator=(const CudnnConvolutions&) = delete;

  std::string name() const override { return "cuDNN " + library_->versionText(); }
  bool serves(const LibraryCall& call) const override { return isConvolution(call); }

  std::unique_ptr<PreparedCall> prepare(const LibraryRequest& request, std::string& why) override {
    const auto problem = problemOf(request, why);
    if (!problem) return nullptr;
    device_->use();
    // A graph takes the host a sixth of the time. Where there is no graph, the older functions may
    // still serve.
    if (auto made = prepareDnnGraph(device_, library_, handle_, request, *problem)) return made;
    try {
      auto made = std::make_unique<DnnConvolve>(device_, library_, handle_, request, *problem);
      if (request.call.search)
        takeFastestWay(*made, request, name(), kMostListed);
      else
        made->take(made->candidates(1).front());
      return made;
    } catch (const DnnRefusal& refusal) {
      why = refusal.what();
      return nullptr;
    }
  }

 private:
  std::shared_ptr<const Device> device_;
  std::shared_ptr<const Cudnn> library_;
  DnnHandle handle_;
};

}  // namespace

std::unique_ptr<CallLibrary> makeCudnnConvolutions(std::shared_ptr<const Device> device,
                                                   std::shared_ptr<const Cudnn> library,
                                                   std::string& why) {
  DnnHandle handle = nullptr;
  device->use();
  if (const DnnStatus status = library->create(&handle); status != kDnnSuccess) {
    why = saying("{} does not work on this device: cudnnCreate returned {}", library->path(),
                 library->statusName(status));
    return nullptr;
  }
  return std::make_unique<CudnnConvolutions>(std::move(device), std::move(library), handle);
}

}  // namespace fusebench::cuda
