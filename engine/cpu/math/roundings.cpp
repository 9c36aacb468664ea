// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/math/roundings.h"

#include <bit>
#include <cmath>

#include "engine/base/elements.h"

namespace fusebench::cpu {
namespace {

/// The known properties of a float32 value.
struct Held {
  bool half = false;       ///< float16 holds it exactly
  bool bfloat = false;     ///< so does bfloat16
  bool plainNans = false;  ///< see Rounding::ofPlainNans

  friend Held operator&(const Held& a, const Held& b) {
    return {a.half && b.half, a.bfloat && b.bfloat, a.plainNans && b.plainNans};
  }
};
constexpr Held kAny{true, true, true};

/// The properties of an element of this dtype, read as float32.
Held elementsOf(DType dtype) {
  switch (dtype) {
    case DType::boolean:
    case DType::uint8:
    case DType::int8:
      return kAny;
    case DType::int32:
    case DType::int64:
      return {false, false, true};
    case DType::float16:
      return {true, false, false};
    case DType::bfloat16:
      return {false, true, true};
    default:
      return {};
  }
}

Held constant(double value) {
  const auto single = static_cast<float>(value);
  const bool lowerHalf = (std::bit_cast<std::uint32_t>(single) & 0xffffu) != 0;
  if (std::isnan(single)) return {true, !lowerHalf, !lowerHalf};
  return {roundedTo(single, DType::float16) == single, !lowerHalf, true};
}

Held of(const Kernel& kernel, const ExprNode& node, const std::vector<Held>& known) {
  const auto operand = [&](int o) { return known[static_cast<std::size_t>(node.operands[o])]; };
  switch (node.primitive) {
    case Primitive::input:
    case Primitive::at:
      return elementsOf(kernel.inputs[static_cast<std::size_t>(node.index)].dtype);
    case Primitive::constant:
      return constant(node.value);
    case Primitive::narrow: {
      const bool toHalf = static_cast<DType>(node.index) == DType::float16;
      const Held from = operand(0);
      // A half's NaN has more bits than a bfloat16 has room for.
      return toHalf ? Held{true, from.bfloat, from.plainNans} : Held{from.half, true, true};
    }
    case Primitive::toNumber:
      return kAny;
    case Primitive::convert:
      return elementsOf(storageOf(kernel.body[node.operands[0]].type));
    case Primitive::neg:
    case Primitive::abs:
    case Primitive::floor:
    case Primitive::ceil:
    case Primitive::trunc:
    case Primitive::round:
      return operand(0);
    case Primitive::min:
    case Primitive::max:
      return operand(0) & operand(1);
    case Primitive::select:
      return operand(1) & operand(2);
    case Primitive::add:
    case Primitive::sub:
    case Primitive::mul:
    case Primitive::div:
      return {false, false, operand(0).plainNans && operand(1).plainNans};
    case Primitive::sqrt:
      return {false, false, operand(0).plainNans};
    case Primitive::fma:
      return {false, false, operand(0).plainNans && operand(1).plainNans && operand(2).plainNans};
    default:
      return {};
  }
}

}  // namespace

std::vector<Rounding> roundings(const Kernel& kernel) {
  std::vector<Held> known;
  std::vector<Rounding> needed;
  for (const ExprNode& node : kernel.body.nodes()) {
    known.push_back(node.type == TypeClass::float32 ? of(kernel, node, known) : Held{});
    Rounding own = Rounding::whole;
    if (node.primitive == Primitive::narrow) {
      const Held& from = known[static_cast<std::size_t>(node.operands[0])];
      const bool toHalf = static_cast<DType>(node.index) == DType::float16;
      // A bfloat16 is the upper half of the bits as they are, also for NaN.
      if (toHalf ? from.half : from.bfloat && from.plainNans)
        own = Rounding::none;
      else if (!toHalf && from.plainNans)
        own = Rounding::ofPlainNans;
    }
    needed.push_back(own);
  }
  return needed;
}

}  // namespace fusebench::cpu
