// SPDX-License-Identifier: GPL-3.0-or-later
// cuDNN's functions over the Machine: convolutions are computed by the host, in float64, and what
// the library refuses is refused.
#include "tests/doubles/cuda/cudnn_work.h"

using namespace fusebench;
using namespace fusebench::cuda;
using namespace fusebench::test;
using namespace fusebench::test::dnn;

namespace {

/// The checks that both convolution functions share.
DnnStatus refusalOf(Call& call, const Work& work, int algorithm, std::size_t givenBytes) {
  const Problem& p = work.p;
  for (const void* pointer : {work.x, work.w, static_cast<const void*>(work.y)})
    if (!pointer || !isAligned(pointer, p.x.type)) return kDnnBadParameter;
  if (algorithm < 0 || algorithm >= kDnnForwardAlgorithms) return kDnnBadParameter;
  if (algorithm >= kServed || !serves(p, algorithm)) return kDnnNotSupported;
  // The result over what it is made of.
  if (overlap(work.x, spanOf(p.x), work.y, spanOf(p.y))) return kDnnBadParameter;
  const std::size_t needed = workspaceOf(p, algorithm);
  if (givenBytes < needed) return kDnnTooSmall;
  if (needed > 0 && !work.workspace) return kDnnBadParameter;
  if (call.machine.strikes(&DoubleFaults::convolution))
    return call.machine.control.faults.convolutionResult;
  return kDnnSuccess;
}

/// Lists the algorithms of either gradient.
DnnStatus listBack(const Call& call, const Given& asked, int algorithms, int most, int* listed,
                   DnnFound* results) {
  if (most < 1 || !listed || !results) return kDnnBadParameter;
  *listed = 0;
  if (asked.status != kDnnSuccess) return asked.status;
  for (int algorithm = 0; algorithm < algorithms && *listed < most; ++algorithm) {
    const bool fit = algorithm < kServedBack && !call.machine.control.faults.noAlgorithm;
    DnnFound& one = results[(*listed)++];
    one = {};
    one.algorithm = algorithm;
    one.status = fit ? kDnnSuccess : kDnnNotSupported;
    one.milliseconds = -1;
    one.workspaceBytes = fit ? workspaceBack(asked.problem, algorithm) : 0;
    one.determinism = algorithm == 0 ? 0 : kDnnDeterministic;
    one.math = asked.problem.how.math;
  }
  return kDnnSuccess;
}
DnnStatus sizeBack(const Given& asked, int algorithm, std::size_t* bytes) {
  if (!bytes) return kDnnBadParameter;
  if (asked.status != kDnnSuccess) return asked.status;
  if (algorithm < 0 || algorithm >= kServedBack) return kDnnNotSupported;
  *bytes = workspaceBack(asked.problem, algorithm);
  return kDnnSuccess;
}
DnnStatus goBack(Call& call, const LoggedCall& logged, const Given& asked, WorkBack work,
                 const void* alpha, const void* beta, int algorithm, std::size_t givenBytes) {
  const auto refused = [&](DnnStatus status) {
    static_cast<void>(logged(1));
    return status;
  };
  if (asked.status != kDnnSuccess) return refused(asked.status);
  const int type = asked.problem.x.type;
  if (!alpha || !beta || scaleAt(alpha, type) != 1 || scaleAt(beta, type) != 0)
    return refused(kDnnBadParameter);  // the double scales nothing
  for (const void* pointer : {work.y, work.other, static_cast<const void*>(work.made)})
    if (!pointer || !isAligned(pointer, type)) return refused(kDnnBadParameter);
  const Problem& p = asked.problem;
  const std::size_t images = spanOf(p.x), weights = spanOf(p.w.extents, p.weightStrides, type);
  const std::size_t made = work.toWeights ? weights : images;
  if (overlap(work.made, made, work.y, spanOf(p.y)) ||
      overlap(work.made, made, work.other, work.toWeights ? images : weights))
    return refused(kDnnBadParameter);
  if (algorithm < 0 || algorithm >= kServedBack) return refused(kDnnNotSupported);
  const std::size_t needed = workspaceBack(asked.problem, algorithm);
  if (givenBytes < needed) return refused(kDnnTooSmall);
  if (needed > 0 && !work.workspace) return refused(kDnnBadParameter);
  if (call.machine.strikes(&DoubleFaults::convolution))
    return refused(call.machine.control.faults.convolutionResult);
  work.p = asked.problem;
  work.workspaceBytes = needed;
  ++call.machine.control.counts.convolutionGradients;
  call.machine.control.counts.convolutionAlgorithm = algorithm;
  call.machine.control.counts.convolutionMath = work.p.how.math;
  return enqueue(call, logged, *asked.handle, "double_convolution_gradient_kernel", 0,
                 [work](DeviceState& device) { work.run(device); });
}

void count(Call& call, const Problem& p, int algorithm) {
  ++call.machine.control.counts.convolutions;
  call.machine.control.counts.convolutionAlgorithm = algorithm;
  call.machine.control.counts.convolutionMath = p.how.math;
}

}  // namespace

