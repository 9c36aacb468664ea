// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/runtime/compiled_kernel.h"

#include <algorithm>

#include "engine/cpu/codegen/row_writer.h"
#include "engine/cpu/codegen/schedule.h"

namespace fusebench::cpu {

CompiledKernel::CompiledKernel(const Kernel& kernel, const Schedule& schedule, const Target& target,
                               std::unique_ptr<LoadedCode> code)
    : CpuExecutable(kernel, schedule.splits),
      code_(std::move(code)),
      function_(code_->function()),
      schedule_(schedule),
      inputs_(kernel.inputs.size()),
      outputs_(kernel.outputs),
      carried_(kernel.carried),
      totals_(kernel.totals) {
  for (const KernelOutput& output : outputs_) {
    formulas_.emplace_back();
    if (output.reduces) formulas_.back().emplace(output);
  }
  std::size_t next = 0;
  for (int dim = 0; dim < kernel.rank(); ++dim) {
    const std::int64_t extent = kernel.extents[dim];
    extents_.push_back({extent, extent == kAtLaunch ? next++ : 0, kernel.reduced(dim)});
  }
  first_ = extents_[static_cast<std::size_t>(schedule.order.front())];
  if (schedule.vectorIsFirst()) grain_ = target.vector.width * schedule.interleave;
  // Rows that do not fill a panel are transposed element by element.
  if (schedule.hasPanels() && schedule.order.front() == schedule.panelDim)
    grain_ = schedule.panelRows;
  nanosecondsPerElement_ = nanosecondsPerElement(kernel, target);
  if (kernel.hasPhases()) buffers_ = phasesFor(kernel).buffers.size();
}

std::uint64_t* CompiledKernel::rowBuffers(const std::int64_t* integers) const {
  constexpr std::size_t kLine = 64;
  thread_local std::vector<std::uint64_t> memory;
  const std::size_t bytes =
      buffers_ * static_cast<std::size_t>(rowBufferBytes(reducedElements(integers))) +
      static_cast<std::size_t>(totalsBytes(totals_.size())) + kLine;
  if (memory.size() * sizeof memory[0] < bytes) memory.resize(bytes / sizeof memory[0] + 1);
  // A row begins where a cache line does.
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  return memory.data() + (kLine - address % kLine) % kLine / sizeof memory[0];
}

/// The rows from begin to end; what they add up to is handed back, or what is computed of it is
/// stored.
void CompiledKernel::runAddingUp(const LaunchArguments& arguments, std::int64_t begin,
                                 std::int64_t end, std::uint64_t* partials) const {
  std::uint64_t* const memory = rowBuffers(arguments.integers);
  function_(arguments.pointers, arguments.integers, arguments.scalars, begin, end, memory);
  if (partials)
    std::copy_n(memory, partialWords(), partials);
  else
    function_(arguments.pointers, arguments.integers, arguments.scalars, -1, -1, memory);
}

std::int64_t CompiledKernel::reducedElements(const std::int64_t* integers) const {
  std::int64_t elements = 1;
  for (const Extent& extent : extents_)
    if (extent.reduced)
      elements *= extent.known != kAtLaunch ? extent.known : integers[extent.position];
  return elements;
}

double CompiledKernel::estimate(const std::int64_t* integers) const {
  double elements = 1;
  for (const Extent& extent : extents_)
    elements *=
        static_cast<double>(extent.known != kAtLaunch ? extent.known : integers[extent.position]);
  return elements * nanosecondsPerElement_;
}

void CompiledKernel::finish(std::vector<std::uint64_t>& partials, int parts,
                            const LaunchArguments& arguments) const {
  const auto elements = static_cast<double>(reducedElements(arguments.integers));
  for (std::size_t o = 0; o < reductions().size(); ++o) {
    const KernelOutput& output = reductions()[o];
    if (!output.reduces) continue;
    std::uint64_t* total = &partials[o * kPartialWords];
    for (int part = 1; part < parts; ++part)
      mergePartials(output.accumulate, output.accumulated, total,
                    &partials[static_cast<std::size_t>(part) * partialWords() + o * kPartialWords]);
    if (carried_.empty()) formulas_[o]->store(total, elements, arguments.pointers[inputs_ + o]);
  }
  if (!carried_.empty())
    function_(arguments.pointers, arguments.integers, arguments.scalars, -1, -1, partials.data());
}

}  // namespace fusebench::cpu
