// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/kernel_facts.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "engine/cuda/codegen/device_functions.h"
#include "engine/cuda/codegen/index_width.h"
#include "engine/cuda/codegen/typed_text.h"
#include "engine/language/program.h"
#include "engine/plan/kernel_nodes.h"

namespace fusebench::cuda {
namespace {

/// Names that the parts of a source use between themselves.
constexpr std::string_view kReserved[] = {
    "element",     "digit",      "thread",    "threads",      "count",   "done",
    "i",           "rest",       "row",       "rows",         "column",  "columns",
    "length",      "lane",       "lanes",     "first",        "parts",   "scratch",
    "part",        "partials",   "Partial",   "Sum",          "Product", "Greatest",
    "Least",       "Deviations", "Shifted",   "Best",         "merged",  "fromLane",
    "add",         "gathered",   "acrossRow", "acrossColumn", "along",   "arrived",
    "isLastBlock", "one",        "state",     "toRow",        "j",       "turn",
    "Spread",      "fits",       "squares"};

std::string literal(std::int64_t value) {
  const bool fits = value <= std::numeric_limits<std::int32_t>::max() &&
                    value >= std::numeric_limits<std::int32_t>::min();
  return fits ? fmt::format("{}", value) : fmt::format("{}ll", value);
}

/// "x_3" for what statement 3 names x; "x_3_mul" for a mul on the way; "result_sum" in the return.
std::string opName(const Program& program, int index) {
  const Op& op = program.ops[static_cast<std::size_t>(index)];
  if (op.statement < 0) return fmt::format("result_{}", op.row->name);
  const Statement& statement = program.statements[static_cast<std::size_t>(op.statement)];
  std::string target = fmt::format("{}_{}", statement.target, op.statement + 1);
  if (statement.value == program.result(index)) return target;
  return fmt::format("{}_{}", target, op.row->name);
}

std::string valueName(const Program& program, ValueId value) {
  const auto inputs = static_cast<ValueId>(program.inputs.size());
  if (value < inputs) return fmt::format("{}_0", program.inputs[static_cast<std::size_t>(value)]);
  return opName(program, value - inputs);
}

}  // namespace

KernelFacts::KernelFacts(const Kernel& k, const SourceOptions& options)
    : kernel(k), program(options.program) {
  for (std::string_view name : kReserved) names.reserve(name);
  for (std::string_view name : ownFunctionNames()) names.reserve(name);
  for (std::string_view name : typedNames()) names.reserve(name);
  for (std::string_view name : vectorNames()) names.reserve(name);
  index = !options.wide && IndexWidth(kernel).narrow(nullptr) ? "int" : "long long";
  nameValues();
  const auto known = [&](std::int64_t value, const std::string& wanted) {
    if (value != kAtLaunch) return literal(value);
    integers.push_back(names.make(wanted));
    return integers.back();
  };
  for (int dim = 0; dim < kernel.rank(); ++dim) {
    extents.push_back(known(kernel.extents[dim], fmt::format("n{}", dim)));
    indices.push_back(names.make(fmt::format("i{}", dim)));
  }
  for (std::size_t t = 0; t < tensors(); ++t) {
    std::vector<std::string>& steps = strides.emplace_back();
    for (int dim = 0; dim < kernel.rank(); ++dim)
      steps.push_back(known(tensor(t).strides[dim], fmt::format("{}_step{}", pointers[t], dim)));
  }
  for (int s = 0; s < kernel.scalars; ++s)
    scalars.push_back(names.make(fmt::format("number{}", s)));
  for (std::size_t c = 0; c < kernel.carried.size(); ++c)
    carried.push_back(names.make(fmt::format("row{}", c)));
}

const KernelTensor& KernelFacts::tensor(std::size_t t) const {
  return t < kernel.inputs.size() ? kernel.inputs[t]
                                  : kernel.outputs[t - kernel.inputs.size()].tensor;
}

void KernelFacts::nameValues() {
  valueNames.resize(kernel.body.size());
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
    const bool known = program && i < kernel.inputValues.size();
    const std::string wanted =
        known ? valueName(*program, kernel.inputValues[i]) : fmt::format("in{}", i);
    inputNames.push_back(names.make(wanted));
    pointers.push_back(names.make("from_" + inputNames.back()));
  }
  const std::vector<int> numbers = numberNeeded(kernel);
  std::map<int, std::size_t> lastOfOp;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] >= 0 && i < kernel.nodeOps.size() && kernel.nodeOps[i] >= 0)
      lastOfOp[kernel.nodeOps[i]] = i;
  const auto isLast = [&](std::size_t i) {
    if (i >= kernel.nodeOps.size() || kernel.nodeOps[i] < 0) return false;
    return lastOfOp.at(kernel.nodeOps[i]) == i;
  };
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const ExprNode& node = kernel.body[static_cast<ExprId>(i)];
    const bool leaf = info(node.primitive).arity == 0;
    if (numbers[i] < 0 || leaf || !isLast(i)) continue;
    valueNames[i] =
        names.make(program ? opName(*program, kernel.nodeOps[i]) : fmt::format("v{}", numbers[i]));
  }
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o) {
    const KernelOutput& output = kernel.outputs[o];
    pointers.push_back(names.make(program && output.op >= 0 ? "to_" + opName(*program, output.op)
                                                            : fmt::format("to_out{}", o)));
  }
}