EXPORTED std::size_t cudnnGetVersion() {
  return static_cast<std::size_t>(environmentNumber("FUSEBENCH_DOUBLE_CUDNN", 99900));
}
EXPORTED std::size_t cudnnGetCudartVersion() {
  return static_cast<std::size_t>(environmentNumber("FUSEBENCH_DOUBLE_CUDNN_CUDA", 13990));
}
EXPORTED const char* cudnnGetErrorString(DnnStatus status) {
  switch (status) {
    case kDnnSuccess:
      return "CUDNN_STATUS_SUCCESS";
    case kDnnNotInitialized:
      return "CUDNN_STATUS_NOT_INITIALIZED";
    case kDnnBadParameter:
      return "CUDNN_STATUS_BAD_PARAM";
    case kDnnNotSupported:
      return "CUDNN_STATUS_NOT_SUPPORTED";
    case kDnnNotSupportedLayout:
      return "CUDNN_STATUS_NOT_SUPPORTED_LAYOUT";
    case kDnnExecutionFailed:
      return "CUDNN_STATUS_EXECUTION_FAILED";
    default:
      return "CUDNN_UNKNOWN_STATUS";
  }
}

EXPORTED DnnStatus cudnnCreate(DnnHandle* handle) {
  const Call call;
  if (const int result = call.machine.control.faults.dnnCreate) return result;
  // It takes memory, which a capture forbids.
  if (call.result != 0 || Machine::get().forbiddenByCapture()) return kDnnNotInitialized;
  return made(handle, Handle{Machine::current(), nullptr});
}
EXPORTED DnnStatus cudnnDestroy(DnnHandle handle) {
  const Call call;
  return gone<Handle>(handle);
}
EXPORTED DnnStatus cudnnSetStream(DnnHandle handle, Stream stream) {
  Call call;
  Handle* const changed = found<Handle>(handle);
  if (!changed || !call.stream(stream)) return kDnnBadParameter;
  if (call.machine.streams.find(stream)->device != changed->device) return kDnnOtherStream;
  changed->stream = stream;
  return kDnnSuccess;
}

EXPORTED DnnStatus cudnnCreateTensorDescriptor(DnnTensor* tensor) {
  const Call call;
  return made(tensor, Tensor());
}
EXPORTED DnnStatus cudnnDestroyTensorDescriptor(DnnTensor tensor) {
  const Call call;
  return gone<Tensor>(tensor);
}
EXPORTED DnnStatus cudnnSetTensorNdDescriptor(DnnTensor tensor, int type, int dims,
                                              const int* extents, const int* strides) {
  const Call call;
  Tensor* const changed = found<Tensor>(tensor);
  if (!changed || !typeOf(type) || !extents || !strides) return kDnnBadParameter;
  if (dims < kDnnLeastDims || dims > kMostDims) return kDnnNotSupported;
  for (int d = 0; d < dims; ++d)
    if (extents[d] < 1 || strides[d] < 0) return kDnnBadParameter;
  *changed = {type, {extents, extents + dims}, {strides, strides + dims}};
  return kDnnSuccess;
}

