// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/library/cudnn_graph.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/cuda/library/way_search.h"

namespace fusebench::cuda {
namespace {

/// The most configurations to ask for; a heuristic lists about 40.
constexpr std::int64_t kMostConfigs = 64;
/// A search times so many: to make a plan takes milliseconds.
constexpr int kMostTimed = 12;
/// Engines know addresses that are multiples of it, in bytes, as the best.
constexpr std::uint32_t kBestAlignment = 16;

/// Names of tensors within a graph.
enum Id : std::int64_t { kSource = 1, kWeights, kResult, kBias, kSummed, kBiased };

/// One of the library's descriptors, destroyed at the end.
class Part {
 public:
  Part(const Cudnn& library, int kind) : library_(&library) {
    check(library.partCreate(kind, &part_), library.partCreate.name);
  }
  ~Part() {
    if (part_) library_->partDestroy(part_);
  }
  Part(Part&& other) noexcept
      : library_(other.library_), part_(std::exchange(other.part_, nullptr)) {}
  Part& operator=(Part&& other) noexcept {
    std::swap(library_, other.library_);
    std::swap(part_, other.part_);
    return *this;
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  DnnPart get() const { return part_; }
  template <class Value>
  void set(int name, int type, const Value& value) {
    setAll(name, type, 1, &value);
  }
  void setInts(int name, std::initializer_list<std::int64_t> values) {
    setAll(name, kDnnOfInt64, values.size(), values.begin());
  }
  void setAll(int name, int type, std::size_t count, const void* values) {
    check(library_->partSet(part_, name, type, static_cast<std::int64_t>(count), values),
          library_->partSet.name);
  }
  /// How many there are of what was asked for.
  std::int64_t get(int name, int type, std::int64_t most, void* values) const {
    std::int64_t count = 0;
    check(library_->partGet(part_, name, type, most, &count, values), library_->partGet.name);
    return count;
  }
  Part&& finished() && {
    check(library_->partFinish(part_), library_->partFinish.name);
    return std::move(*this);
  }

 private:
  void check(DnnStatus status, const char* function) const {
    if (status != kDnnSuccess)
      throw DnnRefusal(fmt::format("{} says {}", function, library_->statusName(status)));
  }
  const Cudnn* library_;
  DnnPart part_ = nullptr;
};

class DnnGraph final : public PreparedCall {
 public:
  /// A configuration, by its place in the heuristic's list.
  struct Way {
    std::size_t place = 0;
    std::int64_t engine = -1;
  };

  /// Throws DnnRefusal.
  DnnGraph(std::shared_ptr<const Device> device, std::shared_ptr<const Cudnn> library,
           DnnHandle handle, const LibraryRequest& request, const DnnProblem& problem)
      : device_(std::move(device)),
        opened_(std::move(library)),
        library_(*opened_),
        handle_(handle),
        name_(request.call.name),
        text_(problemText(problem, request.call, library_.versionText())),
        types_(*dnnTypesOf(request.call.result)),
        problem_(problem),
        bias_(request.call.form.addend),
        alignments_(request.alignments) {
    build();
    list();
  }

  std::vector<Way> candidates(int most) {
    std::vector<Way> ways;
    for (std::size_t place = 0; place < configs_.size(); ++place) {
      if (ways.size() == static_cast<std::size_t>(most)) break;
      if (const std::int64_t engine = engineOf(place); engine >= 0 && plans(place))
        ways.push_back({place, engine});
    }
    if (ways.empty()) throw DnnRefusal("no engine takes the graph");
    return ways;
  }
  void take(const Way& way) {
    way_ = way;
    const Planned& planned = *planned_[way.place];
    plan_ = planned.plan.get();
    workspaceBytes_ = planned.workspaceBytes;
  }
  static std::string textOf(const Way& way) {
    return fmt::format("graph {} {}", way.place, way.engine);
  }
  bool takeAgain(const std::string& text) {
    std::istringstream words(text);
    std::string kind;
    Way way;
    if (!(words >> kind >> way.place >> way.engine) || kind != "graph" ||
        way.place >= configs_.size() || engineOf(way.place) != way.engine || !plans(way.place))
      return false;
    take(way);
    return true;
  }
  void say(std::string found) { found_ = std::move(found); }

