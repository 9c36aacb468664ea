// SPDX-License-Identifier: GPL-3.0-or-later
// The readable form of a kernel.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/language/program.h"
#include "engine/ops/accumulators.h"
#include "engine/plan/kernel.h"
#include "engine/plan/kernel_nodes.h"
#include "engine/plan/kernel_phases.h"

namespace fusebench {
namespace {

/// The index of the current element of a tensor: "i0*16 + i1".
std::string placeText(const Kernel& kernel, const KernelTensor& tensor) {
  std::string at;
  for (int dim = 0; dim < kernel.rank(); ++dim) {
    const std::int64_t stride = tensor.strides[dim];
    if (stride == 0) continue;
    at += at.empty() ? "" : " + ";
    at += stride == 1           ? fmt::format("i{}", dim)
          : stride == kAtLaunch ? fmt::format("i{}*stride{}", dim, dim)
                                : fmt::format("i{}*{}", dim, stride);
  }
  return at.empty() ? std::string("0") : at;
}

/// Writes the lines, with a comment before the first line of each statement.
class ReadableWriter {
 public:
  ReadableWriter(const Kernel& kernel, const Program* program)
      : kernel_(kernel), program_(program) {}

  std::vector<KernelLine> write() {
    add("kernel " + kernel_.name);
    if (kernel_.hasPhases()) {
      writePhases();
      return std::move(lines_);
    }
    for (int dim = 0; dim < kernel_.rank(); ++dim) openLoop(dim);
    for (std::size_t i = 0; i < kernel_.inputs.size(); ++i) writeInput(i);
    const std::vector<int> numbers = numberNeeded(kernel_);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (numbers[i] >= 0) {
        const int op = i < kernel_.nodeOps.size() ? kernel_.nodeOps[i] : -1;
        comment(op);
        add(nodeText(kernel_, i, numbers), op);
      }
    for (std::size_t i = 0; i < kernel_.outputs.size(); ++i) writeOutput(i, numbers);
    return std::move(lines_);
  }

 private:
  void add(const std::string& text, int op = -1) { lines_.push_back({indent_ + text, op}); }

  void comment(int op) {
    if (!program_ || op < 0 || static_cast<std::size_t>(op) >= program_->ops.size()) return;
    const int statement = program_->ops[static_cast<std::size_t>(op)].statement;
    if (std::exchange(commented_, statement) == statement) return;
    if (statement < 0)
      add("# return " + program_->returnText, op);
    else
      add(fmt::format("# {}: {}", statement + 1,
                      program_->statements[static_cast<std::size_t>(statement)].text),
          op);
  }

  void openLoop(int dim) {
    const std::int64_t extent = kernel_.extents[dim];
    add(fmt::format("for i{} in 0..{}{}", dim,
                    extent == kAtLaunch ? fmt::format("n{}", dim) : fmt::format("{}", extent),
                    kernel_.reduced(dim) ? "  (reduced)" : ""));
    indent_ += "  ";
  }

  void writeInput(std::size_t i) {
    const std::string place = placeText(kernel_, kernel_.inputs[i]);
    const KernelTensor& input = kernel_.inputs[i];
    if (input.indexed) return add(fmt::format("in{} = input{} from {} on", i, i, place));
    if (input.counts && place == "0") return add(fmt::format("in{} = a size, given at launch", i));
    add(input.counts ? fmt::format("in{} = {}", i, place)
                     : fmt::format("in{} = input{}[{}]", i, i, place));
  }