EXPORTED DnnStatus cudnnCreateFilterDescriptor(DnnFilter* filter) {
  const Call call;
  return made(filter, Filter());
}
EXPORTED DnnStatus cudnnDestroyFilterDescriptor(DnnFilter filter) {
  const Call call;
  return gone<Filter>(filter);
}
EXPORTED DnnStatus cudnnSetFilterNdDescriptor(DnnFilter filter, int type, int format, int dims,
                                              const int* extents) {
  const Call call;
  Filter* const changed = found<Filter>(filter);
  if (!changed || !typeOf(type) || !extents || format < 0 || format > kDnnChannelsLast)
    return kDnnBadParameter;
  if (dims < kDnnLeastDims || dims > kMostDims) return kDnnNotSupported;
  if (std::any_of(extents, extents + dims, [](int extent) { return extent < 1; }))
    return kDnnBadParameter;
  *changed = {type, format, {extents, extents + dims}};
  return kDnnSuccess;
}

EXPORTED DnnStatus cudnnCreateConvolutionDescriptor(DnnConvolution* convolution) {
  const Call call;
  return made(convolution, Convolution());
}
EXPORTED DnnStatus cudnnDestroyConvolutionDescriptor(DnnConvolution convolution) {
  const Call call;
  return gone<Convolution>(convolution);
}
EXPORTED DnnStatus cudnnSetConvolutionNdDescriptor(DnnConvolution convolution, int dims,
                                                   const int* padding, const int* stride,
                                                   const int* dilation, int mode, int compute) {
  const Call call;
  Convolution* const changed = found<Convolution>(convolution);
  if (!changed || dims < 2 || !padding || !stride || !dilation || !typeOf(compute))
    return kDnnBadParameter;
  if (mode != kDnnCrossCorrelation) return kDnnNotSupported;  // the double turns nothing
  for (int d = 0; d < dims; ++d)
    if (padding[d] < 0 || stride[d] < 1 || dilation[d] < 1) return kDnnBadParameter;
  changed->padding.assign(padding, padding + dims);
  changed->stride.assign(stride, stride + dims);
  changed->dilation.assign(dilation, dilation + dims);
  changed->compute = compute;
  return kDnnSuccess;
}
EXPORTED DnnStatus cudnnSetConvolutionGroupCount(DnnConvolution convolution, int groups) {
  const Call call;
  Convolution* const changed = found<Convolution>(convolution);
  if (!changed || groups < 1) return kDnnBadParameter;
  changed->groups = groups;
  return kDnnSuccess;
}
EXPORTED DnnStatus cudnnSetConvolutionMathType(DnnConvolution convolution, int math) {
  const Call call;
  Convolution* const changed = found<Convolution>(convolution);
  if (!changed || math < kDnnDefaultMath || math > kDnnFmaMath) return kDnnBadParameter;
  changed->math = math;
  return kDnnSuccess;
}

EXPORTED DnnStatus cudnnCreateActivationDescriptor(DnnActivation* activation) {
  const Call call;
  return made(activation, Activation());
}
EXPORTED DnnStatus cudnnDestroyActivationDescriptor(DnnActivation activation) {
  const Call call;
  return gone<Activation>(activation);
}
EXPORTED DnnStatus cudnnSetActivationDescriptor(DnnActivation activation, int mode, int nan,
                                                double /*coefficient*/) {
  const Call call;
  Activation* const changed = found<Activation>(activation);
  if (!changed || mode < 0 || mode > 6 || nan < kDnnLosesNan || nan > kDnnKeepsNan)
    return kDnnBadParameter;
  *changed = {mode, nan};
  return kDnnSuccess;
}

EXPORTED DnnStatus cudnnGetConvolutionForwardAlgorithm_v7(DnnHandle handle, DnnTensor x,
                                                          DnnFilter w, DnnConvolution how,
                                                          DnnTensor y, int most, int* listed,
                                                          DnnFound* results) {
  const Call call;
  if (most < 1 || !listed || !results) return kDnnBadParameter;
  *listed = 0;
  const Given asked = given(handle, x, w, how, y);
  if (asked.status != kDnnSuccess) return asked.status;
  for (const int algorithm : kOrder) {
    if (*listed == most) break;
    const bool fit = algorithm < kServed && serves(asked.problem, algorithm) &&
                     !call.machine.control.faults.noAlgorithm;
    DnnFound& one = results[(*listed)++];
    one = {};
    one.algorithm = algorithm;
    one.status = fit ? kDnnSuccess : kDnnNotSupported;
    one.milliseconds = -1;
    one.workspaceBytes = fit ? workspaceOf(asked.problem, algorithm) : 0;
    one.determinism = kDnnDeterministic;
    // Tensor cores where they are allowed, but for the plainest one.
    one.math = algorithm == kDnnImplicitGemm && asked.problem.how.math == kDnnTensorMath
                   ? kDnnDefaultMath
                   : asked.problem.how.math;
  }
  return kDnnSuccess;
}

