// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/passed_call.h"

#include <utility>

#include "engine/base/short_list.h"

namespace fusebench::cpu {

PassedCall::PassedCall(const LibraryCall& asked, std::shared_ptr<const CpuExecutable> call,
                       std::shared_ptr<const CpuExecutable> pass, RunPart runPart)
    : CpuExecutable(asked.launchForm(), /*splits=*/false),
      name_(asked.name + "_" + asked.pass->name),
      traffic_(trafficOf(asked)),
      operands_(asked.operands.size()),
      more_(asked.pass->inputs.size() - 1),
      integers_(asked.integers()),
      call_(std::move(call)),
      pass_(std::move(pass)),
      runPart_(std::move(runPart)) {}

void PassedCall::runWhole(const LaunchArguments& arguments) const {
  void* const result = arguments.pointers[operands_ + more_];
  ShortList<void*, 4> called, passed;
  for (std::size_t o = 0; o < operands_; ++o) called.push_back(arguments.pointers[o]);
  called.push_back(result);
  call_->runWhole({called.data(), arguments.integers, nullptr, arguments.step});
  passed.push_back(result);
  for (std::size_t i = 0; i < more_; ++i) passed.push_back(arguments.pointers[operands_ + i]);
  passed.push_back(result);
  runPart_(*pass_, {passed.data(), arguments.integers + integers_, nullptr, arguments.step}, *this);
}

LibraryCall withoutPass(LibraryCall call) {
  call.pass = nullptr;
  return call;
}

}  // namespace fusebench::cpu
