// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/element_function.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/cuda/codegen/expression_writer.h"
#include "engine/cuda/codegen/typed_text.h"
#include "engine/language/program.h"
#include "engine/plan/kernel_nodes.h"

namespace fusebench::cuda {
namespace {

/// Longer expressions get lines of their own.
constexpr std::size_t kInlineLength = 60;

int opOf(const Kernel& kernel, std::size_t node) {
  return node < kernel.nodeOps.size() ? kernel.nodeOps[node] : -1;
}

/// Writes the function's body: one line per op where that is short enough.
class BodyWriter {
 public:
  BodyWriter(KernelFacts& facts, const std::vector<bool>& needed, SourceText& text)
      : facts_(facts), needed_(needed), text_(text), comments_(text, facts.program) {
    countUses();
  }

  /// Texts of all needed nodes, each a name or an expression to put where it is used.
  std::vector<CPiece> write() {
    const Kernel& kernel = facts_.kernel;
    for (std::size_t i = 0; i < kernel.body.size(); ++i)
      if (needed_[i]) pieces_[i] = nodePiece(i);
    return std::move(pieces_);
  }

 private:
  void countUses() {
    const Kernel& kernel = facts_.kernel;
    uses_.assign(kernel.body.size(), 0);
    usedByOther_.assign(kernel.body.size(), false);
    pieces_.resize(kernel.body.size());
    for (const KernelOutput& output : kernel.outputs)
      usedByOther_[static_cast<std::size_t>(output.value)] = true;
    for (std::size_t i = 0; i < kernel.body.size(); ++i) {
      const ExprNode& node = kernel.body[static_cast<ExprId>(i)];
      for (int o = 0; needed_[i] && o < info(node.primitive).arity; ++o) {
        const auto operand = static_cast<std::size_t>(node.operands[o]);
        ++uses_[operand];
        if (opOf(kernel, i) != opOf(kernel, operand)) usedByOther_[operand] = true;
      }
    }
  }

  CPiece nodePiece(std::size_t i) {
    const Kernel& kernel = facts_.kernel;
    const ExprNode& node = kernel.body[static_cast<ExprId>(i)];
    switch (node.primitive) {
      case Primitive::input:
        return {facts_.inputNames[static_cast<std::size_t>(node.index)], Binding::atom};
      case Primitive::scalar:
        return {facts_.scalars[static_cast<std::size_t>(node.index)], Binding::atom};
      case Primitive::carried:
        return {facts_.carried[static_cast<std::size_t>(node.index)], Binding::atom};
      case Primitive::constant:
        return constantText(node);
      default:
        break;
    }
    if (node.primitive == Primitive::at) {
      const auto input = static_cast<std::size_t>(node.index);
      const std::string element =
          fmt::format("{}[{}]", facts_.inputNames[input],
                      pieces_[static_cast<std::size_t>(node.operands[0])].text);
      return named(i, node,
                   {loadedText(kernel.inputs[input].dtype, element),
                    node.isTruth() ? Binding::equality : Binding::unary});
    }
    std::vector<CPiece> operands;
    for (int o = 0; o < info(node.primitive).arity; ++o)
      operands.push_back(pieces_[static_cast<std::size_t>(node.operands[o])]);
    // Whether a number of the program is NaN is known: what is asked for all operands alike, as in
    // relu, need not be read.
    if (node.primitive == Primitive::ne && node.operands[0] == node.operands[1] &&
        kernel.body[node.operands[0]].primitive == Primitive::constant)
      return {std::isnan(kernel.body[node.operands[0]].value) ? "true" : "false", Binding::atom};
    if (node.primitive == Primitive::logicalOr && operands[1].text == "false") return operands[0];
    const TypeClass from = kernel.body[node.operands[info(node.primitive).arity - 1]].type;
    return named(i, node, nodeText(node, from, operands));
  }

  /// A node's text, or the name that it is given in a line of its own.
  CPiece named(std::size_t i, const ExprNode& node, const CPiece& piece) {
    const Kernel& kernel = facts_.kernel;
    const bool inlined = facts_.valueNames[i].empty() && uses_[i] == 1 && !usedByOther_[i] &&
                         piece.text.size() <= kInlineLength;
    if (inlined) return piece;
    const int op = opOf(kernel, i);
    comments_.before(op);
    const std::string name =
        facts_.valueNames[i].empty() ? facts_.names.make("t") : facts_.valueNames[i];
    text_.line(fmt::format("const {} {} = {};", classText(node.type), name, piece.text), op);
    return {name, Binding::atom};
  }

