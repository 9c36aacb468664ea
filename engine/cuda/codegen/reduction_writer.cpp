// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/reduction_writer.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/cuda/codegen/accumulator_text.h"
#include "engine/cuda/codegen/element_weight.h"
#include "engine/cuda/codegen/loop_writer.h"
#include "engine/cuda/codegen/typed_text.h"

namespace fusebench::cuda {
namespace {

/// How well the tensors run along a dimension: contiguous elements are best, repeats are free.
int suitability(const KernelFacts& facts, int dim) {
  int score = 0;
  for (std::size_t t = 0; t < facts.tensors(); ++t) {
    const bool input = t < facts.kernel.inputs.size();
    if (!input && facts.kernel.outputs[t - facts.kernel.inputs.size()].reduces) continue;
    const std::int64_t stride = facts.tensor(t).strides[dim];
    if (stride == 1) score += 1;
    if (stride != 0 && stride != 1) score -= 1;
  }
  return score;
}

/// The reads of elements that are cheaper than this are worth overlapping.
constexpr std::int64_t kLightElement = 16;

TypedAccumulator typed(const KernelOutput& output) {
  return {output.accumulate, output.accumulated};
}

void moveLast(std::vector<int>& dims, int dim) {
  const auto found = std::find(dims.begin(), dims.end(), dim);
  if (found != dims.end()) std::rotate(found, found + 1, dims.end());
}

}  // namespace

ReductionWriter::ReductionWriter(KernelFacts& facts, const ElementFunction& element,
                                 SourceText& text, Tail tail)
    : facts_(facts), element_(element), text_(text), tail_(std::move(tail)) {
  const Kernel& kernel = facts_.kernel;
  int fastest = 0;
  for (int dim = 0; dim < kernel.rank(); ++dim) {
    (kernel.reduced(dim) ? reduced_ : kept_).push_back(dim);
    if (suitability(facts_, dim) >= suitability(facts_, fastest)) fastest = dim;
  }
  moveLast(kept_, fastest);
  moveLast(reduced_, fastest);
  role_ = kernel.reduced(fastest) ? Role::rows : Role::columns;
  if (role_ == Role::columns) side_ = 'y', across_ = 'x', number_ = "column";
  light_ = elementWeight(kernel) <= kLightElement;
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o) {
    if (!kernel.outputs[o].reduces) continue;
    const TypedAccumulator kind = typed(kernel.outputs[o]);
    const std::string state = facts_.names.make(fmt::format("state{}", o));
    const std::string gathering =
        kind.gathering() == kind.state() ? state : facts_.names.make(fmt::format("gathering{}", o));
    reductions_.push_back({o, gathering, state, facts_.names.make(fmt::format("whole{}", o))});
  }
}

std::size_t ReductionWriter::partialBytes() const {
  std::size_t bytes = 0;
  for (const Reduction& reduction : reductions_)
    bytes += accumulatorText(facts_.kernel.outputs[reduction.output].accumulate).bytes;
  return bytes;
}

int ReductionWriter::width() const {
  if (role_ != Role::rows) return 1;
  return LoopWriter(facts_, element_, text_, kept_, reduced_).width();
}

void ReductionWriter::writeHelpers() {
  std::vector<std::string> written;
  for (const Reduction& reduction : reductions_) {
    const TypedAccumulator kind = typed(facts_.kernel.outputs[reduction.output]);
    if (std::find(written.begin(), written.end(), kind.state()) != written.end()) continue;
    written.push_back(kind.state());
    text_.block(kind.definition());
  }
  text_.block(role_ == Role::rows ? acrossRowText() : acrossColumnText());
  text_.block(lastBlockText());
  text_.line("// What one part of one result has gathered.");
  text_.open("struct Partial");
  for (const Reduction& reduction : reductions_)
    text_.line(fmt::format("{} {};", typed(facts_.kernel.outputs[reduction.output]).state(),
                           reduction.state));
  text_.close("};");
  text_.line("");
}

