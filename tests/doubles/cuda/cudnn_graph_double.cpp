// SPDX-License-Identifier: GPL-3.0-or-later
// cuDNN's graphs of operations over the Machine: a convolution or a gradient of one, with a bias
// and relu behind it. Engines are listed as the library lists them, with some among them that a
// caller may not want for what they do with numbers.
#include "tests/doubles/cuda/cudnn_work.h"

using namespace fusebench;
using namespace fusebench::cuda;
using namespace fusebench::test;
using namespace fusebench::test::dnn;

namespace {

/// The value of an attribute.
struct Attribute {
  int type = -1;
  std::int64_t count = 0;
  std::vector<std::byte> bytes;
};

std::size_t sizeOf(int type) {
  switch (type) {
    case kDnnOfBool:
      return sizeof(bool);
    case kDnnOfInt64:
    case kDnnOfDouble:
      return 8;
    case kDnnOfHandle:
    case kDnnOfPointer:
    case kDnnOfPart:
      return sizeof(void*);
    default:
      return 4;  // floats, and what the library counts in enumerations
  }
}

/// A convolution with the operations that follow it, as a graph describes them.
struct Asked {
  Problem problem;
  int kind = kDnnForwardOp;
  std::int64_t source = 0, weights = 0, result = 0, bias = -1;  ///< tensors, by their names
  bool relu = false, keepsNan = false;
  std::map<std::int64_t, std::int64_t> alignments;
};

struct Engine {
  int index;
  std::vector<int> notes;
};
/// The first two are fast with narrow numbers or in any order; the third wants images without gaps,
/// and memory to work in.
const std::vector<Engine>& engines() {
  static const auto* const kEngines = new std::vector<Engine>{
      {11, {kDnnNoteTensorCores}}, {12, {kDnnNoteAnyOrder}}, {44, {}}, {70, {}}};
  return *kEngines;
}

struct Part {
  int kind = -1;
  bool finished = false;
  std::map<int, Attribute> attributes;
  std::shared_ptr<const Asked> asked;  ///< for a graph and the parts made for it
  int engine = -1;                     ///< which of engines()
};

Part* partOf(DnnPart part) {
  return found<Part>(part);
}

template <class Value>
std::vector<Value> valuesOf(const Part& part, int name) {
  const auto at = part.attributes.find(name);
  if (at == part.attributes.end()) return {};
  std::vector<Value> values(static_cast<std::size_t>(at->second.count));
  std::memcpy(values.data(), at->second.bytes.data(), at->second.bytes.size());
  return values;
}
template <class Value>
std::optional<Value> valueOf(const Part& part, int name) {
  const std::vector<Value> values = valuesOf<Value>(part, name);
  return values.size() == 1 ? std::optional(values.front()) : std::nullopt;
}
const Part* namedPart(const Part& part, int name) {
  const auto value = valueOf<DnnPart>(part, name);
  const Part* const named = value ? partOf(*value) : nullptr;
  return named && named->finished ? named : nullptr;
}

std::vector<int> ints(const std::vector<std::int64_t>& values) {
  std::vector<int> made;
  for (const std::int64_t value : values) made.push_back(static_cast<int>(value));
  return made;
}
Tensor tensorOf(const Part& part) {
  return {valueOf<int>(part, kDnnTensorType).value_or(-1),
          ints(valuesOf<std::int64_t>(part, kDnnTensorExtents)),
          ints(valuesOf<std::int64_t>(part, kDnnTensorStrides))};
}
std::int64_t idOf(const Part& part) {
  return valueOf<std::int64_t>(part, kDnnTensorId).value_or(-1);
}
bool isVirtual(const Part& part) {
  return valueOf<std::uint8_t>(part, kDnnTensorVirtual) == 1;
}

DnnStatus finishTensor(const Part& part) {
  const Tensor tensor = tensorOf(part);
  const auto alignment = valueOf<std::int64_t>(part, kDnnTensorAlignment);
  if (!typeOf(tensor.type) || tensor.extents.size() != 4 || tensor.strides.size() != 4 ||
      idOf(part) < 0 || !alignment || *alignment < 1)
    return kDnnBadParameter;
  for (std::size_t d = 0; d < 4; ++d)
    if (tensor.extents[d] < 1 || tensor.strides[d] < 1) return kDnnBadParameter;
  return kDnnSuccess;
}

DnnStatus finishConvolution(const Part& part) {
  for (const int name : {kDnnConvolutionPaddingBefore, kDnnConvolutionPaddingAfter,
                         kDnnConvolutionDilations, kDnnConvolutionStrides})
    if (valuesOf<std::int64_t>(part, name).size() != 2) return kDnnBadParameter;
  if (valuesOf<std::int64_t>(part, kDnnConvolutionPaddingBefore) !=
      valuesOf<std::int64_t>(part, kDnnConvolutionPaddingAfter))
    return kDnnNotSupported;
  return valueOf<std::int64_t>(part, kDnnConvolutionDims) == 2 &&
                 valueOf<int>(part, kDnnConvolutionMode) == kDnnCrossCorrelation &&
                 valueOf<int>(part, kDnnConvolutionCompute)
             ? kDnnSuccess
             : kDnnBadParameter;
}

int firstOf(int kind) {
  if (kind == kDnnToSourceOp) return kDnnToSourceFirst;
  return kind == kDnnToWeightsOp ? kDnnToWeightsFirst : kDnnForwardFirst;
}

/// The convolution that comes first in a graph.
DnnStatus readConvolution(const Part& op, Asked& asked, const Part*& made) {
  const int first = firstOf(op.kind);
  const Part *const how = namedPart(op, first + 2), *const w = namedPart(op, first + 3),
                    *const x = namedPart(op, first + 4), *const y = namedPart(op, first + 5);
  if (!how || !w || !x || !y) return kDnnBadParameter;
  asked.kind = op.kind;
  Problem& p = asked.problem;
  p.x = tensorOf(*x);
  p.y = tensorOf(*y);
  const Tensor weights = tensorOf(*w);
  const bool rows = isPacked(weights, false), last = isPacked(weights, true);
  if (!rows && !last) return kDnnNotSupportedLayout;
  p.w = {weights.type, rows ? kDnnRowMajor : kDnnChannelsLast, weights.extents};
  p.how.padding = ints(valuesOf<std::int64_t>(*how, kDnnConvolutionPaddingBefore));
  p.how.stride = ints(valuesOf<std::int64_t>(*how, kDnnConvolutionStrides));
  p.how.dilation = ints(valuesOf<std::int64_t>(*how, kDnnConvolutionDilations));
  p.how.compute = *valueOf<int>(*how, kDnnConvolutionCompute);
  if (p.w.extents[1] < 1 || p.x.extents[1] % p.w.extents[1] != 0) return kDnnBadParameter;
  p.how.groups = p.x.extents[1] / p.w.extents[1];
  const bool isDouble = p.how.compute == kDnnFloat64;
  const auto factor = [&](int name) -> std::optional<double> {
    if (isDouble) return valueOf<double>(op, name);
    if (const auto value = valueOf<float>(op, name)) return *value;
    return std::nullopt;
  };
  if (factor(first) != 1.0 || factor(first + 1) != 0.0) return kDnnBadParameter;
  asked.source = idOf(*x);
  asked.weights = idOf(*w);
  asked.result = idOf(*y);
  for (const Part* each : {x, w, y})
    asked.alignments[idOf(*each)] = *valueOf<std::int64_t>(*each, kDnnTensorAlignment);
  made = y;
  return kDnnSuccess;
}

/// Reads a pointwise operation that follows the convolution.
DnnStatus readPointwise(const Part& op, Asked& asked, const Part*& made) {
  const Part *const how = namedPart(op, kDnnOpPointwise), *const x = namedPart(op, kDnnOpX),
                    *const b = namedPart(op, kDnnOpB), *const y = namedPart(op, kDnnOpY);
  if (!how || !x || !y) return kDnnBadParameter;
  // A value passed between operations stays within the kernel, in the type it was computed in.
  if (x != made || !isVirtual(*x) || asked.kind != kDnnForwardOp || asked.relu)
    return kDnnNotSupported;
  if (tensorOf(*x).type != asked.problem.how.compute) return kDnnNotSupported;
  if (tensorOf(*x).extents != tensorOf(*y).extents) return kDnnBadParameter;
  const int mode = *valueOf<int>(*how, kDnnPointwiseMode);
  if (mode == kDnnAdd) {
    if (!b || asked.bias >= 0) return kDnnBadParameter;
    const Tensor added = tensorOf(*b);
    if (added.extents != std::vector{1, asked.problem.y.extents[1], 1, 1} || added.strides[1] != 1)
      return kDnnNotSupported;
    asked.bias = idOf(*b);
    asked.alignments[asked.bias] = *valueOf<std::int64_t>(*b, kDnnTensorAlignment);
  } else {
    asked.relu = true;
    asked.keepsNan = valueOf<int>(*how, kDnnPointwiseNan) == kDnnKeepsNan;
  }
  asked.problem.y = tensorOf(*y);
  asked.result = idOf(*y);
  asked.alignments[asked.result] = *valueOf<std::int64_t>(*y, kDnnTensorAlignment);
  made = y;
  return kDnnSuccess;
}

DnnStatus finishGraph(const Call& call, Part& part) {
  const auto handle = valueOf<DnnHandle>(part, kDnnGraphHandle);
  if (!handle) return kDnnBadParameter;
  if (const DnnStatus status = refusalOf(found<Handle>(*handle)); status != kDnnSuccess)
    return status;
  if (call.machine.control.faults.noGraph) return kDnnNotSupported;
  Asked asked;
  const Part* made = nullptr;
  for (const DnnPart each : valuesOf<DnnPart>(part, kDnnGraphOps)) {
    const Part* const op = partOf(each);
    if (!op || !op->finished) return kDnnBadParameter;
    DnnStatus status = kDnnNotSupported;
    if (!made && op->kind != kDnnPointwiseOp) status = readConvolution(*op, asked, made);
    if (made && op->kind == kDnnPointwiseOp) status = readPointwise(*op, asked, made);
    if (status != kDnnSuccess) return status;
  }
  if (!made || isVirtual(*made)) return kDnnBadParameter;
  if (const DnnStatus status = check(asked.problem); status != kDnnSuccess) return status;
  part.asked = std::make_shared<const Asked>(std::move(asked));
  return kDnnSuccess;
}

std::size_t workspaceOfPlan(const Part& plan) {
  if (plan.asked->kind != kDnnForwardOp) return workspaceBack(plan.asked->problem, 1);
  return plan.engine == 2 ? workspaceOf(plan.asked->problem, kDnnImplicitPrecompGemm) : 0;
}

DnnStatus finish(const Call& call, Part& part) {
  switch (part.kind) {
    case kDnnTensorPart:
      return finishTensor(part);
    case kDnnConvolutionPart:
      return finishConvolution(part);
    case kDnnPointwise: {
      const auto mode = valueOf<int>(part, kDnnPointwiseMode);
      if (!mode || !valueOf<int>(part, kDnnPointwiseCompute)) return kDnnBadParameter;
      return *mode == kDnnAdd || *mode == kDnnReluForward ? kDnnSuccess : kDnnNotSupported;
    }
    case kDnnOpGraph:
      return finishGraph(call, part);
    case kDnnHeuristics: {
      const Part* const graph = namedPart(part, kDnnHeuristicsGraph);
      if (!graph || valueOf<int>(part, kDnnHeuristicsMode) != kDnnHeuristicsA)
        return kDnnBadParameter;
      part.asked = graph->asked;
      return kDnnSuccess;
    }
    case kDnnPlan: {
      const auto handle = valueOf<DnnHandle>(part, kDnnPlanHandle);
      const auto config = valueOf<DnnPart>(part, kDnnPlanConfig);
      const Part* const given = config ? partOf(*config) : nullptr;
      if (!handle || !found<Handle>(*handle) || !given || !given->asked) return kDnnBadParameter;
      part.asked = given->asked;
      part.engine = given->engine;
      return part.engine == 2 && !serves(part.asked->problem, kDnnImplicitPrecompGemm)
                 ? kDnnNotSupported
                 : kDnnSuccess;
    }
    case kDnnVariantPack:
      return valuesOf<void*>(part, kDnnPackPointers).size() ==
                         valuesOf<std::int64_t>(part, kDnnPackIds).size() &&
                     part.attributes.contains(kDnnPackWorkspace)
                 ? kDnnSuccess
                 : kDnnBadParameter;
    default:
      return kDnnSuccess;  // operations are looked at in their graph
  }
}

/// Hands out up to so many values.
template <class Value>
DnnStatus give(const std::vector<Value>& values, std::int64_t most, std::int64_t* count,
               void* into) {
  if (count) *count = static_cast<std::int64_t>(values.size());
  const auto given =
      std::min(static_cast<std::size_t>(std::max<std::int64_t>(most, 0)), values.size());
  if (given == 0) return kDnnSuccess;
  if (!into) return kDnnBadParameter;
  std::memcpy(into, values.data(), given * sizeof(Value));
  return kDnnSuccess;
}

}  // namespace