EXPORTED DnnStatus cudnnGetConvolutionForwardWorkspaceSize(DnnHandle handle, DnnTensor x,
                                                           DnnFilter w, DnnConvolution how,
                                                           DnnTensor y, int algorithm,
                                                           std::size_t* bytes) {
  const Call call;
  if (!bytes) return kDnnBadParameter;
  const Given asked = given(handle, x, w, how, y);
  if (asked.status != kDnnSuccess) return asked.status;
  if (algorithm < 0 || algorithm >= kServed || !serves(asked.problem, algorithm))
    return kDnnNotSupported;
  *bytes = workspaceOf(asked.problem, algorithm);
  return kDnnSuccess;
}

EXPORTED DnnStatus cudnnConvolutionForward(DnnHandle handle, const void* alpha, DnnTensor xShape,
                                           const void* x, DnnFilter wShape, const void* w,
                                           DnnConvolution how, int algorithm, void* workspace,
                                           std::size_t workspaceBytes, const void* beta,
                                           DnnTensor yShape, void* y) {
  Call call;
  const LoggedCall logged(kCallLaunchKernel);
  const auto refused = [&](DnnStatus status) {
    static_cast<void>(logged(1));
    return status;
  };
  const Given asked = given(handle, xShape, wShape, how, yShape);
  if (asked.status != kDnnSuccess) return refused(asked.status);
  if (!alpha || !beta) return refused(kDnnBadParameter);
  Work work;
  work.p = asked.problem;
  work.alpha = scaleAt(alpha, work.p.x.type);
  work.beta = scaleAt(beta, work.p.x.type);
  work.x = x;
  work.w = w;
  work.y = y;
  work.workspace = workspace;
  if (const DnnStatus status = refusalOf(call, work, algorithm, workspaceBytes);
      status != kDnnSuccess)
    return refused(status);
  work.workspaceBytes = workspaceOf(work.p, algorithm);
  count(call, work.p, algorithm);
  return enqueue(call, logged, *asked.handle, "double_convolution_kernel",
                 call.machine.control.costs.convolution[algorithm],
                 [work](DeviceState& device) { work.run(device); });
}

EXPORTED DnnStatus cudnnConvolutionBiasActivationForward(
    DnnHandle handle, const void* alpha1, DnnTensor xShape, const void* x, DnnFilter wShape,
    const void* w, DnnConvolution how, int algorithm, void* workspace, std::size_t workspaceBytes,
    const void* alpha2, DnnTensor zShape, const void* z, DnnTensor biasShape, const void* bias,
    DnnActivation activation, DnnTensor yShape, void* y) {
  Call call;
  const LoggedCall logged(kCallLaunchKernel);
  const auto refused = [&](DnnStatus status) {
    static_cast<void>(logged(1));
    return status;
  };
  const Given asked = given(handle, xShape, wShape, how, yShape);
  if (asked.status != kDnnSuccess) return refused(asked.status);
  const Tensor *const before = found<Tensor>(zShape), *const added = found<Tensor>(biasShape);
  const Activation* const behind = found<Activation>(activation);
  if (!alpha1 || !alpha2 || !before || !added || !behind || !bias || !z)
    return refused(kDnnBadParameter);
  const Problem& p = asked.problem;
  if (before->type != p.y.type || before->extents != p.y.extents || before->strides != p.y.strides)
    return refused(kDnnBadParameter);
  if (added->type != p.y.type || added->extents != std::vector{1, p.y.extents[1], 1, 1} ||
      added->strides[1] != 1 || !isAligned(bias, p.y.type))
    return refused(kDnnBadParameter);
  if ((behind->mode != kDnnRelu && behind->mode != kDnnIdentity) || behind->nan != kDnnLosesNan)
    return refused(kDnnNotSupported);
  if (behind->mode == kDnnIdentity && algorithm != kDnnImplicitPrecompGemm)
    return refused(kDnnNotSupported);
  if (call.machine.control.faults.noEpilogue) return refused(kDnnNotSupported);
  Work work;
  work.p = p;
  work.alpha = scaleAt(alpha1, p.x.type);
  work.beta = scaleAt(alpha2, p.x.type);
  work.x = x;
  work.w = w;
  work.y = y;
  work.z = z;
  work.bias = bias;
  work.relu = behind->mode == kDnnRelu;
  work.workspace = workspace;
  if (const DnnStatus status = refusalOf(call, work, algorithm, workspaceBytes);
      status != kDnnSuccess)
    return refused(status);
  work.workspaceBytes = workspaceOf(p, algorithm);
  count(call, p, algorithm);
  ++call.machine.control.counts.epilogues;
  return enqueue(call, logged, *asked.handle, "double_convolution_bias_kernel",
                 call.machine.control.costs.convolution[algorithm],
                 [work](DeviceState& device) { work.run(device); });
}