/// Row-major position among what is reduced over, as positions count.
std::string ReductionWriter::place(int width) const {
  if (std::is_sorted(reduced_.begin(), reduced_.end()))
    return width > 1 ? fmt::format("{} * i + k", width) : "i";
  std::string text = "0";
  for (int dim = 0; dim < facts_.kernel.rank(); ++dim) {
    if (!facts_.kernel.reduced(dim)) continue;
    const auto d = static_cast<std::size_t>(dim);
    text = text == "0" ? facts_.indices[d]
                       : fmt::format("({}) * {} + {}", text, facts_.extents[d], facts_.indices[d]);
  }
  return text;
}

void ReductionWriter::writeAdds(const std::vector<std::string>& results, int width) {
  StatementComments comments(text_, facts_.program);
  for (const Reduction& reduction : reductions_) {
    const KernelOutput& output = facts_.kernel.outputs[reduction.output];
    const TypedAccumulator kind = typed(output);
    const std::string& value = results[element_.resultOf(reduction.output)];
    const std::string position = info(output.accumulate).positions ? place(width) : "";
    comments.before(output.op);
    for (const std::string& line : kind.adds(reduction.gathering, value, position, width))
      text_.line(line, output.op);
  }
}

void ReductionWriter::writeStores(const std::string& number, std::string Reduction::*accumulated) {
  const Kernel& kernel = facts_.kernel;
  bool counts = false;
  for (const Reduction& reduction : reductions_)
    counts |= kernel.outputs[reduction.output].finish != nullptr &&
              info(kernel.outputs[reduction.output].accumulate).count < 0;
  if (counts)
    text_.line(fmt::format("const double count = (double){};",
                           reduced_.size() > 1 && facts_.knownProduct(reduced_) == kAtLaunch
                               ? "(" + facts_.product(reduced_) + ")"
                               : facts_.product(reduced_)));
  LoopWriter::writeIndices(facts_, text_, kept_, number);
  StatementComments comments(text_, facts_.program);
  for (const Reduction& reduction : reductions_) {
    const KernelOutput& output = kernel.outputs[reduction.output];
    const AccumulatorText& kind = accumulatorText(output.accumulate);
    const std::string& state = reduction.*accumulated;
    const std::string result = fmt::format("{}.{}", state, kind.result);
    const std::string count =
        kind.count.empty() ? "count" : fmt::format("{}.{}", state, kind.count);
    comments.before(output.op);
    if (tail_.write) {
      const auto carried = static_cast<std::size_t>(tail_.carried[reduction.output]);
      text_.line(fmt::format("const {} {} = {};", classText(classOf(output.tensor.dtype)),
                             facts_.carried[carried], carriedText(output, result, count)),
                 output.op);
      continue;
    }
    text_.line(
        fmt::format(
            "{} = {};", LoopWriter::element(facts_, kernel.inputs.size() + reduction.output, kept_),
            info(output.accumulate).positions ? result : finishExpression(output, result, count)),
        output.op);
  }
  if (tail_.write) tail_.write();
}

/// Opens the loop over the results of this block's rows or columns.
void ReductionWriter::openResults() {
  if (kept_.empty()) return;
  const std::string& index = facts_.index;
  text_.open(
      fmt::format("for ({0} first = ({0})blockIdx.x * blockDim.{1}; first < {2}s; "
                  "first += ({0})gridDim.x * blockDim.{1})",
                  index, across_, number_));
  text_.line(fmt::format("const {} {} = first + threadIdx.{};", index, number_, across_));
}

/// Opens the block that only one thread of a row or column executes.
void ReductionWriter::openFirst() {
  std::string condition = fmt::format("threadIdx.{} == 0", side_);
  if (!kept_.empty()) condition += fmt::format(" && {0} < {0}s", number_);
  text_.open(fmt::format("if ({})", condition));
}

