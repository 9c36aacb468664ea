// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernel.h"

#include <iterator>

#include <fmt/format.h>

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

std::string_view name(Accumulate accumulate) {
  switch (accumulate) {
    case Accumulate::sum:
      return "sum";
    case Accumulate::prod:
      return "prod";
    case Accumulate::max:
      return "max";
    case Accumulate::min:
      return "min";
    case Accumulate::squaredDeviations:
      return "squared_deviations";
    case Accumulate::argmax:
      return "argmax";
  }
  return "?";
}

/// Numbers that nodes are printed under: only those that some output needs, in order.
std::vector<int> numberNeeded(const Kernel& kernel) {
  std::vector<int> numbers(kernel.body.size(), -1);
  for (const auto& output : kernel.outputs) numbers[static_cast<std::size_t>(output.value)] = 0;
  for (std::size_t i = kernel.body.size(); i-- > 0;) {
    if (numbers[i] < 0) continue;
    const ExprNode& node = kernel.body[static_cast<ExprId>(i)];
    for (int o = 0; o < info(node.primitive).arity; ++o)
      numbers[static_cast<std::size_t>(node.operands[o])] = 0;
  }
  int next = 0;
  for (int& n : numbers)
    if (n >= 0) n = next++;
  return numbers;
}

/// The finish formula as text, e.g. "(acc / n)".
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

std::string bodyText(const Kernel& kernel, const std::vector<int>& numbers,
                     std::string_view indent) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < 0) continue;
    const ExprNode& node = kernel.body[static_cast<ExprId>(i)];
    text += fmt::format("{}v{} = ", indent, numbers[i]);
    switch (node.primitive) {
      case Primitive::input:
        text += fmt::format("in{}{}", node.index, node.truth ? " != 0" : "");
        break;
      case Primitive::scalar:
        text += fmt::format("scalar{}", node.index);
        break;
      // Hexadecimal: exact, so that equal texts mean equal constants.
      case Primitive::constant:
        text += fmt::format("{} ({:a})", node.value, node.value);
        break;
      default: {
        text += fmt::format("{}(", info(node.primitive).name);
        for (int o = 0; o < info(node.primitive).arity; ++o)
          text += fmt::format("{}v{}", o ? ", " : "",
                              numbers[static_cast<std::size_t>(node.operands[o])]);
        text += ")";
      }
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string canonicalText(const Kernel& kernel) {
  std::string text =
      fmt::format("space {} reduced {:x} scalars {} contract {}\n", list(kernel.extents),
                  kernel.reducedMask, kernel.scalars, kernel.contract);
  for (const auto& input : kernel.inputs)
    text += fmt::format("in {} {}\n", info(input.dtype).name, list(input.strides));
  const std::vector<int> numbers = numberNeeded(kernel);
  text += bodyText(kernel, numbers, "");
  for (const auto& output : kernel.outputs)
    text +=
        fmt::format("out {} {} v{} {} {}\n", info(output.tensor.dtype).name,
                    list(output.tensor.strides), numbers[static_cast<std::size_t>(output.value)],
                    output.reduces ? name(output.accumulate) : "store", finishText(output));
  return text;
}

std::string readableText(const Kernel& kernel) {
  std::string text = fmt::format("kernel {}\n", kernel.name);
  std::string indent;
  for (int dim = 0; dim < kernel.rank(); ++dim) {
    text += fmt::format(
        "{}for i{} in 0..{}{}\n", indent, dim,
        kernel.extents[dim] == kAtLaunch ? fmt::format("n{}", dim) : number(kernel.extents[dim]),
        kernel.reduced(dim) ? "  (reduced)" : "");
    indent += "  ";
  }
  const auto place = [&](const KernelTensor& tensor) {
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
  };
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i)
    text += fmt::format("{}in{} = input{}[{}]\n", indent, i, i, place(kernel.inputs[i]));
  const std::vector<int> numbers = numberNeeded(kernel);
  text += bodyText(kernel, numbers, indent);
  for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
    const KernelOutput& output = kernel.outputs[i];
    const int value = numbers[static_cast<std::size_t>(output.value)];
    const std::string finish = finishText(output);
    text +=
        output.reduces
            ? fmt::format("{}output{}[{}] <- {}(v{}){}\n", indent, i, place(output.tensor),
                          name(output.accumulate), value, finish.empty() ? "" : ", then " + finish)
            : fmt::format("{}output{}[{}] = v{}\n", indent, i, place(output.tensor), value);
  }
  return text;
}

}  // namespace fusebench