  KernelFacts& facts_;
  const std::vector<bool>& needed_;
  SourceText& text_;
  StatementComments comments_;
  std::vector<int> uses_;
  std::vector<bool> usedByOther_;  ///< by another op, or stored
  std::vector<CPiece> pieces_;
};

/// A statement's text in one line that a backslash does not continue.
std::string oneLine(std::string_view text) {
  std::string made(text);
  std::replace(made.begin(), made.end(), '\n', ' ');
  std::replace(made.begin(), made.end(), '\r', ' ');
  while (!made.empty() && (made.back() == '\\' || made.back() == ' ')) made.pop_back();
  return made;
}

}  // namespace

void StatementComments::before(int op) {
  if (!program_ || op < 0 || static_cast<std::size_t>(op) >= program_->ops.size()) return;
  const int statement = program_->ops[static_cast<std::size_t>(op)].statement;
  if (statement == last_) return;
  last_ = statement;
  if (statement < 0)
    text_.line("// return " + oneLine(program_->returnText), op);
  else
    text_.line(fmt::format("// {}: {}", statement + 1,
                           oneLine(program_->statements[static_cast<std::size_t>(statement)].text)),
               op);
}

ElementFunction::ElementFunction(KernelFacts& facts, std::string name, std::string comment)
    : facts_(facts),
      name_(std::move(name)),
      comment_(std::move(comment)),
      primitives_(kPrimitives, false) {
  const Kernel& kernel = facts_.kernel;
  for (const int number : numberNeeded(kernel)) needed_.push_back(number >= 0);
  std::vector<bool> reads(kernel.inputs.size(), false);
  for (std::size_t i = 0; i < kernel.body.size(); ++i) {
    if (!needed_[i]) continue;
    const ExprNode& node = kernel.body[static_cast<ExprId>(i)];
    if (node.type == TypeClass::float32 || node.isTruth())
      primitives_[static_cast<std::size_t>(node.primitive)] = true;
    if (node.primitive == Primitive::input || node.primitive == Primitive::at)
      reads[static_cast<std::size_t>(node.index)] = true;
    if (node.primitive == Primitive::scalar &&
        std::find(scalars_.begin(), scalars_.end(), node.index) == scalars_.end())
      scalars_.push_back(node.index);
    if (node.primitive == Primitive::carried &&
        std::find(carried_.begin(), carried_.end(), node.index) == carried_.end())
      carried_.push_back(node.index);
  }
  for (std::size_t i = 0; i < reads.size(); ++i)
    if (reads[i]) inputs_.push_back(i);
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o) {
    const ExprId value = kernel.outputs[o].value;
    std::size_t r = 0;
    while (r < results_.size() && results_[r].value != value) ++r;
    if (r == results_.size())
      results_.push_back({value, kernel.body[value].type,
                          facts_.names.make(fmt::format("result{}", results_.size()))});
    resultOfOutput_.push_back(r);
  }
}

void ElementFunction::write(SourceText& text, bool routine) const {
  const Kernel& kernel = facts_.kernel;
  std::vector<std::string> parameters;
  for (std::size_t i : inputs_)
    parameters.push_back(
        kernel.inputs[i].indexed
            ? fmt::format("const {}* {}", storageText(kernel.inputs[i].dtype), facts_.inputNames[i])
            : fmt::format("const {} {}", classText(classOf(kernel.inputs[i].dtype)),
                          facts_.inputNames[i]));
  for (int s : scalars_)
    parameters.push_back(fmt::format("const {} {}", classText(scalarType(kernel, s)),
                                     facts_.scalars[static_cast<std::size_t>(s)]));
  for (const ExprNode& node : kernel.body.nodes())
    if (node.primitive == Primitive::carried &&
        std::find(carried_.begin(), carried_.end(), node.index) != carried_.end())
      parameters.push_back(fmt::format("const {} {}", classText(node.type),
                                       facts_.carried[static_cast<std::size_t>(node.index)]));
  for (const Result& result : results_)
    parameters.push_back(fmt::format("{}& {}", classText(result.type), result.name));
  text.line("// " + comment_);
  text.open(fmt::format("static __device__ {} void {}({})",
                        routine ? "__noinline__" : "__forceinline__", name_,
                        fmt::join(parameters, ", ")));
  const std::vector<CPiece> pieces = BodyWriter(facts_, needed_, text).write();
  for (const Result& result : results_)
    text.line(
        fmt::format("{} = {};", result.name, pieces[static_cast<std::size_t>(result.value)].text),
        opOf(kernel, static_cast<std::size_t>(result.value)));
  text.close();
  text.line("");
}