std::int64_t KernelFacts::knownProduct(const std::vector<int>& dims) const {
  std::int64_t product = 1;
  for (int dim : dims) {
    if (kernel.extents[dim] == kAtLaunch) return kAtLaunch;
    product *= kernel.extents[dim];
  }
  return product;
}

std::string KernelFacts::product(const std::vector<int>& dims) const {
  if (const std::int64_t known = knownProduct(dims); known != kAtLaunch) return literal(known);
  std::string text;
  for (int dim : dims) text += (text.empty() ? "" : " * ") + extents[static_cast<std::size_t>(dim)];
  return text;
}

std::string KernelFacts::offset(std::size_t t, const std::vector<int>& dims) const {
  std::string text;
  for (int dim : dims) {
    const std::int64_t stride = tensor(t).strides[dim];
    if (stride == 0) continue;
    const auto d = static_cast<std::size_t>(dim);
    text += " + " + indices[d];
    if (stride != 1) text += " * " + strides[t][d];
  }
  return text;
}

std::string KernelFacts::parameters(bool scratch) const {
  if (whole) return whole->parameters(scratch);
  std::string text;
  const auto add = [&](const std::string& parameter) {
    text += (text.empty() ? "" : ", ") + parameter;
  };
  // Where an element is written in its own place, two pointers lead to it.
  const bool shares = std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                                  [](const KernelTensor& input) { return input.rewritten; });
  const auto pointer = [&](std::size_t t) {
    const char* type = storageText(tensor(t).dtype);
    const bool input = t < kernel.inputs.size();
    if (tensor(t).counts) return add(fmt::format("const long long {}", pointers[t]));
    add(fmt::format("{}{}*{} {}", input ? "const " : "", type, shares ? "" : " __restrict__",
                    pointers[t]));
  };
  for (std::size_t t = 0; t < tensors(); ++t) pointer(t);
  for (const std::string& integer : integers) add(fmt::format("const {} {}", index, integer));
  for (int s = 0; s < kernel.scalars; ++s)
    add(fmt::format("const {} {}", classText(scalarType(kernel, s)),
                    scalars[static_cast<std::size_t>(s)]));
  if (scratch) {
    add("void* scratch");
    add("unsigned* arrived");
    add("const int parts");
  }
  return text;
}

namespace {

/// Which tensors have other elements along a dimension, in memory.
std::vector<bool> movedAlong(const KernelFacts& facts, int dim, std::vector<bool> tensors) {
  for (std::size_t t = 0; t < facts.tensors(); ++t)
    tensors[t] = tensors[t] && !facts.tensor(t).counts && facts.tensor(t).strides[dim] != 0;
  return tensors;
}

/// Whether adjacent elements can be walked `width` at a time, as far as is known before the launch.
bool divides(const KernelFacts& facts, const std::vector<int>& loopDims, int dim,
             const std::vector<bool>& moved, int width) {
  const Kernel& kernel = facts.kernel;
  const auto isMultiple = [&](std::int64_t size) { return size == kAtLaunch || size % width == 0; };
  // A single dimension may end within a vector: the rest is done one by one.
  if (loopDims.size() > 1 && !isMultiple(kernel.extents[dim])) return false;
  for (std::size_t t = 0; t < facts.tensors(); ++t)
    for (int other = 0; moved[t] && other < kernel.rank(); ++other)
      if (other != dim && kernel.extents[other] != 1 && !isMultiple(facts.tensor(t).strides[other]))
        return false;
  return true;
}

}  // namespace

int vectorWidth(const KernelFacts& facts, const std::vector<int>& loopDims, int dim,
                const std::vector<bool>& moved) {
  const std::vector<bool> all = movedAlong(facts, dim, moved);
  std::size_t widest = 1;
  for (std::size_t t = 0; t < facts.tensors(); ++t)
    if (all[t]) widest = std::max(widest, info(facts.tensor(t).dtype).size);
  if (widest == 8) return kNarrowVector;
  if (widest == 2 && divides(facts, loopDims, dim, all, kWideVector)) return kWideVector;
  return kVector;
}

VectorPath vectorPath(const KernelFacts& facts, const std::vector<int>& loopDims, int dim,
                      const std::vector<bool>& moved, int width) {
  const Kernel& kernel = facts.kernel;
  const std::vector<bool> all = movedAlong(facts, dim, moved);
  VectorPath path;
  path.width = width != 0 ? width : vectorWidth(facts, loopDims, dim, moved);
  if (!divides(facts, loopDims, dim, all, path.width)) return path;
  if (loopDims.size() > 1 && kernel.extents[dim] == kAtLaunch)
    path.conditions.push_back(
        fmt::format("{} % {} == 0", facts.extents[static_cast<std::size_t>(dim)], path.width));
  for (std::size_t t = 0; t < facts.tensors(); ++t) {
    if (!all[t]) continue;
    const Strides& strides = facts.tensor(t).strides;
    if (strides[dim] != 1) return path;
    path.conditions.push_back(fmt::format("aligned({})", facts.pointers[t]));
    for (int other = 0; other < kernel.rank(); ++other)
      if (other != dim && strides[other] == kAtLaunch)
        path.conditions.push_back(fmt::format(
            "{} % {} == 0", facts.strides[t][static_cast<std::size_t>(other)], path.width));
  }
  path.possible = std::ranges::find(all, true) != all.end();
  return path;
}

}  // namespace fusebench::cuda
