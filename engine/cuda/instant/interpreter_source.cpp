// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/instant/interpreter_source.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/base/text_lines.h"
#include "engine/cuda/codegen/accumulator_text.h"
#include "engine/cuda/codegen/device_functions.h"
#include "engine/cuda/codegen/element_function.h"
#include "engine/cuda/codegen/expression_writer.h"
#include "engine/cuda/codegen/loop_writer.h"
#include "engine/cuda/instant/interpreter_abi.h"
#include "engine/cuda/instant/interpreter_text.h"
#include "engine/plan/lowering.h"

namespace fusebench::cuda {
namespace {

constexpr std::uint32_t kFirstRow = static_cast<std::uint32_t>(Move::firstRow);
constexpr std::string_view kCaseIndentation = "      ";
constexpr const char* kFieldNames[] = {"now.a", "now.b", "now.c"};
constexpr const char* kOperandNames[] = {"x", "y", "z"};

/// The row as a kernel of one op on numbers, its parameters given at launch. Truth values are the
/// numbers 1 and 0 here.
Kernel rowKernel(const OpRow& row) {
  Kernel kernel;
  kernel.name = row.name;
  ExprGraph& graph = kernel.body;
  std::vector<Expr> operands, parameters;
  for (int o = 0; o < row.arity; ++o) {
    kernel.inputs.push_back({DType::float32, {}});
    operands.push_back({&graph, graph.input(o)});
  }
  for (const Parameter& parameter : row.parameters) {
    if (isStructural(row, parameter))
      throw std::logic_error(fmt::format("{}: a parameter that is part of the code", row.name));
    parameters.push_back({&graph, parameter.kind == Parameter::Kind::number
                                      ? graph.scalar(kernel.scalars++)
                                      : graph.constant(0)});
  }
  Expr result = applyRow(row, meaningDType(row), operands, parameters);
  if (result.isTruth()) result = apply(Primitive::toNumber, result);
  KernelOutput output;
  output.value = result.id;
  kernel.outputs.push_back(output);
  return kernel;
}

/// Adds lines that stand for a row, or for none (-1).
void append(SourceText& to, std::string_view lines, int row, std::string_view indentation = "") {
  forEachLine(lines, [&](std::string_view line) {
    to.line(line.empty() ? std::string() : fmt::format("{}{}", indentation, line), row);
  });
}

/// One row: its function, and the case that calls it.
class RowText {
 public:
  explicit RowText(const OpRow& row)
      : row_(row),
        kernel_(rowKernel(row)),
        facts_(kernel_, SourceOptions{}),
        element_(facts_, fmt::format("op_{}", row.name), std::string(row.doc)) {}

  const std::vector<bool>& primitives() const { return element_.primitives(); }
  std::string function() const {
    SourceText text;
    element_.write(text);
    return text.takeText();
  }
  std::string caseText() const {
    SourceText text;
    const auto line = [&](const std::string& what) { text.line(what); };
    text.open(fmt::format("case {}:", operationOf(row_)));
    std::size_t field = static_cast<std::size_t>(std::max(row_.arity - 1, 0));
    for (const std::string& scalar : facts_.scalars) {
      if (field >= std::size(kFieldNames))
        throw std::logic_error(fmt::format("{}: too many numbers for an instruction", row_.name));
      line(fmt::format("const float {} = __int_as_float({});", scalar, kFieldNames[field++]));
    }
    bool isHeavy = false;
    for (std::size_t p = 0; p < primitives().size(); ++p)
      isHeavy |= primitives()[p] && isRoutine(static_cast<Primitive>(p));
    std::vector<std::string> values;
    for (const std::size_t o : element_.inputs())
      values.push_back(fmt::format("{}[{}]", kOperandNames[o], isHeavy ? "0" : "k"));
    if (isHeavy) {
      line("#pragma unroll 1");
      text.open("for (int k = 0; k < V; ++k)");
      line("float result;");
      line(element_.call(values, {"result"}));
      line("turn(x, result);");
      for (int o = 1; o < row_.arity; ++o)
        line(fmt::format("turn({0}, {0}[0]);", kOperandNames[o]));
      text.close();
    } else {
      line("#pragma unroll");
      line("for (int k = 0; k < V; ++k) " + element_.call(values, {"x[k]"}));
    }
    line("break;");
    text.close();
    return text.takeText();
  }

