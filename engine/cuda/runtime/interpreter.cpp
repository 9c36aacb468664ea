// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/interpreter.h"

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/cuda/instant/interpreter_source.h"
#include "engine/cuda/instant/prebuilt_interpreter.h"

namespace fusebench::cuda {
namespace {

using PutTogetherClock = std::chrono::steady_clock;

std::int64_t spentSince(PutTogetherClock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(PutTogetherClock::now() - begin)
      .count();
}

}  // namespace

Interpreter::Interpreter(KernelCompiler& compiler, std::shared_ptr<const Device> device,
                         Stream stream, Allocator& memory)
    : compiler_(compiler), device_(std::move(device)), stream_(stream), memory_(memory) {}

std::shared_ptr<const CompiledKernel> Interpreter::get(bool reduces, bool useDiskCache,
                                                       CompileTimes& times) {
  ++times.kernels;
  std::shared_ptr<const CompiledKernel>& made = made_[reduces];
  if (made) {
    ++times.fromMemory;
    return made;
  }
  const auto begin = PutTogetherClock::now();
  Source source = interpreterSource(reduces);
  const PrebuiltInterpreter prebuilt = prebuiltInterpreter(reduces, source.text);
  times.codegen += spentSince(begin);
  Kernel kernel;
  kernel.name = "instant";
  // Another NVRTC may have other math functions: then instant's bits would not be static's.
  const Nvrtc* const nvrtc = compiler_.nvrtc().get();
  if (!prebuilt.ptx.empty() && (!nvrtc || nvrtc->versionText() == prebuilt.nvrtc)) {
    const DeviceInfo& info = device_->info();
    const std::string code =
        prebuiltMachineCode(reduces, source.text, 10 * info.major + info.minor);
    for (const std::string_view tried : {std::string_view(code), prebuilt.ptx}) {
      if (tried.empty()) continue;
      try {
        return made = compiler_.load(kernel, source, tried, times);
      } catch (const CudaError& error) {  // such as that the driver is older than the code
        const bool last = tried.data() == prebuilt.ptx.data();
        if (error.isSticky() || (last && !nvrtc)) throw;
      }
    }
  }
  try {
    made = compiler_.compile(kernel, source, useDiskCache, times);
  } catch (const std::runtime_error&) {
    // The shipped code runs, though with the last bits of another NVRTC. If that is refused, too,
    // the driver says why, because it was asked last.
    if (prebuilt.ptx.empty() || !nvrtc || nvrtc->versionText() == prebuilt.nvrtc) throw;
    made = compiler_.load(kernel, std::move(source), prebuilt.ptx, times);
  }
  return made;
}

std::shared_ptr<const InterpretedOpList> Interpreter::assemble(const OpList& list,
                                                               bool useDiskCache,
                                                               CompileTimes& times) {
  auto begin = PutTogetherClock::now();
  InterpreterProgram program = assembleInterpreted(list);
  Kernel kernel;
  static_cast<LoopNest&>(kernel) = list.kernel;
  kernel.name = list.label.text();
  demandRoom(kernel, program.places);
  times.codegen += spentSince(begin);
  auto interpreter = get(list.kernel.reducedMask != 0, useDiskCache, times);
  begin = PutTogetherClock::now();
  const std::vector<std::byte> image = InterpretedOpList::image(program);
  BlockRef code(memory_.allocate(image.size()));
  device_->use();
  device_->driver().memcpyHtoDAsync(reinterpret_cast<std::uintptr_t>(code.get()->data),
                                    image.data(), image.size(), stream_);
  auto made = std::make_shared<const InterpretedOpList>(std::move(kernel), std::move(program),
                                                        std::move(interpreter), std::move(code));
  times.codegen += spentSince(begin);
  return made;
}

}  // namespace fusebench::cuda