  std::size_t workspaceBytes() const override { return workspaceBytes_; }

  bool run(Stream stream, void* const* pointers, void* workspace) override {
    device_->use();
    if (!took(library_.setStream(handle_, stream))) return false;
    try {
      give(pointers, workspace);
    } catch (const DnnRefusal&) {
      return false;
    }
    return took(library_.planRun(handle_, plan_, pack_->get()));
  }

  std::string description() const override {
    std::string text = text_;
    if (problem_.bias) text += "the addend is added in the same kernel\n";
    if (problem_.relu) text += "relu is done in the same kernel, and keeps NaN\n";
    text += fmt::format("computed in {}\n",
                        types_.compute == kDnnFloat64 ? "float64" : "float32, no TF32");
    text += fmt::format("a graph of cuDNN's: engine {}, {} bytes to work in\n", way_.engine,
                        workspaceBytes_);
    return text + found_;
  }

 private:
  struct Planned {
    Part plan;
    std::size_t workspaceBytes;
  };

  bool took(DnnStatus status) const { return dnnRan(library_, name_, status); }

  Part tensor(std::int64_t id, const DnnShape& shape, std::size_t launched, bool isVirtual) {
    Part made(library_, kDnnTensorPart);
    // Values that stay within a kernel are not rounded.
    made.set(kDnnTensorType, kDnnOfDataType, isVirtual ? types_.compute : types_.element);
    made.setAll(kDnnTensorExtents, kDnnOfInt64, shape.extents.size(), shape.extents.data());
    made.setAll(kDnnTensorStrides, kDnnOfInt64, shape.strides.size(), shape.strides.data());
    const std::uint32_t aligned = launched < alignments_.size()
                                      ? std::min(alignments_[launched], kBestAlignment)
                                      : kBestAlignment;
    made.setInts(kDnnTensorAlignment, {static_cast<std::int64_t>(aligned)});
    made.setInts(kDnnTensorId, {id});
    if (isVirtual) made.set(kDnnTensorVirtual, kDnnOfBool, true);
    if (!isVirtual) {
      ids_.push_back(id);
      launched_.push_back(launched);
    }
    return std::move(made).finished();
  }

  Part convolution() const {
    const DnnProblem& p = problem_;
    Part made(library_, kDnnConvolutionPart);
    made.set(kDnnConvolutionCompute, kDnnOfDataType, types_.compute);
    made.set(kDnnConvolutionMode, kDnnOfConvolutionMode, kDnnCrossCorrelation);
    made.setInts(kDnnConvolutionDims, {2});
    made.setInts(kDnnConvolutionPaddingBefore, {p.padding[0], p.padding[1]});
    made.setInts(kDnnConvolutionPaddingAfter, {p.padding[0], p.padding[1]});
    made.setInts(kDnnConvolutionDilations, {p.dilation[0], p.dilation[1]});
    made.setInts(kDnnConvolutionStrides, {p.stride[0], p.stride[1]});
    return std::move(made).finished();
  }

  void factor(Part& op, int name, double value) const {
    const float narrow = static_cast<float>(value);
    if (types_.compute == kDnnFloat64)
      op.set(name, kDnnOfDouble, value);
    else
      op.set(name, kDnnOfFloat, narrow);
  }

  /// What alone works on each element, behind the convolution: `mode` of x, or of x and b.
  void append(int mode, const Part& x, const Part* b, const Part& y) {
    Part how(library_, kDnnPointwise);
    how.set(kDnnPointwiseMode, kDnnOfPointwiseMode, mode);
    how.set(kDnnPointwiseCompute, kDnnOfDataType, types_.compute);
    if (mode == kDnnReluForward) how.set(kDnnPointwiseNan, kDnnOfNan, kDnnKeepsNan);
    how = std::move(how).finished();
    Part op(library_, kDnnPointwiseOp);
    op.set(kDnnOpPointwise, kDnnOfPart, how.get());
    op.set(kDnnOpX, kDnnOfPart, x.get());
    if (b) op.set(kDnnOpB, kDnnOfPart, b->get());
    op.set(kDnnOpY, kDnnOfPart, y.get());
    ops_.push_back(std::move(op).finished());
    parts_.push_back(std::move(how));
  }