void ReductionWriter::writeEntry(const std::string& name) {
  const Kernel& kernel = facts_.kernel;
  const bool rows = role_ == Role::rows;
  const std::string& index = facts_.index;
  const char* across = rows ? "acrossRow" : "acrossColumn";
  text_.line(
      rows ? "// Rows of threads, each for one result (or, with blockIdx.y, a part of one)."
           : "// Columns of threads, each for one result (or, with blockIdx.y, a part of one).");
  text_.line(fmt::format("extern \"C\" __global__ void __launch_bounds__({})",
                         rows ? kRowThreads : kColumnThreads));
  text_.open(fmt::format("{}({})", name, facts_.parameters(true)));
  text_.line(fmt::format("const {} length = {};", index, facts_.product(reduced_)));
  text_.line(fmt::format("const {0} lane = ({0})blockIdx.y * blockDim.{1} + threadIdx.{1};", index,
                         side_));
  text_.line(fmt::format("const {0} lanes = ({0})gridDim.y * blockDim.{1};", index, side_));
  if (!kept_.empty())
    text_.line(fmt::format("const {} {}s = {};", index, number_, facts_.product(kept_)));
  openResults();
  const std::string numberNow = kept_.empty() ? "0" : number_;
  for (const Reduction& reduction : reductions_) {
    const TypedAccumulator kind = typed(kernel.outputs[reduction.output]);
    text_.line(fmt::format("{} {} = {};", kind.gathering(), reduction.gathering, kind.nothing()));
  }
  if (!kept_.empty()) text_.open(fmt::format("if ({0} < {0}s)", number_));
  LoopWriter::writeIndices(facts_, text_, kept_, number_);
  LoopWriter loop(facts_, element_, text_, kept_, reduced_);
  if (!rows) loop.useNoVectors();
  if (!rows && light_) loop.overlapReads();
  loop.write(
      "length", "lane", "lanes", [&](const auto& results) { writeAdds(results, 1); },
      [&](const auto& results) { writeAdds(results, loop.width()); });
  if (!kept_.empty()) text_.close();
  for (const Reduction& reduction : reductions_) {
    const TypedAccumulator kind = typed(kernel.outputs[reduction.output]);
    if (kind.gathering() == kind.state())
      text_.line(fmt::format("{0} = {1}({0});", reduction.state, across));
    else
      text_.line(fmt::format("const {} {} = {}(gathered({}));", kind.state(), reduction.state,
                             across, reduction.gathering));
  }
  openFirst();
  text_.open("if (parts == 1)");
  writeStores(numberNow, &Reduction::state);
  text_.close("} else {");
  std::string members;
  for (const Reduction& reduction : reductions_)
    members += (members.empty() ? "" : ", ") + reduction.state;
  text_.line(fmt::format(
      "  reinterpret_cast<Partial*>(scratch)[(long long){} * parts + blockIdx.y] = {{{}}};",
      numberNow, members));
  text_.line("}");
  text_.close();
  if (!kept_.empty()) text_.close();
  writeMerge(numberNow, across);
  text_.close();
}

/// The last block to come merges what all have gathered.
void ReductionWriter::writeMerge(const std::string& number, const char* across) {
  text_.line("if (parts == 1 || !isLastBlock(arrived, parts)) return;");
  text_.line("const Partial* partials = reinterpret_cast<const Partial*>(scratch);");
  openResults();
  for (const Reduction& reduction : reductions_) {
    const TypedAccumulator kind = typed(facts_.kernel.outputs[reduction.output]);
    text_.line(fmt::format("{} {} = {};", kind.state(), reduction.whole, kind.none()));
  }
  if (!kept_.empty()) text_.open(fmt::format("if ({0} < {0}s)", number_));
  text_.line("#pragma unroll 1");
  text_.open(fmt::format(
      "for (int part = (int)threadIdx.{0}; part < parts; part += (int)blockDim.{0})", side_));
  text_.line(fmt::format("const Partial one = partials[(long long){} * parts + part];", number));
  for (const Reduction& reduction : reductions_)
    text_.line(fmt::format("{0} = merged({0}, one.{1});", reduction.whole, reduction.state));
  text_.close();
  if (!kept_.empty()) text_.close();
  for (const Reduction& reduction : reductions_)
    text_.line(fmt::format("{0} = {1}({0});", reduction.whole, across));
  openFirst();
  writeStores(number, &Reduction::whole);
  text_.close();
  if (!kept_.empty()) text_.close();
}

}  // namespace fusebench::cuda
