// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/cpu_executable.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace fusebench::cpu {
namespace {

/// A vector instruction costs about this long in a full pipeline: two a cycle at 3 GHz, rounded up.
constexpr double kNanosecondsPerInstruction = 0.2;

/// Value of an output's finish formula, in double, as the generated code computes it.
double finished(const KernelOutput& output, double accumulated, double elements) {
  if (!output.finish) return accumulated;
  ExprGraph graph;
  const Expr total{&graph, graph.input(0)}, count{&graph, graph.input(1)};
  std::vector<Expr> parameters;
  for (double value : output.finishParameters)
    parameters.push_back({&graph, graph.constant(value)});
  const ExprId root = output.finish(total, count, Args({}, parameters)).id;
  std::vector<double> values;
  for (const ExprNode& node : graph.nodes()) {
    const auto x = [&](int o) { return values[static_cast<std::size_t>(node.operands[o])]; };
    switch (node.primitive) {
      case Primitive::input:
        values.push_back(node.index == 0 ? accumulated : elements);
        break;
      case Primitive::constant:
        values.push_back(node.value);
        break;
      case Primitive::add:
        values.push_back(x(0) + x(1));
        break;
      case Primitive::sub:
        values.push_back(x(0) - x(1));
        break;
      case Primitive::mul:
        values.push_back(x(0) * x(1));
        break;
      case Primitive::div:
        values.push_back(x(0) / x(1));
        break;
      case Primitive::neg:
        values.push_back(-x(0));
        break;
      case Primitive::sqrt:
        values.push_back(std::sqrt(x(0)));
        break;
      case Primitive::lt:
        values.push_back(x(0) < x(1));
        break;
      case Primitive::le:
        values.push_back(x(0) <= x(1));
        break;
      case Primitive::gt:
        values.push_back(x(0) > x(1));
        break;
      case Primitive::ge:
        values.push_back(x(0) >= x(1));
        break;
      case Primitive::select:
        values.push_back(x(0) != 0 ? x(1) : x(2));
        break;
      case Primitive::max:
        values.push_back(x(0) > x(1) || std::isnan(x(0)) ? x(0) : x(1));
        break;
      default:
        throw std::logic_error("a finish formula uses " + std::string(info(node.primitive).name));
    }
  }
  return values[static_cast<std::size_t>(root)];
}

}  // namespace

CpuExecutable::CpuExecutable(const Kernel& kernel, const Schedule& schedule, const Target& target,
                             std::unique_ptr<LoadedCode> code)
    : Executable(kernel.name),
      code_(std::move(code)),
      function_(code_->function()),
      form_(launchForm(kernel)),
      schedule_(schedule),
      inputs_(kernel.inputs.size()),
      outputs_(kernel.outputs) {
  std::size_t next = 0;
  for (int dim = 0; dim < kernel.rank(); ++dim) {
    const std::int64_t extent = kernel.extents[dim];
    extents_.push_back({extent, extent == kAtLaunch ? next++ : 0, kernel.reduced(dim)});
  }
  first_ = extents_[static_cast<std::size_t>(schedule.order.front())];
  if (schedule.vectorIsFirst()) grain_ = target.vector.width * schedule.interleave;
  nanosecondsPerElement_ =
      instructionsPerElement(kernel) * kNanosecondsPerInstruction / target.vector.width;
}

double CpuExecutable::estimate(const std::int64_t* integers) const {
  double elements = 1;
  for (const Extent& extent : extents_)
    elements *=
        static_cast<double>(extent.known != kAtLaunch ? extent.known : integers[extent.position]);
  return elements * nanosecondsPerElement_;
}

void CpuExecutable::finish(std::vector<std::uint64_t>& partials, int parts,
                           const LaunchArguments& arguments) const {
  double elements = 1;
  for (const Extent& extent : extents_)
    if (extent.reduced)
      elements *= static_cast<double>(
          extent.known != kAtLaunch ? extent.known : arguments.integers[extent.position]);
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    const KernelOutput& output = outputs_[o];
    if (!output.reduces) continue;
    std::uint64_t* total = &partials[o * kPartialWords];
    for (int part = 1; part < parts; ++part)
      mergePartials(output.accumulate, total,
                    &partials[static_cast<std::size_t>(part) * partialWords() + o * kPartialWords]);
    void* to = arguments.pointers[inputs_ + o];
    if (output.accumulate == Accumulate::argmax) {
      *static_cast<std::int64_t*>(to) = static_cast<std::int64_t>(total[1]);
      continue;
    }
    const std::size_t word = output.accumulate == Accumulate::squaredDeviations ? 2 : 0;
    *static_cast<float*>(to) =
        static_cast<float>(finished(output, std::bit_cast<double>(total[word]), elements));
  }
}

}  // namespace fusebench::cpu