  void build() {
    const DnnProblem& p = problem_;
    const DnnRoles& roles = p.roles;
    const bool tail = p.bias || p.relu;
    Part source = tensor(kSource, p.source, roles.source, false);
    Part weights = tensor(kWeights, p.weights, roles.weights, false);
    Part result = tensor(kResult, p.result, roles.result, false);
    Part how = convolution();
    int kind = kDnnForwardOp, first = kDnnForwardFirst;
    std::array<const Part*, 3> given{&weights, &source, &result};
    if (roles.direction == DnnDirection::toSource) {
      kind = kDnnToSourceOp;
      first = kDnnToSourceFirst;
    } else if (roles.direction == DnnDirection::toWeights) {
      kind = kDnnToWeightsOp;
      first = kDnnToWeightsFirst;
    }
    std::vector<Part> within;
    if (tail) {
      within.push_back(tensor(kSummed, p.result, 0, true));
      given[2] = &within.back();
    }
    Part op(library_, kind);
    factor(op, first, 1);
    factor(op, first + 1, 0);
    op.set(first + 2, kDnnOfPart, how.get());
    for (int t = 0; t < 3; ++t)
      op.set(first + 3 + t, kDnnOfPart, given[static_cast<std::size_t>(t)]->get());
    ops_.push_back(std::move(op).finished());
    if (p.bias) {
      DnnShape shape;
      shape.extents[1] = p.result.extents[1];
      within.push_back(tensor(kBias, packed(shape, liesPacked(p.result, true)),
                              static_cast<std::size_t>(bias_), false));
      if (p.relu) within.push_back(tensor(kBiased, p.result, 0, true));
      append(kDnnAdd, within[0], &within[1], p.relu ? within[2] : result);
    }
    if (p.relu) append(kDnnReluForward, within.back(), nullptr, result);
    for (Part* part : {&source, &weights, &result, &how}) parts_.push_back(std::move(*part));
    std::ranges::move(within, std::back_inserter(parts_));
    Part graph(library_, kDnnOpGraph);
    graph.set(kDnnGraphHandle, kDnnOfHandle, handle_);
    std::vector<DnnPart> ops;
    for (const Part& each : ops_) ops.push_back(each.get());
    graph.setAll(kDnnGraphOps, kDnnOfPart, ops.size(), ops.data());
    parts_.push_back(std::move(graph).finished());
  }

  void list() {
    Part heuristics(library_, kDnnHeuristics);
    heuristics.set(kDnnHeuristicsGraph, kDnnOfPart, parts_.back().get());
    heuristics.set(kDnnHeuristicsMode, kDnnOfHeuristicsMode, kDnnHeuristicsA);
    heuristics = std::move(heuristics).finished();
    std::vector<DnnPart> found;
    for (std::int64_t c = 0; c < kMostConfigs; ++c) {
      configs_.emplace_back(library_, kDnnEngineConfig);
      found.push_back(configs_.back().get());
    }
    const std::int64_t count =
        heuristics.get(kDnnHeuristicsFound, kDnnOfPart, kMostConfigs, found.data());
    configs_.erase(configs_.begin() + std::clamp<std::int64_t>(count, 0, kMostConfigs),
                   configs_.end());
    planned_.resize(configs_.size());
    parts_.push_back(std::move(heuristics));
  }

