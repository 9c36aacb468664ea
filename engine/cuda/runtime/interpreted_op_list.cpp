// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/interpreted_op_list.h"

#include <algorithm>
#include <cstring>

namespace fusebench::cuda {
namespace {

/// The instructions with the one behind the last that is read ahead.
std::size_t codeBytes(std::size_t instructions) {
  return (instructions + 1) * sizeof(OpListInstruction);
}

}  // namespace

InterpretedOpList::InterpretedOpList(Kernel kernel, InterpreterProgram program,
                                     std::shared_ptr<const CompiledKernel> interpreter,
                                     BlockRef code)
    : CudaExecutable(kernel.name, KernelTraffic(kernel)),
      kernel_(std::move(kernel)),
      places_(program.places),
      demand_{static_cast<int>(program.code.size()), program.slots,
              static_cast<int>(program.reductions.size())},
      own_(program.code.begin(),
           program.code.begin() +
               std::min<std::ptrdiff_t>(std::ssize(program.code), kLaunchInstructions)),
      interpreter_(std::move(interpreter)),
      code_(std::move(code)),
      integerCount_(static_cast<std::size_t>(launchForm(kernel_).integers)) {
  if (!program.reductions.empty()) reduction_ = program.reductions.front();
}

std::vector<std::byte> InterpretedOpList::image(const InterpreterProgram& program) {
  const std::size_t first = program.code.size() * sizeof(OpListInstruction);
  const std::size_t reductions = program.reductions.size() * sizeof(OpListReduction);
  std::vector<std::byte> bytes(codeBytes(program.code.size()) + reductions);
  std::memcpy(bytes.data(), program.code.data(), first);
  if (reductions > 0)
    std::memcpy(bytes.data() + codeBytes(program.code.size()), program.reductions.data(),
                reductions);
  return bytes;
}

const OpListLaunch& InterpretedOpList::walk(const std::int64_t* integers) const {
  if (walked_ && std::equal(integers_.begin(), integers_.end(), integers)) return walk_;
  setWalk(walk_, kernel_, places_, integers);
  auto* const code = static_cast<std::byte*>(code_.get()->data);
  walk_.rest = reinterpret_cast<const OpListInstruction*>(code);
  std::copy(own_.begin(), own_.end(), walk_.code);
  walk_.reduction = reduction_;
  walk_.reductions = reinterpret_cast<const OpListReduction*>(
      code + codeBytes(static_cast<std::size_t>(demand_.instructions)));
  integers_.assign(integers, integers + integerCount_);
  walked_ = true;
  return walk_;
}

LaunchPlan InterpretedOpList::plan(const std::int64_t* integers, int multiprocessors) const {
  return planInterpreted(walk(integers), demand_, multiprocessors);
}

void InterpretedOpList::setParameters(ParameterList& list, const LaunchArguments& arguments,
                                      const LaunchPlan& plan, const LaunchMemory& memory) const {
  OpListLaunch& launch = list.set(walk(arguments.integers));
  placeScratch(launch, demand_, plan, memory.scratch);
  launch.arrived = memory.arrived;
  const std::size_t tensors = kernel_.inputs.size() + kernel_.outputs.size();
  for (std::size_t t = 0; t < tensors; ++t) {
    OpListTensor& tensor = launch.tensors[t];
    tensor.address = reinterpret_cast<std::uintptr_t>(arguments.pointers[t]);
    if (tensor.address % 16 != 0) tensor.how &= ~kOneAccess;
  }
}

}  // namespace fusebench::cuda
