// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/finish_formula.h"

#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/base/elements.h"

namespace fusebench::cpu {
namespace {
constexpr std::size_t kMostNodes = 32;  ///< in a formula: they scale, take roots and clamp
}

FinishFormula::FinishFormula(const KernelOutput& output)
    : accumulator_(&info(output.accumulate)),
      dtype_(output.tensor.dtype),
      plain_(!output.finish),
      isInteger_(isInteger(output.accumulated)),
      isWord_(plain_ && accumulator_->result == 0 && dtype_ == DType::float32) {
  if (plain_) return;
  const Expr total{&graph_, graph_.input(0)}, count{&graph_, graph_.input(1)};
  std::vector<Expr> parameters;
  for (const double value : output.finishParameters)
    parameters.push_back({&graph_, graph_.constant(value)});
  root_ = output.finish(total, count, Args({}, parameters)).id;
  if (graph_.size() > kMostNodes) throw std::logic_error("a finish formula is too long");
}

double FinishFormula::value(double accumulated, double elements) const {
  if (plain_) return accumulated;
  std::array<double, kMostNodes> values{};
  std::size_t next = 0;
  const auto give = [&](double value) { values[next++] = value; };
  for (const ExprNode& node : graph_.nodes()) {
    const auto x = [&](int o) { return values[static_cast<std::size_t>(node.operands[o])]; };
    switch (node.primitive) {
      case Primitive::input:
        give(node.index == 0 ? accumulated : elements);
        break;
      case Primitive::constant:
        give(node.value);
        break;
      case Primitive::add:
        give(x(0) + x(1));
        break;
      case Primitive::sub:
        give(x(0) - x(1));
        break;
      case Primitive::mul:
        give(x(0) * x(1));
        break;
      case Primitive::div:
        give(x(0) / x(1));
        break;
      case Primitive::pow:
        give(std::pow(x(0), x(1)));
        break;
      case Primitive::neg:
        give(-x(0));
        break;
      case Primitive::sqrt:
        give(std::sqrt(x(0)));
        break;
      case Primitive::lt:
        give(x(0) < x(1));
        break;
      case Primitive::le:
        give(x(0) <= x(1));
        break;
      case Primitive::gt:
        give(x(0) > x(1));
        break;
      case Primitive::ge:
        give(x(0) >= x(1));
        break;
      case Primitive::select:
        give(x(0) != 0 ? x(1) : x(2));
        break;
      case Primitive::max:
        give(x(0) > x(1) || std::isnan(x(0)) ? x(0) : x(1));
        break;
      default:
        throw std::logic_error("a finish formula uses " + std::string(info(node.primitive).name));
    }
  }
  return values[static_cast<std::size_t>(root_)];
}

void FinishFormula::storeOther(const std::uint64_t* words, double elements, void* to) const {
  const AccumulatorRow& row = *accumulator_;
  const std::uint64_t word = words[row.result];
  if (row.positions) {
    *static_cast<std::int64_t*>(to) = static_cast<std::int64_t>(word);
    return;
  }
  if (isInteger_) return storeElement(to, dtype_, static_cast<std::int64_t>(word));
  const double count = row.count < 0 ? elements : std::bit_cast<double>(words[row.count]);
  storeElement(to, dtype_, value(std::bit_cast<double>(word), count));
}

}  // namespace fusebench::cpu
