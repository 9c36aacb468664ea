// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/expression_writer.h"

#include <stdexcept>

#include <fmt/format.h>

#include "engine/cuda/codegen/device_functions.h"

namespace fusebench::cuda {
namespace {

struct Operator {
  const char* symbol = nullptr;
  Binding binding{};
};

Operator operatorOf(Primitive primitive) {
  switch (primitive) {
    case Primitive::add:
      return {"+", Binding::sum};
    case Primitive::sub:
      return {"-", Binding::sum};
    case Primitive::mul:
      return {"*", Binding::product};
    case Primitive::div:
      return {"/", Binding::product};
    case Primitive::lt:
      return {"<", Binding::relation};
    case Primitive::le:
      return {"<=", Binding::relation};
    case Primitive::gt:
      return {">", Binding::relation};
    case Primitive::ge:
      return {">=", Binding::relation};
    case Primitive::eq:
      return {"==", Binding::equality};
    case Primitive::ne:
      return {"!=", Binding::equality};
    case Primitive::logicalAnd:
      return {"&&", Binding::both};
    case Primitive::logicalOr:
      return {"||", Binding::either};
    default:
      return {};
  }
}

Binding tighter(Binding binding) {
  return static_cast<Binding>(static_cast<int>(binding) + 1);
}

CPiece binary(const Operator& op, const CPiece& a, const CPiece& b) {
  // Comparisons, and && next to ||, are in parentheses: compilers warn, and readers stumble.
  const bool arithmetic = op.binding == Binding::sum || op.binding == Binding::product;
  const Binding left = arithmetic ? op.binding : Binding::sum;
  const Binding right = arithmetic ? tighter(op.binding) : Binding::sum;
  const bool logical = op.binding == Binding::both || op.binding == Binding::either;
  return {fmt::format("{} {} {}", within(a, logical ? Binding::equality : left), op.symbol,
                      within(b, logical ? Binding::equality : right)),
          op.binding};
}

CPiece negative(const CPiece& a) {
  const bool sign = !a.text.empty() && a.text.front() == '-';
  return {sign ? fmt::format("-({})", a.text) : "-" + within(a, Binding::unary), Binding::unary};
}

CPiece choice(std::span<const CPiece> x) {
  return {fmt::format("{} ? {} : {}", within(x[0], Binding::either), within(x[1], Binding::either),
                      within(x[2], Binding::either)),
          Binding::choice};
}

}  // namespace

std::string within(const CPiece& piece, Binding least) {
  return piece.binding >= least ? piece.text : "(" + piece.text + ")";
}

CPiece primitiveText(Primitive primitive, std::span<const CPiece> operands) {
  if (const Operator op = operatorOf(primitive); op.symbol)
    return binary(op, operands[0], operands[1]);
  switch (primitive) {
    case Primitive::neg:
      return negative(operands[0]);
    case Primitive::logicalNot:
      return {"!" + within(operands[0], Binding::unary), Binding::unary};
    case Primitive::select:
      return choice(operands);
    case Primitive::toNumber:
      return {within(operands[0], Binding::either) + " ? 1.0f : 0.0f", Binding::choice};
    case Primitive::toTruth:
      return {within(operands[0], Binding::sum) + " != 0.0f", Binding::equality};
    default:
      break;
  }
  const std::string_view name = functionName(primitive);
  if (name.empty()) throw std::logic_error("no CUDA for " + std::string(info(primitive).name));
  std::string text = fmt::format("{}(", name);
  for (std::size_t o = 0; o < operands.size(); ++o) text += (o ? ", " : "") + operands[o].text;
  return {text + ")", Binding::atom};
}

CPiece doublePrimitiveText(Primitive primitive, std::span<const CPiece> operands) {
  if (const Operator op = operatorOf(primitive); op.symbol && op.binding >= Binding::relation)
    return binary(op, operands[0], operands[1]);
  switch (primitive) {
    case Primitive::neg:
      return negative(operands[0]);
    case Primitive::sqrt:
      return {fmt::format("sqrt({})", operands[0].text), Binding::atom};
    case Primitive::pow:
      return {fmt::format("pow({}, {})", operands[0].text, operands[1].text), Binding::atom};
    case Primitive::select:
      return choice(operands);
    case Primitive::max: {
      const std::string a = within(operands[0], Binding::atom);
      return {
          fmt::format("{0} > {1} || {0} != {0} ? {0} : {1}", a, within(operands[1], Binding::atom)),
          Binding::choice};
    }
    default:
      throw std::logic_error("a finish formula uses " + std::string(info(primitive).name));
  }
}

}  // namespace fusebench::cuda
