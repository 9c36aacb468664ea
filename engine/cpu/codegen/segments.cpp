// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/segments.h"

#include <algorithm>
#include <limits>

namespace fusebench::cpu {
namespace {

void addOnce(std::vector<ExprId>& list, ExprId id) {
  if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
}

}  // namespace

double instructionCount(Primitive primitive) {
  switch (primitive) {
    case Primitive::input:
      return 1;
    case Primitive::scalar:
    case Primitive::constant:
    case Primitive::carried:
      return 0;
    case Primitive::div:
    case Primitive::sqrt:
    case Primitive::at:
      return 4;
    case Primitive::min:
    case Primitive::max:
      return 2;
    case Primitive::pow:
    case Primitive::tan:
    case Primitive::erfc:
    case Primitive::fmod:
      return 50;
    default:
      // Transcendentals are polynomials of about this length.
      return primitive >= Primitive::exp && primitive <= Primitive::erfc ? 20 : 1;
  }
}

std::vector<Segment> cutSegments(const Kernel& kernel, const std::vector<bool>& skip,
                                 double limit) {
  std::vector<Segment> segments(1);
  std::vector<int> madeIn(kernel.body.size(), -1);
  double cost = 0;
  // A later segment must not read an element that an earlier one has overwritten in place.
  const bool rewrites = std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                                    [](const KernelTensor& input) { return input.rewritten; });
  if (rewrites && kernel.outputs.size() > 1) limit = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kernel.body.size(); ++i) {
    const auto id = static_cast<ExprId>(i);
    const ExprNode& node = kernel.body[id];
    if (skip[i] || node.primitive == Primitive::input) continue;
    const double more = instructionCount(node.primitive);
    if (!segments.back().nodes.empty() && cost + more > limit) {
      segments.emplace_back();
      cost = 0;
    }
    cost += more;
    const int current = static_cast<int>(segments.size()) - 1;
    Segment& segment = segments.back();
    segment.nodes.push_back(id);
    madeIn[i] = current;
    for (int o = 0; o < info(node.primitive).arity; ++o) {
      const ExprId operand = node.operands[o];
      const auto at = static_cast<std::size_t>(operand);
      if (skip[at]) continue;
      if (kernel.body[operand].primitive == Primitive::input) {
        addOnce(segment.inputs, operand);
      } else if (madeIn[at] != current) {
        addOnce(segment.loads, operand);
        addOnce(segments[static_cast<std::size_t>(madeIn[at])].stores, operand);
      }
    }
  }
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o) {
    const ExprId value = kernel.outputs[o].value;
    const int made = madeIn[static_cast<std::size_t>(value)];
    Segment& segment = made >= 0 ? segments[static_cast<std::size_t>(made)] : segments.back();
    segment.outputs.push_back(static_cast<int>(o));
    if (kernel.body[value].primitive == Primitive::input) addOnce(segment.inputs, value);
  }
  return segments;
}

}  // namespace fusebench::cpu