EXPORTED DnnStatus cudnnBackendCreateDescriptor(int kind, DnnPart* part) {
  const Call call;
  switch (kind) {
    case kDnnPointwise:
    case kDnnConvolutionPart:
    case kDnnEngine:
    case kDnnEngineConfig:
    case kDnnHeuristics:
    case kDnnPlan:
    case kDnnForwardOp:
    case kDnnToWeightsOp:
    case kDnnToSourceOp:
    case kDnnPointwiseOp:
    case kDnnOpGraph:
    case kDnnVariantPack:
    case kDnnTensorPart:
      break;
    default:
      return kDnnNotSupported;
  }
  Part made_;
  made_.kind = kind;
  return made(part, std::move(made_));
}
EXPORTED DnnStatus cudnnBackendDestroyDescriptor(DnnPart part) {
  const Call call;
  return gone<Part>(part);
}
EXPORTED DnnStatus cudnnBackendSetAttribute(DnnPart part, int name, int type, std::int64_t count,
                                            const void* values) {
  const Call call;
  Part* const to = partOf(part);
  if (!to || to->finished || count < 1 || !values) return kDnnBadParameter;
  Attribute attribute{type, count, {}};
  attribute.bytes.resize(static_cast<std::size_t>(count) * sizeOf(type));
  std::memcpy(attribute.bytes.data(), values, attribute.bytes.size());
  to->attributes[name] = std::move(attribute);
  if (type == kDnnOfPart)
    for (const DnnPart each : valuesOf<DnnPart>(*to, name))
      if (!partOf(each)) return kDnnBadParameter;
  return kDnnSuccess;
}
EXPORTED DnnStatus cudnnBackendFinalize(DnnPart part) {
  const Call call;
  Part* const of = partOf(part);
  if (!of || of->finished) return kDnnBadParameter;
  const DnnStatus status = finish(call, *of);
  of->finished = status == kDnnSuccess;
  return status;
}
EXPORTED DnnStatus cudnnBackendGetAttribute(DnnPart part, int name, int type, std::int64_t most,
                                            std::int64_t* count, void* values) {
  const Call call;
  const Part* const of = partOf(part);
  if (!of) return kDnnBadParameter;
  if (of->kind == kDnnHeuristics && name == kDnnHeuristicsFound && type == kDnnOfPart) {
    if (!of->finished) return kDnnBadParameter;
    auto* const configs = static_cast<DnnPart*>(values);
    const auto listed = std::min<std::int64_t>(most, static_cast<std::int64_t>(engines().size()));
    for (std::int64_t c = 0; c < listed; ++c) {
      Part* const config = partOf(configs[c]);
      if (!config || config->kind != kDnnEngineConfig) return kDnnBadParameter;
      config->asked = of->asked;
      config->engine = static_cast<int>(c);
      config->finished = true;
    }
    *count = static_cast<std::int64_t>(engines().size());
    return kDnnSuccess;
  }
  if (of->kind == kDnnEngineConfig && name == kDnnConfigEngine && type == kDnnOfPart) {
    Part* const engine = values ? partOf(*static_cast<DnnPart*>(values)) : nullptr;
    if (!engine || engine->kind != kDnnEngine || of->engine < 0) return kDnnBadParameter;
    engine->engine = of->engine;
    *count = 1;
    return kDnnSuccess;
  }
  if (of->kind == kDnnEngine && of->engine >= 0) {
    const Engine& engine = engines()[static_cast<std::size_t>(of->engine)];
    if (name == kDnnEngineIndex && type == kDnnOfInt64)
      return give(std::vector<std::int64_t>{engine.index}, most, count, values);
    if (name == kDnnEngineNotes && type == kDnnOfNote)
      return give(engine.notes, most, count, values);
  }
  if (of->kind == kDnnPlan && of->finished && name == kDnnPlanWorkspace && type == kDnnOfInt64)
    return give(std::vector{static_cast<std::int64_t>(workspaceOfPlan(*of))}, most, count, values);
  return kDnnNotSupported;
}