  /// The number of the engine that a configuration is of; -1: what it does with numbers is not
  /// wanted.
  std::int64_t engineOf(std::size_t place) const {
    Part engine(library_, kDnnEngine);
    DnnPart part = engine.get();
    std::int64_t index = -1;
    std::array<int, kDnnNotes> notes{};
    try {
      configs_[place].get(kDnnConfigEngine, kDnnOfPart, 1, &part);
      engine.get(kDnnEngineIndex, kDnnOfInt64, 1, &index);
      const std::int64_t count = engine.get(kDnnEngineNotes, kDnnOfNote, kDnnNotes, notes.data());
      for (std::int64_t n = 0; n < std::min<std::int64_t>(count, kDnnNotes); ++n) {
        const int note = notes[static_cast<std::size_t>(n)];
        if (note == kDnnNoteNarrowsInputs || note == kDnnNoteNarrowsSums ||
            note == kDnnNoteAnyOrder ||
            (note == kDnnNoteTensorCores && types_.element == kDnnFloat32))
          return -1;
      }
    } catch (const DnnRefusal&) {
      return -1;
    }
    return index;
  }

  /// Whether there is a plan of a configuration that works in no more memory than it may.
  bool plans(std::size_t place) {
    if (planned_[place]) return true;
    try {
      Part plan(library_, kDnnPlan);
      plan.set(kDnnPlanHandle, kDnnOfHandle, handle_);
      plan.set(kDnnPlanConfig, kDnnOfPart, configs_[place].get());
      plan = std::move(plan).finished();
      std::int64_t bytes = 0;
      plan.get(kDnnPlanWorkspace, kDnnOfInt64, 1, &bytes);
      if (bytes < 0 || static_cast<std::size_t>(bytes) > kMostWorkspaceBytes) return false;
      planned_[place] =
          std::make_unique<Planned>(Planned{std::move(plan), static_cast<std::size_t>(bytes)});
      return true;
    } catch (const DnnRefusal&) {
      return false;
    }
  }

  /// Makes the plan run on these tensors. They are passed only if they differ from the last ones.
  void give(void* const* pointers, void* workspace) {
    const auto of = [&](std::size_t tensor) { return pointers[tensor]; };
    if (pack_ && workspace == workspace_ && std::ranges::equal(launched_, given_, {}, of)) return;
    std::vector<void*> given;
    std::ranges::transform(launched_, std::back_inserter(given), of);
    Part pack(library_, kDnnVariantPack);
    pack.setAll(kDnnPackPointers, kDnnOfPointer, given.size(), given.data());
    pack.setAll(kDnnPackIds, kDnnOfInt64, ids_.size(), ids_.data());
    pack.set(kDnnPackWorkspace, kDnnOfPointer, workspace);
    pack_ = std::make_unique<Part>(std::move(pack).finished());
    given_ = std::move(given);
    workspace_ = workspace;
  }

  std::shared_ptr<const Device> device_;
  std::shared_ptr<const Cudnn> opened_;
  const Cudnn& library_;
  DnnHandle handle_;
  std::string name_, text_, found_;
  DnnTypes types_;
  DnnProblem problem_;
  int bias_;
  std::vector<std::uint32_t> alignments_;
  std::vector<std::int64_t> ids_;
  std::vector<std::size_t> launched_;  ///< which of a launch's tensors each of `ids_` is
  // What a part is made of has to be there as long as it is.
  std::vector<Part> parts_, ops_, configs_;
  std::vector<std::unique_ptr<Planned>> planned_;  ///< by configuration, as far as one was made
  Way way_;
  DnnPart plan_ = nullptr;
  std::size_t workspaceBytes_ = 0;
  std::unique_ptr<Part> pack_;
  std::vector<void*> given_;
  void* workspace_ = nullptr;
};

}  // namespace

std::unique_ptr<PreparedCall> prepareDnnGraph(std::shared_ptr<const Device> device,
                                              std::shared_ptr<const Cudnn> library,
                                              DnnHandle handle, const LibraryRequest& request,
                                              const DnnProblem& problem) {
  const std::string name = "cuDNN " + library->versionText() + ", graphs";
  try {
    auto made =
        std::make_unique<DnnGraph>(std::move(device), std::move(library), handle, request, problem);
    if (request.call.search)
      takeFastestWay(*made, request, name, kMostTimed);
    else
      made->take(made->candidates(1).front());
    return made;
  } catch (const DnnRefusal&) {
    return nullptr;
  }
}

}  // namespace fusebench::cuda