EXPORTED DnnStatus cudnnAddTensor(DnnHandle handle, const void* alpha, DnnTensor aShape,
                                  const void* a, const void* beta, DnnTensor cShape, void* c) {
  Call call;
  const LoggedCall logged(kCallLaunchKernel);
  const auto refused = [&](DnnStatus status) {
    static_cast<void>(logged(1));
    return status;
  };
  Handle* const own = found<Handle>(handle);
  const Tensor *const added = found<Tensor>(aShape), *const to = found<Tensor>(cShape);
  if (const DnnStatus status = refusalOf(own); status != kDnnSuccess) return refused(status);
  if (!added || !to || !alpha || !beta || !a || !c) return refused(kDnnBadParameter);
  if (!isAligned(a, to->type) || !isAligned(c, to->type)) return refused(kDnnBadParameter);
  if (added->type != to->type || added->extents.size() != to->extents.size())
    return refused(kDnnBadParameter);
  for (std::size_t d = 0; d < to->extents.size(); ++d)
    if (added->extents[d] != to->extents[d] && added->extents[d] != 1)
      return refused(kDnnBadParameter);
  if (to->extents.size() != 4 || call.machine.control.faults.noAddition)
    return refused(kDnnNotSupported);
  ++call.machine.control.counts.additions;
  const double scaleA = scaleAt(alpha, to->type), scaleC = scaleAt(beta, to->type);
  return enqueue(call, logged, *own, "double_add_kernel", 0,
                 [from = *added, into = *to, a, c, scaleA, scaleC](DeviceState& device) {
                   if (!inside(a, spanOf(from)) || !inside(c, spanOf(into))) {
                     device.poison = 700;
                     return;
                   }
                   const DType type = *typeOf(into.type);
                   forEachPlace(into.extents, [&](const std::array<int, 4>& i) {
                     std::array<int, 4> place = i;
                     for (std::size_t d = 0; d < 4; ++d)
                       if (from.extents[d] == 1) place[d] = 0;
                     const std::byte* const at_ = at(c, into.strides, into.type, i);
                     storeElement(
                         const_cast<std::byte*>(at_), type,
                         scaleC * loadElement(at_, type) +
                             scaleA * loadElement(at(a, from.strides, from.type, place), type));
                   });
                 });
}