  /// Writes the loop over rows and the loops inside it. Values that are constant within a row are
  /// written between these loops, each as early as possible.
  void writePhases() {
    for (int dim = 0; dim < kernel_.rank(); ++dim)
      if (!kernel_.reduced(dim)) openLoop(dim);
    const std::vector<int> numbers = numberNeeded(kernel_), phases = shownPhases();
    const std::vector<bool> ofRow = rowNodes(kernel_);
    const int count = phaseCount(kernel_);
    const std::string rowIndent = indent_;
    for (int phase = 0; phase <= count; ++phase) {
      writeNodes(numbers, [&](std::size_t i) { return phases[i] == phase && ofRow[i]; });
      if (phase == count) break;
      add(fmt::format("phase {}:", phase + 1));
      indent_ += "  ";
      for (int dim = 0; dim < kernel_.rank(); ++dim)
        if (kernel_.reduced(dim)) openLoop(dim);
      writeNodes(numbers, [&](std::size_t i) { return phases[i] == phase && !ofRow[i]; });
      const auto isDone = [&](const KernelOutput& output) {
        return !output.ofRow && phases[static_cast<std::size_t>(output.value)] == phase;
      };
      for (std::size_t c = 0; c < kernel_.carried.size(); ++c)
        if (isDone(kernel_.carried[c]))
          writeResult(kernel_.carried[c], fmt::format("row{}", c), numbers);
      for (std::size_t o = 0; o < kernel_.outputs.size(); ++o)
        if (isDone(kernel_.outputs[o])) writeOutput(o, numbers);
      indent_ = rowIndent;
    }
    for (std::size_t o = 0; o < kernel_.outputs.size(); ++o)
      if (kernel_.outputs[o].ofRow && !kernel_.outputs[o].ofAll) writeOutput(o, numbers);
    for (std::size_t t = 0; t < kernel_.totals.size(); ++t)
      writeResult(kernel_.totals[t], fmt::format("all{}", t), numbers);
    indent_.clear();
    writeNodes(numbers, [&](std::size_t i) { return phases[i] == kAfterRows; });
    for (std::size_t o = 0; o < kernel_.outputs.size(); ++o)
      if (kernel_.outputs[o].ofAll) writeOutput(o, numbers);
  }

  /// The phase in which each node is written. Numbers used only by totals are written with these.
  std::vector<int> shownPhases() const {
    std::vector<int> phases = nodePhases(kernel_);
    if (kernel_.totals.empty()) return phases;
    std::vector<int> first(phases.size(), kAfterRows);
    for (std::size_t i = phases.size(); i-- > 0;) {
      const ExprNode& node = kernel_.body[static_cast<ExprId>(i)];
      for (int o = 0; o < info(node.primitive).arity; ++o) {
        int& user = first[static_cast<std::size_t>(node.operands[o])];
        user = std::min(user, phases[i]);
      }
      if (node.primitive == Primitive::constant) phases[i] = first[i];
    }
    return phases;
  }

  template <class Wanted>
  void writeNodes(const std::vector<int>& numbers, const Wanted& wanted) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] < 0 || !wanted(i)) continue;
      const ExprNode& node = kernel_.body[static_cast<ExprId>(i)];
      if (node.primitive == Primitive::input) writeInput(static_cast<std::size_t>(node.index));
      const int op = i < kernel_.nodeOps.size() ? kernel_.nodeOps[i] : -1;
      comment(op);
      add(nodeText(kernel_, i, numbers), op);
    }
  }

  void writeOutput(std::size_t i, const std::vector<int>& numbers) {
    const KernelOutput& output = kernel_.outputs[i];
    writeResult(output, fmt::format("output{}[{}]", i, placeText(kernel_, output.tensor)), numbers);
  }

  void writeResult(const KernelOutput& output, const std::string& to,
                   const std::vector<int>& numbers) {
    const int value = numbers[static_cast<std::size_t>(output.value)];
    const std::string finish = finishText(output);
    comment(output.op);
    if (output.scans && isScan(kernel_))
      return add(fmt::format("{} = {} so far (v{})", to, info(output.accumulate).name, value),
                 output.op);
    add(output.reduces ? fmt::format("{} <- {}(v{}){}", to, info(output.accumulate).name, value,
                                     finish.empty() ? "" : ", then " + finish)
                       : fmt::format("{} = v{}", to, value),
        output.op);
  }

  const Kernel& kernel_;
  const Program* program_;
  std::string indent_;
  int commented_ = -2;  ///< statement of the last comment
  std::vector<KernelLine> lines_;
};

}  // namespace

std::vector<KernelLine> readableLines(const Kernel& kernel, const Program* program) {
  return ReadableWriter(kernel, program).write();
}

std::string readableText(const Kernel& kernel) {
  std::string text;
  for (const KernelLine& line : readableLines(kernel)) text += line.text + "\n";
  return text;
}

}  // namespace fusebench
