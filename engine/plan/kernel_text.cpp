// SPDX-License-Identifier: GPL-3.0-or-later
// The readable form of a kernel.
#include <fmt/format.h>

#include <utility>

#include "engine/language/program.h"
#include "engine/ops/accumulators.h"
#include "engine/plan/kernel.h"
#include "engine/plan/kernel_nodes.h"

namespace fusebench {
namespace {

/// Where in a tensor the loops stand: "i0*16 + i1".
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

/// Writes the lines, with a comment wherever another statement begins.
class ReadableWriter {
 public:
  ReadableWriter(const Kernel& kernel, const Program* program)
      : kernel_(kernel), program_(program) {}

  std::vector<KernelLine> write() {
    add("kernel " + kernel_.name);
    writeLoops();
    for (std::size_t i = 0; i < kernel_.inputs.size(); ++i)
      add(kernel_.inputs[i].counts
              ? fmt::format("in{} = {}", i, placeText(kernel_, kernel_.inputs[i]))
              : fmt::format("in{} = input{}[{}]", i, i, placeText(kernel_, kernel_.inputs[i])));
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

  void writeLoops() {
    for (int dim = 0; dim < kernel_.rank(); ++dim) {
      const std::int64_t extent = kernel_.extents[dim];
      add(fmt::format("for i{} in 0..{}{}", dim,
                      extent == kAtLaunch ? fmt::format("n{}", dim) : fmt::format("{}", extent),
                      kernel_.reduced(dim) ? "  (reduced)" : ""));
      indent_ += "  ";
    }
  }

  void writeOutput(std::size_t i, const std::vector<int>& numbers) {
    const KernelOutput& output = kernel_.outputs[i];
    const int value = numbers[static_cast<std::size_t>(output.value)];
    const std::string finish = finishText(output);
    const std::string to = fmt::format("output{}[{}]", i, placeText(kernel_, output.tensor));
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