EXPORTED DnnStatus cudnnActivationForward(DnnHandle handle, DnnActivation activation,
                                          const void* alpha, DnnTensor xShape, const void* x,
                                          const void* beta, DnnTensor yShape, void* y) {
  Call call;
  const LoggedCall logged(kCallLaunchKernel);
  const auto refused = [&](DnnStatus status) {
    static_cast<void>(logged(1));
    return status;
  };
  Handle* const own = found<Handle>(handle);
  const Tensor *const from = found<Tensor>(xShape), *const to = found<Tensor>(yShape);
  const Activation* const how = found<Activation>(activation);
  if (const DnnStatus status = refusalOf(own); status != kDnnSuccess) return refused(status);
  if (!from || !to || !how || !alpha || !beta || !x || !y) return refused(kDnnBadParameter);
  if (!isAligned(x, from->type) || !isAligned(y, to->type)) return refused(kDnnBadParameter);
  if (from->type != to->type || from->extents != to->extents || from->extents.size() != 4 ||
      (x == y && from->strides != to->strides))
    return refused(kDnnBadParameter);
  // The double has no other one, and scales nothing.
  if (how->mode != kDnnRelu || scaleAt(alpha, to->type) != 1 || scaleAt(beta, to->type) != 0)
    return refused(kDnnNotSupported);
  ++call.machine.control.counts.activations;
  return enqueue(
      call, logged, *own, "double_activation_kernel", 0,
      [from = *from, to = *to, keeps = how->nan == kDnnKeepsNan, x, y](DeviceState& device) {
        if (!inside(x, spanOf(from)) || !inside(y, spanOf(to))) {
          device.poison = 700;
          return;
        }
        const DType type = *typeOf(to.type);
        forEachPlace(to.extents, [&](const std::array<int, 4>& i) {
          const double value = loadElement(at(x, from.strides, from.type, i), type);
          const bool kept = value > 0 || (keeps && std::isnan(value));
          storeElement(const_cast<std::byte*>(at(y, to.strides, to.type, i)), type,
                       kept ? value : 0.0);
        });
      });
}

EXPORTED DnnStatus cudnnGetConvolutionBackwardDataAlgorithm_v7(DnnHandle handle, DnnFilter w,
                                                               DnnTensor y, DnnConvolution how,
                                                               DnnTensor x, int most, int* listed,
                                                               DnnFound* results) {
  const Call call;
  return listBack(call, given(handle, x, w, how, y), kDnnSourceAlgorithms, most, listed, results);
}
EXPORTED DnnStatus cudnnGetConvolutionBackwardDataWorkspaceSize(DnnHandle handle, DnnFilter w,
                                                                DnnTensor y, DnnConvolution how,
                                                                DnnTensor x, int algorithm,
                                                                std::size_t* bytes) {
  const Call call;
  return sizeBack(given(handle, x, w, how, y), algorithm, bytes);
}
EXPORTED DnnStatus cudnnConvolutionBackwardData(DnnHandle handle, const void* alpha,
                                                DnnFilter wShape, const void* w, DnnTensor yShape,
                                                const void* y, DnnConvolution how, int algorithm,
                                                void* workspace, std::size_t workspaceBytes,
                                                const void* beta, DnnTensor xShape, void* x) {
  Call call;
  const LoggedCall logged(kCallLaunchKernel);
  WorkBack work;
  work.y = y;
  work.other = w;
  work.made = x;
  work.workspace = workspace;
  return goBack(call, logged, given(handle, xShape, wShape, how, yShape), work, alpha, beta,
                algorithm, workspaceBytes);
}

EXPORTED DnnStatus cudnnGetConvolutionBackwardFilterAlgorithm_v7(DnnHandle handle, DnnTensor x,
                                                                 DnnTensor y, DnnConvolution how,
                                                                 DnnFilter w, int most, int* listed,
                                                                 DnnFound* results) {
  const Call call;
  return listBack(call, given(handle, x, w, how, y), kDnnWeightsAlgorithms, most, listed, results);
}
EXPORTED DnnStatus cudnnGetConvolutionBackwardFilterWorkspaceSize(DnnHandle handle, DnnTensor x,
                                                                  DnnTensor y, DnnConvolution how,
                                                                  DnnFilter w, int algorithm,
                                                                  std::size_t* bytes) {
  const Call call;
  return sizeBack(given(handle, x, w, how, y), algorithm, bytes);
}
EXPORTED DnnStatus cudnnConvolutionBackwardFilter(DnnHandle handle, const void* alpha,
                                                  DnnTensor xShape, const void* x, DnnTensor yShape,
                                                  const void* y, DnnConvolution how, int algorithm,
                                                  void* workspace, std::size_t workspaceBytes,
                                                  const void* beta, DnnFilter wShape, void* w) {
  Call call;
  const LoggedCall logged(kCallLaunchKernel);
  WorkBack work;
  work.toWeights = true;
  work.y = y;
  work.other = x;
  work.made = w;
  work.workspace = workspace;
  return goBack(call, logged, given(handle, xShape, wShape, how, yShape), work, alpha, beta,
                algorithm, workspaceBytes);
}