 private:
  const OpRow& row_;
  Kernel kernel_;
  KernelFacts facts_;
  ElementFunction element_;
};

/// The different finish formulas of the table, in its order; the first is none at all.
const std::vector<Finish>& finishes() {
  static const std::vector<Finish> all = [] {
    std::vector<Finish> found = {nullptr};
    for (const OpRow& row : opRows())
      if (row.kind == OpKind::reduce &&
          std::find(found.begin(), found.end(), row.finish) == found.end())
        found.push_back(row.finish);
    return found;
  }();
  return all;
}

ReductionCases reductionCases() {
  ReductionCases cases;
  for (const AccumulatorRow& row : kAccumulatorRows) {
    const AccumulatorText& kind = accumulatorText(row.kind);
    const std::string label = fmt::format("    case {}: {{\n", static_cast<int>(row.kind));
    if (cases.words.find(kind.words) == std::string::npos) cases.words += kind.words;
    const auto returns = [&](const std::string& what) {
      return label + "      " + what + "\n    }\n";
    };
    cases.nothing += returns(fmt::format("return words({}{});", kind.gathering, kind.nothing));
    if (kind.gathering != kind.state)
      cases.none += returns(fmt::format("return words({}{});", kind.state, kind.none));
    cases.add += label + fmt::format("      {} state;\n      take(state, into);\n", kind.gathering);
    if (row.positions)
      cases.add +=
          "      float left[V];\n"
          "      copy(left, x);\n"
          "#pragma unroll 1\n"
          "      for (int k = 0; k < valid; ++k) {\n"
          "        add(state, left[0], innerPlace(launch, launch.tensors[now.c], i + k));\n"
          "        turn(left, 0.0f);\n"
          "      }\n";
    else
      cases.add += "      addAll(state, x, valid);\n";
    cases.add += "      into = words(state);\n      break;\n    }\n";
    if (kind.gathering != kind.state)
      cases.gathered +=
          returns(fmt::format("{} own;\n      take(own, gathering);\n"
                              "      return {{words(gathered(own)), kind}};",
                              kind.gathering));
    cases.merge +=
        returns(fmt::format("{} x, y;\n      take(x, a.gathered), take(y, b.gathered);\n"
                            "      return {{words(merged(x, y)), a.kind}};",
                            kind.state));
    const auto member = [&](std::string_view name) {
      return returns(
          fmt::format("{} own;\n      take(own, state);\n      return own.{};", kind.state, name));
    };
    if (!row.positions) cases.result += member(kind.result);
    if (!kind.count.empty()) cases.count += member(kind.count);
  }
  std::vector<CPiece> parameters;
  for (int p = 0; p < kFinishParameters; ++p)
    parameters.push_back({fmt::format("parameters[{}]", p), Binding::atom});
  for (std::size_t f = 1; f < finishes().size(); ++f)
    cases.finish +=
        fmt::format("    case {}:\n      return {};\n", f,
                    finishPiece(finishes()[f], "accumulated", "count", parameters).text);
  return cases;
}

void writeReductionHelpers(SourceText& text) {
  std::vector<std::string_view> written;
  for (const AccumulatorRow& row : kAccumulatorRows) {
    const AccumulatorText& kind = accumulatorText(row.kind);
    if (std::find(written.begin(), written.end(), kind.state) != written.end()) continue;
    written.push_back(kind.state);
    text.block(kind.definition);
  }
  text.block(interpreterStates(reductionCases()));
  text.block(acrossRowText());
  text.block(acrossColumnText());
  text.block(lastBlockText());
}

}  // namespace

std::uint32_t operationOf(const OpRow& row) {
  return kFirstRow + static_cast<std::uint32_t>(opIndex(row));
}

std::int32_t finishOf(const KernelOutput& output) {
  const auto found = std::find(finishes().begin(), finishes().end(), output.finish);
  if (found == finishes().end()) throw std::logic_error("a finish formula that no row has");
  return static_cast<std::int32_t>(found - finishes().begin());
}

Source interpreterSource(bool reduces) {
  if (kFirstRow + opRows().size() > kOperationMask)
    throw std::logic_error("more op rows than an instruction can name");
  SourceText text;
  text.line("// The interpreter of op chains, made by Fusebench");
  text.line("");
  text.block(interpreterStructs());
  std::vector<std::pair<int, std::unique_ptr<RowText>>> rows;
  std::vector<bool> primitives;
  for (const OpRow& row : opRows()) {
    if (!hasPieces(row)) continue;
    if (!row.meaning || (row.kind == OpKind::reduce && !reduces)) continue;
    auto made = std::make_unique<RowText>(row);
    primitives.resize(made->primitives().size());
    for (std::size_t p = 0; p < primitives.size(); ++p)
      primitives[p] = primitives[p] || made->primitives()[p];
    rows.emplace_back(opIndex(row), std::move(made));
  }
  for (const std::string& function : functionsFor(primitives)) text.block(function);
  for (const auto& [number, row] : rows) append(text, row->function(), number);
  text.block(wideDigitText());
  text.block(interpreterMemory());
  if (reduces) writeReductionHelpers(text);
  append(text, interpreterLoopHead(), -1);
  if (reduces)
    append(text, "case kGather:\n  gatherInto(first, now, launch, x, i, valid);\n  break;\n", -1,
           kCaseIndentation);
  for (const auto& [number, row] : rows) append(text, row->caseText(), number, kCaseIndentation);
  text.block(interpreterLoopEnd());
  text.block(reduces ? reducingEntries() : pointwiseEntries());
  Source source;
  source.text = text.takeText();
  source.lineOps = text.takeOps();
  if (reduces)
    source.entries = {{"instant_reduce_one", Role::rows, kRowThreads},
                      {"instant_reduce_four", Role::rows, kRowThreads, kVector}};
  else
    source.entries = {{"instant_one", Role::elements, kInterpreterThreads},
                      {"instant_four", Role::elements, kInterpreterThreads, kVector}};
  return source;
}

}  // namespace fusebench::cuda
