// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/codegen.h"

#include <fmt/format.h>

#include "engine/cuda/codegen/device_functions.h"
#include "engine/cuda/codegen/element_function.h"
#include "engine/cuda/codegen/element_weight.h"
#include "engine/cuda/codegen/kernel_facts.h"
#include "engine/cuda/codegen/loop_writer.h"
#include "engine/cuda/codegen/phase_writer.h"
#include "engine/cuda/codegen/reduction_writer.h"
#include "engine/cuda/codegen/typed_text.h"
#include "engine/ops/accumulators.h"

namespace fusebench::cuda {
namespace {

LoopShape loopShape(const Kernel& kernel) {
  LoopShape shape;
  shape.rank = kernel.rank();
  shape.weight = elementWeight(kernel);
  int position = 0;
  for (int dim = 0; dim < kernel.rank(); ++dim) {
    const std::int64_t extent = kernel.extents[dim];
    shape.extents[static_cast<std::size_t>(dim)] = {extent, extent == kAtLaunch ? position++ : -1,
                                                    kernel.reduced(dim)};
  }
  return shape;
}

std::vector<int> allDims(const Kernel& kernel) {
  std::vector<int> dims;
  for (int dim = 0; dim < kernel.rank(); ++dim) dims.push_back(dim);
  return dims;
}

/// Writes one kernel's source, part by part.
class SourceWriter {
 public:
  SourceWriter(const Kernel& kernel, const SourceOptions& options)
      : kernel_(kernel), options_(options), facts_(kernel, options), element_(facts_) {
    source_.loops = loopShape(kernel);
    source_.narrow = facts_.index == "int";
  }

  Source write() {
    const std::string name = "kernel_" + identifier(kernel_.name);
    text_.line("// " + identifier(kernel_.name) + ", made by Fusebench");
    text_.line("");
    if (isScan(kernel_))
      writeScan(name);
    else if (kernel_.hasPhases())
      writePhases(name);
    else if (kernel_.reducedMask != 0)
      writeReduction(name);
    else
      writePointwise(name);
    source_.text = text_.takeText();
    source_.lineOps = text_.takeOps();
    return std::move(source_);
  }

 private:
  void writeCommon(int width) {
    for (const std::string& function : functionsFor(element_.primitives())) text_.block(function);
    if (const std::string typed = typedHelpers(kernel_); !typed.empty()) text_.block(typed);
    element_.write(text_);
    const std::string helpers = loopHelpers(facts_, width);
    if (!helpers.empty()) text_.block(helpers.substr(0, helpers.size() - 1));
  }

  void writePointwise(const std::string& name) {
    const std::vector<int> dims = allDims(kernel_);
    LoopWriter loop(facts_, element_, text_, {}, dims);
    const std::int64_t known = facts_.knownProduct(dims);
    const bool once = known != kAtLaunch && known <= kSmallElements;
    if (once) loop.useNoVectors();
    source_.loops.role = Role::elements;
    source_.loops.oneElementAThread = once;
    source_.entries.push_back({name, Role::elements, kPointwiseThreads, loop.width(), false});
    writeCommon(loop.width());
    text_.line(
        fmt::format("extern \"C\" __global__ void __launch_bounds__({})", kPointwiseThreads));
    text_.open(fmt::format("{}({})", name, facts_.parameters(false)));
    const std::string thread =
        fmt::format("({})blockIdx.x * blockDim.x + threadIdx.x", facts_.index);
    if (once) {
      loop.writeOnce(facts_.product(dims), thread);
    } else {
      text_.line(fmt::format("const {} count = {};", facts_.index, facts_.product(dims)));
      text_.line(fmt::format("const {} thread = {};", facts_.index, thread));
      text_.line(fmt::format("const {0} threads = ({0})gridDim.x * blockDim.x;", facts_.index));
      loop.write("count", "thread", "threads", {}, {});
    }
    text_.close();
  }