std::string ElementFunction::call(const std::vector<std::string>& values,
                                  const std::vector<std::string>& results) const {
  std::vector<std::string> arguments = values;
  for (int s : scalars_) arguments.push_back(facts_.scalars[static_cast<std::size_t>(s)]);
  for (int c : carried_) arguments.push_back(facts_.carried[static_cast<std::size_t>(c)]);
  arguments.insert(arguments.end(), results.begin(), results.end());
  return fmt::format("{}({});", name_, fmt::join(arguments, ", "));
}

std::string storedText(DType dtype, const CPiece& result) {
  switch (dtype) {
    case DType::boolean:
      return within(result, Binding::sum) + " != 0.0";
    case DType::float16:
    case DType::bfloat16:
      return storableText(dtype, "(float)" + within(result, Binding::unary));
    default:
      return fmt::format("({}){}", storageText(dtype), within(result, Binding::unary));
  }
}

namespace {

std::vector<CPiece> finishPieces(const KernelOutput& output) {
  std::vector<CPiece> parameters;
  for (double value : output.finishParameters) {
    std::string text = doubleText(value);
    const Binding binding = text.front() == '-' ? Binding::unary : Binding::atom;
    parameters.push_back({std::move(text), binding});
  }
  return parameters;
}

}  // namespace

std::string carriedText(const KernelOutput& output, const std::string& accumulated,
                        const std::string& count) {
  const CPiece made = finishPiece(output.finish, accumulated, count, finishPieces(output));
  const DType dtype = output.tensor.dtype;
  if (dtype == DType::boolean) return within(made, Binding::sum) + " != 0";
  // Integers in the type of their storage; a 16-bit float is rounded where it is used.
  const char* const type = isRounded(dtype) ? "float" : storageText(dtype);
  return fmt::format("({}){}", type, within(made, Binding::unary));
}

std::string finishExpression(const KernelOutput& output, const std::string& accumulated,
                             const std::string& count) {
  return storedText(output.tensor.dtype,
                    finishPiece(output.finish, accumulated, count, finishPieces(output)));
}

CPiece finishPiece(Finish finish, const std::string& accumulated, const std::string& count,
                   std::span<const CPiece> parameters) {
  if (!finish) return {accumulated, Binding::atom};
  ExprGraph graph;
  const Expr total{&graph, graph.input(0)}, elements{&graph, graph.input(1)};
  std::vector<Expr> given;
  for (std::size_t p = 0; p < parameters.size(); ++p)
    given.push_back({&graph, graph.input(static_cast<int>(p) + 2)});
  const ExprId root = finish(total, elements, Args({}, given)).id;
  std::vector<CPiece> pieces;
  for (const ExprNode& node : graph.nodes()) {
    if (node.primitive == Primitive::input) {
      pieces.push_back(node.index == 0   ? CPiece{accumulated, Binding::atom}
                       : node.index == 1 ? CPiece{count, Binding::atom}
                                         : parameters[static_cast<std::size_t>(node.index) - 2]);
    } else if (node.primitive == Primitive::constant) {
      std::string text = doubleText(node.value);
      const Binding binding = text.front() == '-' ? Binding::unary : Binding::atom;
      pieces.push_back({std::move(text), binding});
    } else {
      std::vector<CPiece> operands;
      for (int o = 0; o < info(node.primitive).arity; ++o)
        operands.push_back(pieces[static_cast<std::size_t>(node.operands[o])]);
      pieces.push_back(doublePrimitiveText(node.primitive, operands));
    }
  }
  return pieces[static_cast<std::size_t>(root)];
}

}  // namespace fusebench::cuda
