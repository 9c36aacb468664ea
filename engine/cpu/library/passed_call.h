// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/cpu/library/library_executable.h"

namespace fusebench::cpu {

/// A library call and the kernel that runs over its result in place, as one launch. Calls of the
/// same form share `call` and its memory for the library's own layouts, which is then in the cache.
class PassedCall final : public CpuExecutable {
 public:
  /// Runs a part of a launch on the backend's threads. `launch`: for labels.
  using RunPart = std::function<void(const CpuExecutable& part, const LaunchArguments& arguments,
                                     const CpuExecutable& launch)>;

  /// `asked`: with the pass; `call`: without it; `pass`: compiled.
  PassedCall(const LibraryCall& asked, std::shared_ptr<const CpuExecutable> call,
             std::shared_ptr<const CpuExecutable> pass, RunPart runPart);

  void runWhole(const LaunchArguments& arguments) const override;
  void run(const LaunchArguments& arguments, std::int64_t /*begin*/, std::int64_t /*end*/,
           std::uint64_t* /*partials*/) const override {
    runWhole(arguments);
  }
  bool partials() const override { return false; }
  std::int64_t firstExtent(const std::int64_t* /*integers*/) const override { return 1; }
  std::int64_t grain(const std::int64_t* /*integers*/) const override { return 1; }
  double estimate(const std::int64_t* integers) const override {
    return call_->estimate(integers) + pass_->estimate(integers + integers_);
  }
  void finish(std::vector<std::uint64_t>&, int, const LaunchArguments&) const override {}
  std::size_t partialWords() const override { return 0; }

 protected:
  std::string findName() const override { return name_; }
  KernelTraffic findTraffic() const override { return traffic_; }

 private:
  std::string name_;
  KernelTraffic traffic_;
  std::size_t operands_;  ///< the call's
  std::size_t more_;      ///< inputs of the pass in addition to the result
  std::size_t integers_;  ///< the call's
  std::shared_ptr<const CpuExecutable> call_, pass_;
  RunPart runPart_;
};

/// The call without its pass.
LibraryCall withoutPass(LibraryCall call);

}  // namespace fusebench::cpu
