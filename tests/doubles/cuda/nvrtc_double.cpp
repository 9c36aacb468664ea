// SPDX-License-Identifier: GPL-3.0-or-later
// NVRTC's functions: the source that it gets is compiled for the host.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tests/doubles/cuda/host_compiler.h"
#include "tests/doubles/cuda/image.h"
#include "tests/doubles/cuda/machine.h"

using namespace fusebench::test;

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

constexpr int kSuccess = 0, kInvalidInput = 3, kInvalidOption = 5, kCompilation = 6;

struct Program {
  std::string source, log, image;
  bool ptx = false;
};

std::vector<int> architectures() {
  std::vector<int> all = {75, 80};
  if (!Machine::get().control.faults.noCubin) all.push_back(90);
  return all;
}

int give(const std::string& text, char* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return kSuccess;
}

}  // namespace

EXPORTED int nvrtcVersion(int* major, int* minor) {
  const int version = environmentNumber("FUSEBENCH_DOUBLE_NVRTC", kVersion);
  *major = version / 1000;
  *minor = version % 1000 / 10;
  return kSuccess;
}

EXPORTED const char* nvrtcGetErrorString(int result) {
  return result == kCompilation ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR";
}

EXPORTED int nvrtcGetNumSupportedArchs(int* count) {
  *count = static_cast<int>(architectures().size());
  return kSuccess;
}

EXPORTED int nvrtcGetSupportedArchs(int* all) {
  const std::vector<int> known = architectures();
  std::copy(known.begin(), known.end(), all);
  return kSuccess;
}

namespace {
/// NVRTC refuses what it does not know; these are the ones that the back end may use.
bool isKnown(const std::string& option) {
  static const std::set<std::string, std::less<>> whole = {
      "--std=c++17",      "--use_fast_math",     "--ptxas-options=-v", "--fmad=true",
      "--fmad=false",     "--ftz=false",         "--ftz=true",         "--prec-div=true",
      "--prec-sqrt=true", "--generate-line-info"};
  return whole.contains(option) || option.starts_with("--gpu-architecture=") ||
         option.starts_with("--include-path=");
}
}  // namespace

EXPORTED int nvrtcCreateProgram(void** program, const char* source, const char*, int,
                                const char* const*, const char* const*) {
  *program = new Program{source, {}, {}};
  return kSuccess;
}

EXPORTED int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  *program = nullptr;
  return kSuccess;
}

EXPORTED int nvrtcCompileProgram(void* handle, int count, const char* const* options) {
  auto& program = *static_cast<Program*>(handle);
  Machine& machine = Machine::get();
  int architecture = 0;
  bool fastMath = false;
  for (int i = 0; i < count; ++i) {
    const std::string option = options[i], name = "--gpu-architecture=";
    if (!isKnown(option)) return kInvalidOption;
    fastMath |= option == "--use_fast_math";
    if (!option.starts_with(name)) continue;
    program.ptx = option.find("compute_") != std::string::npos;
    architecture = std::atoi(option.substr(option.find('_') + 1).c_str());
  }
  const std::vector<int> known = architectures();
  if (std::find(known.begin(), known.end(), architecture) == known.end()) return kInvalidOption;
  {
    const std::lock_guard lock(machine.mutex);
    ++machine.control.counts.compilations;
    machine.control.counts.fastMath += fastMath;
    machine.spend(machine.control.costs.compilation);
    if (machine.strikes(&DoubleFaults::compilation)) {
      program.log = "kernel.cu(1): error: asked to fail";
      return kCompilation;
    }
  }
  const HostCompiled compiled = compileForHost(program.source);
  {
    const std::lock_guard lock(machine.mutex);
    machine.control.counts.hostCompiles += compiled.compilerRan;
  }
  program.log = compiled.log;
  if (compiled.library.empty()) return kCompilation;
  program.image = program.ptx ? ptxImage(architecture, program.source)
                              : cubinImage(architecture, compiled.library);
  return kSuccess;
}

EXPORTED int nvrtcGetProgramLogSize(void* program, std::size_t* bytes) {
  *bytes = static_cast<Program*>(program)->log.size() + 1;
  return kSuccess;
}
EXPORTED int nvrtcGetProgramLog(void* program, char* log) {
  return give(static_cast<Program*>(program)->log, log);
}

EXPORTED int nvrtcGetPTXSize(void* program, std::size_t* bytes) {
  const auto& made = *static_cast<Program*>(program);
  *bytes = made.ptx ? made.image.size() + 1 : 0;
  return made.ptx ? kSuccess : kInvalidInput;
}
EXPORTED int nvrtcGetPTX(void* program, char* ptx) {
  return give(static_cast<Program*>(program)->image, ptx);
}

EXPORTED int nvrtcGetCUBINSize(void* program, std::size_t* bytes) {
  const auto& made = *static_cast<Program*>(program);
  *bytes = made.ptx ? 0 : made.image.size();
  return kSuccess;
}
EXPORTED int nvrtcGetCUBIN(void* program, char* cubin) {
  const auto& made = *static_cast<Program*>(program);
  std::memcpy(cubin, made.image.data(), made.image.size());
  return kSuccess;
}
