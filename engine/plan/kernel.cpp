// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/ops/accumulators.h"
#include "engine/plan/kernel_nodes.h"

namespace fusebench {
namespace {

std::string number(std::int64_t value) {
  return value == kAtLaunch ? "?" : fmt::format("{}", value);
}

std::string list(const Dims& dims) {
  std::string text;
  for (std::int64_t value : dims) text += (text.empty() ? "" : ",") + number(value);
  return text;
}

}  // namespace

std::vector<int> numberNeeded(const Kernel& kernel) {
  std::vector<int> numbers(kernel.body.size(), -1);
  for (const auto& output : kernel.outputs) numbers[static_cast<std::size_t>(output.value)] = 0;
  for (std::size_t i = kernel.body.size(); i-- > 0;) {
    if (numbers[i] < 0) continue;
    const ExprNode& node = kernel.body[static_cast<ExprId>(i)];
    // The node whose result it is must be computed first.
    if (node.primitive == Primitive::carried && kernel.hasPhases())
      numbers[static_cast<std::size_t>(kernel.carriedAs(node.index).value)] = 0;
    for (int o = 0; o < info(node.primitive).arity; ++o)
      numbers[static_cast<std::size_t>(node.operands[o])] = 0;
  }
  int next = 0;
  for (int& n : numbers)
    if (n >= 0) n = next++;
  return numbers;
}

std::string finishText(const KernelOutput& output) {
  if (!output.finish) return {};
  ExprGraph graph;
  const Expr total{&graph, graph.input(0)}, count{&graph, graph.input(1)};
  std::vector<Expr> parameters;
  for (double value : output.finishParameters)
    parameters.push_back({&graph, graph.constant(value)});
  const ExprId root = output.finish(total, count, Args({}, parameters)).id;
  std::vector<std::string> texts;
  for (const ExprNode& node : graph.nodes()) {
    if (node.primitive == Primitive::input) {
      texts.push_back(node.index == 0 ? "acc" : "n");
    } else if (node.primitive == Primitive::constant) {
      texts.push_back(fmt::format("{}", node.value));
    } else {
      std::string text = fmt::format("{}(", info(node.primitive).name);
      for (int o = 0; o < info(node.primitive).arity; ++o)
        text += (o ? ", " : "") + texts[static_cast<std::size_t>(node.operands[o])];
      texts.push_back(text + ")");
    }
  }
  return texts[static_cast<std::size_t>(root)];
}

namespace {

/// ": int64", if it is not the usual class.
std::string typeText(const ExprNode& node) {
  if (node.isTruth() || node.type == TypeClass::float32) return {};
  return fmt::format(" : {}", info(storageOf(node.type)).name);
}

}  // namespace

std::string nodeText(const Kernel& kernel, std::size_t i, const std::vector<int>& numbers) {
  const ExprNode& node = kernel.body[static_cast<ExprId>(i)];
  std::string text = fmt::format("v{} = ", numbers[i]);
  switch (node.primitive) {
    case Primitive::input:
      return text +
             fmt::format("in{}{}{}", node.index, node.isTruth() ? " != 0" : "", typeText(node));
    case Primitive::scalar:
      return text + fmt::format("scalar{}{}", node.index, typeText(node));
    case Primitive::carried:
      if (node.index >= LoopNest::kFirstTotal)
        return text + fmt::format("all{}{}", node.index - LoopNest::kFirstTotal, typeText(node));
      return text + fmt::format("row{}{}", node.index, typeText(node));
    case Primitive::at:
      return text + fmt::format("in{}[v{}]{}{}", node.index,
                                numbers[static_cast<std::size_t>(node.operands[0])],
                                node.isTruth() ? " != 0" : "", typeText(node));
    case Primitive::constant:
      if (isInteger(node.type)) return text + fmt::format("{}{}", node.whole, typeText(node));
      // Hexadecimal: exact, so that equal texts mean equal constants.
      return text + fmt::format("{} ({:a}){}", node.value, node.value, typeText(node));
    default:
      break;
  }
  text += fmt::format("{}(", info(node.primitive).name);
  for (int o = 0; o < info(node.primitive).arity; ++o)
    text +=
        fmt::format("{}v{}", o ? ", " : "", numbers[static_cast<std::size_t>(node.operands[o])]);
  if (node.primitive == Primitive::narrow)
    text += fmt::format(", {}", info(static_cast<DType>(node.index)).name);
  return text + ")" + typeText(node);
}

std::string KernelLabel::text() const {
  const auto name = [this](std::size_t i) { return std::string(rows[i]->name); };
  if (ops > kNamed)
    return name(0) + '_' + name(1) + "_..._" + name(kNamed - 1) + " (" + std::to_string(ops) +
           " ops)";
  std::string text;
  for (std::size_t i = 0; i < ops; ++i) text += (i > 0 ? "_" : "") + name(i);
  return text;
}

LaunchForm launchForm(const LoopNest& kernel) {
  const auto unknown = [](const Dims& dims) {
    return static_cast<int>(std::count(dims.begin(), dims.end(), kAtLaunch));
  };
  LaunchForm form{static_cast<int>(kernel.inputs.size() + kernel.outputs.size()),
                  unknown(kernel.extents), kernel.scalars};
  for (const KernelTensor& input : kernel.inputs) form.integers += unknown(input.strides);
  for (const KernelOutput& output : kernel.outputs) form.integers += unknown(output.tensor.strides);
  return form;
}

std::string canonicalText(const Kernel& kernel) {
  std::string text =
      fmt::format("space {} reduced {:x} scalars {} contract {} fast {}\n", list(kernel.extents),
                  kernel.reducedMask, kernel.scalars, kernel.contract, kernel.fastMath);
  for (const auto& input : kernel.inputs)
    text += fmt::format("{} {} {}{}\n", input.counts ? "count" : "in", info(input.dtype).name,
                        list(input.strides),
                        input.rewritten ? " rewritten"
                        : input.indexed ? " indexed"
                                        : "");
  const std::vector<int> numbers = numberNeeded(kernel);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] >= 0) text += nodeText(kernel, i, numbers) + "\n";
  for (const auto& output : kernel.outputs)
    text += fmt::format("out {} {}{} v{} {} {}\n", info(output.tensor.dtype).name,
                        list(output.tensor.strides), output.tensor.into ? " into" : "",
                        numbers[static_cast<std::size_t>(output.value)],
                        output.reduces || output.scans ? info(output.accumulate).name : "store",
                        output.scans ? "scan" : finishText(output));
  for (const auto& carried : kernel.carried)
    text += fmt::format("row {} v{} {} {}\n", info(carried.tensor.dtype).name,
                        numbers[static_cast<std::size_t>(carried.value)],
                        info(carried.accumulate).name, finishText(carried));
  for (const auto& total : kernel.totals)
    text += fmt::format("all {} v{} {} {}\n", info(total.tensor.dtype).name,
                        numbers[static_cast<std::size_t>(total.value)], info(total.accumulate).name,
                        finishText(total));
  return text;
}

}  // namespace fusebench