EXPORTED DnnStatus cudnnBackendExecute(DnnHandle handle, DnnPart plan, DnnPart pack) {
  Call call;
  const LoggedCall logged(kCallLaunchKernel);
  const auto refused = [&](DnnStatus status) {
    static_cast<void>(logged(1));
    return status;
  };
  Handle* const own = found<Handle>(handle);
  if (const DnnStatus status = refusalOf(own); status != kDnnSuccess) return refused(status);
  const Part *const run = partOf(plan), *const on = partOf(pack);
  if (!run || run->kind != kDnnPlan || !run->finished || !on || on->kind != kDnnVariantPack ||
      !on->finished)
    return refused(kDnnBadParameter);
  const Asked& asked = *run->asked;
  const auto pointers = valuesOf<void*>(*on, kDnnPackPointers);
  const auto ids = valuesOf<std::int64_t>(*on, kDnnPackIds);
  std::map<std::int64_t, void*> given;
  for (std::size_t i = 0; i < ids.size(); ++i) given[ids[i]] = pointers[i];
  for (const std::int64_t id : {asked.source, asked.weights, asked.result, asked.bias}) {
    if (id < 0) continue;
    const auto at = given.find(id);
    if (at == given.end() || !at->second ||
        reinterpret_cast<std::uintptr_t>(at->second) %
                static_cast<std::uintptr_t>(asked.alignments.at(id)) !=
            0)
      return refused(kDnnBadParameter);
  }
  void* const workspace = valueOf<void*>(*on, kDnnPackWorkspace).value_or(nullptr);
  const std::size_t bytes = workspaceOfPlan(*run);
  if (bytes > 0 && !workspace) return refused(kDnnBadParameter);
  if (call.machine.strikes(&DoubleFaults::convolution))
    return refused(call.machine.control.faults.convolutionResult);
  ++call.machine.control.counts.dnnGraphs;
  call.machine.control.counts.convolutionAlgorithm =
      engines()[static_cast<std::size_t>(run->engine)].index;
  if (asked.kind != kDnnForwardOp) {
    WorkBack work;
    work.p = asked.problem;
    work.toWeights = asked.kind == kDnnToWeightsOp;
    work.y = given[asked.result];
    work.other = given[work.toWeights ? asked.source : asked.weights];
    work.made = given[work.toWeights ? asked.weights : asked.source];
    work.workspace = workspace;
    work.workspaceBytes = bytes;
    ++call.machine.control.counts.convolutionGradients;
    return enqueue(call, logged, *own, "double_convolution_gradient_graph", 0,
                   [work](DeviceState& device) { work.run(device); });
  }
  Work work;
  work.p = asked.problem;
  work.x = given[asked.source];
  work.w = given[asked.weights];
  work.y = given[asked.result];
  work.bias = asked.bias >= 0 ? given[asked.bias] : nullptr;
  work.relu = asked.relu;
  work.keepsNan = asked.keepsNan;
  work.workspace = workspace;
  work.workspaceBytes = bytes;
  // Where they may, engines that narrow numbers are seen in the results.
  if (run->engine == 0 && asked.problem.x.type == kDnnFloat32) work.narrowed = 1 + 0x1p-9;
  ++call.machine.control.counts.convolutions;
  return enqueue(call, logged, *own, "double_convolution_graph",
                 call.machine.control.costs.convolution[run->engine == 2 ? 1 : 0],
                 [work](DeviceState& device) { work.run(device); });
}