  /// A thread for each row, which it goes along by itself.
  void writeScan(const std::string& name) {
    std::vector<int> kept;
    int along = 0;
    for (const int dim : allDims(kernel_)) {
      if (!kernel_.reduced(dim)) {
        kept.push_back(dim);
        continue;
      }
      along = dim;
      source_.loops.extents[static_cast<std::size_t>(dim)] = {1, -1, false};
    }
    source_.loops.role = Role::elements;
    source_.entries.push_back({name, Role::elements, kPointwiseThreads, 1, false});
    writeCommon(1);
    const KernelOutput& output = kernel_.outputs.front();
    const bool whole = isInteger(output.accumulated);
    const bool multiplies = info(output.accumulate).combine == Primitive::mul;
    text_.line(
        fmt::format("extern \"C\" __global__ void __launch_bounds__({})", kPointwiseThreads));
    text_.open(fmt::format("{}({})", name, facts_.parameters(false)));
    text_.line(fmt::format("const {} count = {};", facts_.index,
                           kept.empty() ? std::string("1") : facts_.product(kept)));
    text_.line(fmt::format("const {0} thread = ({0})blockIdx.x * blockDim.x + threadIdx.x;",
                           facts_.index));
    text_.line(fmt::format("const {0} threads = ({0})gridDim.x * blockDim.x;", facts_.index));
    text_.open(fmt::format("for ({0} i = thread; i < count; i += threads)", facts_.index));
    LoopWriter::writeIndices(facts_, text_, kept, "i");
    // Integers wrap around, which unsigned ones may.
    text_.line(fmt::format("{} state = {};", whole ? "unsigned long long" : "double",
                           multiplies ? "1" : "0"));
    const std::string& at = facts_.indices[static_cast<std::size_t>(along)];
    text_.open(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1})", facts_.index, at,
                           facts_.extents[static_cast<std::size_t>(along)]));
    std::vector<std::string> values, results;
    for (const std::size_t t : element_.inputs())
      values.push_back(
          loadedText(kernel_.inputs[t].dtype, LoopWriter::element(facts_, t, allDims(kernel_))));
    for (const auto& result : element_.results()) {
      results.push_back(result.name);
      text_.line(fmt::format("{} {};", classText(result.type), result.name));
    }
    text_.line(element_.call(values, results));
    text_.line(fmt::format("state {}= ({}){};", multiplies ? '*' : '+',
                           whole ? "unsigned long long" : "double", results[element_.resultOf(0)]));
    const std::string made = fmt::format("({})state", classText(classOf(output.tensor.dtype)));
    text_.line(fmt::format("{} = {};",
                           LoopWriter::element(facts_, kernel_.inputs.size(), allDims(kernel_)),
                           storableText(output.tensor.dtype, made)),
               output.op);
    text_.close();
    text_.close();
    text_.close();
  }

  void writePhases(const std::string& name) {
    PhaseWriter phases(facts_, options_, text_);
    if (goesOnce(kernel_)) return writeTail(name, phases);
    source_.loops.wholeRows = true;
    source_.loops.keptElements = phases.keptElements();
    beginPhases(name, Role::rows, phases, phases.width());
    phases.writeHelpers();
    phases.writeEntry(name);
  }

  /// One phase, which is a reduction like others but for what is done with its results: several
  /// blocks may share a row.
  void writeTail(const std::string& name, PhaseWriter& phases) {
    ReductionWriter reduction(phases.loopFacts(), phases.loopElement(), text_,
                              {[&] { phases.writeOfRow(); }, phases.loopCarried()});
    source_.loops.partialBytes = reduction.partialBytes();
    beginPhases(name, reduction.role(), phases, reduction.width());
    reduction.writeHelpers();
    reduction.writeEntry(name);
  }

  void beginPhases(const std::string& name, Role role, const PhaseWriter& phases, int width) {
    source_.loops.role = role;
    source_.entries.push_back(
        {name, role, role == Role::rows ? kRowThreads : kColumnThreads, width, true});
    for (const std::string& function : functionsFor(phases.primitives())) text_.block(function);
    if (const std::string typed = typedHelpers(kernel_); !typed.empty()) text_.block(typed);
    phases.writeFunctions();
    const std::string helpers = loopHelpers(facts_, width);
    if (!helpers.empty()) text_.block(helpers.substr(0, helpers.size() - 1));
  }

  void writeReduction(const std::string& name) {
    ReductionWriter reduction(facts_, element_, text_);
    source_.loops.role = reduction.role();
    source_.loops.partialBytes = reduction.partialBytes();
    const bool rows = reduction.role() == Role::rows;
    source_.entries.push_back(
        {name, reduction.role(), rows ? kRowThreads : kColumnThreads, reduction.width(), true});
    writeCommon(reduction.width());
    reduction.writeHelpers();
    reduction.writeEntry(name);
  }

  const Kernel& kernel_;
  const SourceOptions& options_;
  KernelFacts facts_;
  ElementFunction element_;
  SourceText text_;
  Source source_;
};

}  // namespace

Source generate(const Kernel& kernel, const SourceOptions& options) {
  return SourceWriter(kernel, options).write();
}

}  // namespace fusebench::cuda
