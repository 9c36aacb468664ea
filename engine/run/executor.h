// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/tensor.h"
#include "engine/device/backend.h"
#include "engine/language/program.h"

namespace fusebench {

struct ExecutorOptions {
  int recompileLimit = 8;  ///< compiled variants kept; past it, calls fall back to eager
  bool contract = false;   ///< let fused kernels contract a*b+c across ops: faster, other bits
  /// Let fused kernels use the device's approximate functions and division, and take denormals for
  /// 0: faster, and less exact than the op table says. Only where Backend::hasFastMath().
  bool fastMath = false;
  int recordings = 64;  ///< kept by replay, one per set of shapes; least recently used out
};

/// One compile that an executor made, and why.
struct CompileEvent {
  std::string reason;  ///< "first call", or the guard that failed: "input x: size of dim 0 is 5,
                       ///< compiled for 8"
  CompileTimes times;
};

struct ExecutorStatistics {
  std::uint64_t calls = 0;
  std::uint64_t eagerCalls = 0;  ///< calls that fell back to eager after the recompile limit
  std::uint64_t guardFailures = 0;
  std::vector<CompileEvent> compiles;  ///< first and re-compiles, in order
};

/// How a program becomes launches. Written once over Backend.
class Executor {
 public:
  virtual ~Executor() = default;
  /// Runs the program once. The inputs must be as many as the program's, of computable dtypes;
  /// throws ProgramError if their shapes do not fit. The results stay valid until the next call.
  virtual std::span<const Tensor> call(std::span<const Tensor> inputs) = 0;
  virtual const ExecutorStatistics& statistics() const = 0;

  /// The kernels that a call with such inputs launches, in order, as they would be compiled.
  virtual std::vector<Kernel> kernels(std::span<const Tensor> inputs) = 0;
  /// The same as chains, if that is how they run; else nothing.
  virtual std::vector<Chain> chains(std::span<const Tensor> /*inputs*/) { return {}; }
};

struct ExecutorInfo {
  std::string_view name;
  std::string_view doc;   ///< one line
  bool captures = false;  ///< needs Backend::canCapture()
  bool chains = false;    ///< needs Backend::canChain()
};
/// The executors there are: eager, static, dynamic, instant, replay, static+replay.
std::span<const ExecutorInfo> executorNames();
/// Those of them that the backend can run.
std::vector<ExecutorInfo> executorsOn(const Backend& backend);

/// Throws std::invalid_argument for an unknown name, and for an executor that captures, chains or
/// compiles on a backend that cannot.
std::unique_ptr<Executor> makeExecutor(std::string_view name, Backend& backend,
                                       SharedProgram program, ExecutorOptions options = {});
inline std::unique_ptr<Executor> makeExecutor(std::string_view name, Backend& backend,
                                              Program program, ExecutorOptions options = {}) {
  return makeExecutor(name, backend, shared(std::move(program)), options);
}

}  // namespace fusebench
